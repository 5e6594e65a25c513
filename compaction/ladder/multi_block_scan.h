// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/group/block_scan.h"
#include "compaction/ladder/scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

// `BlockScan` is a type of group/block_scan.h, with kBlockSize, kItems, Shared with `items`,
// inclusive() and exclusive().

/// Scans each tile separately and writes its sum. One block per tile.
template <ScanKind kind, class BlockScan, class T, Operator<T> Op>
struct ScanTiles {
  static constexpr unsigned kBlockSize = BlockScan::kBlockSize;
  static constexpr unsigned kTileSize = BlockScan::kItems;
  using Shared = typename BlockScan::Shared;

  Span<const T> in;   ///< [item]
  Span<T> out;        ///< [item], scan within the tile
  Span<T> tile_sums;  ///< [tile] or empty
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    uint64_t n = count(), first = uint64_t(block.group_index()) * kTileSize;
    for (unsigned slot = block.thread_rank(); slot < kTileSize; slot += kBlockSize)
      shared.items[slot] = first + slot < n ? in[first + slot] : T(op.identity());

    T sum = scan(block, shared);

    for (unsigned slot = block.thread_rank(); slot < kTileSize; slot += kBlockSize)
      if (first + slot < n) out[first + slot] = shared.items[slot];
    if (block.thread_rank() == 0 && tile_sums.size > 0) tile_sums[block.group_index()] = sum;
  }

  SIMT_KERNEL T scan(simt::Block auto& block, Shared& shared) const {
    if constexpr (kind == ScanKind::kInclusive)
      return BlockScan::inclusive(block, shared, op);
    else
      return BlockScan::exclusive(block, shared, op);
  }
};

/// Combines the sum of the earlier tiles with each item of a tile. One block per tile.
template <class BlockScan, class T, Operator<T> Op>
struct AddTileOffsets {
  static constexpr unsigned kBlockSize = BlockScan::kBlockSize;
  static constexpr unsigned kTileSize = BlockScan::kItems;
  using Shared = simt::NoShared;

  Span<T> out;                 ///< [item]
  Span<const T> tile_offsets;  ///< [tile]
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t n = count(), first = uint64_t(block.group_index()) * kTileSize;
    T offset = tile_offsets[block.group_index()];
    for (unsigned slot = block.thread_rank(); slot < kTileSize; slot += kBlockSize)
      if (first + slot < n) out[first + slot] = op(offset, out[first + slot]);
  }
};

/// Returns the bytes of workspace of multi_block_scan() for up to `capacity` items; grows with it.
template <class BlockScan, class T>
size_t multi_block_scan_bytes(uint64_t capacity) {
  uint64_t tiles = simt::ceil_div(capacity, BlockScan::kItems);
  if (tiles <= 1) return 0;
  return workspace_part(size_t(tiles) * sizeof(T)) + multi_block_scan_bytes<BlockScan, T>(tiles);
}

/// Scans the tiles, then the sums of the tiles, and adds the scanned sums to the tiles.
///
/// @param in         [n], fewer than 2^31 tiles
/// @param out        [n], receives the scan; may be `in`
/// @param workspace  [>= multi_block_scan_bytes<BlockScan, T>(capacity)], any contents
/// @param total      [1] or empty, receives all items combined; must not overlap anything else
/// Moves 4n items and a few per tile. With tiles of t items 1 kernel for up to t items, 3 for up to
/// t^2, 5 for up to t^3 and so on. Does not synchronize.
/// Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
template <ScanKind kind, class BlockScan, class Launcher, class T, Operator<T> Op>
void multi_block_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                      Span<T> out, Span<std::byte> workspace, Op op,
                      Span<std::type_identity_t<T>> total) {
  using Scan = ScanTiles<kind, BlockScan, T, Op>;
  using Add = AddTileOffsets<BlockScan, T, Op>;
  uint32_t tiles = grid_size(n.capacity, Scan::kTileSize);
  if (tiles <= 1) {  // also without items: the total must be written
    launcher.launch(1, Scan{.in = in, .out = out, .tile_sums = total, .count = n, .op = op});
    return;
  }
  WorkspaceCutter cutter(workspace);
  Span<T> sums = cutter.take<T>(tiles);
  launcher.launch(tiles, Scan{.in = in, .out = out, .tile_sums = sums, .count = n, .op = op});
  multi_block_scan<ScanKind::kExclusive, BlockScan>(launcher, sums, ItemCount{tiles}, sums,
                                                    cutter.rest(), op, total);
  launcher.launch(tiles, Add{.out = out, .tile_offsets = sums, .count = n, .op = op});
}

/// A scan of the ladder by multi_block_scan(). `Tile<T>` is the block scan for items of T.
template <template <class T> class Tile>
struct MultiBlockScan : LadderScan<MultiBlockScan<Tile>> {
  static constexpr bool kInPlace = true;

  template <class T>
  static size_t bytes(uint64_t capacity) {
    return multi_block_scan_bytes<Tile<T>, T>(capacity);
  }

  template <ScanKind kind, class Launcher, class T, Operator<T> Op>
  static void run(Launcher& launcher, Span<const T> in, ItemCount n, Span<T> out,
                  Span<std::byte> workspace, Op op, Span<T> total) {
    multi_block_scan<kind, Tile<T>>(launcher, in, n, out, workspace, op, total);
  }
};

template <class T>
using KoggeStoneTile = KoggeStoneBlockScan<T, 256>;

/// Scan by Kogge & Stone's block scan: the steps of the Hillis-Steele scan in shared memory.
///
/// Moves 4n items, 16n bytes of 4-byte numbers, and a few per tile of 256; 8 operations per item. 1
/// kernel for up to 256 items, 3 for up to 2^16, 5 for up to 2^24 and so on.
/// Kogge & Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
/// Equations", 1973; in blocks as in Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with
/// CUDA", GPU Gems 3, 2007.
using KoggeStoneScan = MultiBlockScan<KoggeStoneTile>;

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

/// Tiles of the coarsened scan: as many items per thread as fit, up to 8.
template <class T>
struct CoarsenedShape {
  static constexpr unsigned kMaxItemsPerThread = 8;  // beyond that, the barriers cost little
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
