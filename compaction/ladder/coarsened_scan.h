// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/coarsened_block_scan.h"
#include "compaction/ladder/multi_block_scan.h"

namespace compaction {

/// How the coarsened scan cuts the items into tiles: as many per thread as fit, up to 8.
template <class T>
struct CoarsenedShape {
  static constexpr unsigned kMaxItemsPerThread = 8;  // beyond that the barriers cost little anyway
  static constexpr unsigned kBlockSize =
      256 * kMaxItemsPerThread * sizeof(T) <= kTileBytes ? 256 : 128;
  static constexpr unsigned kFitting = kTileBytes / (kBlockSize * sizeof(T));
  static constexpr unsigned kItemsPerThread =
      kFitting < kMaxItemsPerThread ? kFitting : kMaxItemsPerThread;
};

template <class T>
using CoarsenedTile =
    CoarsenedBlockScan<T, CoarsenedShape<T>::kBlockSize, CoarsenedShape<T>::kItemsPerThread>;

/// Scan in which each thread scans several consecutive items before the block scans their sums:
/// larger tiles, 3 barriers for each, and fewer sums for the next level.
///
/// Moves 4n items, 16n bytes of 4-byte numbers, and a few per tile of 2048 (fewer for items of more
/// than 16 bytes); about 2 operations per item. 1 kernel for up to 2048 items, 3 for up to 2^22, 5
/// for up to 2^33 and so on.
/// Kirk & Hwu, "Programming Massively Parallel Processors", 2010; in blocks as in Harris, Sengupta
/// & Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
using CoarsenedScan = MultiBlockScan<CoarsenedTile>;

}  // namespace compaction
