#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_range.h"
#include "compaction/grid/tile_states.h"
#include "compaction/simt/async_copy.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/look_ahead.h"
#include "compaction/single_pass/tile_shape.h"

namespace compaction {

/// A single pass over all tiles, each of which needs the combined totals of those before it:
/// select, partition, scan. Blocks stay and take tile after tile.
///
/// `Job` examines the items of a tile (their total is published at once), stages what is to be
/// written in shared memory, and writes it once the tile's prefix is known. A block has several
/// tiles in hand: the items of `ahead` tiles are on their way into shared memory while one is
/// examined and up to `pending` wait for their prefix. So loads, look-ahead and stores of different
/// tiles overlap, and nobody waits for any of them as long as they keep up:
///
///     worker warps      examine tile k    | barrier | stage k, send for k + ahead, write k - 2
///     look-ahead warp   prefix of k - 2   | barrier |
///     ticket warp       say tile k + ahead| barrier |
///
/// One barrier per tile. Tiles come from a TileQueue, so blocks need not run at the same time. A
/// block that is alone needs neither the queue nor what others publish.
template <class Job, TileShape kShape>
struct TilePipeline {
  using Work = Job;
  using Chunk = typename Job::Chunk;
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;

  static constexpr unsigned kBlockSize = kShape.block_size();
  static constexpr unsigned kBlocksPerSm = kShape.blocks_per_sm;
  static constexpr unsigned kChunks = kShape.chunks;
  static constexpr unsigned kWorkerWarps = kShape.workers / simt::kWarpSize;
  static constexpr unsigned kTileSize = kShape.tile_chunks() * Job::kChunkItems;
  static constexpr unsigned kSlots = kShape.slots();
  static constexpr uint32_t kNoTile = ~0u;

  /// Where the workers of a block and the warp that serves them meet.
  static constexpr simt::Place kTileExamined = simt::here();

  static_assert(kShape.pending >= 2, "a prefix is read in one turn and known in the next");
  static_assert(kWorkerWarps <= simt::kWarpSize, "one warp combines the totals of all");

  /// The items of a tile, and in their place, once all workers hold theirs, what is to be written.
  struct alignas(simt::kVectorBytes) Slot {
    static constexpr size_t kItemBytes = Job::kAsync ? kShape.tile_chunks() * sizeof(Chunk) : 0;
    std::byte bytes[std::max<size_t>(kItemBytes, kTileSize* Job::kStagedBytes)];

    SIMT_KERNEL Chunk* chunks() { return reinterpret_cast<Chunk*>(bytes); }
  };

  struct Shared {
    Slot slots[kSlots];  // [k % kSlots], tile k of this block
    alignas(Total) std::byte warp_totals[2][kWorkerWarps * sizeof(Total)];  // [k % 2][warp]
    alignas(Prefix) std::byte prefixes[kSlots * sizeof(Prefix)];
    alignas(Total) std::byte totals[kSlots * sizeof(Total)];
    uint32_t tiles[kSlots + 1];  // one more: tile k + ahead is written while k - pending is in use
    uint32_t known_prefixes[2];  // [k % 2]
    bool last[2];                // [k % 2], whether turn k is the last one
    uint32_t epoch;

    SIMT_KERNEL Prefix& prefix(unsigned slot) { return reinterpret_cast<Prefix*>(prefixes)[slot]; }
    SIMT_KERNEL Total& total(unsigned slot) { return reinterpret_cast<Total*>(totals)[slot]; }
    SIMT_KERNEL Total* totals_of_warps(unsigned k) {
      return reinterpret_cast<Total*>(warp_totals[k % 2]);
    }
    SIMT_KERNEL uint32_t& tile(unsigned k) { return tiles[k % (kSlots + 1)]; }
  };

  Job job;
  ItemCount count;
  TileQueue queue;
  TileStates<Total> states;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    TileRange range(kTileSize, job.head(), count());
    if (block.warp_rank() < kWorkerWarps)
      work(block, shared, range);
    else if (block.warp_rank() == kWorkerWarps)
      look_ahead(block, shared, range);
    else
      draw_tickets(block, shared, range);
  }

 private:
  using Copies = simt::AsyncCopies<kShape.ahead, kChunks>;

  SIMT_KERNEL static bool alone(simt::Block auto& block) { return block.num_groups() == 1; }

  SIMT_KERNEL static unsigned after(unsigned slot, unsigned distance = 1) {
    return slot + distance < kSlots ? slot + distance : slot + distance - kSlots;
  }

  /// Sends for a worker's items of a tile.
  SIMT_KERNEL void send_for(Copies& copies, Slot& slot, const WorkerView& view) const {
    if constexpr (Job::kAsync) {
      if (view.tile < view.range.tiles) {
        Chunk* to = slot.chunks() + view.own;
        uint64_t first = view.range.first_slot(view.tile);
        if (view.range.is_whole(view.tile)) {
          const auto* from = job.address(first) + view.own * Job::kChunkItems;
          for (unsigned c = 0; c < kChunks; ++c)
            copies.copy(to + c * simt::kWarpSize, from + c * simt::kWarpSize * Job::kChunkItems);
        } else {
          for (unsigned c = 0; c < kChunks; ++c)
            to[c * simt::kWarpSize] =
                job.load(first + view.chunk(c) * Job::kChunkItems, view.range);
        }
      }
      copies.commit();
    }
  }

  /// While the first ticket is drawn: sends for the tile that it will probably say. If it says
  /// another one, another block has drawn this one and is as glad of it.
  SIMT_KERNEL void prefetch_first(unsigned thread, uint32_t tile, const TileRange& range) const {
    if constexpr (Job::kAsync) {
      constexpr unsigned kLines = kShape.tile_chunks() * sizeof(Chunk) / simt::kLineBytes;
      if (!range.is_whole(tile)) return;
      const auto* first = reinterpret_cast<const std::byte*>(job.address(range.first_slot(tile)));
      for (unsigned line = thread; line < kLines; line += kShape.workers)
        simt::prefetch(first + line * simt::kLineBytes);
    }
  }

  /// The part of the warps that hold items.
  SIMT_KERNEL void work(simt::Block auto& block, Shared& shared, const TileRange& range) const {
    simt::Warp auto warp = block.warp();
    const unsigned thread = block.thread_rank(), lane = warp.thread_rank();
    const unsigned own = block.warp_rank() * kChunks * simt::kWarpSize + lane;
    Copies copies;
    prefetch_first(thread, block.group_index(), range);
    for (unsigned k = 0; k < kShape.ahead; ++k) {
      block.sync(kTileExamined);
      send_for(copies, shared.slots[k], {range, shared.tile(k), own});
    }
    if (range.tiles == 0 && shared.tile(0) == 0 && thread == 0) job.finish_empty();
    const uint32_t epoch = shared.epoch;

    unsigned slot = 0, written = 0, written_slot = 0;
    for (unsigned k = 0;; ++k, slot = after(slot)) {
      WorkerView view{range, shared.tile(k), own};
      const bool current = view.tile < range.tiles;
      typename Job::template Held<kChunks> held;
      copies.template wait<kShape.ahead - 1>();
      if (current) {
        if constexpr (Job::kAsync) {
          for (unsigned c = 0; c < kChunks; ++c)
            held.chunks[c] = shared.slots[slot].chunks()[view.chunk(c)];
        } else {
          for (unsigned c = 0; c < kChunks; ++c)
            held.chunks[c] =
                job.load(range.first_slot(view.tile) + view.chunk(c) * Job::kChunkItems, range);
        }
        Total total = job.examine(warp, held, view);
        if (lane == 0) shared.totals_of_warps(k)[block.warp_rank()] = total;
      }
      block.sync(kTileExamined);

      const unsigned known = shared.known_prefixes[k % 2];
      if (current) {
        auto [before, total] = job.template combine_warps<kWorkerWarps>(warp, block.warp_rank(),
                                                                        shared.totals_of_warps(k));
        if (thread == 0) {
          if (job.in_place()) simt::fence();  // the block's reads come before what it publishes
          if (!alone(block)) states.publish(view.tile, epoch, TileStatus::kAggregate, total);
          shared.total(slot) = total;
        }
        send_for(copies, shared.slots[after(slot, kShape.ahead)],
                 {range, shared.tile(k + kShape.ahead), own});
        job.stage(held, view, before, total, shared.slots[slot].bytes);
      }
      for (; written < known; ++written, written_slot = after(written_slot)) {
        WorkerView done{range, shared.tile(written), own};
        Total total = shared.total(written_slot);
        Prefix prefix = shared.prefix(written_slot);
        job.template write<kShape.workers, kChunks>(thread, done, prefix, total,
                                                    shared.slots[written_slot].bytes);
        if (done.tile == range.tiles - 1 && thread == 0) job.finish(prefix, total);
      }
      if (shared.last[k % 2]) break;
    }
    end_turns(block, shared);
    if (!alone(block) && thread == 0) queue.end_block(epoch, block.num_groups(), states.words);
  }

  /// The part of the warp that draws tickets. Two are always on their way, each in a variable of
  /// its own: under load a ticket takes longer than a tile. Of all but the first, only the tile is
  /// kept: to move a part of what is on its way is to wait for it.
  SIMT_KERNEL void draw_tickets(simt::Block auto& block, Shared& shared,
                                const TileRange& range) const {
    const bool first_lane = block.warp().thread_rank() == 0;
    const bool by_ticket = first_lane && !alone(block);
    const uint32_t blocks = block.num_groups();
    // Where each block has one tile at most, it draws once; else it ends with two tickets in vain.
    const bool several = range.tiles > blocks;
    const uint32_t draws = several ? range.tiles + 2 * blocks : blocks;
    Ticket first{kNoTile, 0};
    if (by_ticket) first = queue.draw();
    uint32_t even = first.tile, odd = by_ticket && several ? queue.draw().tile : kNoTile;

    // Says tile k and draws the ticket of tile k + 2.
    auto take = [&](unsigned k, uint32_t& tile) {
      if (first_lane) shared.tile(k) = alone(block) ? k : tile;
      if (by_ticket && k == 0) {
        shared.epoch = first.epoch;
        queue.after_draw(first, draws);
      } else if (tile != kNoTile) {
        queue.after_draw({tile, first.epoch}, draws);
      }
      tile = several && tile < range.tiles ? queue.draw().tile : kNoTile;
    };
    // Turn k says tile k + ahead; the turns before the first say those that come before.
    for (unsigned k = 0;; k += 2) {
      take(k, even);
      block.sync(kTileExamined);
      if (k >= kShape.ahead && shared.last[(k - kShape.ahead) % 2]) break;
      take(k + 1, odd);
      block.sync(kTileExamined);
      if (k + 1 >= kShape.ahead && shared.last[(k + 1 - kShape.ahead) % 2]) break;
    }
    if (even != kNoTile) queue.after_draw({even, first.epoch}, draws);
    if (odd != kNoTile) queue.after_draw({odd, first.epoch}, draws);
    end_turns(block, shared);
  }

  /// The barrier before the last epoch ends.
  SIMT_KERNEL static void end_turns(simt::Block auto& block, Shared& shared) {
    if (!alone(block) && shared.epoch == TileQueue::kLastEpoch) block.sync(kTileExamined);
  }

  /// The part of the warp that finds out what comes before the tiles.
  SIMT_KERNEL void look_ahead(simt::Block auto& block, Shared& shared,
                              const TileRange& range) const {
    for (unsigned k = 0; k < kShape.ahead; ++k) block.sync(kTileExamined);
    if (alone(block))
      add_up_own(block, shared, range);
    else
      add_up_all(block, shared, range);
    end_turns(block, shared);
  }

  /// Whether turn k is the last one: the second that finds no tile. In the first, what waits is
  /// written as in any turn, while the last prefix is on its way. A block of one tile has nothing
  /// to write meanwhile, so that the first is its last.
  SIMT_KERNEL static bool is_last(Shared& shared, const TileRange& range, unsigned k) {
    return shared.tile(k) >= range.tiles && (k <= 1 || shared.tile(k - 1) >= range.tiles);
  }

  SIMT_KERNEL void add_up_own(simt::Block auto& block, Shared& shared,
                              const TileRange& range) const {
    simt::Warp auto warp = block.warp();
    Prefix prefix = job.before_all();
    for (unsigned k = 0;; ++k) {
      if (k > 0 && k <= range.tiles) {
        if (warp.thread_rank() == 0) shared.prefix((k - 1) % kSlots) = prefix;
        prefix = job.extend(
            prefix,
            job.template combine_warps<kWorkerWarps>(warp, 0, shared.totals_of_warps(k - 1)).total);
      }
      const bool last = is_last(shared, range, k);
      if (warp.thread_rank() == 0) {
        shared.known_prefixes[k % 2] = k < range.tiles ? k : range.tiles;
        shared.last[k % 2] = last;
      }
      block.sync(kTileExamined);
      if (last) return;
    }
  }

  SIMT_KERNEL void add_up_all(simt::Block auto& block, Shared& shared,
                              const TileRange& range) const {
    simt::Warp auto warp = block.warp();
    const bool first_lane = warp.thread_rank() == 0;
    LookAhead<Job, kShape.reads> ahead(job, states, shared.epoch);
    bool reading = false;
    unsigned known = 0;  // tiles of this block whose prefix is known
    for (unsigned k = 0;; ++k) {
      const bool last = is_last(shared, range, k);
      const unsigned begun = last && k > 1 ? k - 1 : k;  // tiles of this block up to here
      // The last turn leaves nothing open, any other one what may still wait.
      const unsigned open = last ? 0 : kShape.pending;
      for (uint32_t spin = 0; known < begun; ++spin) {
        if (reading && ahead.complete(warp)) {
          uint32_t tile = shared.tile(known);
          for (; tile < ahead.end(); tile = shared.tile(known)) {
            Prefix prefix = ahead.before(warp, tile);
            if (first_lane) shared.prefix(known % kSlots) = prefix;
            ++known;
          }
          Prefix prefix = ahead.move_to_end(warp);
          if (tile == ahead.end()) {
            if (first_lane) shared.prefix(known % kSlots) = prefix;
            ++known;
          }
        }
        ahead.read(warp, shared.tile(begun - 1));
        reading = true;
        if (known + open > k) break;
        if (spin == kSpinLimit) simt::fail("a tile waits for one that does not come");
        if (spin > 0) simt::backoff();
      }
      if (job.in_place()) simt::fence();  // and what others published before this block's writes
      if (first_lane) {
        shared.known_prefixes[k % 2] = known;
        shared.last[k % 2] = last;
      }
      block.sync(kTileExamined);
      if (last) return;
    }
  }
};

}  // namespace compaction
