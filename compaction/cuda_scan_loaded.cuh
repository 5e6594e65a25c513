// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cuda.cuh"
#include "compaction/scan_loaded.h"

// The public functions for the CUDA runtime: scans and reductions of items that are computed, and
// segmented scans. What cuda.cuh says of its functions holds for these.

namespace compaction {

/// Scan of a load into a store, see scan_loaded() in scan_loaded.h.
///
/// Workspace of scan_loaded_bytes<Load, Store, Op>(capacity).
template <ScanKind kKind, class Load, class Store, class Op>
[[nodiscard]] cudaError_t scan_loaded(Load load, Store store, ItemCount n, Op op, Loaded<Load> init,
                                      Span<std::byte> workspace, cudaStream_t stream = nullptr,
                                      Loaded<Load>* total = nullptr) {
  return detail::launch(n, scan_loaded_bytes<Load, Store, Op>(n.capacity), workspace, stream,
                        [&](auto& launcher) {
                          scan_loaded<kKind>(launcher, load, store, n, op, init, total, workspace);
                        });
}

/// Reduction of a load, see reduce_loaded() in scan_loaded.h.
///
/// Workspace of scan_loaded_bytes<Load, StoreNothing, Op>(capacity).
template <class Load, class Op>
[[nodiscard]] cudaError_t reduce_loaded(Load load, Loaded<Load>* result, ItemCount n, Op op,
                                        Span<std::byte> workspace, cudaStream_t stream = nullptr) {
  return detail::launch(
      n, scan_loaded_bytes<Load, StoreNothing, Op>(n.capacity), workspace, stream,
      [&](auto& launcher) { reduce_loaded(launcher, load, n, result, op, workspace); });
}

/// Scan that starts anew where a segment begins, see segmented_scan() in scan_loaded.h.
///
/// Workspace of segmented_scan_bytes<Load, Begins, Op>(capacity).
template <ScanKind kKind, class Load, class Begins, class Op>
[[nodiscard]] cudaError_t segmented_scan(Load values, Begins begins, Loaded<Load>* out, ItemCount n,
                                         Op op, Loaded<Load> init, Span<std::byte> workspace,
                                         cudaStream_t stream = nullptr) {
  return detail::launch(n, segmented_scan_bytes<Load, Begins, Op>(n.capacity), workspace, stream,
                        [&](auto& launcher) {
                          segmented_scan<kKind>(launcher, values, begins, out, n, op, init,
                                                workspace);
                        });
}

/// Inclusive or exclusive scan of the values of each run of equal keys; an exclusive one begins
/// each run with the identity.
///
/// @param keys, values  [n]
/// @param out           [n]; must not overlap `keys`, nor `values`
/// Workspace of segmented_scan_bytes<Items<Value>, BeginsRun<Key, Equals>, Op>(capacity).
template <ScanKind kKind, class Key, class Value, class Op>
[[nodiscard]] cudaError_t scan_by_key(const Key* keys, const Value* values, Value* out, ItemCount n,
                                      Op op, Span<std::byte> workspace,
                                      cudaStream_t stream = nullptr) {
  return segmented_scan<kKind>(Items<Value>{values}, BeginsRun<Key, Equals>{keys, {}}, out, n, op,
                               Value(op.identity()), workspace, stream);
}

}  // namespace compaction
