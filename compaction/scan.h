// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/op/operators.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/scan_job.h"
#include "compaction/version.h"

namespace compaction {

/// Bytes of workspace that inclusive_scan() and exclusive_scan() need for up to `capacity` items.
/// Grows with `capacity`.
template <class T, class Op = Sum<T>, class In = T>
size_t scan_bytes(uint64_t capacity) {
  return run_tiles_bytes<ScanJob<T, Op, ScanKind::kInclusive, In>>(capacity);
}

/// Inclusive scan in a single pass: the library's fast path. out[i] receives `init` and the items 0
/// to i, combined in order.
///
/// @param in         [n], n <= 2^40, of T or of a type that is converted to T
/// @param out        [n], may be `in`; must not overlap it otherwise
/// @param op         associative; called with items, `init`, the identity and results of itself
/// @param total      [1] or null, receives `init` and all items combined
/// @param workspace  [>= scan_bytes<T, Op, In>(capacity)], see run_pipeline()
/// Reads and writes each item once. 1 kernel. Does not synchronize. Tiles are combined in groups
/// that depend on timing, so with an operator that is associative only approximately, such as a sum
/// of floats, the last bits of the results may differ from call to call.
/// After Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016, with
/// look-ahead instead of look-back.
template <class Launcher, class In, class T, Operator<T> Op>
void inclusive_scan(Launcher& launcher, const In* in, ItemCount n, T* out, Op op, T init, T* total,
                    Span<std::byte> workspace) {
  run_tiles(launcher, ScanJob<T, Op, ScanKind::kInclusive, In>{in, out, op, init, total}, n,
            workspace);
}

/// Exclusive scan in a single pass: out[i] receives `init` and the items 0 to i - 1, combined in
/// order. As inclusive_scan() otherwise.
template <class Launcher, class In, class T, Operator<T> Op>
void exclusive_scan(Launcher& launcher, const In* in, ItemCount n, T* out, Op op, T init, T* total,
                    Span<std::byte> workspace) {
  run_tiles(launcher, ScanJob<T, Op, ScanKind::kExclusive, In>{in, out, op, init, total}, n,
            workspace);
}

}  // namespace compaction
