// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "compaction/call.cuh"
#include "compaction/partition.h"
#include "compaction/select.h"

// Select and partition of device memory. What all functions have in common stands in cuda.cuh.
//
// `count` is a pointer to an integer of 32 or 64 bits in device memory, which receives the number
// of selected items, or a SelectedCount, which also limits the output and reports an overflow.

namespace compaction {

namespace detail {

/// The source and the sink of items that a predicate selects.
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

/// select() by the function that `site` names.
template <class Source, class Sink>
cudaError_t select(const CallSite& site, const Source& source, const Sink& sink, ItemCount n,
                   const SelectedCount& count, const Storage& storage, cudaStream_t stream) {
  return launch(site, n, select_bytes<Source, Sink>(n.capacity), storage, stream,
                [&](auto& launcher, Span<std::byte> workspace) {
                  compaction::select(launcher, source, sink, n, count, workspace);
                });
}

}  // namespace detail

// --- select --------------------------------------------------------------------------------------

/// Stable select of any source (single_pass/sources.h) into any sink (single_pass/sinks.h).
///
/// Workspace of select_bytes<Source, Sink>(capacity). See select() in select.h.
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t select(const Source& source, const Sink& sink, ItemCount n, Count count,
                                 const Storage& storage, cudaStream_t stream = nullptr) {
  const SelectedCount to = detail::selected_count(count);
  return detail::select({"select", {detail::writes_count(to.count), detail::reads_count(n)}},
                        source, sink, n, to, storage, stream);
}
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t select(void* temp, size_t& temp_bytes, const Source& source,
                                 const Sink& sink, ItemCount n, Count count,
                                 cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, select_bytes<Source, Sink>(n.capacity), stream,
                                 [&](const Storage& storage) {
                                   return compaction::select(source, sink, n, count, storage,
                                                             stream);
                                 });
}

/// Bytes of workspace that select_if() needs.
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
  SelectedCount to = detail::selected_count(count);
  to.in_place = in == out && n.capacity > 0;
  if (to.in_place && !simt::kHasVectors<T>) return cudaErrorInvalidValue;
  detail::Array outputs = detail::writes_some("out", out, n);
  outputs.in_place = simt::kHasVectors<T>;
  return detail::select({"select_if",
                         {detail::reads("in", in, n), outputs, detail::writes_count(to.count),
                          detail::reads_count(n)}},
                        detail::items_if(in, predicate), detail::write_items(out), n, to, storage,
                        stream);
}
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_if(void* temp, size_t& temp_bytes, const T* in, T* out,
                                    Count count, ItemCount n, Predicate predicate,
                                    cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, select_if_bytes<T, Predicate>(n.capacity),
                                 stream, [&](const Storage& storage) {
                                   return compaction::select_if(in, out, count, n, predicate,
                                                                storage, stream);
                                 });
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
  const SelectedCount to = detail::selected_count(count);
  return detail::select({"select_flagged",
                         {detail::reads("in", in, n), detail::reads("the flags", flags, n),
                          detail::writes_some("out", out, n), detail::writes_count(to.count),
                          detail::reads_count(n)}},
                        Flagged{flags}, WriteColumns<T>({in, out}), n, to, storage, stream);
}
template <class T, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_flagged(void* temp, size_t& temp_bytes, const T* in,
                                         const uint8_t* flags, T* out, Count count, ItemCount n,
                                         cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(
      temp, temp_bytes, select_bytes<Flagged, WriteColumns<T>>(n.capacity), stream,
      [&](const Storage& storage) {
        return compaction::select_flagged(in, flags, out, count, n, storage, stream);
      });
}

/// Stable select of the items whose flag a predicate selects. Reads only the selected items of
/// `in`.
///
/// @param flags      [n], of any type that select_if() accepts
/// @param predicate  called exactly once for each flag
/// As select_flagged() otherwise. Workspace of
/// select_bytes<detail::ItemsIfOf<Flag, Predicate>, WriteColumns<T>>(capacity).
template <class T, class Flag, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_flagged_if(const T* in, const Flag* flags, T* out, Count count,
                                            ItemCount n, Predicate predicate,
                                            const Storage& storage, cudaStream_t stream = nullptr) {
  const SelectedCount to = detail::selected_count(count);
  return detail::select({"select_flagged_if",
                         {detail::reads("in", in, n), detail::reads("the flags", flags, n),
                          detail::writes_some("out", out, n), detail::writes_count(to.count),
                          detail::reads_count(n)}},
                        detail::items_if(flags, predicate), WriteColumns<T>({in, out}), n, to,
                        storage, stream);
}
template <class T, class Flag, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_flagged_if(void* temp, size_t& temp_bytes, const T* in,
                                            const Flag* flags, T* out, Count count, ItemCount n,
                                            Predicate predicate, cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(
      temp, temp_bytes,
      select_bytes<detail::ItemsIfOf<Flag, Predicate>, WriteColumns<T>>(n.capacity), stream,
      [&](const Storage& storage) {
        return compaction::select_flagged_if(in, flags, out, count, n, predicate, storage, stream);
      });
}

/// Stable select of the items whose bit is set: bit i % 32 of word i / 32 of `mask`. As
/// select_flagged() otherwise. Workspace of select_bytes<Masked, WriteColumns<T>>(capacity).
template <class T, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_masked(const T* in, const uint32_t* mask, T* out, Count count,
                                        ItemCount n, const Storage& storage,
                                        cudaStream_t stream = nullptr) {
  const SelectedCount to = detail::selected_count(count);
  const uint64_t words = simt::ceil_div(n.capacity, Masked::kWordBits);
  return detail::select(
      {"select_masked",
       {detail::reads("in", in, n), detail::reads("the mask", mask, {words, n.on_device}),
        detail::writes_some("out", out, n), detail::writes_count(to.count),
        detail::reads_count(n)}},
      Masked{mask}, WriteColumns<T>({in, out}), n, to, storage, stream);
}
template <class T, class Count = SelectedCount>
[[nodiscard]] cudaError_t select_masked(void* temp, size_t& temp_bytes, const T* in,
                                        const uint32_t* mask, T* out, Count count, ItemCount n,
                                        cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(
      temp, temp_bytes, select_bytes<Masked, WriteColumns<T>>(n.capacity), stream,
      [&](const Storage& storage) {
        return compaction::select_masked(in, mask, out, count, n, storage, stream);
      });
}

// --- partition -----------------------------------------------------------------------------------

namespace detail {

/// partition() by the function that `site` names.
template <class Source, class Sink>
cudaError_t partition(const CallSite& site, const Source& source, const Sink& selected,
                      const Sink& rejected, ItemCount n, const SelectedCount& count,
                      const Storage& storage, cudaStream_t stream) {
  return launch(site, n, partition_bytes<Source, Sink>(n.capacity), storage, stream,
                [&](auto& launcher, Span<std::byte> workspace) {
                  compaction::partition(launcher, source, selected, rejected, n, count, workspace);
                });
}

}  // namespace detail

/// Stable partition of any source into two sinks of one type, both in the order of the items.
///
/// Workspace of partition_bytes<Source, Sink>(capacity). See partition() in partition.h.
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition(const Source& source, const Sink& selected,
                                    const Sink& rejected, ItemCount n, Count count,
                                    const Storage& storage, cudaStream_t stream = nullptr) {
  const SelectedCount to = detail::selected_count(count);
  return detail::partition({"partition", {detail::writes_count(to.count), detail::reads_count(n)}},
                           source, selected, rejected, n, to, storage, stream);
}
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition(void* temp, size_t& temp_bytes, const Source& source,
                                    const Sink& selected, const Sink& rejected, ItemCount n,
                                    Count count, cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, partition_bytes<Source, Sink>(n.capacity),
                                 stream, [&](const Storage& storage) {
                                   return compaction::partition(source, selected, rejected, n,
                                                                count, storage, stream);
                                 });
}

/// Bytes of workspace that partition_if() needs.
template <class T, class Predicate>
size_t partition_if_bytes(uint64_t capacity) {
  return partition_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(capacity);
}

/// Stable partition by a predicate into two outputs, both in the order of the items.
///
/// @param in        [n], trivially copyable, of 1 to 128 bytes
/// @param selected  [>= selected items]; the outputs must not overlap anything else
/// @param rejected  [>= other items]
/// Workspace of partition_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_if(const T* in, T* selected, T* rejected, Count count,
                                       ItemCount n, Predicate predicate, const Storage& storage,
                                       cudaStream_t stream = nullptr) {
  const SelectedCount to = detail::selected_count(count);
  return detail::partition(
      {"partition_if",
       {detail::reads("in", in, n), detail::writes_some("selected", selected, n),
        detail::writes_some("rejected", rejected, n), detail::writes_count(to.count),
        detail::reads_count(n)}},
      detail::items_if(in, predicate), detail::write_items(selected), detail::write_items(rejected),
      n, to, storage, stream);
}
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_if(void* temp, size_t& temp_bytes, const T* in, T* selected,
                                       T* rejected, Count count, ItemCount n, Predicate predicate,
                                       cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, partition_if_bytes<T, Predicate>(n.capacity),
                                 stream, [&](const Storage& storage) {
                                   return compaction::partition_if(in, selected, rejected, count, n,
                                                                   predicate, storage, stream);
                                 });
}

/// Bytes of workspace that partition_in_one_reversed_if() needs.
template <class T, class Predicate>
size_t partition_in_one_reversed_if_bytes(uint64_t capacity) {
  return partition_in_one_reversed_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(
      capacity);
}

/// Partition by a predicate into one output: the selected items in order, then the others in
/// reverse order, as cub::DevicePartition::If. See partition_in_one_reversed() in partition.h.
///
/// @param in     [n], trivially copyable, of 1 to 128 bytes
/// @param out    [n]; must not overlap `in`
/// Workspace of partition_in_one_reversed_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_in_one_reversed_if(const T* in, T* out, Count count,
                                                       ItemCount n, Predicate predicate,
                                                       const Storage& storage,
                                                       cudaStream_t stream = nullptr) {
  const SelectedCount to = detail::selected_count(count);
  return detail::launch({"partition_in_one_reversed_if",
                         {detail::reads("in", in, n), detail::writes("out", out, n),
                          detail::writes_count(to.count), detail::reads_count(n)}},
                        n, partition_in_one_reversed_if_bytes<T, Predicate>(n.capacity), storage,
                        stream, [&](auto& launcher, Span<std::byte> workspace) {
                          partition_in_one_reversed(launcher, detail::items_if(in, predicate),
                                                    detail::write_items(out), n, to, workspace);
                        });
}
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_in_one_reversed_if(void* temp, size_t& temp_bytes, const T* in,
                                                       T* out, Count count, ItemCount n,
                                                       Predicate predicate,
                                                       cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes,
                                 partition_in_one_reversed_if_bytes<T, Predicate>(n.capacity),
                                 stream, [&](const Storage& storage) {
                                   return compaction::partition_in_one_reversed_if(
                                       in, out, count, n, predicate, storage, stream);
                                 });
}

/// Stable partition by a predicate into one output: the selected items, then the others. For T that
/// a vector load can move. See partition_in_one() in partition.h.
///
/// @param out    [n]; must not overlap `in`
/// @param count  [1] on the device, receives the number of selected items; 32 or 64 bits
/// @param marks  [partition_marks<T>(capacity)], any contents
/// Workspace of partition_in_one_bytes<T, Predicate>(capacity). 2 kernels.
template <class T, class Predicate, CountInteger Count>
[[nodiscard]] cudaError_t partition_in_one_if(const T* in, T* out, Count* count, ChunkMarks* marks,
                                              ItemCount n, Predicate predicate,
                                              const Storage& storage,
                                              cudaStream_t stream = nullptr) {
  return detail::launch({"partition_in_one_if",
                         {detail::reads("in", in, n), detail::writes("out", out, n),
                          detail::writes("the count", count, 1),
                          detail::writes_some("the marks", marks, n), detail::reads_count(n)}},
                        n, partition_in_one_bytes<T, Predicate>(n.capacity), storage, stream,
                        [&](auto& launcher, Span<std::byte> workspace) {
                          partition_in_one(launcher, ItemsIf<T, Predicate>{in, predicate}, out, n,
                                           count, marks, workspace);
                        });
}
/// Likewise, with the marks in the temporary storage.
template <class T, class Predicate, CountInteger Count>
[[nodiscard]] cudaError_t partition_in_one_if(void* temp, size_t& temp_bytes, const T* in, T* out,
                                              Count* count, ItemCount n, Predicate predicate,
                                              cudaStream_t stream = nullptr) {
  const size_t needed_bytes = partition_in_one_bytes<T, Predicate>(n.capacity);
  return detail::in_temp_storage(
      temp, temp_bytes, needed_bytes, stream,
      [&](Span<std::byte> workspace) {
        std::byte* rest = workspace.data + workspace_part(needed_bytes);
        return compaction::partition_in_one_if(in, out, count, reinterpret_cast<ChunkMarks*>(rest),
                                               n, predicate, workspace, stream);
      },
      partition_marks<T>(n.capacity) * sizeof(ChunkMarks));
}
template <class T, class Predicate, CountInteger Count>
[[nodiscard]] cudaError_t partition_in_one_if(const T* in, T* out, Count* count, ItemCount n,
                                              Predicate predicate, StreamOrdered from,
                                              cudaStream_t stream = nullptr) {
  size_t bytes = 0;
  auto call = [&](void* temp) {
    return compaction::partition_in_one_if(temp, bytes, in, out, count, n, predicate, stream);
  };
  if (n.capacity > detail::kMaxItems) return cudaErrorInvalidValue;
  if (cudaError_t status = call(nullptr); status != cudaSuccess) return status;
  return detail::in_pool(from, bytes, stream,
                         [&](Span<std::byte> memory) { return call(memory.data); });
}

}  // namespace compaction
