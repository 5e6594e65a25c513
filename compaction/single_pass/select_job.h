#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_range.h"
#include "compaction/group/block_rank.h"
#include "compaction/group/warp_sum.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/tile_flags.h"
#include "compaction/single_pass/tile_shape.h"

namespace compaction {

/// Where a select tells how many items it selected.
struct SelectedCount {
  DeviceCountOut count;              ///< receives how many items are selected
  uint64_t capacity = ~uint64_t(0);  ///< how many the output holds; further ones are not written
  uint32_t* overflowed = nullptr;    ///< [1] or null, receives 1 if there were more, else 0
  bool in_place = false;             ///< whether items are written over those that are read
};

/// Stands for the sink of the items that are not selected where these are dropped.
struct Drop {};

/// Where the items that are not selected go: from `first` of the sink on.
template <class Sink>
struct RejectedTo {
  Sink sink;
  DeviceCount first;  ///< places before theirs, if any
};

/// As many of `chunks` as `most_bytes` allow, at least one.
constexpr unsigned chunks_within(unsigned chunks, unsigned chunk_bytes, unsigned most_bytes) {
  while (chunks > 1 && chunks * chunk_bytes > most_bytes) chunks /= 2;
  return chunks;
}

/// Stable select or partition, as the job of a TilePipeline.
template <class Source, class Sink, class Rejected = Drop>
struct SelectJob {
  static constexpr unsigned kChunkItems = Source::kChunkItems;
  static constexpr bool kAsync = Source::kAsync;
  static constexpr bool kPartitions = !std::is_same_v<Rejected, Drop>;
  using Chunk = typename Source::Chunk;
  using Total = uint32_t;   ///< selected items of a tile
  using Prefix = uint64_t;  ///< selected items before a tile
  static constexpr unsigned kStagedBytes = Sink::kStagedBytes;
  static constexpr unsigned kReads = 5;  // a window holds one tile of each block of an H200
  /// What a worker fetches for a chunk, and how much to fetch of a tile: what has been read for it
  /// must still be in L2 when its neighbours fetch their share of the lines.
  static constexpr unsigned kFetchedBytes = kChunkItems * Sink::kFetchedBytes;
  static constexpr unsigned kMaxFetchedBytes = 64 << 10;
  /// Chunks that a worker holds of a tile: 64 bytes of items, or 32 flags, or 16 items that are
  /// examined in place.
  static constexpr unsigned kChunks = chunks_within(!kAsync             ? 16 / kChunkItems
                                                    : kChunkItems == 16 ? 2
                                                                        : 4,
                                                    kManyWorkers* kFetchedBytes, kMaxFetchedBytes);

  /// In a TileWave, where there are few tiles: at most 4 chunks, of which a worker fetches no more
  /// than kFewBytes; half of it where nothing is dropped. Where one chunk alone is much to fetch,
  /// there are fewer workers.
  static constexpr unsigned kHeldStagedBytes = kStagedBytes;
  static constexpr unsigned kFewWorkers =
      kFetchedBytes <= 2 * kFewBytes ? kWaveWorkers : kWaveWorkers / 2;
  static constexpr unsigned kMaxFewChunks = std::min(4u, kFewItems / kChunkItems);
  static constexpr unsigned kFewChunks =
      chunks_within(std::max(1u, kMaxFewChunks / (kPartitions ? 2 : 1)), kFetchedBytes, kFewBytes);
  /// And where there are many.
  static constexpr unsigned kWaveChunks =
      chunks_within(2 * kMaxFewChunks, kWaveWorkers* kFetchedBytes, kMaxFetchedBytes);

  Source source;
  Sink sink;
  Rejected rejected;
  SelectedCount result;

  template <unsigned kChunks>
  struct Held {
    Chunk chunks[kChunks];
    TileFlags<kChunks, kChunkItems> flags;
  };

  SIMT_KERNEL uint32_t head() const { return source.head(); }
  SIMT_KERNEL auto* address(uint64_t slot) const { return source.address(slot); }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    return source.load(slot, range);
  }

  /// Whether what is written may lie where other blocks still read: then a tile must be read before
  /// any other block learns of it.
  SIMT_KERNEL bool in_place() const { return result.in_place; }

  SIMT_KERNEL static Total identity() { return 0; }
  SIMT_KERNEL static Prefix before_all() { return 0; }
  SIMT_KERNEL static Prefix extend(Prefix prefix, Total total) { return prefix + total; }

  /// Counts commute, so that each lane may add up its own first.
  template <unsigned kReads>
  SIMT_KERNEL static Prefix fold(simt::Warp auto warp, Prefix prefix,
                                 const Total (&totals)[kReads]) {
    Total sum = 0;
    for (Total total : totals) sum += total;
    return prefix + warp_sum(warp, sum);
  }

  template <unsigned kWarps>
  SIMT_KERNEL static Rank combine_warps(simt::Warp auto warp, unsigned warp_rank,
                                        const Total* totals) {
    unsigned lane = warp.thread_rank();
    Total total = lane < kWarps ? totals[lane] : 0;
    return {.rank = warp_sum(warp, lane < warp_rank ? total : 0), .total = warp_sum(warp, total)};
  }

  /// Which items are selected, and their ranks in the warp. Returns how many the warp selects.
  template <unsigned kChunks>
  SIMT_KERNEL Total examine(simt::Warp auto warp, Held<kChunks>& held,
                            const WorkerView& view) const {
    if (view.range.is_whole(view.tile)) {
      for (unsigned c = 0; c < kChunks; ++c)
        for (unsigned i = 0; i < kChunkItems; ++i)
          held.flags.set(c, i, source.selected(held.chunks[c], i));
    } else {
      uint64_t first = view.range.first_slot(view.tile);
      for (unsigned c = 0; c < kChunks; ++c)
        for (unsigned i = 0; i < kChunkItems; ++i)
          held.flags.set(c, i,
                         view.range.holds_item(first + view.chunk(c) * kChunkItems + i) &&
                             source.selected(held.chunks[c], i));
    }
    return held.flags.rank(warp);
  }

  /// Gathers the selected items at the front, and the others, where they are kept, behind them.
  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Held<kChunks>& held, const WorkerView& view, Total before,
                         Total total, std::byte* bytes) const {
    const Staging staged{bytes, view.range.tile_size};
    const bool whole = view.range.is_whole(view.tile);
    const uint64_t first_slot = view.range.first_slot(view.tile);
    const unsigned slots_before_items = view.tile == 0 ? view.range.head : 0;
    for (unsigned c = 0; c < kChunks; ++c) {
      const unsigned chunk_slot = view.chunk(c) * kChunkItems;
      const unsigned selected_before = before + held.flags.rank_of_chunk(c);
      // May wrap for a chunk that begins before the first item, and back at that item.
      const unsigned rejected_before = chunk_slot - slots_before_items - selected_before;
      unsigned place = selected_before, rejected_place = total + rejected_before;
      for (unsigned i = 0; i < kChunkItems; ++i) {
        const unsigned slot = chunk_slot + i;
        if (held.flags.get(c, i)) {
          sink.stage(staged, place++, held.chunks[c], i, slot);
        } else if constexpr (kPartitions) {
          if (whole || view.range.holds_item(first_slot + slot))
            rejected.sink.stage(staged, rejected_place, held.chunks[c], i, slot);
          ++rejected_place;
        }
      }
    }
  }

  template <unsigned kWorkers, unsigned kChunks>
  SIMT_KERNEL void write(unsigned worker, const WorkerView& view, Prefix prefix, Total total,
                         std::byte* bytes) const {
    const Staging staged{bytes, view.range.tile_size};
    const TileRange& range = view.range;
    uint64_t first = first_item(view);
    uint64_t room = prefix < result.capacity ? result.capacity - prefix : 0;
    copy_out<kWorkers>(worker, sink, prefix, staged, 0, total < room ? total : unsigned(room),
                       first);
    if constexpr (kPartitions) {
      uint64_t slots_begin = view.tile == 0 ? range.head : range.first_slot(view.tile);
      uint64_t slots_end =
          view.tile == range.tiles - 1 ? range.end : range.first_slot(view.tile + 1);
      uint64_t place = slots_begin - range.head - prefix;
      if (rejected.first) place += rejected.first.load();
      copy_out<kWorkers>(worker, rejected.sink, place, staged, total,
                         unsigned(slots_end - slots_begin) - total, first);
    }
  }

  SIMT_KERNEL void finish(Prefix prefix, Total total) const {
    uint64_t selected = prefix + total;
    if (result.count) result.count.store(selected);
    if (result.overflowed) *result.overflowed = selected > result.capacity;
  }
  SIMT_KERNEL void finish_empty() const { finish(0, 0); }

 private:
  /// The index of the item in slot 0 of the tile; wraps where that lies before the first item, and
  /// back when a slot is added.
  SIMT_KERNEL static uint64_t first_item(const WorkerView& view) {
    return view.range.first_slot(view.tile) - view.range.head;
  }

// g++ 12 does not see that what is put has been fetched, by the same condition.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  /// Writes `count` items, staged from `begin` on, to the places from `place` on. Each warp writes
  /// whole lines of the output.
  template <unsigned kWorkers, class To>
  SIMT_KERNEL static void copy_out(unsigned worker, const To& to, uint64_t place, Staging staged,
                                   unsigned begin, unsigned count, uint64_t first) {
    // Fetches are under way together, as far as registers allow; from shared memory few will do.
    constexpr unsigned kBatchBytes = 128, kMaxFetches = To::kFetchedBytes > 0 ? 16 : 4;
    constexpr unsigned kFetches = kBatchBytes / sizeof(typename To::Fetched);
    constexpr unsigned kBatch = kFetches == 0 ? 1 : kFetches < kMaxFetches ? kFetches : kMaxFetches;
    const int end = int(count);
    for (int i = int(worker) - int(to.skip(place)); i < end; i += int(kBatch * kWorkers)) {
      typename To::Fetched fetched[kBatch];
      for (unsigned b = 0; b < kBatch; ++b)
        if (int item = i + int(b * kWorkers); item >= 0 && item < end)
          fetched[b] = to.fetch(staged, begin + unsigned(item), first);
      for (unsigned b = 0; b < kBatch; ++b)
        if (int item = i + int(b * kWorkers); item >= 0 && item < end)
          to.put(place + uint64_t(item), fetched[b]);
    }
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
};

}  // namespace compaction
