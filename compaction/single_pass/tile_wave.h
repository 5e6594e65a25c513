// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_states.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/look_ahead.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// The job of a TilePipeline for so few items that the device holds all of them at once: each block
/// has one tile, that of its index, and all blocks are resident (cooperative launch).
///
/// So a block loads its tile without drawing a ticket first, and only the output is staged in
/// shared memory. All loads of the call are in flight together. Once the total of its tile is
/// published, the block waits for the totals of all earlier tiles; each warp combines its share of
/// them. Two barriers.
///
/// A block draws a ticket nevertheless, while its items are being loaded: the ticket carries the
/// epoch, and the last one begins the next epoch, see TileQueue.
template <class Job, WaveShape kShape>
struct TileWave {
  using Work = Job;
  using Chunk = typename Job::Chunk;
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;

  static constexpr unsigned kBlockSize = kShape.compute_threads;
  static constexpr unsigned kBlocksPerSm = kShape.blocks_per_sm;
  static constexpr unsigned kChunks = kShape.chunks;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kTileSize = kBlockSize * kChunks * Job::kChunkItems;
  /// Tiles that a lane reads at once: its whole share where the tiles fill an H200.
  static constexpr unsigned kReads = sizeof(Total) <= sizeof(uint64_t) ? 3 : 1;

  static_assert(kWarps <= simt::kWarpSize, "one warp combines the totals of all");

  struct Shared {
    alignas(simt::kVectorBytes) std::byte staged[std::max(1u, kTileSize* Job::kWaveStagedBytes)];
    alignas(Total) std::byte warp_totals[kWarps * sizeof(Total)];
    alignas(Total) std::byte warp_shares[kWarps * sizeof(Total)];  // of the prefix of the tile
    uint32_t epoch;

    SIMT_KERNEL Total* totals() { return reinterpret_cast<Total*>(warp_totals); }
    SIMT_KERNEL Total* shares() { return reinterpret_cast<Total*>(warp_shares); }
  };

  Job job;
  ItemCount count;
  TileQueue queue;
  TileStates<Total> states;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const uint32_t tile = block.group_index(), blocks = block.num_groups();
    const bool single = blocks == 1, first_thread = block.thread_rank() == 0;
    Ticket ticket{};
    if (first_thread && !single) {
      ticket = queue.draw();
      simt::prefetch(states.first_word(tile));  // other blocks read it as soon as it is written
    }
    const TileRange range(kTileSize, job.head(), count());
    simt::Warp auto warp = block.warp();
    const ThreadView view{range, tile,
                          block.warp_rank() * kChunks * simt::kWarpSize + warp.thread_rank()};
    const bool has_tile = tile < range.tiles;
    Registers items;
    if (has_tile) {
      load(items, view);
      Total total = job.rank(warp, items, view);
      if (warp.thread_rank() == 0) shared.totals()[block.warp_rank()] = total;
    }
    if (first_thread && !single) {
      queue.after_draw(ticket, blocks);
      shared.epoch = ticket.epoch;
    }
    block.sync();

    if (has_tile) write(block, shared, items, view);
    if (range.tiles == 0 && tile == 0 && first_thread) job.finish_empty();
    if (!single && first_thread) queue.end_block(shared.epoch, blocks, states.words);
  }

 private:
  using Registers = typename Job::template Registers<kChunks>;

  /// Loads a thread's items.
  SIMT_KERNEL void load(Registers& items, const ThreadView& view) const {
    const uint64_t first = view.range.first_slot(view.tile);
    if constexpr (Job::kAsync) {
      if (view.range.is_full(view.tile)) {
        const auto* from = reinterpret_cast<const simt::Vector*>(job.address(first));
        simt::Vector packed[kChunks];
        for (unsigned c = 0; c < kChunks; ++c) packed[c] = from[view.chunk(c)];
        for (unsigned c = 0; c < kChunks; ++c)
          std::memcpy(&items.chunks[c], &packed[c], sizeof(Chunk));
        return;
      }
    }
    for (unsigned c = 0; c < kChunks; ++c)
      items.chunks[c] = job.load(first + view.chunk(c) * Job::kChunkItems, view.range);
  }

  /// Publishes the total of the block's tile, waits for its prefix, and writes its output.
  SIMT_KERNEL void write(simt::Block auto& block, Shared& shared, const Registers& items,
                         const ThreadView& view) const {
    simt::Warp auto warp = block.warp();
    const bool first_thread = block.thread_rank() == 0;
    auto [before, total] =
        job.template combine_warps<kWarps>(warp, block.warp_rank(), shared.totals());
    if (block.num_groups() > 1 && first_thread) {
      if (job.in_place()) simt::fence();  // the block's reads come before what it publishes
      states.publish(view.tile, shared.epoch, TileStatus::kAggregate, total);
    }
    if constexpr (Job::kWaveStagedBytes > 0) job.stage(items, view, before, total, shared.staged);

    const Total share = combine_share(warp, block.warp_rank(), view.tile, shared.epoch);
    if (warp.thread_rank() == 0) shared.shares()[block.warp_rank()] = share;
    if (job.in_place()) simt::fence();  // other blocks' publications precede this block's writes
    block.sync();

    const Prefix prefix = job.extend(
        job.initial_prefix(), job.template combine_warps<kWarps>(warp, 0, shared.shares()).total);
    if constexpr (Job::kWaveStagedBytes > 0)
      job.template write<kBlockSize, kChunks>(block.thread_rank(), view, prefix, total,
                                              shared.staged);
    else
      job.write_registers(items, view, before, prefix);
    if (view.tile == view.range.tiles - 1 && first_thread) job.finish(prefix, total);
  }

  /// Combines a warp's share of the tiles before `tile`, once these have published their totals.
  SIMT_KERNEL Total combine_share(simt::Warp auto warp, unsigned warp_rank, uint32_t tile,
                                  uint32_t epoch) const {
    const uint32_t rows = simt::ceil_div(tile, simt::kWarpSize);
    const uint32_t share = simt::ceil_div(rows, kWarps) * simt::kWarpSize;
    const uint32_t begin = warp_rank * share, end = begin + share < tile ? begin + share : tile;
    Prefix sum = Prefix(job.identity());
    if (begin < end) {
      LookAhead<Job, kReads> ahead(job, states, epoch, begin, sum);
      ahead.advance(
          warp, end,
          [&] {
            sum = ahead.move_to_end(warp);
            return ahead.end() < end;
          },
          [] { return false; });
    }
    return Total(sum);
  }
};

}  // namespace compaction
