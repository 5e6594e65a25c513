#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/grid_size.h"
#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_workspace.h"
#include "compaction/group/shared_items.h"
#include "compaction/ladder/coarsened_scan.h"
#include "compaction/op/operators.h"
#include "compaction/op/scan_kind.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

// Scans that read and write each item once, in one kernel: a tile learns what comes before it from
// the tiles before it, while they run. How it learns that is `FindPrefix`, called by one warp:
//
//   FindPrefix()(warp, states, epoch, tile, aggregate, op)
//
// publishes what later tiles need of this one and returns its exclusive prefix, in every lane.

/// The whole scan. One block per tile, and for each the tile that its ticket says.
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

/// Bytes of workspace that a scan in one pass needs for up to `capacity` items. Grows with
/// `capacity`.
template <class T>
size_t single_pass_scan_bytes(uint64_t capacity) {
  return TileWorkspace<T>::bytes(simt::ceil_div(capacity, CoarsenedTile<T>::kItems));
}

/// Scan in one pass; see chained_scan.h and look_back_scan.h.
template <ScanKind kind, class FindPrefix, class Launcher, class T, Operator<T> Op>
void single_pass_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                      Span<T> out, Span<std::byte> workspace, Op op,
                      Span<std::type_identity_t<T>> total) {
  using Scan = ScanInOnePass<kind, FindPrefix, T, Op>;
  uint32_t tiles = grid_size(n.capacity, Scan::kTileSize);
  uint32_t blocks = tiles > 0 ? tiles : 1;  // without items the total is written all the same
  launcher.launch(blocks, Scan{.in = in,
                               .out = out,
                               .total = total,
                               .count = n,
                               .op = op,
                               .workspace = TileWorkspace<T>(workspace)});
}

}  // namespace compaction
