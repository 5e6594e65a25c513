// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_queue.h"
#include "compaction/group/classes.h"
#include "compaction/group/warp.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/range_counts.h"
#include "compaction/single_pass/sinks.h"

namespace compaction {

/// The output of the offsets of the classes, in 32 or 64 bits, and the number of items that a split
/// may write.
struct SplitOffsets {
  DeviceCountOut offsets;            ///< [classes + 1]
  uint64_t capacity = ~uint64_t(0);  ///< size of the output; items beyond it are not written
  uint32_t* overflowed = nullptr;    ///< [1] or null, receives 1 if some were not written, or 0

  SplitOffsets() = default;
  template <CountInteger I>
  SplitOffsets(I* offsets, uint64_t capacity = ~uint64_t(0), uint32_t* overflowed = nullptr)
      : offsets(offsets), capacity(capacity), overflowed(overflowed) {}

  SIMT_KERNEL void store(uint64_t offset, unsigned item_class) const {
    offsets.store(offset, item_class);
  }
  SIMT_KERNEL void prefetch() const { simt::prefetch(offsets.address()); }
};

/// The output of the offset of class 1 only: the number of items of class 0.
struct SplitBoundary {
  static constexpr uint64_t capacity = ~uint64_t(0);
  static constexpr uint32_t* overflowed = nullptr;

  DeviceCountOut count;

  SIMT_KERNEL void store(uint64_t offset, unsigned item_class) const {
    if (item_class == 1) count.store(offset);
  }
  SIMT_KERNEL void prefetch() const { simt::prefetch(count.address()); }
};

/// How a split cuts items into tiles. Each thread holds `rows` items, one of every 32 consecutive
/// items.
struct SplitShape {
  unsigned threads;
  unsigned rows;
  unsigned blocks_per_sm;
  bool one_tile = false;  ///< whether one block moves all items, as one tile
};

/// Stable split of items into classes, as one kernel.
///
/// The first place of a class depends on all items, so there are two passes, and both evaluate the
/// classes. The items are divided into as many ranges as there are resident blocks. Blocks draw
/// tickets: the first half of the tickets are ranges to count, the second half are ranges to move.
/// Counting waits for nothing, so a block that waits for the counts of all ranges waits only for
/// running blocks, however many are resident. This takes one launch, whereas a grid barrier would
/// need all blocks to be resident. The counts are tile states, so nothing is initialized. They
/// belong to ranges, so no tile waits for another tile.
///
/// Counting takes one addition in shared memory per item (ClassCounts). Up to 32 classes are
/// written line by line, each line by one warp (ClassLines). With more classes, a tile has few
/// items per line, so it is written item by item.
///
/// A kernel for one_tile has one block and needs neither the queue nor the counts. Its items are
/// staged in the order of the output, so they are written one after another.
///
/// A range is moved from its end to its beginning, because L2 still holds the items that were
/// counted last. The items of the next tile are loaded while a tile is written. Three barriers per
/// tile, four for more than 32 classes.
template <class Source, class Sink, unsigned kClasses, SplitShape kShape,
          class Result = SplitOffsets>
struct SplitTiles {
  static constexpr unsigned kBlockSize = kShape.threads, kRows = kShape.rows;
  static constexpr unsigned kBlocksPerSm = kShape.blocks_per_sm;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kTileSize = kBlockSize * kRows;
  static constexpr unsigned kMaxClasses = 256;
  /// Number of warps with a lane for each class.
  static constexpr unsigned kClassWarps = simt::ceil_div(kClasses, simt::kWarpSize);
  /// Items that a thread fetches at once when it writes, as registers allow.
  static constexpr unsigned kBatch =
      std::clamp(unsigned(64 / sizeof(typename Sink::Fetched)), 1u, std::min(kRows, 4u));
  /// Threads that share the reading of the counts of one class.
  static constexpr unsigned kReaders =
      kBlockSize >= kClasses ? std::min(kBlockSize / kClasses, simt::kWarpSize) : 1;

  static_assert(kClasses >= 1 && kClasses <= kMaxClasses,
                "compaction: a split has 1 to 256 classes");
  static_assert(std::is_default_constructible_v<typename Source::Chunk>,
                "compaction: items must have a default constructor");
  static_assert(kClassWarps <= kWarps, "each class has a thread");
  static_assert(kTileSize < 1 << 16, "slots, ranks and the items of a run have 16 bits");

  /// Whether the class of a staged item is computed from the item. An array of classes would be
  /// read from random banks, like the items.
  static constexpr bool kClassFromItem =
      requires(const Source& source, const typename Sink::Item& item) {
    source.class_of_item(item);
  };

  /// Whether a warp writes lines of one class, whose class it finds by one ballot.
  static constexpr bool kInLines = kClasses <= simt::kWarpSize;

  /// Whether the class of each staged item is needed when it is written, and is staged as well.
  static constexpr bool kNeedsClasses = !kInLines && !kClassFromItem && !kShape.one_tile;

  /// Maximum number of classes whose counts are in registers and found by ballots. A single block
  /// waits for each ballot, so it ranks more than 8 classes faster by masks (4096 items on an H200,
  /// masks and ballots: 32 classes 3.4 us and 3.9 us, 2 classes 4.0 us and 3.3 us).
  static constexpr unsigned kRegisterClasses = kShape.one_tile ? 8 : simt::kWarpSize;
  /// Rows for which a warp tests once whether they have few classes. With one test for each tile,
  /// 2^24 and 2^28 items of 4 bytes in 256 classes take 0.91 to 0.98 of the time of a test for each
  /// row; a single block of 32 classes would have more instructions to fetch (H200).
  static constexpr unsigned kRowsPerTest = kShape.one_tile && kInLines ? 1 : kRows;
  using Ranks = ClassRanks<kClasses, (kClasses <= kRegisterClasses), kRowsPerTest>;

  struct Shared {
    union {
      alignas(simt::kVectorBytes) std::byte staged[kTileSize * Sink::kStagedBytes];
      RangeSums counts[kReaders * kClasses];  // [reader][class], before the first tile
      ClassCounts<kClasses> class_counts;     // counts of a range
    };
    uint8_t classes[kNeedsClasses ? kTileSize : 1];       // [place], class of the staged item
    ClassLines lines;                                     // lines of the staged items, if kInLines
    typename Ranks::Shared warps[kWarps];                 // counts, later first places
    uint32_t tile_counts[kClassWarps * simt::kWarpSize];  // [class]
    uint64_t ends[kClasses];     // [class], one past the output of the tiles not yet moved
    uint64_t offsets[kClasses];  // [class], place in the output minus place in the tile; may wrap
    uint32_t staged_items;       // in this tile
    Ticket ticket;
  };

  Source source;
  Sink sink;
  ItemCount count;
  Result result;
  uint32_t ranges;
  TileQueue queue;
  RangeCounts<kClasses> counts;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const Tiles tiles(count(), kShape.one_tile ? 1 : ranges);
    if constexpr (kShape.one_tile)
      move_only_range(block, shared, tiles);
    else if (ranges == 1 && tiles.tiles <= 1)
      move_only_range(block, shared, tiles);
    else
      move_ranges(block, shared, tiles);
  }

 private:
  using Chunk = typename Source::Chunk;

  struct Tiles {
    uint64_t items, tiles, per_range;

    SIMT_KERNEL Tiles(uint64_t n, uint32_t ranges)
        : items(n), tiles(simt::ceil_div(n, kTileSize)), per_range(simt::ceil_div(tiles, ranges)) {}

    SIMT_KERNEL uint64_t begin(uint32_t range) const {
      const uint64_t tile = range * per_range;
      return tile < tiles ? tile : tiles;
    }
    SIMT_KERNEL unsigned items_of(uint64_t tile) const {
      const uint64_t rest = items - tile * kTileSize;
      return rest < kTileSize ? unsigned(rest) : kTileSize;
    }
  };

  /// Counts and moves the ranges whose tickets the block draws.
  SIMT_KERNEL void move_ranges(simt::Block auto& block, Shared& shared, const Tiles& tiles) const {
    const bool first_thread = block.thread_rank() == 0;
    const uint32_t draws = 2 * ranges + block.num_groups();  // each block draws one ticket too many
    for (;;) {
      // Tickets are not drawn ahead: such a ticket may be a range to count, for which all blocks
      // would wait.
      if (first_thread) {
        shared.ticket = queue.draw();
        queue.after_draw(shared.ticket, draws);
      }
      block.sync();
      const Ticket ticket = shared.ticket;
      if (ticket.tile >= 2 * ranges) {
        if (first_thread) queue.end_block(ticket.epoch, block.num_groups(), counts.states.words);
        return;
      }
      // Both contain a barrier, so all threads have read the ticket before the next one is
      // announced. Both end without accesses to shared memory that the next barrier does not order.
      if (ticket.tile < ranges)
        count_range(block, shared, tiles, ticket.tile, ticket.epoch);
      else
        move_range(block, shared, tiles, ticket.tile - ranges, ticket.epoch);
    }
  }

  /// The items of a thread, with their classes and ranks. Many of these share registers: the class
  /// is in the upper half.
  struct Registers {
    static constexpr unsigned kRankBits = 16;
    static constexpr bool kShares = !kShape.one_tile;

    Chunk chunks[kRows];
    uint32_t packed[kRows];
    uint32_t ranks[kShares ? 1 : kRows];

    SIMT_KERNEL void set(unsigned row, uint32_t item_class, uint32_t rank) {
      if constexpr (kShares) {
        packed[row] = (item_class << kRankBits) + rank;
      } else {
        packed[row] = item_class;
        ranks[row] = rank;
      }
    }
    SIMT_KERNEL uint32_t class_of(unsigned row) const {
      return kShares ? packed[row] >> kRankBits : packed[row];
    }
    SIMT_KERNEL uint32_t rank_of(unsigned row) const {
      if constexpr (kShares)
        return packed[row] & ((1u << kRankBits) - 1);
      else
        return ranks[row];
    }
  };

  /// Returns the rows of a tile of `items` items. A single block spreads few items over all warps.
  SIMT_KERNEL static unsigned rows_of(unsigned items) {
    return kShape.one_tile ? simt::ceil_div(items, kBlockSize) : kRows;
  }
  /// Returns the slot of this thread's item of row 0, in a tile of `rows` rows.
  SIMT_KERNEL static unsigned first_slot(simt::Block auto& block, unsigned rows) {
    return block.warp_rank() * rows * simt::kWarpSize + block.thread_rank() % simt::kWarpSize;
  }

  /// Loads this thread's items of a tile of `end` items that begins at item `first`. Items of a
  /// full tile are loaded without a condition, so that all loads are in flight at once.
  SIMT_KERNEL void load(simt::Block auto& block, Chunk (&chunks)[kRows], uint64_t first,
                        unsigned end) const {
    const unsigned rows = rows_of(end), slot = first_slot(block, rows);
    if (end == kTileSize) {
      for (unsigned row = 0; row < kRows; ++row)
        chunks[row] = source.load(first + slot + row * simt::kWarpSize);
    } else {
      for (unsigned row = 0; row < kRows; ++row)
        if (row < rows && slot + row * simt::kWarpSize < end)
          chunks[row] = source.load(first + slot + row * simt::kWarpSize);
    }
  }
  SIMT_KERNEL void load_tile(simt::Block auto& block, Registers& items, const Tiles& tiles,
                             uint64_t tile) const {
    load(block, items.chunks, tile * kTileSize, tiles.items_of(tile));
  }
  /// Returns the class of a loaded item; kClasses if it is dropped.
  SIMT_KERNEL uint32_t class_of(const Chunk& chunk) const {
    const uint32_t item_class = narrow_class(source.class_of(chunk));
    return item_class < kClasses ? item_class : kClasses;
  }

  /// Tiles that are prefetched while a tile is counted: 24 KiB in flight per block.
  static constexpr unsigned kPrefetched =
      std::max(1u, unsigned((24 << 10) / (kTileSize * sizeof(Chunk))));

  SIMT_KERNEL void prefetch(simt::Block auto& block, const Tiles& tiles, uint64_t tile) const {
    if constexpr (requires { source.prefetch(tile); }) {
      constexpr unsigned kLineItems =
          sizeof(Chunk) < simt::kLineBytes ? unsigned(simt::kLineBytes / sizeof(Chunk)) : 1;
      for (unsigned slot = block.thread_rank() * kLineItems; slot < kTileSize;
           slot += kBlockSize * kLineItems)
        if (const uint64_t item = tile * kTileSize + slot; item < tiles.items)
          source.prefetch(item);
    }
  }

  SIMT_KERNEL void count_range(simt::Block auto& block, Shared& shared, const Tiles& tiles,
                               uint32_t range, uint32_t epoch) const {
    shared.class_counts.clear(block);
    const unsigned lane = block.warp().thread_rank(), slot = first_slot(block, kRows);
    const auto add = [&](const Chunk& chunk) { shared.class_counts.add(lane, class_of(chunk)); };
    const uint64_t end = tiles.begin(range + 1);
    for (uint64_t tile = tiles.begin(range); tile < end; ++tile) {
      prefetch(block, tiles, tile + kPrefetched);
      const unsigned items = tiles.items_of(tile);
      if (items == kTileSize) {
        // Without a condition, all loads are in flight at once.
        Chunk chunks[kRows];
        load(block, chunks, tile * kTileSize, kTileSize);
        for (unsigned row = 0; row < kRows; ++row) add(chunks[row]);
      } else {
        Chunk chunks[kRows]{};
        load(block, chunks, tile * kTileSize, items);
        for (unsigned row = 0; row < kRows; ++row)
          if (slot + row * simt::kWarpSize < items) add(chunks[row]);
      }
    }
    block.sync();
    for (unsigned c = block.warp_rank(); c < kClasses; c += kWarps) {
      const uint32_t sum = shared.class_counts.sum(block.warp(), c);
      if (lane == 0) counts.publish(range, c, epoch, sum);
    }
  }

  /// Moves the items of a range once all ranges have been counted.
  SIMT_KERNEL void move_range(simt::Block auto& block, Shared& shared, const Tiles& tiles,
                              uint32_t range, uint32_t epoch) const {
    const uint64_t begin = tiles.begin(range);
    uint64_t tile = tiles.begin(range + 1);
    Registers items;
    find_ends(block, shared, range, epoch);
    if (tile > begin) load_tile(block, items, tiles, tile - 1);
    while (tile > begin) {
      --tile;
      rank_tile(block, shared, items, tiles.items_of(tile));
      place_classes(block, shared, [&](unsigned item_class, uint32_t, uint32_t tile_count) {
        return shared.ends[item_class] -= tile_count;
      });
      stage(block, shared, items, kRows);
      if (tile > begin) load_tile(block, items, tiles, tile - 1);
      block.sync();
      write(block, shared, tile * kTileSize);
    }
  }

  /// Moves the only tile. Its counts are the counts of all items.
  SIMT_KERNEL void move_only_range(simt::Block auto& block, Shared& shared,
                                   const Tiles& tiles) const {
    Registers items;
    load_tile(block, items, tiles, 0);
    if (tiles.items > 0) prefetch_output(block);
    rank_tile(block, shared, items, tiles.items_of(0));
    place_classes(block, shared, [&](unsigned item_class, uint32_t place, uint32_t count) {
      result.store(place, item_class);
      if (item_class == kClasses - 1) finish(place + count);
      return place;
    });
    stage(block, shared, items, rows_of(tiles.items_of(0)));
    block.sync();
    write_only_tile(block, shared);
  }

  /// Prefetches the first items and offsets of the output, so that their pages are known when they
  /// are written.
  SIMT_KERNEL void prefetch_output(simt::Block auto& block) const {
    if (block.thread_rank() > 0) return;
    result.prefetch();
    if constexpr (requires { sink.prefetch(uint64_t(0)); })
      if (result.capacity > 0) sink.prefetch(0);
  }

  /// Finds one past the output of each class of a range, and writes the result in range 0.
  SIMT_KERNEL void find_ends(simt::Block auto& block, Shared& shared, uint32_t range,
                             uint32_t epoch) const {
    if (const unsigned thread = block.thread_rank(); thread < kReaders * kClasses)
      shared.counts[thread] =
          counts.add(ranges, thread % kClasses, range, epoch, thread / kClasses, kReaders);
    block.sync();

    RangeSums sums{};
    const unsigned item_class = block.thread_rank();
    if (item_class < kClasses)
      for (unsigned reader = 0; reader < kReaders; ++reader) {
        const RangeSums& counts = shared.counts[reader * kClasses + item_class];
        sums = {sums.up_to + counts.up_to, sums.all + counts.all};
      }
    if constexpr (kClassWarps > 1) {
      // Overwrites the first reader's counts, which only this thread has read.
      if (item_class < kClasses) shared.counts[item_class] = sums;
      block.sync();
    }
    if (block.warp_rank() < kClassWarps) {
      const Sum<uint64_t> op;
      simt::Warp auto warp = block.warp();
      uint64_t offset = warp_exclusive_scan(warp, sums.all, op);
      for (unsigned c = 0; c < block.warp_rank() * simt::kWarpSize; ++c)
        offset += shared.counts[c].all;
      if (item_class < kClasses) {
        shared.ends[item_class] = offset + sums.up_to;
        if (range == 0) result.store(offset, item_class);
        if (range == 0 && item_class == kClasses - 1) finish(offset + sums.all);
      }
    }
    block.sync();
  }

  SIMT_KERNEL void finish(uint64_t items) const {
    result.store(items, kClasses);
    if (result.overflowed) *result.overflowed = items > result.capacity;
  }

  /// Ranks the items of each warp in their classes. One barrier, after which the counts of all
  /// warps may be read.
  SIMT_KERNEL void rank_tile(simt::Block auto& block, Shared& shared, Registers& items,
                             unsigned end) const {
    simt::Warp auto warp = block.warp();
    Ranks ranks(warp, shared.warps[block.warp_rank()]);
    const unsigned rows = rows_of(end);
    const int rest = int(end) - int(first_slot(block, rows));
    for (unsigned row = 0; row < kRows && row < rows; ++row) {
      const uint32_t item_class =
          int(row * simt::kWarpSize) < rest ? class_of(items.chunks[row]) : kClasses;
      items.set(row, item_class, ranks.rank(warp, item_class));
    }
    ranks.store(warp);
    block.sync();
  }

  /// Turns the counts of the warps into places in the tile, by class, then warp. One barrier, two
  /// for more than 32 classes.
  ///
  /// @param begin_output  begin_output(class, place, count) is where the output of a class begins,
  ///                      which is staged from `place` on
  template <class BeginOutput>
  SIMT_KERNEL void place_classes(simt::Block auto& block, Shared& shared,
                                 BeginOutput begin_output) const {
    const unsigned item_class = block.thread_rank();
    const bool has_class = item_class < kClasses;
    // Groups of warps, so that few additions wait for one another.
    constexpr unsigned kGroup = 8, kGroups = simt::ceil_div(kWarps, kGroup);
    uint32_t places[kWarps] = {};  // places of a warp in its group
    uint32_t group_counts[kGroups] = {}, tile_count = 0;
    if (has_class)
      for (unsigned w = 0; w < kWarps; ++w) {
        places[w] = group_counts[w / kGroup];
        group_counts[w / kGroup] += shared.warps[w].counts[item_class];
      }
    for (uint32_t count : group_counts) tile_count += count;
    if constexpr (kClassWarps > 1) {
      if (block.warp_rank() < kClassWarps) shared.tile_counts[item_class] = tile_count;
      block.sync();
    }
    if (block.warp_rank() < kClassWarps) {
      simt::Warp auto warp = block.warp();
      uint32_t earlier = 0;
      for (unsigned w = 0; w < block.warp_rank(); ++w)
        earlier += shared.tile_counts[w * simt::kWarpSize + warp.thread_rank()];
      if constexpr (kClassWarps > 1) earlier = warp_sum(warp, earlier);
      const uint32_t begin = earlier + warp_exclusive_scan(warp, tile_count);
      if (has_class) {
        uint32_t group_place = begin;
        for (unsigned group = 0; group < kGroups; ++group) {
          for (unsigned w = group * kGroup; w < kWarps && w < (group + 1) * kGroup; ++w)
            shared.warps[w].counts[item_class] = group_place + places[w];
          group_place += group_counts[group];
        }
        const uint64_t to = begin_output(item_class, begin, tile_count);
        if constexpr (!kShape.one_tile) shared.offsets[item_class] = to - begin;
        if (item_class == kClasses - 1) shared.staged_items = group_place;
      }
      if constexpr (kInLines && !kShape.one_tile) {
        const uint64_t to = has_class ? shared.offsets[item_class] + begin : 0;
        const uint64_t room = to < result.capacity ? result.capacity - to : 0;
        shared.lines.place(warp, begin, tile_count < room ? tile_count : uint32_t(room), to,
                           sink.skip(to));
      }
    }
    block.sync();
  }

  SIMT_KERNEL void stage(simt::Block auto& block, Shared& shared, const Registers& items,
                         unsigned rows) const {
    const Staging staged{shared.staged, kTileSize};
    const uint32_t* places = shared.warps[block.warp_rank()].counts;
    // Includes dropped items: without a condition, all loads are in flight at once.
    unsigned row_places[kRows];
    for (unsigned row = 0; row < kRows && row < rows; ++row)
      row_places[row] = places[items.class_of(row)] + items.rank_of(row);
    for (unsigned row = 0; row < kRows && row < rows; ++row) {
      const uint32_t item_class = items.class_of(row);
      if (item_class >= kClasses) continue;
      const unsigned place = row_places[row];
      sink.stage(staged, place, items.chunks[row], 0,
                 first_slot(block, rows) + row * simt::kWarpSize);
      if constexpr (kNeedsClasses) shared.classes[place] = uint8_t(item_class);
    }
  }

  /// Consecutive threads write consecutive items of a class. `first` is the first item of the tile.
  SIMT_KERNEL void write(simt::Block auto& block, Shared& shared, uint64_t first) const {
    if constexpr (kInLines) {
      write_lines(block, shared, first);
      return;
    }
    const Staging staged{shared.staged, kTileSize};
    const unsigned end = shared.staged_items;
    const auto write_batch = [&](unsigned i, auto is_staged) {
      typename Sink::Fetched fetched[kBatch];
      uint64_t to[kBatch];
      for (unsigned b = 0; b < kBatch; ++b)
        if (const unsigned place = i + b * kBlockSize; is_staged(place))
          fetched[b] = sink.fetch(staged, place, first);
      for (unsigned b = 0; b < kBatch; ++b)
        if (const unsigned place = i + b * kBlockSize; is_staged(place)) {
          uint32_t item_class;
          if constexpr (kClassFromItem)
            item_class = narrow_class(source.class_of_item(fetched[b]));
          else
            item_class = shared.classes[place];
          to[b] = shared.offsets[item_class] + place;
        }
      for (unsigned b = 0; b < kBatch; ++b)
        if (is_staged(i + b * kBlockSize) && to[b] < result.capacity) sink.put(to[b], fetched[b]);
    };
    // Full batches have no condition, so that all loads are in flight at once.
    unsigned i = block.thread_rank();
    for (; i + (kBatch - 1) * kBlockSize < end; i += kBatch * kBlockSize)
      write_batch(i, [](unsigned) { return true; });
    if (i < end) write_batch(i, [end](unsigned place) { return place < end; });
  }

// g++ 12 does not see that each put() has the same condition as its fetch().
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  /// Writes the items of the only tile, which are staged in the order of the output.
  SIMT_KERNEL void write_only_tile(simt::Block auto& block, Shared& shared) const {
    const Staging staged{shared.staged, kTileSize};
    const uint64_t items = shared.staged_items;
    const unsigned end = unsigned(items < result.capacity ? items : result.capacity);
    for (unsigned row = 0; row < kRows; row += kBatch) {
      const unsigned first = row * kBlockSize + block.thread_rank();
      typename Sink::Fetched fetched[kBatch];
      for (unsigned b = 0; b < kBatch; ++b)
        if (const unsigned place = first + b * kBlockSize; place < end)
          fetched[b] = sink.fetch(staged, place, 0);
      for (unsigned b = 0; b < kBatch; ++b)
        if (const unsigned place = first + b * kBlockSize; place < end) sink.put(place, fetched[b]);
    }
  }

  /// Writes the staged items of a tile like write(), but each warp writes whole lines of one class.
  SIMT_KERNEL void write_lines(simt::Block auto& block, Shared& shared, uint64_t first) const {
    simt::Warp auto warp = block.warp();
    const Staging staged{shared.staged, kTileSize};
    const uint32_t first_line = shared.lines.first_of_lane(warp);
    const unsigned count = shared.lines.count;
    for (unsigned i = block.warp_rank(); i < count; i += kBatch * kWarps) {
      ClassLines::Output outputs[kBatch];
      typename Sink::Fetched fetched[kBatch];
      // Values that the lines of a batch have in common are computed once.
      const int ahead = int(first_line - i);
      const uint32_t position = i * simt::kWarpSize + warp.thread_rank();
      for (unsigned b = 0; b < kBatch; ++b) {
        outputs[b] = shared.lines.output(warp, ahead <= int(b * kWarps),
                                         position + b * kWarps * simt::kWarpSize);
        if (outputs[b].written) fetched[b] = sink.fetch(staged, outputs[b].place, first);
      }
      for (unsigned b = 0; b < kBatch; ++b)
        if (outputs[b].written) sink.put(outputs[b].to, fetched[b]);
    }
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
};

}  // namespace compaction
