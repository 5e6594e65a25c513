// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/group/block_rank.h"
#include "compaction/ladder/look_back.h"
#include "compaction/ladder/source.h"
#include "compaction/op/operators.h"

namespace compaction {

/// How look_back_select() cuts items into tiles. The items of a warp are contiguous.
struct LookBackTile {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kItemsPerThread = 16;  // number of loads in flight
  static constexpr uint32_t kWarpItems = simt::kWarpSize * kItemsPerThread;
  static constexpr uint32_t kSize = kBlockSize * kItemsPerThread;
};

/// The whole select in one kernel. One block per tile; the block's ticket determines the tile.
template <Source S>
struct SelectByLookBack {
  static constexpr unsigned kBlockSize = LookBackTile::kBlockSize;
  static constexpr unsigned kItems = LookBackTile::kItemsPerThread;
  struct Shared {
    WarpTotals<kBlockSize> warps;
    Ticket ticket;
    uint32_t tile_prefix;
  };

  S source;
  ItemCount count;
  Span<uint32_t> selected;
  Span<uint32_t> selected_count;  ///< [1]
  TileWorkspace<uint32_t> workspace;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const TileQueue& queue = workspace.queue;
    if (block.thread_rank() == 0) {
      shared.ticket = queue.draw();
      queue.after_draw(shared.ticket, block.num_groups());
    }
    block.sync();

    uint32_t tiles = simt::ceil_div(uint32_t(count()), LookBackTile::kSize);
    if (shared.ticket.tile < tiles)
      select_tile(block, shared);
    else if (tiles == 0 && shared.ticket.tile == 0 && block.thread_rank() == 0)
      selected_count[0] = 0;
    if (block.thread_rank() == 0)
      queue.end_block(shared.ticket.epoch, block.num_groups(), workspace.states.words);
  }

  SIMT_KERNEL void select_tile(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    unsigned lane = warp.thread_rank();
    uint32_t n = uint32_t(count()), tile = shared.ticket.tile;
    uint64_t first_item =
        uint64_t(tile) * LookBackTile::kSize + block.warp_rank() * LookBackTile::kWarpItems + lane;

    // A full tile has no branch or ballot between its loads, so all of them are in flight together.
    bool flags[kItems];
    bool full_tile = n - tile * LookBackTile::kSize >= LookBackTile::kSize;
    if (full_tile) {
      for (unsigned i = 0; i < kItems; ++i)
        flags[i] = source.selected(uint32_t(first_item) + i * simt::kWarpSize);
    } else {
      for (unsigned i = 0; i < kItems; ++i) {
        uint64_t item = first_item + i * simt::kWarpSize;
        flags[i] = item < n && source.selected(uint32_t(item));
      }
    }

    uint32_t ballots[kItems], warp_count = 0;
    for (unsigned i = 0; i < kItems; ++i) {
      ballots[i] = warp.ballot(flags[i]);
      warp_count += simt::popcount(ballots[i]);
    }
    Rank warps = block_exclusive_sum(block, warp_count, shared.warps);
    if (block.warp_rank() == 0) {
      uint32_t prefix = look_back(warp, workspace.states, shared.ticket.epoch, tile, warps.total,
                                  Sum<uint32_t>());
      if (lane == 0) shared.tile_prefix = prefix;
    }
    block.sync();

    uint32_t place = shared.tile_prefix + warps.rank;
    for (unsigned i = 0; i < kItems; ++i) {
      if ((ballots[i] >> lane) & 1)
        selected[place + simt::popcount(ballots[i] & simt::lanes_below(lane))] =
            source.value(uint32_t(first_item + i * simt::kWarpSize));
      place += simt::popcount(ballots[i]);
    }
    bool last_tile = n - tile * LookBackTile::kSize <= LookBackTile::kSize;
    if (last_tile && block.thread_rank() == 0) selected_count[0] = shared.tile_prefix + warps.total;
  }
};

/// Returns the bytes of workspace of look_back_select() for up to `capacity` items; grows with it.
inline size_t look_back_select_bytes(uint32_t capacity) {
  return TileWorkspace<uint32_t>::bytes(simt::ceil_div(capacity, LookBackTile::kSize));
}

/// Stable select in a single pass: writes value(i) of every selected item i, in order.
///
/// @param selected   [>= number of selected items]; must not overlap what `source` reads
/// @param count      [1], receives the number of selected items; must not overlap `n.on_device`
/// @param workspace  [>= look_back_select_bytes(capacity)], zeroed once before its first use and
///                   then used only by this function, one call at a time, and always passed whole;
///                   `n` may differ from call to call
/// Evaluates `selected` once per item; writes 4 bytes per selected item and 16 per tile of 4096. 1
/// kernel. Does not synchronize.
/// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
template <class Launcher, Source S>
void look_back_select(Launcher& launcher, const S& source, ItemCount n, Span<uint32_t> selected,
                      Span<uint32_t> count, Span<std::byte> workspace) {
  uint32_t tiles = simt::ceil_div(uint32_t(n.capacity), LookBackTile::kSize);
  uint32_t blocks = tiles > 0 ? tiles : 1;  // the count must be written even without items
  launcher.launch(blocks, SelectByLookBack<S>{.source = source,
                                              .count = n,
                                              .selected = selected,
                                              .selected_count = count,
                                              .workspace = TileWorkspace<uint32_t>(workspace)});
}

}  // namespace compaction
