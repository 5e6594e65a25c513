// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/group/block_rank.h"
#include "compaction/group/warp.h"
#include "compaction/single_pass/copied_items.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/sources.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

struct Drop {};

/// Writes the items that are not selected to places `first`, `first` + 1, ... of a sink.
template <class Sink>
struct RejectedTo {
  Sink sink;
  DeviceCount first;  ///< 0 if not set
};

/// Writes the items that are not selected in reverse order, to the last places of an output with as
/// many places as there are items.
template <class Sink>
struct RejectedReversed {
  Sink sink;
};

template <class Rejected>
inline constexpr bool kIsReversed = false;
template <class Sink>
inline constexpr bool kIsReversed<RejectedReversed<Sink>> = true;

/// The item before those of a warp, for a source that compares each item with the one before.
template <class Source>
struct ItemBefore {
  static constexpr bool kIsNeeded = false;
  struct Item {};
};
template <class Source>
requires requires {
  typename Source::Before;
}
struct ItemBefore<Source> {
  static constexpr bool kIsNeeded = true;
  using Item = typename Source::Before;
  using Copied = CopiedItems<Items<Item>, Source::kChunkItems>;
};

/// Size, bytes, from which on an item has too many pieces for few threads to move many items.
inline constexpr unsigned kManyPieces = 64;

/// Job of a TilePipeline or TileWave: stable select or partition.
template <class Source, class Sink, class Rejected = Drop>
struct SelectJob {
  static constexpr unsigned kChunkItems = Source::kChunkItems;
  static constexpr bool kAsync = Source::kAsync;
  static constexpr bool kPartitions = !std::is_same_v<Rejected, Drop>;
  using Chunk = typename Source::Chunk;
  using Before = ItemBefore<Source>;
  using Total = uint32_t;   ///< selected items of a tile
  using Prefix = uint64_t;  ///< selected items before a tile
  static constexpr unsigned kStagedBytes = Sink::kStagedBytes;
  static constexpr unsigned kReads = 5;  // a window holds one tile of each block of an H200
  /// Bytes of a chunk in a tile, and in registers.
  static constexpr unsigned kChunkBytes =
      std::max(kAsync ? unsigned(sizeof(Chunk)) : 0, kChunkItems* kStagedBytes);
  /// Bytes that a thread fetches for a chunk, and the limit for a tile: lines that a thread has
  /// read must still be in L2 when its neighbours fetch their share of them.
  static constexpr unsigned kFetchedBytes = kChunkItems * Sink::kFetchedBytes;
  static constexpr unsigned kMaxFetchedBytes = 64 << 10;
  /// Whether items that are loaded directly are so large that a thread has 64 bytes of them.
  static constexpr bool kIsLarge = !kAsync && kStagedBytes > sizeof(uint32_t);
  /// Number of chunks with up to 64 bytes of items.
  static constexpr unsigned kItemChunks =
      std::max(1u, kAsync     ? unsigned(kMaxFewBytes / sizeof(Chunk))
                   : kIsLarge ? kMaxFewBytes / (kStagedBytes * kChunkItems)
                              : 4u);
  /// Chunks of a thread: 64 bytes of items, or 32 flags, or 16 items that are loaded directly.
  static constexpr unsigned kChunks =
      chunks_within(kIsLarge            ? kItemChunks
                    : !kAsync           ? 16 / kChunkItems
                    : kChunkItems == 16 ? std::min(2u, kItemChunks)
                                        : kItemChunks,
                    kPipelineThreads* kFetchedBytes, kMaxFetchedBytes);

  /// Whether the sink assembles what it writes. It then takes so many instructions that few items
  /// are better spread over more multiprocessors.
  static constexpr bool kAssembles = requires { Sink::kUnitBytes; };

  /// In a TileWave of few tiles, a thread has at most 4 chunks and fetches at most kMaxFewBytes,
  /// half as many for a partition. There are fewer threads if one chunk alone is much to fetch.
  static constexpr unsigned kWaveStagedBytes = kStagedBytes;
  static constexpr unsigned kMaxFewChunks = std::min(kItemChunks, kMaxFewItems / kChunkItems);
  static constexpr unsigned kFewChunks = chunks_within(
      std::max(1u, kMaxFewChunks / (kPartitions ? 2 : 1)), kFetchedBytes, kMaxFewBytes);
  static constexpr unsigned kFewThreads = kFetchedBytes > 2 * kMaxFewBytes
                                              ? kWaveThreads / 2
                                              : threads_within(kWaveThreads,
                                                               kFewChunks* kChunkBytes,
                                                               kMaxFewTileBytes /
                                                                   (kAssembles ? 2 : 1));
  /// Chunks of a thread in a TileWave of many tiles.
  static constexpr unsigned kWaveChunks =
      chunks_within(chunks_within(2 * kMaxFewChunks, kWaveThreads* kFetchedBytes, kMaxFetchedBytes),
                    kChunkBytes, 2 * kMaxFewBytes);

  Source source;
  Sink sink;
  Rejected rejected;
  SelectedCount result;

  /// The part of a tile that a thread holds.
  template <unsigned kChunks>
  struct Registers {
    Chunk chunks[kChunks];
    WarpFlags<kChunks, kChunkItems> flags;
    typename Before::Item before;  ///< set in lane 0 only
  };

  SIMT_KERNEL uint32_t head() const { return source.head(); }
  SIMT_KERNEL bool is_aligned() const { return has_aligned_chunks(source); }
  SIMT_KERNEL auto* address(uint64_t slot) const { return source.address(slot); }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    return source.load(slot, range);
  }

  /// Loads a chunk of a full tile, if the source has a faster way for these.
  SIMT_KERNEL Chunk load_whole(uint64_t slot, const TileRange& range) const requires requires {
    source.load_whole(slot, range);
  }
  { return source.load_whole(slot, range); }

  SIMT_KERNEL void prefetch(uint64_t slot, const TileRange& range) const requires requires {
    source.prefetch(slot, range);
  }
  { source.prefetch(slot, range); }

  /// Starts to copy the item before those of the warp to `to`, vectors of kBeforeBytes<SelectJob>.
  SIMT_KERNEL void copy_before(auto& copies, std::byte* to,
                               const ThreadView& view) const requires Before::kIsNeeded {
    const Items<typename Before::Item> all{source.items};
    typename Before::Copied{all}.copy_before(copies, to, view);
  }
  /// Reads it, in lane 0, where it was copied to or, if `from` is null, in the input.
  template <unsigned kChunks>
  SIMT_KERNEL void take_before(Registers<kChunks>& items, const std::byte* from,
                               const ThreadView& view) const {
    const Items<typename Before::Item> all{source.items};
    const typename Before::Copied copied{all};
    if (view.first_chunk % simt::kWarpSize == 0)
      items.before = from ? copied.before(from, view) : copied.load_before(view);
  }

  /// Whether the output may overwrite items that other blocks still read. If so, a tile must be
  /// read before its total is published.
  SIMT_KERNEL bool in_place() const { return result.in_place; }

  SIMT_KERNEL static Total identity() { return 0; }
  SIMT_KERNEL static Prefix initial_prefix() { return 0; }
  SIMT_KERNEL static Prefix extend(Prefix prefix, Total total) { return prefix + total; }

  /// Addition is commutative, so each lane first adds its own totals.
  template <unsigned kReads>
  SIMT_KERNEL static Prefix fold(simt::Warp auto warp, Prefix prefix, const Total (&totals)[kReads],
                                 uint32_t) {
    Total sum = 0;
    for (Total total : totals) sum += total;
    return prefix + warp_sum(warp, sum);
  }

  /// Returns the sum of the totals of the warps before `warp_rank`, and of all warps.
  template <unsigned kWarps>
  SIMT_KERNEL static Rank combine_warps(simt::Warp auto warp, unsigned warp_rank,
                                        const Total* totals) {
    unsigned lane = warp.thread_rank();
    Total total = lane < kWarps ? totals[lane] : 0;
    return {.rank = warp_sum(warp, lane < warp_rank ? total : 0), .total = warp_sum(warp, total)};
  }

  /// Flags the selected items and ranks them within the warp. Returns how many the warp selects.
  template <unsigned kChunks>
  SIMT_KERNEL Total rank(simt::Warp auto warp, Registers<kChunks>& items,
                         const ThreadView& view) const {
    if constexpr (Before::kIsNeeded) {
      flag_by_neighbours(warp, items, view);
    } else if (view.range.is_full(view.tile)) {
      for (unsigned c = 0; c < kChunks; ++c)
        for (unsigned i = 0; i < kChunkItems; ++i)
          items.flags.set(c, i, source.selected(items.chunks[c], i));
    } else {
      uint64_t first = view.range.first_slot(view.tile);
      for (unsigned c = 0; c < kChunks; ++c)
        for (unsigned i = 0; i < kChunkItems; ++i)
          items.flags.set(c, i,
                          view.range.holds_item(first + view.chunk(c) * kChunkItems + i) &&
                              source.selected(items.chunks[c], i));
    }
    return items.flags.rank(warp);
  }

  /// Stages the selected items of a tile and, for a partition, the rejected ones after them.
  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Registers<kChunks>& items, const ThreadView& view, Total before,
                         Total total, std::byte* bytes) const {
    const Staging staged{bytes, view.range.tile_size};
    const bool full = view.range.is_full(view.tile);
    const uint64_t first_slot = view.range.first_slot(view.tile);
    const unsigned slots_before_items = view.tile == 0 ? view.range.head : 0;
    // In reverse order, the last rejected item follows the selected items.
    [[maybe_unused]] const unsigned last_rejected =
        kIsReversed<Rejected> ? total + view.range.items_of(view.tile) - 1 : 0;
    for (unsigned c = 0; c < kChunks; ++c) {
      if (Before::kIsNeeded && items.flags.of_chunk(c) == 0) continue;  // inside a run
      const unsigned chunk_slot = view.chunk(c) * kChunkItems;
      const unsigned selected_before = before + items.flags.rank_of_chunk(c);
      // Wraps around for a chunk that begins before the first item, and back at that item.
      const unsigned rejected_before = chunk_slot - slots_before_items - selected_before;
      unsigned place = selected_before, rejected_place = total + rejected_before;
      for (unsigned i = 0; i < kChunkItems; ++i) {
        const unsigned slot = chunk_slot + i;
        if (items.flags.get(c, i)) {
          sink.stage(staged, place++, items.chunks[c], i, slot);
        } else if constexpr (kPartitions) {
          const unsigned to =
              kIsReversed<Rejected> ? last_rejected - rejected_place : rejected_place;
          if (full || view.range.holds_item(first_slot + slot))
            rejected.sink.stage(staged, to, items.chunks[c], i, slot);
          ++rejected_place;
        }
      }
    }
  }

  /// Writes the staged items of a tile, whose prefix is known. All kThreads threads take part.
  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, Prefix prefix, Total total,
                         std::byte* bytes) const {
    const Staging staged{bytes, view.range.tile_size};
    const TileRange& range = view.range;
    // Wraps around if slot 0 of the tile is before the first item, and back when a slot is added.
    uint64_t first = range.first_slot(view.tile) - range.head;
    uint64_t room = prefix < result.capacity ? result.capacity - prefix : 0;
    copy_out<kThreads>(thread, sink, prefix, staged, 0, total < room ? total : unsigned(room),
                       first);
    if constexpr (kPartitions) {
      const uint64_t items_before = view.tile == 0 ? 0 : first;
      const unsigned rejects = range.items_of(view.tile) - total;
      uint64_t place = items_before - prefix;
      if constexpr (kIsReversed<Rejected>)
        place = range.end - range.head - place - rejects;
      else if (rejected.first)
        place += rejected.first.load();
      copy_out<kThreads>(thread, rejected.sink, place, staged, total, rejects, first);
    }
  }

  /// Called by one thread with the prefix and the total of the last tile.
  SIMT_KERNEL void finish(Prefix prefix, Total total) const {
    uint64_t selected = prefix + total;
    if (result.count) result.count.store(selected);
    if (result.overflowed) *result.overflowed = selected > result.capacity;
  }
  SIMT_KERNEL void finish_empty() const { finish(0, 0); }

 private:
  /// Flags the items that differ from the one before. That of the first item of a chunk is in the
  /// lane below, and that of lane 0 in the last lane's chunk before.
  template <unsigned kChunks>
  SIMT_KERNEL void flag_by_neighbours(simt::Warp auto warp, Registers<kChunks>& items,
                                      const ThreadView& view) const {
    const TileRange& range = view.range;
    const uint64_t first = range.first_slot(view.tile);
    const bool is_full = range.is_full(view.tile);
    typename Before::Item before_row = items.before;
    for (unsigned c = 0; c < kChunks; ++c) {
      const Chunk& chunk = items.chunks[c];
      const uint64_t slot = first + view.chunk(c) * kChunkItems;
      const auto last = source.item(chunk, kChunkItems - 1);
      const auto below = shuffle_item_up(warp, last, 1);
      auto before = warp.thread_rank() > 0 ? below : before_row;
      before_row = shuffle_item(warp, last, simt::kWarpSize - 1);
      if constexpr (requires { source.selected_of(chunk, before); }) {
        if (is_full) {
          items.flags.set_chunk(c, source.selected_of(chunk, before) | uint32_t(slot == 0));
          continue;
        }
      }
      for (unsigned i = 0; i < kChunkItems; ++i) {
        const auto item = source.item(chunk, i);
        if (is_full)
          items.flags.set(c, i, (i == 0 && slot == 0) || source.selected(before, item));
        else if (range.holds_item(slot + i))
          items.flags.set(c, i, slot + i == range.head || source.selected(before, item));
        before = item;
      }
    }
  }

// g++ 12 does not see that each put() has the same condition as its fetch().
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  /// Writes `count` items, staged from `begin` on, to the places from `place` on, in several pieces
  /// if the sink has them. Each warp writes whole lines of the output. `first` is the index of the
  /// item in slot 0 of the tile.
  template <unsigned kThreads, class To>
  SIMT_KERNEL static void copy_out(unsigned thread, const To& to, uint64_t place, Staging staged,
                                   unsigned begin, unsigned count, uint64_t first) {
    // Pieces take more instructions. They pay where single items would be read from many lines.
    constexpr bool kMayPay = kThreads >= kPipelineThreads ? To::kFetchedBytes > simt::kVectorBytes
                                                          : To::kFetchedBytes >= kManyPieces;
    if constexpr (kMayPay && requires { to.in_pieces(); })
      if (count >= staged.places / 4)
        return copy_pieces<kThreads>(thread, to.in_pieces(), place, staged, begin, count, first);
    if constexpr (requires { to.template copy_out<kThreads>(thread, place, staged, begin, count); })
      return to.template copy_out<kThreads>(thread, place, staged, begin, count);
    else
      copy_pieces<kThreads>(thread, to, place, staged, begin, count, first);
  }

  template <unsigned kThreads, class To>
  SIMT_KERNEL static void copy_pieces(unsigned thread, const To& to, uint64_t place, Staging staged,
                                      unsigned begin, unsigned count, uint64_t first) {
    // As many fetches in flight as registers allow; few are enough from shared memory.
    constexpr unsigned kBatchBytes = 128, kMaxFetches = To::kFetchedBytes > 0 ? 16 : 4;
    constexpr unsigned kFetches = kBatchBytes / sizeof(typename To::Fetched);
    constexpr unsigned kBatch = kFetches == 0 ? 1 : kFetches < kMaxFetches ? kFetches : kMaxFetches;
    constexpr unsigned kPieces = pieces_of<To>();
    static_assert(std::is_default_constructible_v<typename To::Fetched>,
                  "compaction: items must have a default constructor");
    place *= kPieces;
    begin *= kPieces;
    const int end = int(count * kPieces);
    for (int i = int(thread) - int(to.skip(place)); i < end; i += int(kBatch * kThreads)) {
      typename To::Fetched fetched[kBatch];
      for (unsigned b = 0; b < kBatch; ++b)
        if (int item = i + int(b * kThreads); item >= 0 && item < end)
          fetched[b] = to.fetch(staged, begin + unsigned(item), first);
      for (unsigned b = 0; b < kBatch; ++b)
        if (int item = i + int(b * kThreads); item >= 0 && item < end)
          to.put(place + uint64_t(item), fetched[b]);
    }
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
};

/// The source that a select uses for a source and a sink: a thread has few large items.
template <class Source, class Sink>
struct SourceFor {
  using Type = Source;
};
template <class T>
requires(sizeof(T) >= kManyPieces) struct SourceFor<Flagged, WriteColumns<T>> {
  using Type = FlaggedByFour;
};

/// Returns the job of a select.
template <class Source, class Sink>
auto select_job(const Source& source, const Sink& sink, const SelectedCount& result) {
  using From = typename SourceFor<Source, Sink>::Type;
  return SelectJob<From, Sink>{From(source), sink, {}, result};
}

/// Returns the bytes of workspace of select() for up to `capacity` items; grows with it.
template <class Source, class Sink>
size_t select_bytes(uint64_t capacity) {
  return run_tiles_bytes<SelectJob<typename SourceFor<Source, Sink>::Type, Sink>>(capacity);
}

/// Stable select in a single pass: the library's fast path.
///
/// @param source     which items are selected (sources.h); n <= 2^40
/// @param sink       what is written of each item, in order (sinks.h); its output must not overlap
///                   the input, except that WriteItems may overwrite the items of ItemsIf,
///                   LoadedIf or FirstsOfLoad at the same address if `result.in_place` is set
/// @param result     where the number of selected items is written, and the size of the output;
///                   must not overlap `n.on_device`
/// @param workspace  [>= select_bytes<Source, Sink>(capacity)], see run_pipeline()
/// Reads each item once and writes the selected ones once, and 8 bytes for each tile of 64 to
/// 16384. 1 kernel. Does not synchronize.
/// After Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016, with
/// look-ahead instead of look-back.
template <class Launcher, class Source, class Sink>
void select(Launcher& launcher, const Source& source, const Sink& sink, ItemCount n,
            const SelectedCount& result, Span<std::byte> workspace) {
  run_tiles(launcher, select_job(source, sink, result), n, workspace);
}

}  // namespace compaction
