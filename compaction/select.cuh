// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "compaction/cuda/call.cuh"
#include "compaction/single_pass/select.h"
#include "compaction/version.h"

// Select of device memory. cuda.cuh says what all functions have in common.
//
// `count` is a pointer to an integer of 32 or 64 bits in device memory, which receives the number
// of selected items, or a SelectedCount, which also limits the output and reports an overflow.

namespace compaction {

namespace detail {

template <class T, class Predicate>
auto items_if(const T* in, Predicate predicate) {
  if constexpr (simt::kHasVectors<T>)
    return ItemsIf<T, Predicate>{in, predicate};
  else if constexpr (simt::kFillsVectors<T>)
    return MultiVectorItemsIf<T, Predicate>{in, predicate};
  else
    return WordItemsIf<T, Predicate>{in, predicate};
}
template <class T>
auto write_items(T* out) {
  if constexpr (simt::kHasVectors<T>)
    return WriteItems<T>{out};
  else if constexpr (simt::kHasWords<T>)
    return WriteWords<T>(out);
  else
    return WriteBytes<T>(out);
}

template <class T, class Predicate>
using ItemsIfOf = decltype(items_if(static_cast<const T*>(nullptr), std::declval<Predicate>()));
template <class T>
using WriteItemsOf = decltype(write_items(static_cast<T*>(nullptr)));

/// Selects the items of `in` whose flags `source` tests, for the function `name`.
template <class Source, class T, class Count>
cudaError_t select_column(const char* name, const Array& flags, const Source& source, const T* in,
                          T* out, Count count, ItemCount n, const Storage& storage,
                          cudaStream_t stream) {
  const SelectedCount to = selected_count(count);
  return run_job({name, {reads("in", in, n), flags, writes_some("out", out, n), writes_count(to)}},
                 select_job(source, WriteColumns<T>({in, out}), to), n, storage, stream);
}

}  // namespace detail

/// Stable select of any source (single_pass/sources.h) into any sink (single_pass/sinks.h).
///
/// Workspace of select_bytes<Source, Sink>(capacity). See select() in single_pass/select.h.
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t select(const Source& source, const Sink& sink, ItemCount n, Count count,
                                 const Storage& storage, cudaStream_t stream = nullptr) {
  const SelectedCount to = detail::selected_count(count);
  return detail::run_job({"select", {detail::writes_count(to)}}, select_job(source, sink, to), n,
                         storage, stream);
}
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t select(void* temp, size_t& temp_bytes, const Source& source,
                                 const Sink& sink, ItemCount n, Count count,
                                 cudaStream_t stream = nullptr) {
  return compaction::select(source, sink, n, count, Storage(temp, temp_bytes), stream);
}

/// Returns the bytes of workspace that select_if() needs.
template <class T, class Predicate>
size_t select_if_bytes(uint64_t capacity) {
  return select_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(capacity);
}

/// Stable select of the items that a predicate selects.
///
/// @param in         [n], trivially copyable, of 1 to 128 bytes
/// @param out        [>= selected items, or count.capacity]; may be `in` where a vector load can
///                   move T (a power of two up to 16 bytes, aligned to its size), else
///                   cudaErrorInvalidValue; must not overlap it otherwise
/// @param predicate  called exactly once for each item, in no particular order
/// Workspace of select_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_if(const T* in, T* out, Count count, ItemCount n,
                                    Predicate predicate, const Storage& storage,
                                    cudaStream_t stream = nullptr) {
  using Job = SelectJob<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>;
  SelectedCount to = detail::selected_count(count);
  to.in_place = in == out && n.capacity > 0;
  if (to.in_place && !simt::kHasVectors<T> && !storage.asks_for_size())
    return cudaErrorInvalidValue;
  detail::Array outputs = detail::writes_some("out", out, n);
  outputs.in_place = simt::kHasVectors<T>;
  return detail::run_job(
      {"select_if", {detail::reads("in", in, n), outputs, detail::writes_count(to)}},
      Job{detail::items_if(in, predicate), detail::write_items(out), {}, to}, n, storage, stream);
}
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_if(void* temp, size_t& temp_bytes, const T* in, T* out,
                                    Count count, ItemCount n, Predicate predicate,
                                    cudaStream_t stream = nullptr) {
  return compaction::select_if(in, out, count, n, predicate, Storage(temp, temp_bytes), stream);
}

/// Stable select of the items whose flag is not 0. Reads only the selected items of `in`.
///
/// @param in, flags  [n]
/// @param out        [>= selected items, or count.capacity]; must not overlap anything else
/// Workspace of select_bytes<Flagged, WriteColumns<T>>(capacity).
template <class T, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_flagged(const T* in, const uint8_t* flags, T* out, Count count,
                                         ItemCount n, const Storage& storage,
                                         cudaStream_t stream = nullptr) {
  return detail::select_column("select_flagged", detail::reads("the flags", flags, n),
                               Flagged{flags}, in, out, count, n, storage, stream);
}
template <class T, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_flagged(void* temp, size_t& temp_bytes, const T* in,
                                         const uint8_t* flags, T* out, Count count, ItemCount n,
                                         cudaStream_t stream = nullptr) {
  return compaction::select_flagged(in, flags, out, count, n, Storage(temp, temp_bytes), stream);
}

/// Stable select of the items whose flag a predicate selects. Reads only the selected items of
/// `in`. Otherwise like select_flagged().
///
/// @param flags      [n], of any type that select_if() accepts
/// @param predicate  called exactly once for each flag
/// Workspace of select_bytes<detail::ItemsIfOf<Flag, Predicate>, WriteColumns<T>>(capacity).
template <class T, class Flag, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_flagged_if(const T* in, const Flag* flags, T* out, Count count,
                                            ItemCount n, Predicate predicate,
                                            const Storage& storage, cudaStream_t stream = nullptr) {
  return detail::select_column("select_flagged_if", detail::reads("the flags", flags, n),
                               detail::items_if(flags, predicate), in, out, count, n, storage,
                               stream);
}
template <class T, class Flag, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_flagged_if(void* temp, size_t& temp_bytes, const T* in,
                                            const Flag* flags, T* out, Count count, ItemCount n,
                                            Predicate predicate, cudaStream_t stream = nullptr) {
  return compaction::select_flagged_if(in, flags, out, count, n, predicate,
                                       Storage(temp, temp_bytes), stream);
}

/// Stable select of the items whose bit is set: bit i % 32 of word i / 32 of `mask`. Otherwise like
/// select_flagged().
///
/// Workspace of select_bytes<Masked, WriteColumns<T>>(capacity).
template <class T, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_masked(const T* in, const uint32_t* mask, T* out, Count count,
                                        ItemCount n, const Storage& storage,
                                        cudaStream_t stream = nullptr) {
  const uint64_t words = simt::ceil_div(n.capacity, Masked::kWordBits);
  return detail::select_column("select_masked",
                               detail::reads("the mask", mask, {words, n.on_device}), Masked{mask},
                               in, out, count, n, storage, stream);
}
template <class T, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_masked(void* temp, size_t& temp_bytes, const T* in,
                                        const uint32_t* mask, T* out, Count count, ItemCount n,
                                        cudaStream_t stream = nullptr) {
  return compaction::select_masked(in, mask, out, count, n, Storage(temp, temp_bytes), stream);
}

}  // namespace compaction
