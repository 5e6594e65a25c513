#pragma once

#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace_cutter.h"
#include "compaction/group/block_scan.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// Scans each tile for itself and writes down its sum. One block per tile, two items per thread.
struct ScanTiles {
  static constexpr unsigned kBlockSize = 256;
  static constexpr uint32_t kTileSize = 2 * kBlockSize;
  using Shared = BlockScanItems<kBlockSize>;

  Span<const uint32_t> in;   ///< [item]
  Span<uint32_t> out;        ///< [item], exclusive scan within the tile
  Span<uint32_t> tile_sums;  ///< [tile]
  ItemCount count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    uint32_t n = uint32_t(count()), tile = block.group_index();
    unsigned thread = block.thread_rank();
    for (unsigned slot = thread; slot < kTileSize; slot += kBlockSize) {
      uint64_t item = uint64_t(tile) * kTileSize + slot;
      shared[slot] = item < n ? in[item] : 0;
    }
    uint32_t sum = block_exclusive_scan(block, shared);
    for (unsigned slot = thread; slot < kTileSize; slot += kBlockSize) {
      uint64_t item = uint64_t(tile) * kTileSize + slot;
      if (item < n) out[item] = shared[slot];
    }
    if (thread == 0) tile_sums[tile] = sum;
  }
};

/// Adds to each item the sum of the tiles before its own.
struct AddTileOffsets {
  static constexpr unsigned kBlockSize = ScanTiles::kBlockSize;
  using Shared = simt::NoShared;

  Span<uint32_t> out;                 ///< [item]
  Span<const uint32_t> tile_offsets;  ///< [tile]
  ItemCount count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint32_t n = uint32_t(count()), tile = block.group_index();
    uint32_t offset = tile_offsets[tile];
    for (unsigned slot = block.thread_rank(); slot < ScanTiles::kTileSize; slot += kBlockSize) {
      uint64_t item = uint64_t(tile) * ScanTiles::kTileSize + slot;
      if (item < n) out[item] += offset;
    }
  }
};

/// Bytes of workspace that exclusive_scan() needs for up to `capacity` items. Grows with
/// `capacity`.
inline size_t exclusive_scan_bytes(uint32_t capacity) {
  uint32_t tiles = simt::ceil_div(capacity, ScanTiles::kTileSize);
  if (tiles <= 1) return 0;
  return workspace_part(tiles * sizeof(uint32_t)) + exclusive_scan_bytes(tiles);
}

/// Exclusive scan of any number of items: scans tiles, scans the tiles' sums, adds those back.
///
/// @param in         [n]
/// @param out        [n], out[i] receives in[0] + ... + in[i - 1] modulo 2^32; may be `in`
/// @param total      [1], receives the sum of all items; nothing else may overlap it
/// @param workspace  [>= exclusive_scan_bytes(capacity)], contents do not matter
/// Reads and writes 16n bytes and a few per tile. 1 kernel for up to 512 items, 3 for up to 512^2,
/// 5 beyond. Does not synchronize.
/// Blelloch, "Prefix Sums and Their Applications", 1990; in blocks as in Harris, Sengupta & Owens,
/// "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
template <class Launcher>
void exclusive_scan(Launcher& launcher, Span<const uint32_t> in, ItemCount n, Span<uint32_t> out,
                    Span<uint32_t> total, Span<std::byte> workspace) {
  uint32_t tiles = simt::ceil_div(uint32_t(n.capacity), ScanTiles::kTileSize);
  if (tiles <= 1) {  // also where there is no item: the total is written all the same
    launcher.launch(1, ScanTiles{.in = in, .out = out, .tile_sums = total, .count = n});
    return;
  }
  WorkspaceCutter cutter(workspace);
  Span<uint32_t> tile_sums = cutter.take<uint32_t>(tiles);
  launcher.launch(tiles, ScanTiles{.in = in, .out = out, .tile_sums = tile_sums, .count = n});
  exclusive_scan(launcher, tile_sums, ItemCount{tiles}, tile_sums, total, cutter.rest());
  launcher.launch(tiles, AddTileOffsets{.out = out, .tile_offsets = tile_sums, .count = n});
}

}  // namespace compaction
