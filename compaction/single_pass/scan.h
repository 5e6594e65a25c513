// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/store_rows.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// Job of a TilePipeline or TileWave: inclusive or exclusive scan.
template <class T, class Op, ScanKind kKind, class In = T>
struct ScanJob {
  using Chunk = simt::Chunk<T>;
  using Total = T;   ///< combined items of a tile
  using Prefix = T;  ///< combined items before a tile

  static constexpr unsigned kChunkItems = Chunk::kItems;
  static constexpr bool kAsync = simt::kHasVectors<T> && std::is_same_v<In, T>;
  static constexpr unsigned kStagedBytes = sizeof(T);
  /// 64 bytes of items per thread, at least one item; half as many of one byte in a fixed order,
  /// as a thread of a TileWave holds them in registers.
  static constexpr unsigned kChunks = sizeof(T) == 1 && !kAnyOrder<Op, T> ? 2
                                      : sizeof(Chunk) < 64 ? unsigned(64 / sizeof(Chunk))
                                                           : 1;
  /// In a TileWave, items stay in registers until they are written: up to 16 items and 64 bytes per
  /// thread in few tiles, twice as many small items in many tiles. In a fixed order, whole
  /// segments.
  static constexpr unsigned kWaveStagedBytes = 0;
  /// Few items of 16 bytes, which take many shuffles, are in small tiles, at most one on each
  /// multiprocessor: inclusive scans of 2^12 and 2^16 of them take 0.83 to 0.99 of the time,
  /// exclusive ones 0.95 to 1.07 (H200).
  static constexpr bool kIsWide = sizeof(T) == simt::kVectorBytes && !kAnyOrder<Op, T>;
  static constexpr unsigned kFewThreads = kIsWide ? kWaveThreads / 2 : kWaveThreads;
  static constexpr unsigned kManyThreads = kIsWide ? kWaveThreads : 0;
  static constexpr unsigned kOneTileThreads = kWaveThreads;
  static constexpr unsigned kFewChunks =
      !kAnyOrder<Op, T> ? kChunks
                        : std::max(1u, std::min(kMaxFewItems / kChunkItems,
                                                unsigned(kMaxFewBytes / sizeof(Chunk))));
  static constexpr unsigned kWaveChunks =
      sizeof(T) <= sizeof(uint64_t) && (kAnyOrder<Op, T> || sizeof(T) >= sizeof(uint32_t))
          ? 2 * kFewChunks
          : kFewChunks;
  static constexpr unsigned kSegmentRows = kAnyOrder<Op, T> ? 0 : kChunks;
  static constexpr unsigned kTileThreads = order_threads(kChunks * sizeof(Chunk));
  /// A window holds one tile of each block of an H200, unless that takes too many registers.
  static constexpr unsigned kReads = sizeof(T) <= 16 ? 5 : 1;
  /// Whether items at an address where no vector begins are copied one by one. In any order, the
  /// tiles begin at a vector instead.
  static constexpr bool kCopiesItems =
      kAsync && !kAnyOrder<Op, T> && sizeof(T) >= sizeof(uint32_t) && kChunkItems > 1;
  /// Whether a TileWave stores rows where the output does not begin at a vector. That is slower for
  /// items of 4 and 8 bytes: few of them take up to 1.2 times as long (H200).
  static constexpr bool kStoresRows = sizeof(T) < sizeof(uint32_t) && kChunkItems > 1;

  const In* in;  ///< [n]
  T* out;        ///< [n], may be `in`
  Op op;
  T init;    ///< precedes all items
  T* total;  ///< [1] or null, receives `init` and all items combined

  template <unsigned kChunks>
  struct Registers {
    Chunk chunks[kChunks];
  };

  SIMT_KERNEL uint32_t head() const { return kAnyOrder<Op, T> ? misplaced() : 0; }
  SIMT_KERNEL bool is_aligned() const { return kAnyOrder<Op, T> || misplaced() == 0; }
  SIMT_KERNEL const In* address(uint64_t slot) const { return in + slot - head(); }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk;
    for (unsigned i = 0; i < kChunkItems; ++i)
      chunk.items[i] = range.holds_item(slot + i) ? T(in[slot + i - range.head]) : identity();
    return chunk;
  }

  /// A tile is written only where it was read, so no block overwrites what another still reads.
  SIMT_KERNEL static bool in_place() { return false; }

  SIMT_KERNEL T identity() const { return op.identity(); }
  SIMT_KERNEL T initial_prefix() const { return init; }
  SIMT_KERNEL T extend(T prefix, T total) const { return op(prefix, total); }
  SIMT_KERNEL const Op& combine() const { return op; }

  /// Scans the items of each segment of the warp in place; returns their totals.
  template <unsigned kChunks, unsigned kSegments>
  SIMT_KERNEL void rank(simt::Warp auto warp, Registers<kChunks>& registers, const ThreadView&,
                        T (&totals)[kSegments]) const {
    for (T& total : totals) total = identity();
    for (unsigned c = 0; c < kChunks; ++c) {
      T& total = totals[c / (kChunks / kSegments)];
      T(&items)[kChunkItems] = registers.chunks[c].items;
      T sum = items[0];
      for (unsigned i = 1; i < kChunkItems; ++i) sum = op(sum, items[i]);
      T inclusive = warp_inclusive_scan(warp, sum, op);
      T below = shuffle_item_up(warp, inclusive, 1);
      T before = warp.thread_rank() > 0 ? op(total, below) : total;
      total = op(total, shuffle_item(warp, inclusive, simt::kWarpSize - 1));
      for (T& item : items) {
        T after = op(before, item);
        item = kKind == ScanKind::kInclusive ? after : before;
        before = after;
      }
    }
  }

  template <unsigned kChunks, class Segments>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view, Segments,
                         std::byte* bytes) const {
    Chunk* staged = reinterpret_cast<Chunk*>(bytes);
    for (unsigned c = 0; c < kChunks; ++c) staged[view.chunk(c)] = registers.chunks[c];
  }

  template <unsigned kThreads, unsigned kChunks, class Segments>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const T& prefix, const T&,
                         Segments segments, std::byte* bytes) const {
    const auto own = segments().own_prefixes(prefix);
    const uint64_t first = view.range.first_slot(view.tile);
    if (kChunkItems > 1 && !writes_vectors(view) &&
        view.range.holds_items(first, view.range.tile_size)) {
      // A warp writes whole lines, item by item.
      const unsigned lane = thread % simt::kWarpSize;
      const unsigned place = (view.first_chunk - lane) * kChunkItems + lane;
      const T* staged = reinterpret_cast<const T*>(bytes) + place;
      T* to = out + (first - view.range.head) + place;
      constexpr unsigned kItems = kChunks * kChunkItems;
      for (unsigned i = 0; i < kItems; ++i)
        to[i * simt::kWarpSize] =
            op(own.prefixes[i / (kItems / own.kCount)], staged[i * simt::kWarpSize]);
      return;
    }
    const Chunk* staged = reinterpret_cast<const Chunk*>(bytes);
    write_chunks<kChunks>(view, own, [&](unsigned c) { return staged[view.chunk(c)]; });
  }

  /// Writes items that were not staged.
  template <unsigned kChunks, class Segments>
  SIMT_KERNEL void write_registers(const Registers<kChunks>& registers, const ThreadView& view,
                                   const T& prefix, Segments segments) const {
    const auto own = segments().own_prefixes(prefix);
    if constexpr (kStoresRows)
      if (!writes_vectors(view)) {
        write_rows(segments().warp(), registers, view, own);
        return;
      }
    write_chunks<kChunks>(view, own, [&](unsigned c) { return registers.chunks[c]; });
  }

  SIMT_KERNEL void finish(const T& prefix, const T& tile_total) const {
    if (total) *total = op(prefix, tile_total);
  }
  SIMT_KERNEL void finish_empty() const {
    if (total) *total = init;
  }

 private:
  /// Returns the slots between the last vector before the first item and that item.
  SIMT_KERNEL uint32_t misplaced() const {
    return kAsync ? uint32_t(reinterpret_cast<uintptr_t>(in) / sizeof(T) % kChunkItems) : 0;
  }

  SIMT_KERNEL bool writes_vectors(const ThreadView& view) const {
    const T* to = out + (view.range.first_slot(view.tile) - view.range.head);
    return reinterpret_cast<uintptr_t>(to) % alignof(Chunk) == 0;
  }

  /// Like write_chunks(), where no vector begins at the addresses of the chunks.
  template <unsigned kChunks, class Own>
  SIMT_KERNEL void write_rows(simt::Warp auto warp, const Registers<kChunks>& registers,
                              const ThreadView& view, const Own& own) const {
    const TileRange& range = view.range;
    const uint64_t first = range.first_slot(view.tile);
    auto row_at = [&](unsigned c) {
      StoredItems<T> row{registers.chunks[c]};
      for (T& item : row.chunk.items) item = op(own.prefixes[c / (kChunks / Own::kCount)], item);
      const uint64_t slot = first + view.chunk(c) * kChunkItems;
      if (slot == 0) row.begin = range.head;
      if (slot + kChunkItems > range.end)
        row.end = slot < range.end ? unsigned(range.end - slot) : 0;
      return row;
    };
    constexpr unsigned kRowSlots = simt::kWarpSize * kChunkItems;
    const uint64_t first_of_warp = first + (view.first_chunk - warp.thread_rank()) * kChunkItems;
    uint32_t whole_rows = 0;
    for (unsigned c = 0; c < kChunks; ++c)
      whole_rows |= uint32_t(range.holds_items(first_of_warp + c * kRowSlots, kRowSlots)) << c;
    store_rows<kChunks>(warp, out + (first - range.head) + view.chunk(0) * kChunkItems, row_at,
                        whole_rows);
  }

  /// Writes chunks, each combined with the prefix of its segment.
  template <unsigned kChunks, class Own, class ChunkAt>
  SIMT_KERNEL void write_chunks(const ThreadView& view, const Own& own, ChunkAt chunk_at) const {
    const TileRange& range = view.range;
    uint64_t first = range.first_slot(view.tile);
    T* to = out + (first - range.head);
    const bool aligned = writes_vectors(view);
    for (unsigned c = 0; c < kChunks; ++c) {
      Chunk chunk = chunk_at(c);
      for (T& item : chunk.items) item = op(own.prefixes[c / (kChunks / Own::kCount)], item);
      unsigned slot = view.chunk(c) * kChunkItems;
      if (aligned && range.holds_items(first + slot, kChunkItems)) {
        simt::store(to + slot, chunk);
      } else {
        for (unsigned i = 0; i < kChunkItems; ++i)
          if (range.holds_item(first + slot + i)) to[slot + i] = chunk.items[i];
      }
    }
  }
};

/// Returns the bytes of workspace of the scans for up to `capacity` items; grows with it.
template <class T, class Op = Sum<T>, class In = T>
size_t scan_bytes(uint64_t capacity) {
  return run_tiles_bytes<ScanJob<T, Op, ScanKind::kInclusive, In>>(capacity);
}

/// Inclusive scan in a single pass: the library's fast path. out[i] receives `init` and the items 0
/// to i, combined in order.
///
/// @param in         [n], n <= 2^40, of T or of a type that is converted to T
/// @param out        [n], may be `in`; must not overlap it otherwise
/// @param op         associative; called with items, `init`, the identity and results of itself
/// @param total      [1] or null, receives `init` and all items combined
/// @param workspace  [>= scan_bytes<T, Op, In>(capacity)], see run_pipeline()
/// Reads and writes each item once. 1 kernel. Does not synchronize. The results depend on the
/// items, their type and `init` alone, bit by bit, whatever the device, the capacity and the
/// addresses: README.md, "Order of combination". Items of 4 or 8 bytes that are not aligned to 16
/// bytes are copied one by one, those of 1 or 2 bytes are loaded one by one. After Merrill &
/// Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016, with look-ahead
/// instead of look-back.
template <class Launcher, class In, class T, Operator<T> Op>
void inclusive_scan(Launcher& launcher, const In* in, ItemCount n, T* out, Op op, T init, T* total,
                    Span<std::byte> workspace) {
  run_tiles(launcher, ScanJob<T, Op, ScanKind::kInclusive, In>{in, out, op, init, total}, n,
            workspace);
}

/// Exclusive scan in a single pass: out[i] receives `init` and the items 0 to i - 1, combined in
/// order. Otherwise like inclusive_scan().
template <class Launcher, class In, class T, Operator<T> Op>
void exclusive_scan(Launcher& launcher, const In* in, ItemCount n, T* out, Op op, T init, T* total,
                    Span<std::byte> workspace) {
  run_tiles(launcher, ScanJob<T, Op, ScanKind::kExclusive, In>{in, out, op, init, total}, n,
            workspace);
}

}  // namespace compaction
