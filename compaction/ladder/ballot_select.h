// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/source.h"

namespace compaction {

/// How ballot_select() cuts items into tiles: a block processes one item per thread and iteration.
struct BallotTile {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kIterations = 8;  // enough loads in flight; few tiles to scan
  static constexpr uint32_t kSize = kIterations * kBlockSize;
};

/// Phase 1: counts the selected items of each tile.
template <Source S>
struct CountTiles {
  static constexpr unsigned kBlockSize = BallotTile::kBlockSize;
  using Shared = simt::NoShared;

  S source;
  ItemCount count;
  Span<uint32_t> tile_counts;  ///< [tile]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint32_t n = uint32_t(count()), tile = block.group_index(), tile_count = 0;
    for (unsigned i = 0; i < BallotTile::kIterations; ++i) {
      uint64_t item = uint64_t(tile) * BallotTile::kSize + i * kBlockSize + block.thread_rank();
      tile_count += block.sync_count(item < n && source.selected(uint32_t(item)));
    }
    if (block.thread_rank() == 0) tile_counts[tile] = tile_count;
  }
};

/// Exclusive sum of the values of the lanes, by one ballot per bit. Lane i receives the sum of the
/// lanes below it. All lanes call it together.
///
/// A value is a count of lanes, so it can be 32, which takes six bits, not five.
SIMT_KERNEL inline uint32_t ballot_exclusive_scan(simt::Warp auto warp, uint32_t value) {
  constexpr unsigned kBits = 6;
  uint32_t below = simt::lanes_below(warp.thread_rank()), sum = 0;
  for (unsigned bit = 0; bit < kBits; ++bit)
    sum += simt::popcount(warp.ballot((value >> bit) & 1) & below) << bit;
  return sum;
}

/// Phase 3: scatters the selected items of each tile, from the offset of the tile on.
template <Source S>
struct ScatterTiles {
  static constexpr unsigned kBlockSize = BallotTile::kBlockSize;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  struct Shared {
    uint32_t warp_counts[kWarps];
    uint32_t warp_offsets[kWarps];
    uint32_t block_count;
  };

  S source;
  ItemCount count;
  Span<const uint32_t> tile_offsets;  ///< [tile], selected items of the earlier tiles
  Span<uint32_t> selected;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    unsigned lane = warp.thread_rank(), warp_rank = block.warp_rank();
    uint32_t n = uint32_t(count()), tile = block.group_index(), offset = tile_offsets[tile];

    for (unsigned i = 0; i < BallotTile::kIterations; ++i) {
      uint64_t item = uint64_t(tile) * BallotTile::kSize + i * kBlockSize + block.thread_rank();
      bool flag = item < n && source.selected(uint32_t(item));
      uint32_t flags = warp.ballot(flag);
      if (lane == 0) shared.warp_counts[warp_rank] = simt::popcount(flags);
      block.sync();

      // The first warp scans the counts of all warps.
      if (warp_rank == 0) {
        uint32_t warp_count = lane < kWarps ? shared.warp_counts[lane] : 0;
        uint32_t before = ballot_exclusive_scan(warp, warp_count);
        if (lane < kWarps) shared.warp_offsets[lane] = before;
        if (lane == kWarps - 1) shared.block_count = before + warp_count;
      }
      block.sync();

      if (flag) {
        uint32_t rank = simt::popcount(flags & simt::lanes_below(lane));
        selected[offset + shared.warp_offsets[warp_rank] + rank] = source.value(uint32_t(item));
      }
      // warp_offsets is written again only after the next barrier, when all threads have read it.
      offset += shared.block_count;
    }
  }
};

/// Returns the bytes of workspace that ballot_select() needs for up to `capacity` items.
inline size_t ballot_select_bytes(uint32_t capacity) {
  uint32_t tiles = simt::ceil_div(capacity, BallotTile::kSize);
  return workspace_part(tiles * sizeof(uint32_t)) + BrentKungScan::bytes<uint32_t>(tiles);
}

/// Stable select in three phases: count tiles, scan the counts, scatter by ballots. Writes value(i)
/// of every selected item i, in order.
///
/// @param selected   [>= number of selected items]; must not overlap what `source` reads
/// @param count      [1], receives the number of selected items; must not overlap `n.on_device`
/// @param workspace  [>= ballot_select_bytes(capacity)], any contents
/// Evaluates `selected` twice per item; writes 4 bytes per selected item and a few per tile of
/// 2048. 3 kernels for up to 2^20 items, 5 for up to 2^29, 7 beyond. Does not synchronize.
/// Billeter, Olsson & Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core
/// Architectures", 2009.
template <class Launcher, Source S>
void ballot_select(Launcher& launcher, const S& source, ItemCount n, Span<uint32_t> selected,
                   Span<uint32_t> count, Span<std::byte> workspace) {
  uint32_t tiles = simt::ceil_div(uint32_t(n.capacity), BallotTile::kSize);
  WorkspaceCutter cutter(workspace);
  Span<uint32_t> tile_counts = cutter.take<uint32_t>(tiles);
  launcher.launch(tiles, CountTiles<S>{.source = source, .count = n, .tile_counts = tile_counts});
  BrentKungScan::exclusive(launcher, tile_counts, ItemCount{tiles}, tile_counts, cutter.rest(),
                           Sum<uint32_t>(), count);
  launcher.launch(
      tiles, ScatterTiles<S>{
                 .source = source, .count = n, .tile_offsets = tile_counts, .selected = selected});
}

}  // namespace compaction
