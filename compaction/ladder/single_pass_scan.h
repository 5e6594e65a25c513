// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/group/shared_items.h"
#include "compaction/group/warp.h"
#include "compaction/ladder/look_back.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

// Scans that read and write each item once, in one kernel. A tile computes its prefix from values
// that earlier tiles publish while they run. One warp calls `FindPrefix` for that:
//
//   FindPrefix()(warp, states, epoch, tile, aggregate, op)
//
// publishes the state of `tile` and returns its exclusive prefix to every lane.

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
    uint32_t blocks = tiles > 0 ? tiles : 1;  // the total must be written even without items
    launcher.launch(blocks, Scan{.in = in,
                                 .out = out,
                                 .total = total,
                                 .count = n,
                                 .op = op,
                                 .workspace = TileWorkspace<T>(workspace)});
  }
};

/// Waits for the inclusive prefix of the previous tile, adds the aggregate of this tile and
/// publishes the sum.
///
///     tile      0         1              2
///               A0 ─────► A0 op A1 ────► A0 op A1 op A2 ...
///
/// Flag, call and value are one word (TileStates), so no reader sees a new flag with an old value.
struct WaitForPredecessor {
  template <class T, Operator<T> Op>
  SIMT_KERNEL T operator()(simt::Warp auto warp, const auto& states, uint32_t epoch, uint32_t tile,
                           const T& aggregate, const Op& op) const {
    T prefix = op.identity();
    if (warp.thread_rank() == 0) {
      if (tile > 0) prefix = states.wait(tile - 1, epoch).value;
      states.publish(tile, epoch, TileStatus::kInclusivePrefix, op(prefix, aggregate));
    }
    return shuffle_item(warp, prefix, 0);
  }
};

/// Streaming scan: each tile waits for the inclusive prefix of the previous tile and publishes its
/// own prefix, so that one kernel reads and writes each item once. Tiles are assigned in the order
/// in which blocks start, so a block waits only for resident blocks.
///
/// All tiles scan their items concurrently, but the prefix passes through them one after another.
/// At 0.3 us per tile (H200), this chain determines the time of large scans.
///
/// The workspace is zeroed once before its first use and then used only by single-pass scans, one
/// call at a time, and always passed whole; calls may differ in kind, T, `n` and `op`. Moves 2n
/// items, 8n bytes of 4-byte numbers, and 16 bytes per 4 bytes of T and tile of 2048 (fewer items
/// if an item has more than 16 bytes). 1 kernel. Yan, Long & Zhang, "StreamScan: Fast Scan
/// Algorithms for GPUs without Global Barrier Synchronization", 2013.
using ChainedScan = SinglePassScan<WaitForPredecessor>;

struct LookBack {
  template <class T, Operator<T> Op>
  SIMT_KERNEL T operator()(simt::Warp auto warp, const auto& states, uint32_t epoch, uint32_t tile,
                           const T& aggregate, const Op& op) const {
    return look_back(warp, states, epoch, tile, aggregate, op);
  }
};

/// Single-pass scan with decoupled look-back: the streaming scan without its chain. Each tile first
/// publishes its aggregate, which depends on no other tile. Then it combines the aggregates of the
/// tiles before it, back to the nearest tile that has published its inclusive prefix.
///
/// The workspace is zeroed once before its first use and then used only by single-pass scans, one
/// call at a time, and always passed whole; calls may differ in kind, T, `n` and `op`. Moves 2n
/// items, 8n bytes of 4-byte numbers, and some hundred bytes per 4 bytes of T and tile of 2048
/// (fewer items if an item has more than 16 bytes), mostly within the L2 cache. 1 kernel. Merrill &
/// Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
using LookBackScan = SinglePassScan<LookBack>;

}  // namespace compaction
