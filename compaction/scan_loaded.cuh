// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cuda/call.cuh"
#include "compaction/op/known_operators.h"
#include "compaction/reduce.cuh"
#include "compaction/single_pass/runs.h"
#include "compaction/single_pass/scan_loaded.h"
#include "compaction/version.h"

// Scans and reductions of items that are computed, and segmented scans, for the CUDA runtime.
// cuda.cuh says what all functions have in common, reduce.cuh what `op` may be. COMPACTION_CHECK
// does not test what a load reads and a store writes.

namespace compaction {

/// Scan of a load into a store, see scan_loaded() in single_pass/scan_loaded.h.
///
/// Workspace of scan_loaded_bytes<Load, Store, Op>(capacity).
template <ScanKind kKind, class Load, class Store, class Op>
[[nodiscard]] cudaError_t scan_loaded(Load load, Store store, ItemCount n, Op op, Loaded<Load> init,
                                      const Storage& storage, cudaStream_t stream = nullptr,
                                      Loaded<Load>* total = nullptr) {
  using Job = LoadedScanJob<Load, Store, OperatorFor<Op, Loaded<Load>>, kKind>;
  return detail::run_job(
      {"scan_loaded", {detail::writes_one_or_none("the total", total)}},
      Job{{nullptr, nullptr, as_operator<Loaded<Load>>(op), init, total}, load, store}, n, storage,
      stream);
}
template <ScanKind kKind, class Load, class Store, class Op>
[[nodiscard]] cudaError_t scan_loaded(void* temp, size_t& temp_bytes, Load load, Store store,
                                      ItemCount n, Op op, Loaded<Load> init,
                                      cudaStream_t stream = nullptr,
                                      Loaded<Load>* total = nullptr) {
  return compaction::scan_loaded<kKind>(load, store, n, op, init, Storage(temp, temp_bytes), stream,
                                        total);
}

/// Reduction of a load, see reduce_loaded() in single_pass/reduce.h.
///
/// @param result  [1]
/// Workspace of reduce_bytes<Loaded<Load>>().
template <class Load, class Op>
[[nodiscard]] cudaError_t reduce_loaded(Load load, Loaded<Load>* result, ItemCount n, Op op,
                                        const Storage& storage, cudaStream_t stream = nullptr) {
  using T = Loaded<Load>;
  return detail::reduce_to<T>({"reduce_loaded", {detail::writes("the result", result, 1)}}, load,
                              result, n, op, storage, stream);
}
template <class Load, class Op>
[[nodiscard]] cudaError_t reduce_loaded(void* temp, size_t& temp_bytes, Load load,
                                        Loaded<Load>* result, ItemCount n, Op op,
                                        cudaStream_t stream = nullptr) {
  return compaction::reduce_loaded(load, result, n, op, Storage(temp, temp_bytes), stream);
}

namespace detail {

/// Runs segmented_scan() for the function that `site` names.
template <ScanKind kKind, class Load, class Begins, class Op>
cudaError_t segmented_scan(const CallSite& site, Load values, Begins begins, Loaded<Load>* out,
                           ItemCount n, Op op, Loaded<Load> init, const Storage& storage,
                           cudaStream_t stream) {
  using Operator = OperatorFor<Op, Loaded<Load>>;
  return launch(site, n, segmented_scan_bytes<Load, Begins, Operator>(n.capacity), storage, stream,
                [&](auto& launcher, Span<std::byte> workspace) {
                  compaction::segmented_scan<kKind>(launcher, values, begins, out, n,
                                                    as_operator<Loaded<Load>>(op), init, workspace);
                });
}

}  // namespace detail

/// Scan that restarts where a segment begins, see segmented_scan() in
/// single_pass/scan_loaded.h.
///
/// @param out  [n]; may be the array of which value i is item i, must not overlap what is read
///             otherwise
/// Workspace of segmented_scan_bytes<Load, Begins, Op>(capacity).
template <ScanKind kKind, class Load, class Begins, class Op>
[[nodiscard]] cudaError_t segmented_scan(Load values, Begins begins, Loaded<Load>* out, ItemCount n,
                                         Op op, Loaded<Load> init, const Storage& storage,
                                         cudaStream_t stream = nullptr) {
  return detail::segmented_scan<kKind>({"segmented_scan", {detail::writes("out", out, n)}}, values,
                                       begins, out, n, op, init, storage, stream);
}
template <ScanKind kKind, class Load, class Begins, class Op>
[[nodiscard]] cudaError_t segmented_scan(void* temp, size_t& temp_bytes, Load values, Begins begins,
                                         Loaded<Load>* out, ItemCount n, Op op, Loaded<Load> init,
                                         cudaStream_t stream = nullptr) {
  return compaction::segmented_scan<kKind>(values, begins, out, n, op, init,
                                           Storage(temp, temp_bytes), stream);
}

/// Inclusive or exclusive scan of the values of each run of equal keys; an exclusive one begins
/// each run with the identity.
///
/// @param keys, values  [n]
/// @param out           [n]; must not overlap `keys`, nor `values`
/// Workspace of segmented_scan_bytes<Items<Value>, BeginsRun<Key, Equals>, Op>(capacity).
template <ScanKind kKind, class Key, class Value, class Op>
[[nodiscard]] cudaError_t scan_by_key(const Key* keys, const Value* values, Value* out, ItemCount n,
                                      Op op, const Storage& storage,
                                      cudaStream_t stream = nullptr) {
  return detail::segmented_scan<kKind>(
      {"scan_by_key",
       {detail::reads("the keys", keys, n), detail::reads("the values", values, n),
        detail::writes("out", out, n)}},
      Items<Value>{values}, BeginsRun<Key, Equals>{keys, {}}, out, n, op,
      Value(as_operator<Value>(op).identity()), storage, stream);
}
template <ScanKind kKind, class Key, class Value, class Op>
[[nodiscard]] cudaError_t scan_by_key(void* temp, size_t& temp_bytes, const Key* keys,
                                      const Value* values, Value* out, ItemCount n, Op op,
                                      cudaStream_t stream = nullptr) {
  return compaction::scan_by_key<kKind>(keys, values, out, n, op, Storage(temp, temp_bytes),
                                        stream);
}

}  // namespace compaction
