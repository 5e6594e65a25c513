// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_workspace.h"
#include "compaction/group/shared_items.h"
#include "compaction/ladder/coarsened_scan.h"
#include "compaction/ladder/scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

// Scans that read and write each item once, in one kernel: a tile computes its prefix from what
// earlier tiles publish while they run. `FindPrefix` does that, called by one warp:
//
//   FindPrefix()(warp, states, epoch, tile, aggregate, op)
//
// publishes the state of `tile` and returns its exclusive prefix, in every lane.

/// The whole scan. One block per tile; the block's ticket determines the tile.
template <ScanKind kind, class FindPrefix, class T, Operator<T> Op>
struct ScanInOnePass {
  using BlockScan = CoarsenedTile<T>;
  static constexpr unsigned kBlockSize = BlockScan::kBlockSize;
  static constexpr unsigned kTileSize = BlockScan::kItems;
  struct Shared {
    typename BlockScan::Shared scan;
    SharedItems<T, 1> prefix;
    Ticket ticket;
  };

  Span<const T> in;  ///< [item]
  Span<T> out;       ///< [item]
  Span<T> total;     ///< [1] or empty
  ItemCount count;
  Op op;
  TileWorkspace<T> workspace;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const TileQueue& queue = workspace.queue;
    if (block.thread_rank() == 0) {
      shared.ticket = queue.draw();
      queue.after_draw(shared.ticket, block.num_groups());
    }
    block.sync();

    uint64_t tiles = simt::ceil_div(count(), kTileSize);
    if (shared.ticket.tile < tiles)
      scan_tile(block, shared);
    else if (tiles == 0 && shared.ticket.tile == 0)
      write_total(block, op.identity());
    if (block.thread_rank() == 0)
      queue.end_block(shared.ticket.epoch, block.num_groups(), workspace.states.words);
  }

  SIMT_KERNEL void scan_tile(simt::Block auto& block, Shared& shared) const {
    uint32_t tile = shared.ticket.tile;
    uint64_t n = count(), first = uint64_t(tile) * kTileSize;
    auto& items = shared.scan.items;
    for (unsigned slot = block.thread_rank(); slot < kTileSize; slot += kBlockSize)
      items[slot] = first + slot < n ? in[first + slot] : T(op.identity());

    T aggregate = scan_items(block, shared);
    if (block.warp_rank() == 0) {
      simt::Warp auto warp = block.warp();
      T prefix = FindPrefix()(warp, workspace.states, shared.ticket.epoch, tile, aggregate, op);
      if (warp.thread_rank() == 0) shared.prefix[0] = prefix;
    }
    block.sync();

    T prefix = shared.prefix[0];
    for (unsigned slot = block.thread_rank(); slot < kTileSize; slot += kBlockSize)
      if (first + slot < n) out[first + slot] = op(prefix, items[slot]);
    if (n - first <= kTileSize) write_total(block, op(prefix, aggregate));  // the last tile
  }

  SIMT_KERNEL T scan_items(simt::Block auto& block, Shared& shared) const {
    if constexpr (kind == ScanKind::kInclusive)
      return BlockScan::inclusive(block, shared.scan, op);
    else
      return BlockScan::exclusive(block, shared.scan, op);
  }

  SIMT_KERNEL void write_total(simt::Block auto& block, const T& value) const {
    if (block.thread_rank() == 0 && total.size > 0) total[0] = value;
  }
};

/// A single-pass scan of the ladder; see chained_scan.h and look_back_scan.h.
template <class FindPrefix>
struct SinglePassScan : LadderScan<SinglePassScan<FindPrefix>> {
  static constexpr bool kInPlace = true;

  template <class T>
  static size_t bytes(uint64_t capacity) {
    return TileWorkspace<T>::bytes(simt::ceil_div(capacity, CoarsenedTile<T>::kItems));
  }

  template <ScanKind kind, class Launcher, class T, Operator<T> Op>
  static void run(Launcher& launcher, Span<const T> in, ItemCount n, Span<T> out,
                  Span<std::byte> workspace, Op op, Span<T> total) {
    using Scan = ScanInOnePass<kind, FindPrefix, T, Op>;
    uint32_t tiles = grid_size(n.capacity, Scan::kTileSize);
    uint32_t blocks = tiles > 0 ? tiles : 1;  // the total must be written without items, too
    launcher.launch(blocks, Scan{.in = in,
                                 .out = out,
                                 .total = total,
                                 .count = n,
                                 .op = op,
                                 .workspace = TileWorkspace<T>(workspace)});
  }
};

}  // namespace compaction
