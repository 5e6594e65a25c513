// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/single_pass/run_tiles.h"
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
  /// 64 bytes of items per thread, at least one item.
  static constexpr unsigned kChunks = sizeof(Chunk) < 64 ? unsigned(64 / sizeof(Chunk)) : 1;
  /// In a TileWave, items stay in registers until they are written: up to 16 items and 64 bytes per
  /// thread in few tiles, twice as many small items in many tiles.
  static constexpr unsigned kWaveStagedBytes = 0;
  static constexpr unsigned kFewThreads = kWaveThreads;
  static constexpr unsigned kFewChunks =
      std::max(1u, std::min(kMaxFewItems / kChunkItems, unsigned(kMaxFewBytes / sizeof(Chunk))));
  static constexpr unsigned kWaveChunks =
      sizeof(T) <= sizeof(uint64_t) ? 2 * kFewChunks : kFewChunks;
  /// A window holds one tile of each block of an H200, unless that takes too many registers.
  static constexpr unsigned kReads = sizeof(T) <= 8 ? 5 : sizeof(T) <= 16 ? 3 : 1;

  const In* in;  ///< [n]
  T* out;        ///< [n], may be `in`
  Op op;
  T init;    ///< precedes all items
  T* total;  ///< [1] or null, receives `init` and all items combined

  template <unsigned kChunks>
  struct Registers {
    Chunk chunks[kChunks];
  };
  struct BeforeAndTotal {
    T before, total;
  };

  SIMT_KERNEL uint32_t head() const {
    return kAsync ? uint32_t(reinterpret_cast<uintptr_t>(in) / sizeof(T) % kChunkItems) : 0;
  }
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

  template <unsigned kReads>
  SIMT_KERNEL T fold(simt::Warp auto warp, T prefix, T (&totals)[kReads]) const {
    if constexpr (kCommutes<Op>) {
      for (unsigned row = 1; row < kReads; ++row) totals[0] = op(totals[0], totals[row]);
      return op(prefix, shuffle_item(warp, warp_reduce(warp, totals[0], op), 0));
    } else {
      for (T& total : totals)
        prefix = op(prefix, shuffle_item(warp, warp_reduce(warp, total, op), 0));
      return prefix;
    }
  }

  template <unsigned kWarps>
  SIMT_KERNEL BeforeAndTotal combine_warps(simt::Warp auto warp, unsigned warp_rank,
                                           const T* totals) const {
    unsigned lane = warp.thread_rank();
    T inclusive = warp_inclusive_scan(warp, lane < kWarps ? totals[lane] : identity(), op);
    T before = shuffle_item(warp, inclusive, warp_rank > 0 ? warp_rank - 1 : 0);
    return {warp_rank > 0 ? before : identity(),
            shuffle_item(warp, inclusive, simt::kWarpSize - 1)};
  }

  /// Scans the items of the warp in place; returns all of them combined.
  template <unsigned kChunks>
  SIMT_KERNEL T rank(simt::Warp auto warp, Registers<kChunks>& registers, const ThreadView&) const {
    T warp_total = identity();
    for (unsigned c = 0; c < kChunks; ++c) {
      T(&items)[kChunkItems] = registers.chunks[c].items;
      T sum = items[0];
      for (unsigned i = 1; i < kChunkItems; ++i) sum = op(sum, items[i]);
      T inclusive = warp_inclusive_scan(warp, sum, op);
      T below = shuffle_item_up(warp, inclusive, 1);
      T before = warp.thread_rank() > 0 ? op(warp_total, below) : warp_total;
      warp_total = op(warp_total, shuffle_item(warp, inclusive, simt::kWarpSize - 1));
      for (T& item : items) {
        T after = op(before, item);
        item = kKind == ScanKind::kInclusive ? after : before;
        before = after;
      }
    }
    return warp_total;
  }

  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view,
                         const T& before, const T&, std::byte* bytes) const {
    Chunk* staged = reinterpret_cast<Chunk*>(bytes);
    for (unsigned c = 0; c < kChunks; ++c) {
      Chunk chunk;
      for (unsigned i = 0; i < kChunkItems; ++i)
        chunk.items[i] = op(before, registers.chunks[c].items[i]);
      staged[view.chunk(c)] = chunk;
    }
  }

  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned, const ThreadView& view, const T& prefix, const T&,
                         std::byte* bytes) const {
    const Chunk* staged = reinterpret_cast<const Chunk*>(bytes);
    write_chunks<kChunks>(view, prefix, [&](unsigned c) { return staged[view.chunk(c)]; });
  }

  /// Writes items that were not staged.
  template <unsigned kChunks>
  SIMT_KERNEL void write_registers(const Registers<kChunks>& registers, const ThreadView& view,
                                   const T& before, const T& prefix) const {
    write_chunks<kChunks>(view, op(prefix, before),
                          [&](unsigned c) { return registers.chunks[c]; });
  }

  SIMT_KERNEL void finish(const T& prefix, const T& tile_total) const {
    if (total) *total = op(prefix, tile_total);
  }
  SIMT_KERNEL void finish_empty() const {
    if (total) *total = init;
  }

 private:
  /// Writes chunks, each combined with `before`.
  template <unsigned kChunks, class ChunkAt>
  SIMT_KERNEL void write_chunks(const ThreadView& view, const T& before, ChunkAt chunk_at) const {
    const TileRange& range = view.range;
    uint64_t first = range.first_slot(view.tile);
    T* to = out + (first - range.head);
    const bool aligned = reinterpret_cast<uintptr_t>(to) % alignof(Chunk) == 0;
    for (unsigned c = 0; c < kChunks; ++c) {
      Chunk chunk = chunk_at(c);
      for (T& item : chunk.items) item = op(before, item);
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
/// Reads and writes each item once. 1 kernel. Does not synchronize. Tiles are combined in groups
/// that depend on timing, so with an operator that is associative only approximately, such as a sum
/// of floats, the last bits of the results may differ from call to call.
/// After Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016, with
/// look-ahead instead of look-back.
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
