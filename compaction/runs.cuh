// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "compaction/cuda/call.cuh"
#include "compaction/op/known_operators.h"
#include "compaction/single_pass/runs.h"
#include "compaction/single_pass/scan_loaded.h"
#include "compaction/version.h"

// Runs of equal items in device memory. cuda.cuh says what all functions have in common, select.cuh
// what `count` may be, and reduce.cuh what `op` may be.

namespace compaction {

namespace detail {

template <class T, class In>
auto items_as(const In* items) {
  if constexpr (std::is_same_v<T, In>)
    return Items<T>{items};
  else
    return Widened<T, Items<In>>{{items}};
}
template <class T, class In>
using ItemsAs = decltype(items_as<T>(static_cast<const In*>(nullptr)));

}  // namespace detail

// --- unique --------------------------------------------------------------------------------------

/// Writes the first item of each run of equal items.
///
/// @param in     [n]
/// @param out    [>= runs, or count.capacity]; must not overlap `in`
/// @param equal  called exactly once for each pair of neighbours
/// Workspace of unique_bytes<T, Equal>(capacity). See unique() in single_pass/runs.h.
template <class T, class Count = SelectedCount, class Equal = Equals>
[[nodiscard]] cudaError_t unique(const T* in, T* out, Count count, ItemCount n,
                                 const Storage& storage, cudaStream_t stream = nullptr,
                                 Equal equal = {}) {
  const SelectedCount to = detail::selected_count(count);
  return detail::run_job(
      {"unique",
       {detail::reads("in", in, n), detail::writes_some("out", out, n), detail::writes_count(to)}},
      unique_job(in, equal, out, to), n, storage, stream);
}
template <class T, class Count = SelectedCount, class Equal = Equals>
[[nodiscard]] cudaError_t unique(void* temp, size_t& temp_bytes, const T* in, T* out, Count count,
                                 ItemCount n, cudaStream_t stream = nullptr, Equal equal = {}) {
  return compaction::unique(in, out, count, n, Storage(temp, temp_bytes), stream, equal);
}

// --- reduce by key -------------------------------------------------------------------------------

/// Combines the values of each run of equal keys, in order.
///
/// @param keys        [n]
/// @param values      [n], of any type that is converted to Value
/// @param run_keys    [>= runs, or count.capacity] or null, receives the first key of each run
/// @param run_values  [>= runs, or count.capacity]; the outputs must not overlap anything else
/// @param equal       called exactly once for each pair of neighbours
/// Workspace of reduce_by_key_bytes<Key, Items<Value>, Op, Equal>(capacity). See reduce_by_key()
/// in single_pass/runs.h.
template <class Key, class In, class Value, class Op, class Count = SelectedCount,
          class Equal = Equals>
[[nodiscard]] cudaError_t reduce_by_key(const Key* keys, const In* values,
                                        std::type_identity_t<Key>* run_keys, Value* run_values,
                                        Count count, ItemCount n, Op op, const Storage& storage,
                                        cudaStream_t stream = nullptr, Equal equal = {}) {
  using Job = ReduceRunsJob<Key, detail::ItemsAs<Value, In>, OperatorFor<Op, Value>, Equal>;
  const SelectedCount to = detail::selected_count(count);
  return detail::run_job(
      {"reduce_by_key",
       {detail::reads("the keys", keys, n), detail::reads("the values", values, n),
        detail::writes_some("the keys of the runs", run_keys, n),
        detail::writes_some("the values of the runs", run_values, n), detail::writes_count(to)}},
      Job{keys, detail::items_as<Value>(values), as_operator<Value>(op), equal, run_keys,
          run_values, to},
      n, storage, stream);
}
template <class Key, class In, class Value, class Op, class Count = SelectedCount,
          class Equal = Equals>
[[nodiscard]] cudaError_t reduce_by_key(void* temp, size_t& temp_bytes, const Key* keys,
                                        const In* values, std::type_identity_t<Key>* run_keys,
                                        Value* run_values, Count count, ItemCount n, Op op,
                                        cudaStream_t stream = nullptr, Equal equal = {}) {
  return compaction::reduce_by_key(keys, values, run_keys, run_values, count, n, op,
                                   Storage(temp, temp_bytes), stream, equal);
}

/// Combines the values of each segment. Flags mark the first items of segments.
///
/// @param begins  [n], not 0 for the first item of each segment; begins[0] is not read
/// @param values  [n], of any type that is converted to Value
/// @param out     [>= segments, or count.capacity]; must not overlap anything else
/// Workspace of segmented_reduce_bytes<Items<Value>, Op>(capacity). See segmented_reduce()
/// in single_pass/runs.h.
template <class In, class Value, class Op, class Count = SelectedCount>
[[nodiscard]] cudaError_t segmented_reduce(const uint8_t* begins, const In* values, Value* out,
                                           Count count, ItemCount n, Op op, const Storage& storage,
                                           cudaStream_t stream = nullptr) {
  using Job =
      ReduceRunsJob<uint8_t, detail::ItemsAs<Value, In>, OperatorFor<Op, Value>, ContinuesSegment>;
  const SelectedCount to = detail::selected_count(count);
  return detail::run_job(
      {"segmented_reduce",
       {detail::reads("the flags", begins, n), detail::reads("the values", values, n),
        detail::writes_some("out", out, n), detail::writes_count(to)}},
      Job{begins, detail::items_as<Value>(values), as_operator<Value>(op), {}, nullptr, out, to}, n,
      storage, stream);
}
template <class In, class Value, class Op, class Count = SelectedCount>
[[nodiscard]] cudaError_t segmented_reduce(void* temp, size_t& temp_bytes, const uint8_t* begins,
                                           const In* values, Value* out, Count count, ItemCount n,
                                           Op op, cudaStream_t stream = nullptr) {
  return compaction::segmented_reduce(begins, values, out, count, n, op, Storage(temp, temp_bytes),
                                      stream);
}

// --- run-length encoding -------------------------------------------------------------------------

/// Writes the first item and the length of each run of equal items.
///
/// @param in           [n]
/// @param run_items    [>= runs, or count.capacity] or null
/// @param run_lengths  [>= runs, or count.capacity]; the outputs must not overlap anything else
/// Workspace of run_length_encode_bytes<T, Length, Equal>(capacity).
template <class T, class Length, class Count = SelectedCount, class Equal = Equals>
[[nodiscard]] cudaError_t run_length_encode(const T* in, std::type_identity_t<T>* run_items,
                                            Length* run_lengths, Count count, ItemCount n,
                                            const Storage& storage, cudaStream_t stream = nullptr,
                                            Equal equal = {}) {
  const SelectedCount to = detail::selected_count(count);
  return detail::run_job(
      {"run_length_encode",
       {detail::reads("in", in, n), detail::writes_some("the items of the runs", run_items, n),
        detail::writes_some("the lengths", run_lengths, n), detail::writes_count(to)}},
      RunLengthsJob<T, Length, Equal>{in, equal, run_items, run_lengths, to}, n, storage, stream);
}
template <class T, class Length, class Count = SelectedCount, class Equal = Equals>
[[nodiscard]] cudaError_t run_length_encode(void* temp, size_t& temp_bytes, const T* in,
                                            std::type_identity_t<T>* run_items, Length* run_lengths,
                                            Count count, ItemCount n, cudaStream_t stream = nullptr,
                                            Equal equal = {}) {
  return compaction::run_length_encode(in, run_items, run_lengths, count, n,
                                       Storage(temp, temp_bytes), stream, equal);
}

}  // namespace compaction
