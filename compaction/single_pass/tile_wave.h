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

/// Runs a job for so few items that an idle device holds all of them at once: each block has one
/// tile.
///
/// Blocks need not be resident together: a block processes the tile whose ticket it draws, so it
/// waits only for blocks that started before it, whatever else occupies the device. It draws its
/// ticket first. Until the ticket arrives, it prefetches the tile of its own index, which some
/// block will load.
///
/// Items stay in registers, and only the output is staged in shared memory. All loads of the call
/// are in flight together. After a block has published the total of its tile, it waits for the
/// totals of all earlier tiles; each warp combines a share of them. Three barriers.
///
/// A single block (WaveShape::single_block) uses neither the queue nor the tile states.
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
  /// Tile states that a lane reads at once: its whole share if the tiles fill an H200.
  static constexpr unsigned kReads = sizeof(Total) <= sizeof(uint64_t) ? 3 : 1;

  static_assert(kWarps <= simt::kWarpSize, "one warp combines the totals of all");

  struct Shared {
    alignas(simt::kVectorBytes) std::byte staged[std::max(1u, kTileSize* Job::kWaveStagedBytes)];
    alignas(Total) std::byte warp_totals[kWarps * sizeof(Total)];
    alignas(Total) std::byte
        warp_shares[kWarps * sizeof(Total)];  // shares of the prefix of the tile
    Ticket ticket;

    SIMT_KERNEL Total* totals() { return reinterpret_cast<Total*>(warp_totals); }
    SIMT_KERNEL Total* shares() { return reinterpret_cast<Total*>(warp_shares); }
  };

  Job job;
  ItemCount count;
  TileQueue queue;
  TileStates<Total> states;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const bool first_thread = block.thread_rank() == 0;
    Ticket drawn{};
    if constexpr (!kShape.single_block)
      if (first_thread) drawn = queue.draw();
    const TileRange range(kTileSize, job.head(), count(), has_aligned_chunks(job));
    if constexpr (!kShape.single_block) {
      prefetch(block, range);
      if (first_thread) {
        queue.after_draw(drawn, block.num_groups());
        shared.ticket = drawn;
      }
      block.sync();
    }
    const ThreadView view{range, kShape.single_block ? 0 : shared.ticket.tile,
                          block.warp_rank() * kChunks * simt::kWarpSize + warp.thread_rank()};
    const bool has_tile = view.tile < range.tiles;
    Registers items;
    if (has_tile) {
      load(items, view);
      Total total = job.rank(warp, items, view);
      if (warp.thread_rank() == 0) shared.totals()[block.warp_rank()] = total;
    }
    block.sync();

    if (has_tile) write(block, shared, items, view);
    if (range.tiles == 0 && view.tile == 0 && first_thread) job.finish_empty();
    if constexpr (!kShape.single_block)
      if (first_thread) queue.end_block(shared.ticket.epoch, block.num_groups(), states.words);
  }

 private:
  using Registers = typename Job::template Registers<kChunks>;

  /// Prefetches the items and the state of the tile with the block's index.
  SIMT_KERNEL void prefetch(simt::Block auto& block, const TileRange& range) const {
    const uint32_t tile = block.group_index();
    if (block.thread_rank() == 0) simt::prefetch(states.first_word(tile));
    if constexpr (Job::kAsync) {
      constexpr unsigned kLines = kBlockSize * kChunks * sizeof(Chunk) / simt::kLineBytes;
      if (!range.is_full(tile)) return;
      const auto* first = reinterpret_cast<const std::byte*>(job.address(range.first_slot(tile)));
      for (unsigned line = block.thread_rank(); line < kLines; line += kBlockSize)
        simt::prefetch(first + line * simt::kLineBytes);
    }
  }

  /// Loads a thread's items: full chunks by vectors that are all in flight together, then the
  /// chunks at the ends of an incomplete tile.
  SIMT_KERNEL void load(Registers& items, const ThreadView& view) const {
    if constexpr (Job::kAsync) {
      constexpr unsigned kVectors = sizeof(Chunk) / simt::kVectorBytes;
      const uint64_t first = view.range.first_slot(view.tile);
      const FullChunks full = view.range.full_chunks(view.tile, Job::kChunkItems);
      const auto* from = reinterpret_cast<const simt::Vector*>(job.address(first));
      simt::Vector packed[kChunks][kVectors];
      for (unsigned c = 0; c < kChunks; ++c)
        for (unsigned v = 0; v < kVectors; ++v)
          packed[c][v] =
              full.contain(view.chunk(c)) ? from[view.chunk(c) * kVectors + v] : simt::Vector{};
      for (unsigned c = 0; c < kChunks; ++c)
        std::memcpy(static_cast<void*>(&items.chunks[c]), packed[c], sizeof(Chunk));
      if (view.range.is_full(view.tile)) return;
      for (unsigned c = 0; c < kChunks; ++c)
        if (!full.contain(view.chunk(c)))
          items.chunks[c] = job.load(first + view.chunk(c) * Job::kChunkItems, view.range);
    } else {
      load_chunks(job, view, items.chunks);
    }
  }

  /// Publishes the total of the block's tile, waits for its prefix, and writes its output.
  SIMT_KERNEL void write(simt::Block auto& block, Shared& shared, const Registers& items,
                         const ThreadView& view) const {
    simt::Warp auto warp = block.warp();
    const bool first_thread = block.thread_rank() == 0;
    auto [before, total] =
        job.template combine_warps<kWarps>(warp, block.warp_rank(), shared.totals());
    Prefix prefix = job.initial_prefix();
    if constexpr (kShape.single_block) {
      if constexpr (Job::kWaveStagedBytes > 0) {
        job.stage(items, view, before, total, shared.staged);
        block.sync();
      }
    } else {
      const uint32_t epoch = shared.ticket.epoch;
      if (first_thread) {
        // In place, the block's reads must precede its publication. No run can show that this fence
        // is missing: the total depends on the value of every item that was read, so the hardware
        // has performed the reads before it can store the total. The memory model does not
        // guarantee this for relaxed accesses.
        if (job.in_place()) simt::fence();
        states.publish(view.tile, epoch, TileStatus::kAggregate, total);
      }
      if constexpr (Job::kWaveStagedBytes > 0) job.stage(items, view, before, total, shared.staged);

      const Total share = combine_share(warp, block.warp_rank(), view.tile, epoch);
      if (warp.thread_rank() == 0) shared.shares()[block.warp_rank()] = share;
      // In place, other blocks' publications must precede this block's writes. No run can show that
      // this fence is missing either: the writes depend on the published values, by a branch and by
      // their address.
      if (job.in_place()) simt::fence();
      block.sync();
      prefix =
          job.extend(prefix, job.template combine_warps<kWarps>(warp, 0, shared.shares()).total);
    }
    if constexpr (Job::kWaveStagedBytes > 0)
      job.template write<kBlockSize, kChunks>(block.thread_rank(), view, prefix, total,
                                              shared.staged);
    else
      job.write_registers(items, view, before, prefix);
    if (view.tile == view.range.tiles - 1 && first_thread) job.finish(prefix, total);
  }

  /// Waits until the tiles of the share have published their totals.
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
