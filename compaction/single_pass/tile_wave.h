#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_range.h"
#include "compaction/grid/tile_states.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/tile_shape.h"

namespace compaction {

/// What a TilePipeline does, for so few items that the device holds all of them at once: each block
/// has one tile, the one of its index, and all blocks run together.
///
/// So nobody draws a tile before loading it, and nothing is copied to shared memory but what has to
/// be sorted there. All loads of the call are under way at once; once a tile's total is published,
/// the block waits for those of all earlier tiles, each warp for its share of them. Two barriers.
///
/// A block draws a ticket all the same, while its items are on their way: the epoch comes with it,
/// and the last ticket begins the next one, see TileQueue.
template <class Job, WaveShape kShape>
struct TileWave {
  using Work = Job;
  using Chunk = typename Job::Chunk;
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;

  static constexpr unsigned kBlockSize = kShape.workers;
  static constexpr unsigned kBlocksPerSm = kShape.blocks_per_sm;
  static constexpr unsigned kChunks = kShape.chunks;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kTileSize = kBlockSize * kChunks * Job::kChunkItems;
  /// Tiles that a lane reads at once: all of its share where an H200 is full.
  static constexpr unsigned kReads = sizeof(Total) <= sizeof(uint64_t) ? 3 : 1;

  static_assert(kWarps <= simt::kWarpSize, "one warp combines what all have");

  struct Shared {
    alignas(simt::kVectorBytes) std::byte staged[std::max(1u, kTileSize* Job::kHeldStagedBytes)];
    alignas(Total) std::byte warp_totals[kWarps * sizeof(Total)];
    alignas(Total) std::byte warp_shares[kWarps * sizeof(Total)];  // of what comes before the tile
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
    const bool alone = blocks == 1, first_thread = block.thread_rank() == 0;
    Ticket ticket{};
    if (first_thread && !alone) {
      ticket = queue.draw();
      simt::prefetch(states.first_word(tile));  // others will read it as soon as it is written
    }
    const TileRange range(kTileSize, job.head(), count());
    simt::Warp auto warp = block.warp();
    const WorkerView view{range, tile,
                          block.warp_rank() * kChunks * simt::kWarpSize + warp.thread_rank()};
    const bool current = tile < range.tiles;
    typename Job::template Held<kChunks> held;
    if (current) {
      load(held, view);
      Total total = job.examine(warp, held, view);
      if (warp.thread_rank() == 0) shared.totals()[block.warp_rank()] = total;
    }
    if (first_thread && !alone) {
      queue.after_draw(ticket, blocks);
      shared.epoch = ticket.epoch;
    }
    block.sync();

    if (current) write(block, shared, held, view);
    if (range.tiles == 0 && tile == 0 && first_thread) job.finish_empty();
    if (!alone && first_thread) queue.end_block(shared.epoch, blocks, states.words);
  }

 private:
  using State = typename TileStates<Total>::State;

  SIMT_KERNEL void load(typename Job::template Held<kChunks>& held, const WorkerView& view) const {
    const uint64_t first = view.range.first_slot(view.tile);
    if constexpr (Job::kAsync) {
      if (view.range.is_whole(view.tile)) {
        const auto* from = reinterpret_cast<const simt::Vector*>(job.address(first));
        simt::Vector packed[kChunks];
        for (unsigned c = 0; c < kChunks; ++c) packed[c] = from[view.chunk(c)];
        for (unsigned c = 0; c < kChunks; ++c)
          std::memcpy(&held.chunks[c], &packed[c], sizeof(Chunk));
        return;
      }
    }
    for (unsigned c = 0; c < kChunks; ++c)
      held.chunks[c] = job.load(first + view.chunk(c) * Job::kChunkItems, view.range);
  }

  SIMT_KERNEL void write(simt::Block auto& block, Shared& shared,
                         const typename Job::template Held<kChunks>& held,
                         const WorkerView& view) const {
    simt::Warp auto warp = block.warp();
    const bool first_thread = block.thread_rank() == 0;
    auto [before, total] =
        job.template combine_warps<kWarps>(warp, block.warp_rank(), shared.totals());
    if (block.num_groups() > 1 && first_thread) {
      if (job.in_place()) simt::fence();  // the block's reads come before what it publishes
      states.publish(view.tile, shared.epoch, TileStatus::kAggregate, total);
    }
    if constexpr (Job::kHeldStagedBytes > 0) job.stage(held, view, before, total, shared.staged);

    const Total share = add_up_share(warp, block.warp_rank(), view.tile, shared.epoch);
    if (warp.thread_rank() == 0) shared.shares()[block.warp_rank()] = share;
    if (job.in_place()) simt::fence();  // and what others published before this block's writes
    block.sync();

    const Prefix prefix = job.extend(
        job.before_all(), job.template combine_warps<kWarps>(warp, 0, shared.shares()).total);
    if constexpr (Job::kHeldStagedBytes > 0)
      job.template write<kBlockSize, kChunks>(block.thread_rank(), view, prefix, total,
                                              shared.staged);
    else
      job.write_held(held, view, before, prefix);
    if (view.tile == view.range.tiles - 1 && first_thread) job.finish(prefix, total);
  }

  /// What a warp's share of the tiles before `tile` adds up to, once these have published it.
  SIMT_KERNEL Total add_up_share(simt::Warp auto warp, unsigned warp_rank, uint32_t tile,
                                 uint32_t epoch) const {
    const uint32_t rows = simt::ceil_div(tile, simt::kWarpSize);
    const uint32_t share = simt::ceil_div(rows, kWarps) * simt::kWarpSize;
    const uint32_t begin = warp_rank * share, end = begin + share < tile ? begin + share : tile;
    Prefix sum = Prefix(job.identity());
    for (uint32_t first = begin; first < end; first += kReads * simt::kWarpSize) {
      const uint32_t own = first + warp.thread_rank();
      State others[kReads];
      for (uint32_t spin = 0; !all_read(warp, own, end, epoch, others); ++spin) {
        if (spin == kSpinLimit) simt::fail("a tile waits for one that does not come");
        simt::backoff();
      }
      Total totals[kReads];
      for (unsigned row = 0; row < kReads; ++row)
        totals[row] = own + row * simt::kWarpSize < end ? others[row].value : Total(job.identity());
      sum = job.fold(warp, sum, totals);
    }
    return Total(sum);
  }

  /// Reads the tiles `own`, `own + kWarpSize`, ... before `end`, all at once, and whether all that
  /// the warp reads have published their totals. The warp goes on together: lanes that each wait
  /// for their own tile are slower.
  SIMT_KERNEL bool all_read(simt::Warp auto warp, uint32_t own, uint32_t end, uint32_t epoch,
                            State (&others)[kReads]) const {
    for (unsigned row = 0; row < kReads; ++row) {
      const uint32_t other = own + row * simt::kWarpSize;
      others[row].status = TileStatus::kAggregate;
      if (other < end) others[row] = states.read(other, epoch);
    }
    bool all = true;
    for (const State& other : others) all = all && other.status != TileStatus::kInvalid;
    return warp.all(all);
  }
};

}  // namespace compaction
