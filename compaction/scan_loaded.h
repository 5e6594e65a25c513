// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/runs.h"
#include "compaction/single_pass/loaded_scan_job.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/segmented_scan_job.h"

// Scans and reductions of items that are computed (single_pass/loads.h), and segmented scans. The
// items are combined in the type that the load returns: Widened<uint64_t, Items<uint8_t>> sums
// bytes in 64 bits.

namespace compaction {

/// Bytes of workspace that the functions of this file need for up to `capacity` items of a load.
/// Grows with `capacity`.
template <class Load, class Store, class Op>
size_t scan_loaded_bytes(uint64_t capacity) {
  return run_tiles_bytes<LoadedScanJob<Load, Store, Op, ScanKind::kInclusive>>(capacity);
}

/// Scan of a load in a single pass: `store(i, r)` is called once for each i, where r is `init` and
/// the items 0 to i, or i - 1, combined in order.
///
/// @param load       called once for each i in [0, n); may read what the stores write only where
///                   store(i) overwrites nothing but the item i
/// @param total      [1] or null, receives `init` and all items combined
/// @param workspace  [>= scan_loaded_bytes<Load, Store, Op>(capacity)], see run_pipeline()
/// 1 kernel. As inclusive_scan() in scan.h otherwise.
template <ScanKind kKind, class Launcher, class Load, class Store, class Op>
void scan_loaded(Launcher& launcher, Load load, Store store, ItemCount n, Op op, Loaded<Load> init,
                 Loaded<Load>* total, Span<std::byte> workspace) {
  const LoadedScanJob<Load, Store, Op, kKind> job{{nullptr, nullptr, op, init, total}, load, store};
  run_tiles(launcher, job, n, workspace);
}

/// Reduction of a load: `*result` receives all items combined in order, the identity where there is
/// none. Workspace of scan_loaded_bytes<Load, StoreNothing, Op>(capacity). 1 kernel. Other than
/// reduce(), it combines tiles in groups that depend on timing.
template <class Launcher, class Load, class Op>
void reduce_loaded(Launcher& launcher, Load load, ItemCount n, Loaded<Load>* result, Op op,
                   Span<std::byte> workspace) {
  scan_loaded<ScanKind::kInclusive>(launcher, load, StoreNothing(), n, op,
                                    Loaded<Load>(op.identity()), result, workspace);
}

/// Bytes of workspace of a segmented scan for up to `capacity` items. Grows with `capacity`.
template <class Load, class Begins, class Op>
size_t segmented_scan_bytes(uint64_t capacity) {
  return run_tiles_bytes<SegmentedScanJob<Load, Begins, Op, ScanKind::kInclusive>>(capacity);
}

/// Scan that starts anew where a segment begins, in a single pass.
///
/// @param values     the value of item i is `values(i)`, called once
/// @param begins     whether a segment begins at item i, called once: BeginsRun (keys) or
///                   BeginsAtFlag
/// @param out        [n]; must not overlap what `values` and `begins` read
/// @param init       what an exclusive scan writes where a segment begins; of no effect on an
///                   inclusive one
/// @param workspace  [>= segmented_scan_bytes<Load, Begins, Op>(capacity)], see run_pipeline()
/// 1 kernel. As inclusive_scan() in scan.h otherwise.
template <ScanKind kKind, class Launcher, class Load, class Begins, class Op>
void segmented_scan(Launcher& launcher, Load values, Begins begins, Loaded<Load>* out, ItemCount n,
                    Op op, Loaded<Load> init, Span<std::byte> workspace) {
  const CombineSegments<Loaded<Load>, Op> combine{op};
  const SegmentedScanJob<Load, Begins, Op, kKind> job{
      {nullptr, nullptr, combine, combine.identity(), nullptr}, values, begins, out, init};
  run_tiles(launcher, job, n, workspace);
}

}  // namespace compaction
