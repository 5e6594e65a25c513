// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cuda/call.cuh"
#include "compaction/single_pass/split.h"
#include "compaction/version.h"

// Stable split of device memory into classes. cuda.cuh says what all functions have in common.
//
// `offsets` is a pointer to kClasses + 1 integers of 32 or 64 bits in device memory, or a
// SplitOffsets, which also limits the output and reports an overflow: class c is written from
// offsets[c] to offsets[c + 1].

namespace compaction {

namespace detail {

inline Array writes_offsets(const SplitOffsets& to, unsigned classes) {
  const unsigned bytes = unsigned(to.offsets.bytes());
  return {"the offsets", to.offsets.address(), (classes + 1) * bytes, bytes, bytes, true};
}

/// Runs split() for the function that `site` names.
template <unsigned kClasses, class Source, class Sink>
cudaError_t split(const CallSite& site, const Source& source, const Sink& sink, ItemCount n,
                  const SplitOffsets& offsets, const Storage& storage, cudaStream_t stream) {
  return launch(site, n, split_bytes<kClasses, Source, Sink>(n.capacity), storage, stream,
                [&](auto& launcher, Span<std::byte> workspace) {
                  compaction::split<kClasses>(launcher, source, sink, n, offsets, workspace);
                });
}

}  // namespace detail

/// Stable split of any source into any sink, see split() in single_pass/split.h.
///
/// Workspace of split_bytes<kClasses, Source, Sink>(capacity).
template <unsigned kClasses, class Source, class Sink>
[[nodiscard]] cudaError_t split(const Source& source, const Sink& sink, ItemCount n,
                                const SplitOffsets& offsets, const Storage& storage,
                                cudaStream_t stream = nullptr) {
  return detail::split<kClasses>({"split", {detail::writes_offsets(offsets, kClasses)}}, source,
                                 sink, n, offsets, storage, stream);
}
template <unsigned kClasses, class Source, class Sink>
[[nodiscard]] cudaError_t split(void* temp, size_t& temp_bytes, const Source& source,
                                const Sink& sink, ItemCount n, const SplitOffsets& offsets,
                                cudaStream_t stream = nullptr) {
  return compaction::split<kClasses>(source, sink, n, offsets, Storage(temp, temp_bytes), stream);
}

/// Returns the bytes of workspace that split_by() needs.
template <unsigned kClasses, class T, class Classify>
size_t split_by_bytes(uint64_t capacity) {
  return split_bytes<kClasses, ItemsByClass<T, Classify>, WriteItems<T>>(capacity);
}

/// Stable split of items into classes [0, kClasses), each in the order of the items.
///
/// @param in        [n], trivially copyable, of 1 to 64 bytes
/// @param out       [>= items of these classes, or offsets.capacity]; must not overlap anything
///                  else
/// @param offsets   [kClasses + 1]
/// @param classify  returns the class of an item, an integer or enumerator of any size; called one
///                  to three times for each item. Items of other classes, such as -1, are dropped
/// Workspace of split_by_bytes<kClasses, T, Classify>(capacity).
template <unsigned kClasses, class T, class Classify>
[[nodiscard]] cudaError_t split_by(const T* in, T* out, const SplitOffsets& offsets, ItemCount n,
                                   Classify classify, const Storage& storage,
                                   cudaStream_t stream = nullptr) {
  return detail::split<kClasses>({"split_by",
                                  {detail::reads("in", in, n), detail::writes_some("out", out, n),
                                   detail::writes_offsets(offsets, kClasses)}},
                                 ItemsByClass<T, Classify>{in, classify}, WriteItems<T>{out}, n,
                                 offsets, storage, stream);
}
template <unsigned kClasses, class T, class Classify>
[[nodiscard]] cudaError_t split_by(void* temp, size_t& temp_bytes, const T* in, T* out,
                                   const SplitOffsets& offsets, ItemCount n, Classify classify,
                                   cudaStream_t stream = nullptr) {
  return compaction::split_by<kClasses>(in, out, offsets, n, classify, Storage(temp, temp_bytes),
                                        stream);
}

/// Stable split of the indices 0 to n - 1 by the classes in `keys`: an argsort of few keys.
/// Otherwise like split_by().
///
/// @param keys     [n], integers or enumerators of any size
/// @param indices  [>= items of these classes, or offsets.capacity]
/// Workspace of split_bytes<kClasses, IndicesByKey<Key>, WriteIndices<Index>>(capacity).
template <unsigned kClasses, class Key, class Index>
[[nodiscard]] cudaError_t split_indices(const Key* keys, Index* indices,
                                        const SplitOffsets& offsets, ItemCount n,
                                        const Storage& storage, cudaStream_t stream = nullptr) {
  return detail::split<kClasses>(
      {"split_indices",
       {detail::reads("the keys", keys, n), detail::writes_some("the indices", indices, n),
        detail::writes_offsets(offsets, kClasses)}},
      IndicesByKey<Key>{keys}, WriteIndices<Index>(indices), n, offsets, storage, stream);
}
template <unsigned kClasses, class Key, class Index>
[[nodiscard]] cudaError_t split_indices(void* temp, size_t& temp_bytes, const Key* keys,
                                        Index* indices, const SplitOffsets& offsets, ItemCount n,
                                        cudaStream_t stream = nullptr) {
  return compaction::split_indices<kClasses>(keys, indices, offsets, n, Storage(temp, temp_bytes),
                                             stream);
}

}  // namespace compaction
