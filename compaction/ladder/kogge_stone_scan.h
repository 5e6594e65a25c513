// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/kogge_stone_block_scan.h"
#include "compaction/ladder/multi_block_scan.h"

namespace compaction {

/// The tile of a block: one item per thread.
template <class T>
using KoggeStoneTile = KoggeStoneBlockScan<T, 256>;

/// Scan by Kogge & Stone's block scan: the steps of the Hillis-Steele scan stay within a block,
/// where a barrier ends a step and shared memory holds the items. The exclusive scan shifts the
/// inclusive scan of each tile by one.
///
/// Moves 4n items, 16n bytes of 4-byte numbers, and a few per tile of 256; 8 operations per item. 1
/// kernel for up to 256 items, 3 for up to 2^16, 5 for up to 2^24 and so on.
/// Kogge & Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
/// Equations", 1973; in blocks as in Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with
/// CUDA", GPU Gems 3, 2007.
using KoggeStoneScan = MultiBlockScan<KoggeStoneTile>;

}  // namespace compaction
