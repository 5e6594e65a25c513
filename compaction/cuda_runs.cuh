// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cuda.cuh"
#include "compaction/runs.h"

// The public functions for the CUDA runtime: runs of equal items in device memory. What cuda.cuh
// says of its functions holds for these.

namespace compaction {

/// Writes the first item of each run of equal items, see unique() in runs.h.
///
/// Workspace of unique_bytes<T, Equal>(capacity).
template <class T, class Equal = Equals>
[[nodiscard]] cudaError_t unique(const T* in, T* out, const SelectedCount& count, ItemCount n,
                                 Span<std::byte> workspace, cudaStream_t stream = nullptr,
                                 Equal equal = {}) {
  return detail::launch(
      n, unique_bytes<T, Equal>(n.capacity), workspace, stream,
      [&](auto& launcher) { unique(launcher, in, out, n, count, workspace, equal); });
}
template <class T, class Equal = Equals>
[[nodiscard]] cudaError_t unique(void* temp, size_t& temp_bytes, const T* in, T* out,
                                 const SelectedCount& count, ItemCount n,
                                 cudaStream_t stream = nullptr, Equal equal = {}) {
  return detail::in_temp_storage(temp, temp_bytes, unique_bytes<T, Equal>(n.capacity), stream,
                                 [&](Span<std::byte> workspace) {
                                   return unique(in, out, count, n, workspace, stream, equal);
                                 });
}

/// Combines the values of each run of equal keys, see reduce_by_key() in runs.h.
///
/// Workspace of reduce_by_key_bytes<Key, Items<Value>, Op, Equal>(capacity).
template <class Key, class Value, class Op, class Equal = Equals>
[[nodiscard]] cudaError_t reduce_by_key(const Key* keys, const Value* values, Key* run_keys,
                                        Value* run_values, const SelectedCount& count, ItemCount n,
                                        Op op, Span<std::byte> workspace,
                                        cudaStream_t stream = nullptr, Equal equal = {}) {
  return detail::launch(n, reduce_by_key_bytes<Key, Items<Value>, Op, Equal>(n.capacity), workspace,
                        stream, [&](auto& launcher) {
                          reduce_by_key(launcher, keys, Items<Value>{values}, run_keys, run_values,
                                        n, count, op, workspace, equal);
                        });
}
template <class Key, class Value, class Op, class Equal = Equals>
[[nodiscard]] cudaError_t reduce_by_key(void* temp, size_t& temp_bytes, const Key* keys,
                                        const Value* values, Key* run_keys, Value* run_values,
                                        const SelectedCount& count, ItemCount n, Op op,
                                        cudaStream_t stream = nullptr, Equal equal = {}) {
  return detail::in_temp_storage(temp, temp_bytes,
                                 reduce_by_key_bytes<Key, Items<Value>, Op, Equal>(n.capacity),
                                 stream, [&](Span<std::byte> workspace) {
                                   return reduce_by_key(keys, values, run_keys, run_values, count,
                                                        n, op, workspace, stream, equal);
                                 });
}

/// Combines the values of each segment, whose first items are flagged, see segmented_reduce() in
/// runs.h.
///
/// Workspace of segmented_reduce_bytes<Items<Value>, Op>(capacity).
template <class Value, class Op>
[[nodiscard]] cudaError_t segmented_reduce(const uint8_t* begins, const Value* values, Value* out,
                                           const SelectedCount& count, ItemCount n, Op op,
                                           Span<std::byte> workspace,
                                           cudaStream_t stream = nullptr) {
  return detail::launch(n, segmented_reduce_bytes<Items<Value>, Op>(n.capacity), workspace, stream,
                        [&](auto& launcher) {
                          segmented_reduce(launcher, begins, Items<Value>{values}, out, n, count,
                                           op, workspace);
                        });
}

/// Writes the first item and the length of each run of equal items.
///
/// Workspace of run_length_encode_bytes<T, Length, Equal>(capacity).
template <class T, class Length, class Equal = Equals>
[[nodiscard]] cudaError_t run_length_encode(const T* in, T* run_items, Length* run_lengths,
                                            const SelectedCount& count, ItemCount n,
                                            Span<std::byte> workspace,
                                            cudaStream_t stream = nullptr, Equal equal = {}) {
  return detail::launch(n, run_length_encode_bytes<T, Length, Equal>(n.capacity), workspace, stream,
                        [&](auto& launcher) {
                          run_length_encode(launcher, in, run_items, run_lengths, n, count,
                                            workspace, equal);
                        });
}
template <class T, class Length, class Equal = Equals>
[[nodiscard]] cudaError_t run_length_encode(void* temp, size_t& temp_bytes, const T* in,
                                            T* run_items, Length* run_lengths,
                                            const SelectedCount& count, ItemCount n,
                                            cudaStream_t stream = nullptr, Equal equal = {}) {
  return detail::in_temp_storage(
      temp, temp_bytes, run_length_encode_bytes<T, Length, Equal>(n.capacity), stream,
      [&](Span<std::byte> workspace) {
        return run_length_encode(in, run_items, run_lengths, count, n, workspace, stream, equal);
      });
}

}  // namespace compaction
