// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_queue.h"
#include "compaction/grid/tile_states.h"
#include "compaction/simt/async_copy.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/look_ahead.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// A single pass over all tiles, each of which needs the combined totals of the tiles before it:
/// select, partition, scan. Blocks are persistent and process tile after tile.
///
/// `Job` (SelectJob, ScanJob) ranks the items of a tile, stages the output in shared memory, and
/// writes it once the prefix of the tile is known. The total of a tile is published as soon as the
/// tile is ranked. A block has several tiles in flight: the items of `ahead` tiles are copied to
/// shared memory while one tile is ranked and up to `pending` tiles wait for their prefix. So
/// loads, look-ahead and stores of different tiles overlap, and none of them stalls the block
/// unless it falls behind:
///
///     compute warps     load and rank tile k     | barrier | stage k, prefetch k + ahead,
///     look-ahead warp   find prefix of k - 2     | barrier | write k - 2
///     ticket warp       announce tile k + ahead  | barrier |
///
/// One barrier per tile. Tiles come from a TileQueue, so blocks need not be resident together. A
/// grid of one block uses neither the queue nor the tile states.
template <class Job, TileShape kShape>
struct TilePipeline {
  using Work = Job;
  using Chunk = typename Job::Chunk;
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;

  static constexpr unsigned kBlockSize = kShape.block_size();
  static constexpr unsigned kBlocksPerSm = kShape.blocks_per_sm;
  static constexpr unsigned kChunks = kShape.chunks;
  static constexpr unsigned kComputeWarps = kShape.compute_threads / simt::kWarpSize;
  static constexpr unsigned kTileSize = kShape.tile_chunks() * Job::kChunkItems;
  static constexpr unsigned kBuffers = kShape.buffers();
  static constexpr uint32_t kNoTile = ~0u;
  static constexpr unsigned kWarpSegments = warp_segments<Job>(kChunks);
  static constexpr unsigned kSegments = kComputeWarps * kWarpSegments;
  static constexpr unsigned kTreeLanes = 1u << simt::log2_of(kSegments);
  static constexpr unsigned kSegmentSlots = kTileSize / kSegments;
  /// The prefix of a segment or, until it is known, the total. Only in a fixed order.
  static constexpr size_t kPrefixBytes =
      kFixedOrder<Job> ? std::max(sizeof(Prefix), sizeof(Total)) : 0;
  static constexpr size_t kPrefixAlignment = std::max(alignof(Prefix), alignof(Total));

  /// The barrier after a tile has been ranked, at which all warps of a block arrive.
  static constexpr simt::Place kTileRanked = simt::here();

  static_assert(kShape.pending >= 2, "a prefix is read in one iteration and known in the next");
  static_assert(kComputeWarps <= simt::kWarpSize, "one warp combines the totals of all");

  /// The items of a tile and, once all compute threads have loaded theirs, its staged output.
  struct alignas(simt::kVectorBytes) TileBuffer {
    static constexpr size_t kItemBytes = [] {
      if constexpr (kCopiesItself<Job>)
        return size_t(Job::copied_bytes(kTileSize, kComputeWarps));
      else
        return Job::kAsync ? kShape.tile_chunks() * sizeof(Chunk) : size_t(0);
    }();
    static constexpr size_t kBefore = std::max<size_t>(kItemBytes, kTileSize* Job::kStagedBytes);
    std::byte bytes[kBefore + kComputeWarps * kBeforeBytes<Job>];

    SIMT_KERNEL Chunk* chunks() { return reinterpret_cast<Chunk*>(bytes); }
    /// Where the item before those of the warp is copied.
    SIMT_KERNEL std::byte* before(const ThreadView& view) {
      return bytes + kBefore + view.first_chunk / (kChunks * simt::kWarpSize) * kBeforeBytes<Job>;
    }
  };

  struct Shared {
    TileBuffer buffers[kBuffers];  // [k % kBuffers], tile k of this block
    alignas(Total) std::byte warp_totals[2][kSegments * sizeof(Total)];  // [k % 2][segment]
    alignas(Prefix) std::byte prefixes[kBuffers * sizeof(Prefix)];
    alignas(Total) std::byte totals[kBuffers * sizeof(Total)];
    uint32_t tiles[kBuffers + 1];  // one more: k + ahead is written while k - pending is in use
    uint32_t known_prefixes[2];    // [k % 2]
    bool last[2];                  // [k % 2], whether iteration k is the last one
    uint32_t epoch;
    alignas(kPrefixAlignment) std::byte
        segment_prefixes[std::max<size_t>(1, kBuffers* kSegments* kPrefixBytes)];

    SIMT_KERNEL Prefix& prefix(unsigned slot) { return reinterpret_cast<Prefix*>(prefixes)[slot]; }
    SIMT_KERNEL Total& total(unsigned slot) { return reinterpret_cast<Total*>(totals)[slot]; }
    SIMT_KERNEL Total* totals_of_warps(unsigned k) {
      return reinterpret_cast<Total*>(warp_totals[k % 2]);
    }
    /// The prefix of a segment of the tile in a buffer; as Total, its total.
    template <class Value = Prefix>
    SIMT_KERNEL Value& of_segment(unsigned buffer, unsigned segment) {
      return *reinterpret_cast<Value*>(segment_prefixes +
                                       (buffer * kSegments + segment) * kPrefixBytes);
    }
    SIMT_KERNEL uint32_t& tile(unsigned k) { return tiles[k % (kBuffers + 1)]; }
  };

  Job job;
  ItemCount count;
  TileQueue queue;
  TileStates<Total> states;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    TileRange range(kTileSize, job.head(), count(), has_aligned_chunks(job));
    if (block.warp_rank() < kComputeWarps)
      compute(block, shared, range);
    else if (block.warp_rank() == kComputeWarps)
      look_ahead(block, shared, range);
    else
      draw_tickets(block, shared, range);
  }

 private:
  /// Vectors of a chunk that is copied asynchronously. If there are several, a lane copies vectors
  /// that are a warp apart rather than the vectors of its own chunk, so that a warp reads whole
  /// lines.
  static constexpr unsigned kVectors = Job::kAsync ? sizeof(Chunk) / simt::kVectorBytes : 1;
  static constexpr unsigned kCopies = [] {
    if constexpr (kCopiesItself<Job>)
      return Job::kCopies;
    else
      return kChunks * (copies_items<Job>() ? Job::kChunkItems : kVectors) +
             (kBeforeBytes<Job> != 0 ? 1 : 0);
  }();
  using Copies = simt::AsyncCopies<kShape.ahead, kCopies>;
  using Registers = typename Job::template Registers<kChunks>;
  template <class Warp>
  using Segments = TileSegments<Job, Warp, kSegments, kWarpSegments>;
  using Ahead =
      OrderedLookAhead<Job, kShape.reads, tile_parts<Job>(kShape.compute_threads, kChunks)>;

  SIMT_KERNEL void compute(simt::Block auto& block, Shared& shared, const TileRange& range) const {
    simt::Warp auto warp = block.warp();
    const unsigned thread = block.thread_rank(), lane = warp.thread_rank();
    const unsigned first_chunk = block.warp_rank() * kChunks * simt::kWarpSize + lane;
    Copies copies;
    prefetch_first(thread, block.group_index(), range);
    for (unsigned k = 0; k < kShape.ahead; ++k) {
      block.sync(kTileRanked);
      prefetch(copies, shared.buffers[k], {range, shared.tile(k), first_chunk});
    }
    if (range.tiles == 0 && shared.tile(0) == 0 && thread == 0) job.finish_empty();
    const uint32_t epoch = shared.epoch;

    unsigned buffer = 0, written = 0, written_buffer = 0;
    for (unsigned k = 0;; ++k, buffer = after(buffer)) {
      ThreadView view{range, shared.tile(k), first_chunk};
      const bool has_tile = view.tile < range.tiles;
      Registers items;
      copies.template wait<kShape.ahead - 1>();
      if (has_tile) {
        load(warp, shared.buffers[buffer], items, view);
        if constexpr (kFixedOrder<Job>) {
          Total totals[kWarpSegments];
          job.rank(warp, items, view, totals);
          if (lane == 0)
            for (unsigned s = 0; s < kWarpSegments; ++s)
              shared.totals_of_warps(k)[block.warp_rank() * kWarpSegments + s] = totals[s];
        } else {
          Total total = job.rank(warp, items, view);
          if (lane == 0) shared.totals_of_warps(k)[block.warp_rank()] = total;
        }
      }
      block.sync(kTileRanked);

      const unsigned known = shared.known_prefixes[k % 2];
      auto prefetch_next = [&] {
        prefetch(copies, shared.buffers[after(buffer, kShape.ahead)],
                 {range, shared.tile(k + kShape.ahead), first_chunk});
      };
      if (has_tile) {
        if constexpr (kFixedOrder<Job>) {
          prefetch_next();
          job.stage(
              items, view,
              [&] {
                return Segments<decltype(warp)>(warp, job, block.warp_rank(),
                                                shared.totals_of_warps(k));
              },
              shared.buffers[buffer].bytes);
        } else {
          auto [before, total] = job.template combine_warps<kComputeWarps>(
              warp, block.warp_rank(), shared.totals_of_warps(k));
          if (thread == 0) {
            // The block's reads precede its publication, see TileWave.
            if (job.in_place()) simt::fence();
            if (!is_single(block)) states.publish(view.tile, epoch, TileStatus::kAggregate, total);
            shared.total(buffer) = total;
          }
          prefetch_next();
          job.stage(items, view, before, total, shared.buffers[buffer].bytes);
        }
      }
      for (; written < known; ++written, written_buffer = after(written_buffer)) {
        ThreadView done{range, shared.tile(written), first_chunk};
        Total total = shared.total(written_buffer);
        Prefix prefix = shared.prefix(written_buffer);
        std::byte* staged = shared.buffers[written_buffer].bytes;
        if constexpr (kFixedOrder<Job>) {
          const StoredPrefixes prefixes{shared, written_buffer, block.warp_rank() * kWarpSegments};
          job.template write<kShape.compute_threads, kChunks>(
              thread, done, prefix, total, [&] { return prefixes; }, staged);
        } else {
          job.template write<kShape.compute_threads, kChunks>(thread, done, prefix, total, staged);
          if (done.tile == range.tiles - 1 && thread == 0) job.finish(prefix, total);
        }
      }
      if (shared.last[k % 2]) break;
    }
    end_iterations(block, shared);
    if (!is_single(block) && thread == 0) queue.end_block(epoch, block.num_groups(), states.words);
  }

  /// The prefixes of the segments of a tile, which the look-ahead warp has stored. It has
  /// the functions of TileSegments that jobs of this kernel call.
  struct StoredPrefixes {
    Shared& shared;
    unsigned buffer, first_own;

    struct Own {
      static constexpr unsigned kCount = kWarpSegments;
      Prefix prefixes[kCount];
    };

    SIMT_KERNEL Prefix prefix_of(unsigned segment, const Prefix&) const {
      return shared.of_segment(buffer, segment);
    }
    SIMT_KERNEL Own own_prefixes(const Prefix& prefix) const {
      Own own;
      for (unsigned s = 0; s < kWarpSegments; ++s)
        own.prefixes[s] = prefix_of(first_own + s, prefix);
      return own;
    }
  };

  SIMT_KERNEL static bool is_single(simt::Block auto& block) { return block.num_groups() == 1; }

  SIMT_KERNEL static unsigned after(unsigned buffer, unsigned distance = 1) {
    return buffer + distance < kBuffers ? buffer + distance : buffer + distance - kBuffers;
  }

  /// Prefetches the tile that the first ticket will probably name into L2, while the ticket is
  /// being drawn. If the ticket names another tile, another block uses the prefetched lines.
  SIMT_KERNEL void prefetch_first(unsigned thread, uint32_t tile, const TileRange& range) const {
    if constexpr (kCopiesItself<Job>) {
      job.prefetch(range.first_slot(tile) + thread * Job::kChunkItems, range);
    } else if constexpr (Job::kAsync) {
      constexpr unsigned kLines = kShape.tile_chunks() * sizeof(Chunk) / simt::kLineBytes;
      if (!range.is_full(tile)) return;
      const auto* first = reinterpret_cast<const std::byte*>(job.address(range.first_slot(tile)));
      for (unsigned line = thread; line < kLines; line += kShape.compute_threads)
        simt::prefetch(first + line * simt::kLineBytes);
    }
  }

  SIMT_KERNEL void prefetch(Copies& copies, TileBuffer& buffer, const ThreadView& view) const {
    if constexpr (kCopiesItself<Job>) {
      if (view.tile < view.range.tiles) job.copy(copies, buffer.bytes, view);
      copies.commit();
    } else if constexpr (Job::kAsync) {
      if (view.tile < view.range.tiles) {
        if constexpr (kBeforeBytes<Job> != 0) job.copy_before(copies, buffer.before(view), view);
        Chunk* to = buffer.chunks() + view.first_chunk;
        uint64_t first = view.range.first_slot(view.tile);
        if (kVectors > 1 && view.range.is_full(view.tile)) {
          const auto* from = reinterpret_cast<const simt::Vector*>(job.address(first));
          auto* vectors = reinterpret_cast<simt::Vector*>(buffer.bytes);
          const unsigned lane = view.first_chunk % simt::kWarpSize;
          for (unsigned c = 0; c < kChunks; ++c)
            for (unsigned v = 0; v < kVectors; ++v) {
              const unsigned vector =
                  (view.chunk(c) - lane) * kVectors + v * simt::kWarpSize + lane;
              copies.copy(vectors + vector, from + vector);
            }
        } else if (view.range.is_full(view.tile)) {
          const auto* from = job.address(first) + view.first_chunk * Job::kChunkItems;
          for (unsigned c = 0; c < kChunks; ++c)
            copies.copy(to + c * simt::kWarpSize, from + c * simt::kWarpSize * Job::kChunkItems);
        } else if (copies_items<Job>() && view.range.is_full_but_misaligned(view.tile)) {
          if constexpr (copies_items<Job>()) {
            const unsigned lane = view.first_chunk % simt::kWarpSize;
            const unsigned first_item = (view.first_chunk - lane) * Job::kChunkItems + lane;
            const auto* from = job.address(first) + first_item;
            auto* items = reinterpret_cast<std::byte*>(buffer.bytes) + first_item * sizeof(*from);
            for (unsigned i = 0; i < kChunks * Job::kChunkItems; ++i)
              copies.template copy<sizeof(*from)>(items + i * simt::kWarpSize * sizeof(*from),
                                                  from + i * simt::kWarpSize);
          }
        } else {
          const FullChunks full = view.range.full_chunks(view.tile, Job::kChunkItems);
          for (unsigned c = 0; c < kChunks; ++c) {
            const uint64_t slot = first + view.chunk(c) * Job::kChunkItems;
            if (kVectors == 1 && full.contain(view.chunk(c)))
              copies.copy(to + c * simt::kWarpSize, job.address(slot));
            else
              to[c * simt::kWarpSize] = job.load(slot, view.range);
          }
        }
      }
      copies.commit();
    } else if constexpr (requires { job.prefetch(uint64_t(), view.range); }) {
      // Items that are not copied are at least in L2 when they are loaded.
      const uint64_t first = view.range.first_slot(view.tile);
      for (unsigned c = 0; view.tile < view.range.tiles && c < kChunks; ++c)
        job.prefetch(first + view.chunk(c) * Job::kChunkItems, view.range);
    }
  }

  SIMT_KERNEL void load(simt::Warp auto warp, TileBuffer& buffer, Registers& items,
                        const ThreadView& view) const {
    if constexpr (kCopiesItself<Job>) {
      warp.sync();  // other lanes have copied items of this one
      job.take(items, buffer.bytes, view);
    } else if constexpr (Job::kAsync) {
      // Other lanes have copied parts of this chunk.
      if constexpr (kVectors > 1 || copies_items<Job>()) warp.sync();
      for (unsigned c = 0; c < kChunks; ++c) items.chunks[c] = buffer.chunks()[view.chunk(c)];
      if constexpr (kBeforeBytes<Job> != 0) job.take_before(items, buffer.before(view), view);
    } else {
      load_chunks(job, view, items.chunks);
    }
  }

  /// Code of the ticket warp. Two tickets are always in flight, each in a variable of its own:
  /// under load, a ticket takes longer than a tile. Except for the first ticket, only the tile is
  /// kept, because extracting a part of a value in flight would wait for the value.
  SIMT_KERNEL void draw_tickets(simt::Block auto& block, Shared& shared,
                                const TileRange& range) const {
    const bool first_lane = block.warp().thread_rank() == 0;
    const bool draws_tickets = first_lane && !is_single(block);
    const uint32_t blocks = block.num_groups();
    // If each block has at most one tile, a block draws once; otherwise it also draws two tickets
    // beyond the last tile.
    const bool several = range.tiles > blocks;
    const uint32_t draws = several ? range.tiles + 2 * blocks : blocks;
    Ticket first{kNoTile, 0};
    if (draws_tickets) first = queue.draw();
    uint32_t even = first.tile, odd = draws_tickets && several ? queue.draw().tile : kNoTile;

    // Announces tile k and draws the ticket of tile k + 2.
    auto take = [&](unsigned k, uint32_t& tile) {
      if (first_lane) shared.tile(k) = is_single(block) ? k : tile;
      if (draws_tickets && k == 0) {
        shared.epoch = first.epoch;
        queue.after_draw(first, draws);
      } else if (tile != kNoTile) {
        queue.after_draw({tile, first.epoch}, draws);
      }
      tile = several && tile < range.tiles ? queue.draw().tile : kNoTile;
    };
    // Iteration k announces tile k + ahead; earlier tiles are announced before iteration 0.
    for (unsigned k = 0;; k += 2) {
      take(k, even);
      block.sync(kTileRanked);
      if (k >= kShape.ahead && shared.last[(k - kShape.ahead) % 2]) break;
      take(k + 1, odd);
      block.sync(kTileRanked);
      if (k + 1 >= kShape.ahead && shared.last[(k + 1 - kShape.ahead) % 2]) break;
    }
    if (even != kNoTile) queue.after_draw({even, first.epoch}, draws);
    if (odd != kNoTile) queue.after_draw({odd, first.epoch}, draws);
    end_iterations(block, shared);
  }

  /// Waits at the barrier before queue.end_block(), which only the last epoch needs.
  SIMT_KERNEL static void end_iterations(simt::Block auto& block, Shared& shared) {
    if (!is_single(block) && shared.epoch == TileQueue::kLastEpoch) block.sync(kTileRanked);
  }

  SIMT_KERNEL void look_ahead(simt::Block auto& block, Shared& shared,
                              const TileRange& range) const {
    for (unsigned k = 0; k < kShape.ahead; ++k) block.sync(kTileRanked);
    if (is_single(block))
      combine_own_tiles(block, shared, range);
    else if constexpr (kFixedOrder<Job>)
      combine_all_tiles_in_order(block, shared, range);
    else
      combine_all_tiles(block, shared, range);
    end_iterations(block, shared);
  }

  /// Returns whether iteration k is the second one without a tile. The first one writes pending
  /// tiles while the last prefix is being found; a block with one tile has none, so its first one
  /// is the last.
  SIMT_KERNEL static bool is_last(Shared& shared, const TileRange& range, unsigned k) {
    return shared.tile(k) >= range.tiles && (k <= 1 || shared.tile(k - 1) >= range.tiles);
  }

  /// Keeps the totals of the segments of tile k of this block until their prefixes are known.
  /// Returns the total of the tile, in lane 0.
  SIMT_KERNEL Total take_totals(simt::Warp auto warp, Shared& shared, unsigned k) const {
    const unsigned lane = warp.thread_rank();
    Total own = Total(job.identity());
    if (lane < kSegments) {
      own = shared.totals_of_warps(k)[lane];
      shared.template of_segment<Total>(k % kBuffers, lane) = own;
    }
    const WarpTree<Total, kTreeLanes> tree(warp, own, job.combine());
    if (lane == 0) shared.total(k % kBuffers) = tree.total();
    return tree.total();
  }

  /// Stores the prefixes of the segments of tile k of this block, whose own prefix is `prefix`.
  SIMT_KERNEL void set_prefixes(simt::Warp auto warp, Shared& shared, const TileRange& range,
                                unsigned k, const Prefix& prefix) const {
    const unsigned lane = warp.thread_rank(), buffer = k % kBuffers;
    Total own = Total(job.identity());
    if (lane < kSegments) own = shared.template of_segment<Total>(buffer, lane);
    const WarpTree<Total, kTreeLanes> tree(warp, own, job.combine());
    Prefix before = prefix;
    tree.visit_parts(warp, lane, [&](const Total& total, bool is_part) {
      if (is_part) before = job.extend(before, total);
    });
    if (lane < kSegments) shared.of_segment(buffer, lane) = before;
    if (lane == 0) shared.prefix(buffer) = prefix;
    const uint32_t tile = shared.tile(k);
    if (tile != range.tiles - 1) return;
    const unsigned last = unsigned(range.end - range.first_slot(tile) - 1) / kSegmentSlots;
    if (lane == last) job.finish(before, own);
  }

  /// Finds the prefixes in a grid of one block: the sums of the block's own totals.
  SIMT_KERNEL void combine_own_tiles(simt::Block auto& block, Shared& shared,
                                     const TileRange& range) const {
    simt::Warp auto warp = block.warp();
    Prefix prefix = job.initial_prefix();
    [[maybe_unused]] GrowingRow<Job, Ahead::kLaneStates> row(job);
    for (unsigned k = 0;; ++k) {
      if (k > 0 && k <= range.tiles) {
        if constexpr (kFixedOrder<Job>) {
          const Total total = take_totals(warp, shared, k - 1);
          const Prefix before = row.add(warp, prefix, k - 1, total);
          set_prefixes(warp, shared, range, k - 1, before);
        } else {
          if (warp.thread_rank() == 0) shared.prefix((k - 1) % kBuffers) = prefix;
          prefix = job.extend(prefix, job.template combine_warps<kComputeWarps>(
                                             warp, 0, shared.totals_of_warps(k - 1))
                                          .total);
        }
      }
      const bool last = is_last(shared, range, k);
      if (warp.thread_rank() == 0) {
        shared.known_prefixes[k % 2] = k < range.tiles ? k : range.tiles;
        shared.last[k % 2] = last;
      }
      block.sync(kTileRanked);
      if (last) return;
    }
  }

  /// Finds the prefixes of a block's tiles from the states of all tiles.
  SIMT_KERNEL void combine_all_tiles(simt::Block auto& block, Shared& shared,
                                     const TileRange& range) const {
    simt::Warp auto warp = block.warp();
    const bool first_lane = warp.thread_rank() == 0;
    LookAhead<Job, kShape.reads> ahead(job, states, shared.epoch, 0, job.initial_prefix());
    unsigned known = 0;  // tiles of this block whose prefix is known
    auto add_prefix = [&](const Prefix& prefix) {
      if (first_lane) shared.prefix(known % kBuffers) = prefix;
      ++known;
    };
    for (unsigned k = 0;; ++k) {
      const bool last = is_last(shared, range, k);
      const unsigned begun = last && k > 1 ? k - 1 : k;  // tiles of this block so far
      // The last iteration leaves no tile pending.
      const unsigned pending = last ? 0 : kShape.pending;
      if (known < begun)
        ahead.advance(
            warp, shared.tile(begun - 1),
            [&] {
              uint32_t tile = shared.tile(known);
              for (; tile < ahead.end(); tile = shared.tile(known))
                add_prefix(ahead.before(warp, tile));
              Prefix prefix = ahead.move_to_end(warp);
              if (tile == ahead.end()) add_prefix(prefix);
              return known < begun;
            },
            [&] { return known + pending > k; });
      // Other blocks' publications precede this block's writes, see TileWave.
      if (job.in_place()) simt::fence();
      if (first_lane) {
        shared.known_prefixes[k % 2] = known;
        shared.last[k % 2] = last;
      }
      block.sync(kTileRanked);
      if (last) return;
    }
  }

  /// As combine_all_tiles(), in a fixed order. Also publishes the totals of the block's tiles.
  SIMT_KERNEL void combine_all_tiles_in_order(simt::Block auto& block, Shared& shared,
                                              const TileRange& range) const {
    simt::Warp auto warp = block.warp();
    const bool first_lane = warp.thread_rank() == 0;
    Ahead ahead(job, states, shared.epoch, 0, job.initial_prefix());
    unsigned known = 0;  // tiles of this block whose prefix is known
    for (unsigned k = 0;; ++k) {
      if (k > 0 && shared.tile(k - 1) < range.tiles) {
        const Total total = take_totals(warp, shared, k - 1);
        if (first_lane)
          states.publish(shared.tile(k - 1), shared.epoch, TileStatus::kAggregate, total);
      }
      const bool last = is_last(shared, range, k);
      const unsigned begun = last && k > 1 ? k - 1 : k;  // tiles of this block so far
      // The last iteration leaves no tile pending.
      const unsigned pending = last ? 0 : kShape.pending;
      if (known < begun)
        ahead.advance(
            warp, [&] { return shared.tile(known); },
            [&] {
              const Prefix prefix = ahead.move(warp);
              if (ahead.reaches_last()) set_prefixes(warp, shared, range, known++, prefix);
              return known < begun;
            },
            [&] { return known + pending > k; });
      if (first_lane) {
        shared.known_prefixes[k % 2] = known;
        shared.last[k % 2] = last;
      }
      block.sync(kTileRanked);
      if (last) return;
    }
  }
};

}  // namespace compaction
