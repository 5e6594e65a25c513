// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_states.h"
#include "compaction/simt/async_copy.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/look_ahead.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// Maximum number of tiles of a wave on any device. The size of a workspace can thus be computed
/// from the capacity.
inline constexpr uint64_t kMaxWaveTiles = 1024;

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

  static constexpr bool kIsSingleBlock = kShape.single_block;
  static constexpr unsigned kBlockSize = kShape.compute_threads;
  static constexpr unsigned kBlocksPerSm = kShape.blocks_per_sm;
  static constexpr unsigned kChunks = kShape.chunks;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kTileSize = kBlockSize * kChunks * Job::kChunkItems;
  static constexpr unsigned kWarpSegments = warp_segments<Job>(kChunks);
  static constexpr unsigned kSegments = kWarps * kWarpSegments;
  static constexpr unsigned kParts = tile_parts<Job>(kBlockSize, kChunks);
  /// Tile states that a lane reads at once: its whole share if the tiles fill an H200.
  static constexpr unsigned kReads = sizeof(Total) <= sizeof(uint64_t) ? 3 : 1;
  /// In a fixed order, a lane reads another row in part.
  using Ahead = OrderedLookAhead<Job, std::max(1u, kReads - 1), 1>;
  /// The totals that make up the prefix of a tile: of 32 tiles each, then of parts of the last 32.
  static constexpr unsigned kMaxPrefixParts =
      unsigned(kMaxWaveTiles / Ahead::kRowTiles) + simt::log2_of(Ahead::kRowTiles);

  static_assert(kWarps <= simt::kWarpSize, "one warp combines the totals of all");

  struct Shared {
    static constexpr unsigned kCopiedBytes = [] {
      if constexpr (kCopiesItself<Job>)
        return Job::copied_bytes(kTileSize, kWarps);
      else
        return 1u;
    }();
    alignas(simt::kVectorBytes)
        std::byte staged[std::max(kCopiedBytes, kTileSize* Job::kWaveStagedBytes)];
    alignas(Total) std::byte warp_totals[kSegments * sizeof(Total)];  // [segment]
    alignas(Total) std::byte warp_shares[(kFixedOrder<Job> ? kMaxPrefixParts : kWarps) *
                                         sizeof(Total)];  // parts of the prefix of the tile
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
      load(warp, shared, items, view);
      if constexpr (kFixedOrder<Job>) {
        Total totals[kWarpSegments];
        job.rank(warp, items, view, totals);
        if (warp.thread_rank() == 0)
          for (unsigned s = 0; s < kWarpSegments; ++s)
            shared.totals()[block.warp_rank() * kWarpSegments + s] = totals[s];
      } else {
        Total total = job.rank(warp, items, view);
        if (warp.thread_rank() == 0) shared.totals()[block.warp_rank()] = total;
      }
    }
    block.sync();

    if (has_tile) {
      if constexpr (kFixedOrder<Job>)
        write_in_order(block, shared, items, view);
      else
        write(block, shared, items, view);
    }
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
    if constexpr (kCopiesItself<Job>) {
      job.prefetch(range.first_slot(tile) + block.thread_rank() * Job::kChunkItems, range);
    } else if constexpr (Job::kAsync) {
      constexpr unsigned kLines = kBlockSize * kChunks * sizeof(Chunk) / simt::kLineBytes;
      if (!range.is_full(tile)) return;
      const auto* first = reinterpret_cast<const std::byte*>(job.address(range.first_slot(tile)));
      for (unsigned line = block.thread_rank(); line < kLines; line += kBlockSize)
        simt::prefetch(first + line * simt::kLineBytes);
    }
  }

  /// Loads a thread's items: full chunks by vectors that are all in flight together, then the
  /// chunks at the ends of an incomplete tile.
  SIMT_KERNEL void load(simt::Warp auto warp, Shared& shared, Registers& items,
                        const ThreadView& view) const {
    if constexpr (kCopiesItself<Job>) {
      simt::AsyncCopies<1, Job::kCopies> copies;
      job.copy(copies, shared.staged, view);
      copies.commit();
      copies.template wait<0>();
      warp.sync();  // other lanes have copied items of this one
      job.take(items, shared.staged, view);
    } else if constexpr (Job::kAsync) {
      if constexpr (kFixedOrder<Job>)
        if (!view.range.aligned) return load_chunks(job, view, items.chunks);
      if constexpr (kBeforeBytes<Job> != 0) job.take_before(items, nullptr, view);
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

  /// Like write(), for a job with a fixed order.
  SIMT_KERNEL void write_in_order(simt::Block auto& block, Shared& shared, const Registers& items,
                                  const ThreadView& view) const {
    simt::Warp auto warp = block.warp();
    using Segments = TileSegments<Job, decltype(warp), kSegments, kWarpSegments>;
    const Segments tree(warp, job, block.warp_rank(), shared.totals());
    auto segments = [&] { return tree; };
    Prefix prefix = job.initial_prefix();
    if constexpr (!kShape.single_block)
      if (block.thread_rank() == 0)
        states.publish(view.tile, shared.ticket.epoch, TileStatus::kAggregate, tree.total());
    if constexpr (Job::kWaveStagedBytes > 0) job.stage(items, view, segments, shared.staged);
    if constexpr (!kShape.single_block)
      find_prefix_parts(warp, block.warp_rank(), view.tile, shared);
    if constexpr (!kShape.single_block || Job::kWaveStagedBytes > 0) block.sync();
    if constexpr (!kShape.single_block) prefix = combine_parts(prefix, view.tile, shared);
    if constexpr (Job::kWaveStagedBytes > 0)
      job.template write<kBlockSize, kChunks>(block.thread_rank(), view, prefix,
                                              shuffle_item(warp, tree.total(), 0), segments,
                                              shared.staged);
    else
      job.write_registers(items, view, prefix, segments);
    if (view.tile == view.range.tiles - 1 && block.warp_rank() == 0)
      finish_segments(warp, job, view.range, prefix, tree, shared.totals(), kSegments);
  }

  /// Combines the parts of the prefix of a tile: whole rows of the order, then parts of the last
  /// one.
  SIMT_KERNEL Prefix combine_parts(Prefix prefix, uint32_t tile, Shared& shared) const {
    const Total* part = shared.shares();
    const unsigned whole = tile / Ahead::kRowTiles;
    for (unsigned row = 0; row < whole / kParts; ++row, part += kParts)
      prefix = job.extend(prefix, sum_of_lane<kParts>(job, part));
    visit_parts<kParts>(job, part, whole,
                        [&](const Total& total) { prefix = job.extend(prefix, total); });
    part = shared.shares() + whole;
    for (unsigned left = simt::popcount(tile % Ahead::kRowTiles); left > 0; --left, ++part)
      prefix = job.extend(prefix, *part);
    return prefix;
  }

  /// Waits for the tiles before `tile`, each warp for a share of their rows, and writes the parts
  /// of its prefix in order.
  SIMT_KERNEL void find_prefix_parts(simt::Warp auto warp, unsigned warp_rank, uint32_t tile,
                                     Shared& shared) const {
    constexpr uint32_t kRow = Ahead::kRowTiles;
    const uint32_t share = simt::ceil_div(simt::ceil_div(tile, kRow), kWarps) * kRow;
    const uint32_t begin = warp_rank * share, end = begin + share < tile ? begin + share : tile;
    if (begin >= end) return;
    Ahead ahead(job, states, shared.ticket.epoch, begin / kRow, job.initial_prefix());
    ahead.advance(
        warp, [&] { return end; },
        [&] {
          ahead.store_parts(warp, shared.shares());
          return !ahead.reaches_last();
        },
        [] { return false; });
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
