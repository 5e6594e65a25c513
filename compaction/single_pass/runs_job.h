// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// Total of consecutive items in runs. Aligned so that one vector moves two totals of 8 bytes.
template <class Value>
struct alignas(sizeof(Value) == 4   ? 8
               : alignof(Value) > 4 ? alignof(Value)
                                    : 4) RunsTotal {
  Value value;    ///< combined items of the last run in these items
  uint32_t runs;  ///< number of runs that begin in these items
};

/// Total of all items before some item.
template <class Value>
struct RunsPrefix {
  Value value;
  uint64_t runs;

  RunsPrefix() = default;
  SIMT_HOST_DEVICE explicit RunsPrefix(const RunsTotal<Value>& total)
      : value(total.value), runs(total.runs) {}
  /// Converts the prefix of so few items that 32 bits suffice.
  SIMT_HOST_DEVICE operator RunsTotal<Value>() const { return {value, uint32_t(runs)}; }
};

/// Operator of a segmented scan: combines values, and restarts where a run begins. It is
/// associative if `Op` is. Schwartz, "Ultracomputers", 1980; Blelloch, "Prefix Sums and Their
/// Applications", 1990 (segmented scan).
template <class Value, class Op>
struct CombineRuns {
  using Total = RunsTotal<Value>;

  Op op;

  SIMT_HOST_DEVICE Total identity() const { return {Value(op.identity()), 0}; }
  SIMT_HOST_DEVICE Total operator()(const Total& a, const Total& b) const {
    return {b.runs > 0 ? b.value : Value(op(a.value, b.value)), a.runs + b.runs};
  }
};

/// Job of a TilePipeline or TileWave: reduces each run; writes a result where the next run begins.
template <class Key, class Load, class Op, class Equal>
struct ReduceRunsJob {
  using Value = Loaded<Load>;
  using Combine = CombineRuns<Value, Op>;
  using Total = RunsTotal<Value>;
  using Prefix = RunsPrefix<Value>;

  /// Consecutive items of a thread: one vector of the larger of key and value.
  static constexpr unsigned kChunkItems =
      std::min({4u, simt::kVectorItems<Key>, simt::kVectorItems<Value>});
  static constexpr bool kAsync = false;
  static constexpr unsigned kStagedBytes = sizeof(Key) + sizeof(Value);
  /// 64 staged bytes per thread, at least one chunk.
  static constexpr unsigned kChunks = std::max(1u, 64 / (kChunkItems * kStagedBytes));
  static constexpr unsigned kWaveStagedBytes = kStagedBytes;
  static constexpr unsigned kFewThreads = kWaveThreads;
  static constexpr unsigned kFewChunks = kChunks;
  static constexpr unsigned kWaveChunks = sizeof(Total) <= 8 ? 2 * kChunks : kChunks;
  static constexpr unsigned kReads = sizeof(Total) <= 8 ? 5 : sizeof(Total) <= 16 ? 3 : 1;
  static_assert(alignof(Key) <= simt::kVectorBytes && alignof(Value) <= simt::kVectorBytes);

  struct Chunk {
    Key keys[kChunkItems];
    Value values[kChunkItems];  ///< later: value of the run before a run that begins here
    Key before;                 ///< the key before the first key of the chunk
  };

  const Key* keys;  ///< [n]
  Load values;
  Op op;
  Equal equal;
  Key* run_keys;      ///< [run] or null
  Value* run_values;  ///< [run]
  SelectedCount result;

  template <unsigned kChunks>
  struct Registers {
    Chunk chunks[kChunks];
    uint32_t begins[kChunks];       ///< bit i: a run begins at item i
    uint32_t runs_before[kChunks];  ///< runs before the chunk in the warp
  };
  struct BeforeAndTotal {
    Total before, total;
  };

  SIMT_KERNEL uint32_t head() const {
    return uint32_t(reinterpret_cast<uintptr_t>(keys) / sizeof(Key) % kChunkItems);
  }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk{};
    const uint64_t item = slot - range.head;  // wraps before the first item
    if (slot > range.head && slot < range.end) chunk.before = keys[item - 1];
    if (slot >= range.head && slot + kChunkItems <= range.end) {
      for (unsigned i = 0; i < kChunkItems; ++i) chunk.keys[i] = keys[item + i];
      for (unsigned i = 0; i < kChunkItems; ++i) chunk.values[i] = values(item + i);
    } else {
      for (unsigned i = 0; i < kChunkItems; ++i) {
        const bool exists = range.holds_item(slot + i);
        if (exists) chunk.keys[i] = keys[item + i];
        chunk.values[i] = exists ? values(item + i) : Value(op.identity());
      }
    }
    return chunk;
  }

  SIMT_KERNEL void prefetch(uint64_t slot, const TileRange& range) const {
    if (!range.holds_item(slot)) return;
    simt::prefetch(keys + slot - range.head);
    prefetch_item(values, slot - range.head);
  }

  SIMT_KERNEL static bool in_place() { return false; }
  SIMT_KERNEL Combine combine() const { return {op}; }
  SIMT_KERNEL Total identity() const { return combine().identity(); }
  SIMT_KERNEL Prefix initial_prefix() const { return Prefix(identity()); }
  SIMT_KERNEL Prefix extend(Prefix prefix, const Total& total) const {
    prefix.value = total.runs > 0 ? total.value : Value(op(prefix.value, total.value));
    prefix.runs += total.runs;
    return prefix;
  }

  template <unsigned kReads>
  SIMT_KERNEL Prefix fold(simt::Warp auto warp, Prefix prefix, Total (&totals)[kReads]) const {
    for (Total& total : totals)
      prefix = extend(prefix, shuffle_item(warp, warp_reduce(warp, total, combine()), 0));
    return prefix;
  }

  template <unsigned kWarps>
  SIMT_KERNEL BeforeAndTotal combine_warps(simt::Warp auto warp, unsigned warp_rank,
                                           const Total* totals) const {
    const unsigned lane = warp.thread_rank();
    const Total inclusive =
        warp_inclusive_scan(warp, lane < kWarps ? totals[lane] : identity(), combine());
    const Total before = shuffle_item(warp, inclusive, warp_rank > 0 ? warp_rank - 1 : 0);
    return {warp_rank > 0 ? before : identity(),
            shuffle_item(warp, inclusive, simt::kWarpSize - 1)};
  }

  /// Finds where runs begin, and scans the values of the warp. Returns the warp's total.
  template <unsigned kChunks>
  SIMT_KERNEL Total rank(simt::Warp auto warp, Registers<kChunks>& registers,
                         const ThreadView& view) const {
    const Combine combine = this->combine();
    Total warp_total = combine.identity();
    for (unsigned c = 0; c < kChunks; ++c) {
      Chunk& chunk = registers.chunks[c];
      const uint32_t begins = begins_of(chunk, view, c);
      Total sum = combine.identity();
      for (unsigned i = 0; i < kChunkItems; ++i) sum = combine(sum, item_of(chunk, begins, i));
      const Total inclusive = warp_inclusive_scan(warp, sum, combine);
      const Total below = shuffle_item_up(warp, inclusive, 1);
      Total before = warp.thread_rank() > 0 ? combine(warp_total, below) : warp_total;
      warp_total = combine(warp_total, shuffle_item(warp, inclusive, simt::kWarpSize - 1));
      registers.begins[c] = begins;
      registers.runs_before[c] = before.runs;
      for (unsigned i = 0; i < kChunkItems; ++i) {
        const Total item = item_of(chunk, begins, i);
        chunk.values[i] = before.value;
        before = combine(before, item);
      }
    }
    return warp_total;
  }

  /// Stages, for each run that begins in the tile, its key and the value of the run before it.
  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view,
                         const Total& before, const Total&, std::byte* bytes) const {
    const auto [staged_values, staged_keys] = staged(bytes, view.range);
    for (unsigned c = 0; c < kChunks; ++c) {
      const Chunk& chunk = registers.chunks[c];
      uint32_t runs = registers.runs_before[c];
      for (unsigned i = 0; i < kChunkItems; ++i) {
        if (!(registers.begins[c] >> i & 1)) continue;
        const unsigned place = before.runs + runs;
        staged_keys[place] = chunk.keys[i];
        staged_values[place] =
            runs > 0 ? chunk.values[i] : Value(op(before.value, chunk.values[i]));
        ++runs;
      }
    }
  }

  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const Prefix& prefix,
                         const Total& total, std::byte* bytes) const {
    const auto [staged_values, staged_keys] = staged(bytes, view.range);
    for (unsigned place = thread; place < total.runs; place += kThreads) {
      const uint64_t run = prefix.runs + place;
      if (run_keys && run < result.capacity) run_keys[run] = staged_keys[place];
      // The first run of the tile ends a run that began in earlier tiles.
      if (run > 0)
        write_value(run - 1, place > 0 ? staged_values[place]
                                       : Value(op(prefix.value, staged_values[place])));
    }
  }

  SIMT_KERNEL void finish(const Prefix& prefix, const Total& total) const {
    const Prefix all = extend(prefix, total);
    if (all.runs > 0) write_value(all.runs - 1, all.value);
    if (result.count) result.count.store(all.runs);
    if (result.overflowed) *result.overflowed = all.runs > result.capacity;
  }
  SIMT_KERNEL void finish_empty() const { finish(initial_prefix(), identity()); }

 protected:
  SIMT_KERNEL void write_value(uint64_t run, const Value& value) const {
    if (run < result.capacity) run_values[run] = value;
  }

 private:
  struct Staged {
    Value* values;
    Key* keys;
  };
  SIMT_KERNEL static Staged staged(std::byte* bytes, const TileRange& range) {
    const Staging values{bytes, range.tile_size};
    return {values.array<Value>(), values.after(sizeof(Value)).template array<Key>()};
  }

  SIMT_KERNEL static Total item_of(const Chunk& chunk, uint32_t begins, unsigned i) {
    return {chunk.values[i], begins >> i & 1};
  }

  /// Returns bit i set if a run begins at item i of chunk c.
  SIMT_KERNEL uint32_t begins_of(const Chunk& chunk, const ThreadView& view, unsigned c) const {
    const uint64_t slot = view.range.first_slot(view.tile) + view.chunk(c) * kChunkItems;
    uint32_t begins = 0;
    for (unsigned i = 0; i < kChunkItems; ++i)
      if (view.range.holds_item(slot + i) &&
          (slot + i == view.range.head ||
           !equal(i > 0 ? chunk.keys[i - 1] : chunk.before, chunk.keys[i])))
        begins |= 1u << i;
    return begins;
  }
};

}  // namespace compaction
