// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/group/block_rank.h"
#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/runs_job.h"
#include "compaction/single_pass/select.h"

// Runs are consecutive items with equal keys.

namespace compaction {

/// The default equality of items of a run.
struct Equals {
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};

/// Returns the bytes of workspace of unique() for up to `capacity` items; grows with it.
template <class T, class Equal = Equals>
size_t unique_bytes(uint64_t capacity) {
  return select_bytes<FirstsOfRuns<T, Equal>, WriteItems<T>>(capacity);
}

/// Writes the first item of each run of equal items, in order.
///
/// @param in         [n], n <= 2^40
/// @param out        [>= runs, or result.capacity]; must not overlap `in`
/// @param result     receives the number of runs
/// @param equal      called exactly once for each pair of neighbours
/// @param workspace  [>= unique_bytes<T, Equal>(capacity)], see run_pipeline()
/// Reads each item once. 1 kernel. Does not synchronize.
template <class Launcher, class T, class Equal = Equals>
void unique(Launcher& launcher, const T* in, T* out, ItemCount n, const SelectedCount& result,
            Span<std::byte> workspace, Equal equal = {}) {
  select(launcher, FirstsOfRuns<T, Equal>{in, equal}, WriteItems<T>{out}, n, result, workspace);
}

/// Returns the bytes of workspace of reduce_by_key() for up to `capacity` items; grows with it.
template <class Key, class Load, class Op, class Equal = Equals>
size_t reduce_by_key_bytes(uint64_t capacity) {
  return run_tiles_bytes<ReduceRunsJob<Key, Load, Op, Equal>>(capacity);
}

/// Combines the values of each run of equal keys, in order, in a single pass.
///
/// @param keys        [n], n <= 2^40
/// @param values      the value of item i is `values(i)` (single_pass/loads.h), called once
/// @param run_keys    [>= runs, or result.capacity] or null, receives the first key of each run
/// @param run_values  [>= runs, or result.capacity], receives the combination of its values
/// @param result      receives the number of runs
/// @param op          associative; called with values, the identity and results of itself
/// @param equal       called exactly once for each pair of neighbours
/// @param workspace   [>= reduce_by_key_bytes<...>(capacity)], see run_pipeline()
/// The outputs must not overlap anything else. Reads keys and values once. 1 kernel. Does not
/// synchronize. Tiles are combined in groups that depend on timing, so with an operator that is
/// associative only approximately the last bits of the results may differ from call to call.
template <class Launcher, class Key, class Load, class Op, class Equal = Equals>
void reduce_by_key(Launcher& launcher, const Key* keys, Load values, Key* run_keys,
                   Loaded<Load>* run_values, ItemCount n, const SelectedCount& result, Op op,
                   Span<std::byte> workspace, Equal equal = {}) {
  run_tiles(
      launcher,
      ReduceRunsJob<Key, Load, Op, Equal>{keys, values, op, equal, run_keys, run_values, result}, n,
      workspace);
}

/// The equality of flags that mark the first item of each segment: a set flag begins a run.
struct ContinuesSegment {
  SIMT_HOST_DEVICE bool operator()(uint8_t, uint8_t flag) const { return flag == 0; }
};

/// Returns the bytes of workspace of segmented_reduce() for up to `capacity` items; grows with it.
template <class Load, class Op>
size_t segmented_reduce_bytes(uint64_t capacity) {
  return reduce_by_key_bytes<uint8_t, Load, Op, ContinuesSegment>(capacity);
}

/// Combines the values of each segment, in order. Segments are not empty.
///
/// @param begins  [n], not 0 for the first item of each segment; begins[0] is not read
/// @param out     [>= segments, or result.capacity]
/// @param result  receives the number of segments
/// Otherwise like reduce_by_key().
template <class Launcher, class Load, class Op>
void segmented_reduce(Launcher& launcher, const uint8_t* begins, Load values, Loaded<Load>* out,
                      ItemCount n, const SelectedCount& result, Op op, Span<std::byte> workspace) {
  reduce_by_key(launcher, begins, values, static_cast<uint8_t*>(nullptr), out, n, result, op,
                workspace, ContinuesSegment());
}

/// Job of a TilePipeline or TileWave: run-length encoding. The length of a run is the distance to
/// the next run, so only the starts of the runs are ranked.
template <class Key, class Length, class Equal>
struct RunLengthsJob : ReduceRunsJob<Key, Constant<Length>, Sum<Length>, Equal> {
  using Base = ReduceRunsJob<Key, Constant<Length>, Sum<Length>, Equal>;
  using Source = FirstsOfRuns<Key, Equal>;
  using Chunk = typename Source::Chunk;
  using Total = typename Base::Total;
  using Prefix = typename Base::Prefix;
  using Slot = uint16_t;

  static constexpr unsigned kChunkItems = Source::kChunkItems;
  /// Keys and slots of all runs are staged if they take less than two words; otherwise those of as
  /// many runs as fit in the memory of the keys.
  static constexpr unsigned kStagedBytes =
      sizeof(Key) < sizeof(uint32_t) ? sizeof(Key) + sizeof(Slot) : sizeof(Key);
  /// 64 staged bytes per thread, at least one chunk. Larger tiles have fewer barriers per item:
  /// 2^24 items of 4 bytes in runs of 32 take 44 us with 4 chunks, 62 us with 2 (H200, by slots
  /// alone).
  static constexpr unsigned kChunks = std::max(1u, unsigned(64 / (kChunkItems * kStagedBytes)));
  static constexpr unsigned kWaveStagedBytes = kStagedBytes;
  /// Each tile of a wave waits for all earlier tiles, so the tiles are not made smaller: 2^20 items
  /// of 4 bytes in runs of 32 take 6.9 us with 4 chunks, 10.3 us with 2 (H200).
  static constexpr unsigned kFewChunks = std::min(4u, kChunks);
  static constexpr unsigned kWaveChunks = kFewChunks;
  static_assert(2 * kPipelineThreads * kChunks * kChunkItems <= 1 << 16, "slots have 16 bits");

  template <unsigned kChunks>
  struct Registers {
    Chunk chunks[kChunks];
    WarpFlags<kChunks, kChunkItems> begins;
  };

  SIMT_KERNEL Source source() const { return {this->keys, this->equal}; }
  SIMT_KERNEL uint32_t head() const { return source().head(); }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    return source().load(slot, range);
  }
  SIMT_KERNEL Chunk load_whole(uint64_t slot, const TileRange& range) const {
    return source().load_whole(slot, range);
  }
  SIMT_KERNEL void prefetch(uint64_t slot, const TileRange& range) const {
    source().prefetch(slot, range);
  }

  /// Returns the number of runs that begin in the warp, and the number of items of the last run.
  template <unsigned kChunks>
  SIMT_KERNEL Total rank(simt::Warp auto warp, Registers<kChunks>& registers,
                         const ThreadView& view) const {
    const bool full = view.range.is_full(view.tile);
    const uint64_t first = view.range.first_slot(view.tile);
    // The items of the warp are in slots [begin, end) of the tile.
    const unsigned warp_begin = (view.first_chunk - warp.thread_rank()) * kChunkItems;
    unsigned begin = warp_begin, end = warp_begin + kChunks * simt::kWarpSize * kChunkItems;
    if (!full) {
      const uint64_t left = view.range.end - first;
      if (end > left) end = unsigned(left);
      if (view.tile == 0 && begin < view.range.head) begin = view.range.head;
    }
    for (unsigned c = 0; c < kChunks; ++c)
      for (unsigned i = 0; i < kChunkItems; ++i) {
        const unsigned slot = view.chunk(c) * kChunkItems + i;
        const bool is_begin =
            (full || (slot >= begin && slot < end)) && source().selected(registers.chunks[c], i);
        registers.begins.set(c, i, is_begin);
        if (is_begin) begin = slot;
      }
    const uint32_t runs = registers.begins.rank(warp);
    begin = shuffle_item(warp, warp_reduce(warp, begin, Max<uint32_t>()), 0);
    return {Length(end > begin ? end - begin : 0), runs};
  }

  /// Stages the slot of each run that begins in the tile, and its key if all keys fit.
  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view,
                         const Total& before, const Total& total, std::byte* bytes) const {
    const Staged staged(bytes, view.range, total.runs);
    for (unsigned c = 0; c < kChunks; ++c) {
      unsigned place = before.runs + registers.begins.rank_of_chunk(c);
      for (unsigned i = 0; i < kChunkItems; ++i) {
        if (!registers.begins.get(c, i)) continue;
        if (staged.keys) staged.keys[place] = registers.chunks[c].items[i];
        staged.slots[place++] = Slot(view.chunk(c) * kChunkItems + i);
      }
    }
  }

  /// Writes the keys of the staged runs of a tile, and the lengths of the runs before them.
  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const Prefix& prefix,
                         const Total& total, std::byte* bytes) const {
    // Keys that are read from memory: as many in flight as registers allow.
    constexpr unsigned kBatch = sizeof(Key) <= sizeof(uint64_t) ? 4 : 1;
    const Staged staged(bytes, view.range, total.runs);
    // Wraps around if slot 0 is before the first item, and back when a slot is added.
    const uint64_t first = view.range.first_slot(view.tile) - view.range.head;
    for (unsigned begin = thread; begin < total.runs; begin += kBatch * kThreads) {
      Key fetched[kBatch];
      if (this->run_keys)
        for (unsigned b = 0; b < kBatch; ++b)
          if (const unsigned place = begin + b * kThreads; place < total.runs)
            fetched[b] = staged.keys ? staged.keys[place] : this->keys[first + staged.slots[place]];
      for (unsigned b = 0; b < kBatch; ++b) {
        const unsigned place = begin + b * kThreads;
        if (place >= total.runs) break;
        const uint64_t run = prefix.runs + place;
        if (this->run_keys && run < this->result.capacity) this->run_keys[run] = fetched[b];
        // The first run of the tile ends a run of earlier tiles; the very first run ends none.
        if (run > 0)
          this->write_value(run - 1, place > 0
                                         ? Length(staged.slots[place] - staged.slots[place - 1])
                                         : Length(prefix.value + staged.slots[place]));
      }
    }
  }

 private:
  /// The keys of the runs that begin in a tile, then their slots; only slots if both do not fit.
  struct Staged {
    Key* keys = nullptr;
    Slot* slots;

    SIMT_KERNEL Staged(std::byte* bytes, const TileRange& range, uint32_t runs) {
      const unsigned key_bytes =
          simt::ceil_div(runs * unsigned(sizeof(Key)), sizeof(Slot)) * unsigned(sizeof(Slot));
      const bool fit = key_bytes + runs * sizeof(Slot) <= range.tile_size * kStagedBytes;
      if (fit) keys = reinterpret_cast<Key*>(bytes);
      slots = reinterpret_cast<Slot*>(bytes + (fit ? key_bytes : 0));
    }
  };
};

/// Returns the bytes of workspace of run_length_encode() for up to `capacity` items; grows with it.
template <class T, class Length, class Equal = Equals>
size_t run_length_encode_bytes(uint64_t capacity) {
  return run_tiles_bytes<RunLengthsJob<T, Length, Equal>>(capacity);
}

/// Writes the first item and the length of each run of equal items. Otherwise like reduce_by_key().
template <class Launcher, class T, class Length, class Equal = Equals>
void run_length_encode(Launcher& launcher, const T* in, T* run_items, Length* run_lengths,
                       ItemCount n, const SelectedCount& result, Span<std::byte> workspace,
                       Equal equal = {}) {
  const RunLengthsJob<T, Length, Equal> job{
      {in, {1}, Sum<Length>(), equal, run_items, run_lengths, result}};
  run_tiles(launcher, job, n, workspace);
}

}  // namespace compaction
