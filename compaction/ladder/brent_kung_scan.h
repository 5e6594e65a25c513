// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/brent_kung_block_scan.h"
#include "compaction/ladder/multi_block_scan.h"

namespace compaction {

/// The tile of a block: two items per thread.
template <class T>
using BrentKungTile = BrentKungBlockScan<T, 2 * 256 * sizeof(T) <= kTileBytes ? 256 : 128>;

/// Scan by Brent & Kung's block scan: at most 2 operations per item instead of log2(tile), and the
/// active threads are contiguous. The exclusive scan uses Blelloch's down-sweep.
///
/// Moves 4n items, 16n bytes of 4-byte numbers, and a few per tile of 512 (256 for items of more
/// than 64 bytes). 1 kernel for up to 512 items, 3 for up to 2^18, 5 for up to 2^27 and so on.
/// Brent & Kung, "A Regular Layout for Parallel Adders", 1982; Blelloch, "Prefix Sums and Their
/// Applications", 1990; in blocks as in Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with
/// CUDA", GPU Gems 3, 2007.
using BrentKungScan = MultiBlockScan<BrentKungTile>;

}  // namespace compaction
