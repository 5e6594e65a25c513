// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/group/warp.h"
#include "compaction/simt/chunk.h"
#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/runs.h"
#include "compaction/single_pass/scan.h"

// Scans and reductions of computed items (loads.h), and segmented scans. The items are combined in
// the type that the load returns: Widened<uint64_t, Items<uint8_t>> sums bytes in 64 bits. A store
// is called as `store(i, result)` once for each item i.

namespace compaction {

/// Stores the results in an array of any type to which they convert.
template <class T>
struct StoreItems {
  T* out;  ///< [n]
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    out[i] = T(result);
  }

  /// Stores consecutive results. is_aligned() must hold, and `count` must divide i.
  template <unsigned count, class Result>
  SIMT_HOST_DEVICE void store_chunk(uint64_t i, const Result (&results)[count]) const {
    using Items =
        std::conditional_t<simt::Chunk<T>::kItems == count, simt::Chunk<T>, ItemVector<T, count>>;
    Items items;
    for (unsigned j = 0; j < count; ++j) items.items[j] = T(results[j]);
    if constexpr (std::is_same_v<Items, simt::Chunk<T>>)
      simt::store(out + i, items);
    else
      *reinterpret_cast<Items*>(out + i) = items;
  }
  template <unsigned count>
  SIMT_HOST_DEVICE bool is_aligned() const {
    return is_vector_aligned<count>(out);
  }
};

/// Stores nothing, if only the total is needed.
struct StoreNothing {
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t, const Result&) const {}
};

/// Job of a TilePipeline or TileWave: inclusive or exclusive scan of a load.
template <class Load, class Store, class Op, ScanKind kKind>
struct LoadedScanJob : ScanJob<Loaded<Load>, Op, kKind> {
  using Base = ScanJob<Loaded<Load>, Op, kKind>;
  using T = Loaded<Load>;
  using Chunk = typename Base::Chunk;
  static constexpr bool kAsync = false;

  Load load_item;
  Store store_item;

  SIMT_KERNEL static uint32_t head() { return 0; }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk;
    for (unsigned i = 0; i < Base::kChunkItems; ++i)
      chunk.items[i] = range.holds_item(slot + i) ? load_item(slot + i) : this->identity();
    return chunk;
  }
  SIMT_KERNEL bool is_aligned() const { return has_aligned_chunks<Base::kChunkItems>(load_item); }
  SIMT_KERNEL Chunk load_whole(uint64_t slot, const TileRange&) const {
    Chunk chunk;
    load_chunk(load_item, slot, chunk.items);
    return chunk;
  }

  SIMT_KERNEL void prefetch(uint64_t slot, const TileRange& range) const {
    if (range.holds_item(slot)) prefetch_item(load_item, slot);
  }

  template <unsigned kThreads, unsigned kChunks, class Segments>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const T& prefix, const T& total,
                         Segments segments, std::byte* bytes) const {
    if constexpr (kToArray) {
      to_array().template write<kThreads, kChunks>(thread, view, prefix, total, segments, bytes);
    } else {
      const Chunk* staged = reinterpret_cast<const Chunk*>(bytes);
      store_chunks<kChunks>(view, segments().own_prefixes(prefix),
                            [&](unsigned c) { return staged[view.chunk(c)]; });
    }
  }
  template <unsigned kChunks, class Segments>
  SIMT_KERNEL void write_registers(const typename Base::template Registers<kChunks>& registers,
                                   const ThreadView& view, const T& prefix,
                                   Segments segments) const {
    if constexpr (kToArray)
      to_array().write_registers(registers, view, prefix, segments);
    else
      store_chunks<kChunks>(view, segments().own_prefixes(prefix),
                            [&](unsigned c) { return registers.chunks[c]; });
  }

 private:
  /// Whether the results are written as those of a scan of an array.
  static constexpr bool kToArray = std::is_same_v<Store, StoreItems<T>>;
  SIMT_KERNEL Base to_array() const {
    Base scan = *this;
    scan.out = store_item.out;
    return scan;
  }

  template <unsigned kChunks, class Own, class ChunkAt>
  SIMT_KERNEL void store_chunks(const ThreadView& view, const Own& own, ChunkAt chunk_at) const {
    for (unsigned c = 0; c < kChunks; ++c) {
      Chunk chunk = chunk_at(c);
      const T& before = own.prefixes[c / (kChunks / Own::kCount)];
      const uint64_t slot = view.range.first_slot(view.tile) + view.chunk(c) * Base::kChunkItems;
      if constexpr (requires { store_item.template is_aligned<Base::kChunkItems>(); })
        if (store_item.template is_aligned<Base::kChunkItems>() &&
            view.range.holds_items(slot, Base::kChunkItems)) {
          for (T& item : chunk.items) item = this->op(before, item);
          store_item.template store_chunk<Base::kChunkItems>(slot, chunk.items);
          continue;
        }
      for (unsigned i = 0; i < Base::kChunkItems; ++i)
        if (view.range.holds_item(slot + i)) store_item(slot + i, this->op(before, chunk.items[i]));
    }
  }
};

/// Returns the bytes of workspace for up to `capacity` items of a load; grows with it.
template <class Load, class Store, class Op>
size_t scan_loaded_bytes(uint64_t capacity) {
  const size_t scan =
      run_tiles_bytes<LoadedScanJob<Load, Store, Op, ScanKind::kInclusive>>(capacity);
  // reduce_loaded(), too, may be given this number of bytes.
  return std::is_same_v<Store, StoreNothing> ? std::max(scan, reduce_bytes<Loaded<Load>>()) : scan;
}

/// Scan of a load in a single pass: `store(i, r)` is called once for each i, where r is `init` and
/// the items 0 to i, or i - 1, combined in order.
///
/// @param load       called once for each i in [0, n); may read an array that the stores write only
///                   if store(i) overwrites item i alone
/// @param total      [1] or null, receives `init` and all items combined
/// @param workspace  [>= scan_loaded_bytes<Load, Store, Op>(capacity)], see run_pipeline()
/// 1 kernel. Otherwise like inclusive_scan() in scan.h.
template <ScanKind kKind, class Launcher, class Load, class Store, class Op>
void scan_loaded(Launcher& launcher, Load load, Store store, ItemCount n, Op op, Loaded<Load> init,
                 Loaded<Load>* total, Span<std::byte> workspace) {
  const LoadedScanJob<Load, Store, Op, kKind> job{{nullptr, nullptr, op, init, total}, load, store};
  run_tiles(launcher, job, n, workspace);
}

/// Whether a run of equal keys begins at an item of a load.
template <class Load, class Equal>
struct BeginsRunOf {
  Load keys;
  Equal equal;

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    return i == 0 || !equal(keys(i - 1), keys(i));
  }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const { prefetch_item(keys, i); }

  /// Sets bit j if a run begins at item i + j. is_aligned() must hold, and `count` must divide i.
  template <unsigned count>
  SIMT_HOST_DEVICE uint32_t of_chunk(uint64_t i) const requires kHasChunks<Load, count> {
    return of_items(i, keys.template chunk<count>(i));
  }
  template <unsigned count>
  SIMT_HOST_DEVICE uint32_t
  of_chunk_across(uint64_t i) const requires kHasChunksAcross<Load, count> {
    return of_items(i, keys.template chunk_across<count>(i));
  }
  template <unsigned count>
  SIMT_HOST_DEVICE bool is_aligned() const requires kHasChunks<Load, count> {
    return keys.template is_aligned<count>();
  }

 private:
  template <unsigned count>
  SIMT_HOST_DEVICE uint32_t of_items(uint64_t i, const ItemVector<Loaded<Load>, count>& own) const {
    uint32_t begins = i == 0 || !equal(keys(i - 1), own.items[0]);
    for (unsigned j = 1; j < count; ++j)
      begins |= uint32_t(!equal(own.items[j - 1], own.items[j])) << j;
    return begins;
  }
};
/// Whether a run begins at an item of an array.
template <class Key, class Equal>
using BeginsRun = BeginsRunOf<Items<Key>, Equal>;

/// Whether a segment begins at an item: its flag is set, or it is the first item of all.
struct BeginsAtFlag {
  const uint8_t* flags;  ///< [n]

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const { return i == 0 || flags[i] != 0; }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const { simt::prefetch(flags + i); }
};

/// Combines totals of segments: `value` is the combination since the last begin; `runs` is one past
/// the slot of the first begin in the tile, or 0 if no segment begins.
template <class Value, class Op>
struct CombineSegments {
  using Total = RunsTotal<Value>;

  Op op;

  SIMT_HOST_DEVICE Total identity() const { return {Value(op.identity()), 0}; }
  SIMT_HOST_DEVICE Total operator()(const Total& a, const Total& b) const {
    return {b.runs > 0 ? b.value : Value(op(a.value, b.value)), a.runs > 0 ? a.runs : b.runs};
  }
};

/// Job of a TilePipeline or TileWave: a scan that restarts where a segment begins.
///
/// Only the items before the first begin of a tile depend on earlier tiles. They are staged until
/// the prefix is known; all other items are written as soon as the tile is ranked.
template <class Load, class Begins, class Op, ScanKind kKind>
struct SegmentedScanJob
    : ScanJob<RunsTotal<Loaded<Load>>, CombineSegments<Loaded<Load>, Op>, kKind> {
  using Value = Loaded<Load>;
  using Combine = CombineSegments<Value, Op>;
  using Base = ScanJob<RunsTotal<Value>, Combine, kKind>;
  using Total = typename Base::Total;
  using Prefix = typename Base::Prefix;
  using Values = simt::Chunk<Value>;

  static constexpr unsigned kChunkItems = Values::kItems;
  static constexpr bool kAsync = false;
  static constexpr unsigned kStagedBytes = sizeof(Value);
  /// 48 bytes of values per thread, at least one chunk: 2^24 values of 4 bytes take 0.88 of the
  /// time with 64 bytes, and 0.85 of the time with 32 bytes (H200).
  static constexpr unsigned kChunks = std::max(1u, unsigned(48 / sizeof(Values)));
  static constexpr unsigned kWaveStagedBytes = kStagedBytes;
  /// In any order, few items are in small tiles, at most two on each multiprocessor, and more items
  /// in large ones: 2^12 and 2^16 pairs of 4 and 4 bytes take 0.83 to 0.96 of the time of tiles of
  /// 32 and 48 bytes per thread, four on each multiprocessor, and 2^20 and 2^21 pairs 0.74 to 0.91
  /// (H200).
  static constexpr unsigned kFewChunks = kAnyOrder<Op, Value> ? 1 : kChunks;
  static constexpr unsigned kWaveChunks =
      kAnyOrder<Op, Value> ? std::max(1u, unsigned(64 / sizeof(Values))) : kChunks;
  static constexpr bool kFewInTwoBlocks = kAnyOrder<Op, Value>;
  static constexpr unsigned kFewThreads = kWaveThreads, kManyThreads = 0;
  static constexpr unsigned kSegmentRows = kAnyOrder<Op, Value> ? 0 : kChunks;
  static constexpr unsigned kTileThreads = order_threads(kChunks * sizeof(Values));

  struct Chunk {
    Values values;
    uint32_t begins;  ///< bit i: a segment begins at item i; later: at or before item i in the warp
  };

  Load load_item;
  Begins begins;
  Value* out;          ///< [n]
  Value segment_init;  ///< value that an exclusive scan writes where a segment begins

  template <unsigned kChunks>
  struct Registers {
    Chunk chunks[kChunks];
  };

  SIMT_KERNEL static uint32_t head() { return 0; }
  SIMT_KERNEL bool is_aligned() const {
    bool aligned = has_aligned_chunks<kChunkItems>(load_item);
    if constexpr (requires { begins.template is_aligned<kChunkItems>(); })
      aligned = aligned && begins.template is_aligned<kChunkItems>();
    return aligned;
  }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk{};
    for (unsigned i = 0; i < kChunkItems; ++i) {
      const bool exists = range.holds_item(slot + i);
      chunk.values.items[i] = exists ? load_item(slot + i) : no_value();
      chunk.begins |= uint32_t(exists && (slot + i == 0 || begins(slot + i))) << i;
    }
    return chunk;
  }
  SIMT_KERNEL Chunk load_whole(uint64_t slot, const TileRange&) const {
    Chunk chunk{};
    load_chunk(load_item, slot, chunk.values.items);
    if constexpr (requires { begins.template of_chunk<kChunkItems>(slot); }) {
      chunk.begins = begins.template of_chunk<kChunkItems>(slot);
    } else {
      for (unsigned i = 0; i < kChunkItems; ++i)
        chunk.begins |= uint32_t(slot + i == 0 || begins(slot + i)) << i;
    }
    return chunk;
  }
  /// Loads a chunk from any address. Values of 8 bytes are loaded faster one by one (H200).
  SIMT_KERNEL Chunk load_across(uint64_t slot) const
      requires(sizeof(Value) <= sizeof(uint32_t) && kHasChunksAcross<Load, kChunkItems> &&
               requires(const Begins& begins) {
                 begins.template of_chunk_across<kChunkItems>(uint64_t());
               }) {
    Chunk chunk;
    load_chunk_across(load_item, slot, chunk.values.items);
    chunk.begins = begins.template of_chunk_across<kChunkItems>(slot);
    return chunk;
  }
  SIMT_KERNEL void prefetch(uint64_t slot, const TileRange& range) const {
    if (!range.holds_item(slot)) return;
    prefetch_item(load_item, slot);
    prefetch_item(begins, slot);
  }

  template <unsigned kChunks>
  SIMT_KERNEL void rank(simt::Warp auto warp, Registers<kChunks>& registers, const ThreadView& view,
                        Total (&totals)[1]) const {
    const unsigned lane = warp.thread_rank();
    const uint32_t lanes_below = simt::lanes_below(lane);
    Value sums[kChunks];  // [row], sum of the lane's items, then of all items up to its last one
    uint32_t row_begins[kChunks];  // lanes of the row in which a segment begins
    for (unsigned c = 0; c < kChunks; ++c) {
      const Chunk& chunk = registers.chunks[c];
      sums[c] = chunk.values.items[0];
      for (unsigned i = 1; i < kChunkItems; ++i)
        sums[c] = chunk.begins >> i & 1 ? chunk.values.items[i]
                                        : Value(apply(sums[c], chunk.values.items[i]));
      row_begins[c] = warp.ballot(chunk.begins != 0);
    }
    scan_segments(warp, sums, row_begins);

    Total warp_total = this->identity();
    unsigned first_row = kChunks;  // the first row in which a segment begins
    uint32_t first_begins = 0;     // the begins of this lane in that row
    for (unsigned c = 0; c < kChunks; ++c) {
      Value(&items)[kChunkItems] = registers.chunks[c].values.items;
      const uint32_t begins = registers.chunks[c].begins, lanes = row_begins[c];
      const Value below = shuffle_item_up(warp, sums[c], 1);

      // The value that this lane's first item continues.
      const bool begun_in_row = (lanes & lanes_below) != 0;
      Value before = warp_total.value;
      if (begun_in_row)
        before = below;
      else if (lane > 0)
        before = apply(before, below);
      uint32_t begun = begun_in_row || first_row < kChunks ? ~0u : 0;
      for (unsigned i = 0; i < kChunkItems; ++i) {
        const bool is_begin = begins >> i & 1;
        const Value after = is_begin ? items[i] : Value(apply(before, items[i]));
        if (kKind == ScanKind::kInclusive)
          items[i] = after;
        else
          items[i] = is_begin ? segment_init : before;
        before = after;
        if (is_begin) begun |= ~0u << i;
      }
      registers.chunks[c].begins = begun;

      const Value last = shuffle_item(warp, sums[c], simt::kWarpSize - 1);
      warp_total.value = lanes != 0 ? last : Value(apply(warp_total.value, last));
      if (first_row == kChunks && lanes != 0) {
        first_row = c;
        first_begins = begins;
      }
    }
    uint32_t first_lanes = 0;
    for (unsigned c = 0; c < kChunks; ++c)
      if (c == first_row) first_lanes = row_begins[c];
    const unsigned first_lane = simt::first_set(first_lanes) % simt::kWarpSize;
    const unsigned item = simt::first_set(warp.shfl(first_begins, first_lane));
    if (first_lanes != 0)
      warp_total.runs =
          (view.first_chunk - lane + first_row * simt::kWarpSize + first_lane) * kChunkItems +
          item + 1;
    totals[0] = warp_total;
  }

  /// Writes the items that no earlier tile affects, and stages the others.
  template <unsigned kChunks, class Segments>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view,
                         Segments segments, std::byte* bytes) const {
    const Total before = segments().own_prefixes(this->identity()).prefixes[0];
    Values* staged = reinterpret_cast<Values*>(bytes);
    for (unsigned c = 0; c < kChunks; ++c) {
      Values values = registers.chunks[c].values;
      const uint32_t begun = registers.chunks[c].begins;
      for (unsigned i = 0; i < kChunkItems; ++i)
        if (before.runs > 0 && !(begun >> i & 1))
          values.items[i] = apply(before.value, values.items[i]);
      // Once a segment has begun, all items that follow are final.
      const unsigned first_final = before.runs > 0 ? 0 : simt::first_set(begun);
      if (first_final > 0) staged[view.chunk(c)] = values;
      store(view, c, values, first_final, kChunkItems);
    }
  }

  template <unsigned kThreads, unsigned kChunks, class Segments>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const Prefix& tile_prefix,
                         const Total& total, Segments segments, std::byte* bytes) const {
    const Values* staged = reinterpret_cast<const Values*>(bytes);
    const unsigned end = total.runs > 0 ? total.runs - 1 : view.range.tile_size;
    const unsigned first_of_warp = view.first_chunk - thread % simt::kWarpSize;
    if (first_of_warp * kChunkItems >= end) return;
    const Prefix prefix = segments().own_prefixes(tile_prefix).prefixes[0];
    for (unsigned c = 0; c < kChunks; ++c) {
      const unsigned slot = view.chunk(c) * kChunkItems;
      if (slot >= end) break;
      Values values = staged[view.chunk(c)];
      const unsigned items = end - slot < kChunkItems ? end - slot : kChunkItems;
      for (unsigned i = 0; i < kChunkItems; ++i)
        if (i < items) values.items[i] = apply(prefix.value, values.items[i]);
      store(view, c, values, 0, items);
    }
  }

 private:
  SIMT_KERNEL Value apply(const Value& a, const Value& b) const { return Value(this->op.op(a, b)); }
  SIMT_KERNEL Value no_value() const { return this->identity().value; }

  /// Inclusive scans over the lanes, one for each row, that restart at the lanes in the masks
  /// `begins`. The shuffles of different rows overlap.
  template <unsigned kRows>
  SIMT_KERNEL void scan_segments(simt::Warp auto warp, Value (&values)[kRows],
                                 const uint32_t (&begins)[kRows]) const {
    const unsigned lane = warp.thread_rank();
    unsigned starts[kRows];
    for (unsigned row = 0; row < kRows; ++row) {
      // Lanes from the last begin to this one.
      const uint32_t begun = begins[row] & (simt::lanes_below(lane) << 1 | 1);
      starts[row] = begun != 0 ? simt::last_set(begun) : 0;
    }
    for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2)
      for (unsigned row = 0; row < kRows; ++row) {
        const Value below = shuffle_item_up(warp, values[row], delta);
        if (lane >= starts[row] + delta) values[row] = apply(below, values[row]);
      }
  }

  SIMT_KERNEL void store(const ThreadView& view, unsigned c, const Values& values, unsigned begin,
                         unsigned end) const {
    const uint64_t slot = view.range.first_slot(view.tile) + view.chunk(c) * kChunkItems;
    Value* to = out + slot;
    const bool whole = end - begin == kChunkItems && view.range.holds_items(slot, kChunkItems);
    if (whole && reinterpret_cast<uintptr_t>(to) % alignof(Values) == 0) {
      simt::store(to, values);
      return;
    }
    for (unsigned i = 0; i < kChunkItems; ++i)
      if (i >= begin && i < end && view.range.holds_item(slot + i)) to[i] = values.items[i];
  }
};

/// Returns the bytes of workspace for up to `capacity` items; grows with it.
template <class Load, class Begins, class Op>
size_t segmented_scan_bytes(uint64_t capacity) {
  return run_tiles_bytes<SegmentedScanJob<Load, Begins, Op, ScanKind::kInclusive>>(capacity);
}

/// Scan that restarts where a segment begins, in a single pass.
///
/// @param values     the value of item i is `values(i)`, called once
/// @param begins     whether a segment begins at item i, called once: BeginsRun (keys) or
///                   BeginsAtFlag
/// @param out        [n]; may be the array of which value i is item i; must not overlap what is
///                   read otherwise
/// @param init       written by an exclusive scan where a segment begins; ignored by an inclusive
///                   scan
/// @param workspace  [>= segmented_scan_bytes<Load, Begins, Op>(capacity)], see run_pipeline()
/// 1 kernel. Otherwise like inclusive_scan() in scan.h.
template <ScanKind kKind, class Launcher, class Load, class Begins, class Op>
void segmented_scan(Launcher& launcher, Load values, Begins begins, Loaded<Load>* out, ItemCount n,
                    Op op, Loaded<Load> init, Span<std::byte> workspace) {
  const CombineSegments<Loaded<Load>, Op> combine{op};
  const SegmentedScanJob<Load, Begins, Op, kKind> job{
      {nullptr, nullptr, combine, combine.identity(), nullptr}, values, begins, out, init};
  run_tiles(launcher, job, n, workspace);
}

}  // namespace compaction
