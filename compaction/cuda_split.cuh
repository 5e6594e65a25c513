// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cuda.cuh"
#include "compaction/split.h"

// The public functions for the CUDA runtime: stable split of device memory into classes. What
// cuda.cuh says of its functions holds for these.

namespace compaction {

/// Stable split of any source into any sink, see split() in split.h.
///
/// Workspace of split_bytes<kClasses, Source, Sink>(capacity).
template <unsigned kClasses, class Source, class Sink>
[[nodiscard]] cudaError_t split(const Source& source, const Sink& sink, ItemCount n,
                                const SplitOffsets& offsets, Span<std::byte> workspace,
                                cudaStream_t stream = nullptr) {
  return detail::launch(
      n, split_bytes<kClasses, Source, Sink>(n.capacity), workspace, stream,
      [&](auto& launcher) { split<kClasses>(launcher, source, sink, n, offsets, workspace); });
}
template <unsigned kClasses, class Source, class Sink>
[[nodiscard]] cudaError_t split(void* temp, size_t& temp_bytes, const Source& source,
                                const Sink& sink, ItemCount n, const SplitOffsets& offsets,
                                cudaStream_t stream = nullptr) {
  return detail::in_temp_storage(temp, temp_bytes, split_bytes<kClasses, Source, Sink>(n.capacity),
                                 stream, [&](Span<std::byte> workspace) {
                                   return split<kClasses>(source, sink, n, offsets, workspace,
                                                          stream);
                                 });
}

/// Bytes of workspace that split_by() needs.
template <unsigned kClasses, class T, class Classify>
size_t split_by_bytes(uint64_t capacity) {
  return split_bytes<kClasses, ItemsByClass<T, Classify>, WriteItems<T>>(capacity);
}

/// Stable split of items into classes [0, kClasses), each in the order of the items.
///
/// @param in        [n], trivially copyable, of 1 to 64 bytes
/// @param out       [>= items of these classes, or offsets.capacity]; must not overlap anything
/// else
/// @param offsets   receives kClasses + 1 offsets, in 32 or 64 bits: class c is written from
///                  offsets[c] to offsets[c + 1]
/// @param classify  the class of an item; called twice for each. Items of other classes, such as
///                  -1, are dropped
/// Workspace of split_by_bytes<kClasses, T, Classify>(capacity).
template <unsigned kClasses, class T, class Classify>
[[nodiscard]] cudaError_t split_by(const T* in, T* out, const SplitOffsets& offsets, ItemCount n,
                                   Classify classify, Span<std::byte> workspace,
                                   cudaStream_t stream = nullptr) {
  return split<kClasses>(ItemsByClass<T, Classify>{in, classify}, WriteItems<T>{out}, n, offsets,
                         workspace, stream);
}
template <unsigned kClasses, class T, class Classify>
[[nodiscard]] cudaError_t split_by(void* temp, size_t& temp_bytes, const T* in, T* out,
                                   const SplitOffsets& offsets, ItemCount n, Classify classify,
                                   cudaStream_t stream = nullptr) {
  return split<kClasses>(temp, temp_bytes, ItemsByClass<T, Classify>{in, classify},
                         WriteItems<T>{out}, n, offsets, stream);
}

/// Stable split of the indices 0 to n - 1 by the classes in `keys`: an argsort of few keys. As
/// split_by() otherwise.
///
/// @param keys     [n]
/// @param indices  [>= items of these classes, or offsets.capacity]
/// Workspace of split_bytes<kClasses, IndicesByKey<Key>, WriteIndices<Index>>(capacity).
template <unsigned kClasses, class Key, class Index>
[[nodiscard]] cudaError_t split_indices(const Key* keys, Index* indices,
                                        const SplitOffsets& offsets, ItemCount n,
                                        Span<std::byte> workspace, cudaStream_t stream = nullptr) {
  return split<kClasses>(IndicesByKey<Key>{keys}, WriteIndices<Index>(indices), n, offsets,
                         workspace, stream);
}
template <unsigned kClasses, class Key, class Index>
[[nodiscard]] cudaError_t split_indices(void* temp, size_t& temp_bytes, const Key* keys,
                                        Index* indices, const SplitOffsets& offsets, ItemCount n,
                                        cudaStream_t stream = nullptr) {
  return split<kClasses>(temp, temp_bytes, IndicesByKey<Key>{keys}, WriteIndices<Index>(indices), n,
                         offsets, stream);
}

}  // namespace compaction
