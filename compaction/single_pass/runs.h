// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/group/block_rank.h"
#include "compaction/op/equality.h"
#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/runs_job.h"
#include "compaction/single_pass/select.h"

// Runs are consecutive items with equal keys.

namespace compaction {

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
/// synchronize. The order of combination depends on the items alone (README.md, "Order of
/// combination"), so sums of floats have the same bits in every call and on every device.
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

/// The type of lengths that are not written.
struct NoLength {};

/// Bytes of keys and slots per thread in a job on run lengths, for many items. With 112 bytes, two
/// blocks of 256 threads share a multiprocessor: from 2^24 items of 4 and 8 bytes on, a job takes
/// 0.87 to 1.02 of its time with 88 bytes. With items of 2 bytes, it takes 1.3 to 2.0 of that time
/// (H200).
template <class Key>
inline constexpr size_t kLengthBytes = sizeof(Key) == 4 || sizeof(Key) == 8 ? 112 : 88;

/// Job of a TilePipeline or TileWave: run-length encoding, or only the first items of runs. The
/// length of a run is the distance to the next run, so only the starts of the runs are ranked.
///
/// @param kBytes  of keys and slots per thread: kLengthBytes for many items. In waves, 48, or so
///                many that each multiprocessor has as many blocks for a power of two of items
template <class Key, class Length, class Equal, size_t kBytes = kLengthBytes<Key>>
struct RunLengthsJob {
  static constexpr size_t kWaveItems = 8;
  static constexpr size_t kWaveBytes =
      sizeof(Key) <= sizeof(uint64_t) ? kWaveItems * (sizeof(Key) + sizeof(uint16_t)) : 48;
  static constexpr bool kIsSmall = sizeof(Key) <= sizeof(uint16_t);
  /// With two blocks of 4,096 items on each multiprocessor, 2^20 items are one wave. With items of
  /// 12 and 16 bytes, it takes 0.55 to 0.96 of the time of many tiles (H200).
  static constexpr size_t kManyBytes = kIsSmall ? 2 * kWaveBytes
                                       : sizeof(Key) > sizeof(uint64_t) && sizeof(Key) <= 16
                                           ? 8 * (sizeof(Key) + sizeof(uint16_t))
                                           : kWaveBytes;
  using Few = RunLengthsJob<Key, Length, Equal, kWaveBytes>;
  using Wave = RunLengthsJob<Key, Length, Equal, kManyBytes>;

  /// Runs that begin in consecutive items, and the items since the last begin.
  struct alignas(8) Total {
    uint32_t items, runs;
  };
  struct Prefix {
    uint64_t items, runs;

    Prefix() = default;
    SIMT_HOST_DEVICE Prefix(uint64_t items, uint64_t runs) : items(items), runs(runs) {}
    SIMT_HOST_DEVICE explicit Prefix(const Total& total) : Prefix(total.items, total.runs) {}
    /// Converts the prefix of so few items that 32 bits suffice.
    SIMT_HOST_DEVICE operator Total() const { return {uint32_t(items), uint32_t(runs)}; }
  };
  struct BeforeAndTotal {
    Total before, total;
  };
  using Slot = uint16_t;
  static constexpr bool kHasLengths = !std::is_same_v<Length, NoLength>;

  static constexpr unsigned kChunkItems = run_items(sizeof(Key) + sizeof(Slot), kBytes);
  static constexpr bool kAsync = false;
  static constexpr unsigned kChunks = 1, kFewChunks = 1, kWaveChunks = 1;
  static constexpr unsigned kChunkBytes = kChunkItems * sizeof(Key);
  /// Tiles of few items of one or two bytes have 512 threads of 8 items: where all runs have one
  /// item, 2^12 to 2^18 of them take 0.84 to 0.89 of the time of 256 threads of 16 items, in one
  /// run 1.00 to 1.08 (H200).
  static constexpr unsigned kFewThreads = kIsSmall ? 2 * kWaveThreads : kWaveThreads;
  static constexpr unsigned kManyThreads = 2 * kWaveThreads;
  static constexpr unsigned kReads = 5;  // a window holds one tile of each block of an H200
  /// Two blocks per multiprocessor if one has few threads: 2^26 items of 12 bytes take 0.8 of the
  /// time (H200).
  static constexpr unsigned kTileThreads =
      threads_within(kPipelineThreads, kChunkBytes, kMaxTileBytes);
  static constexpr unsigned kTileBlocksPerSm = kTileThreads < kPipelineThreads ? 2 : 1;
  static constexpr unsigned kAhead = kTileThreads < kPipelineThreads ? 1 : 2;
  /// The keys of a tile stay where they were copied to. The slots in which runs begin are staged.
  static constexpr unsigned kStagedBytes = sizeof(Key) + sizeof(Slot);
  static constexpr unsigned kWaveStagedBytes = kStagedBytes;
  static_assert(2 * kPipelineThreads * kChunkItems <= 1 << 16, "slots have 16 bits");

  using Keys = CopiedItems<Items<Key>, kChunkItems>;
  using Chunk = KeyChunk<Key, kChunkItems>;
  static constexpr unsigned kCopies = Keys::kCopies + 1;
  static constexpr unsigned copied_bytes(unsigned tile_size, unsigned warps) {
    return tile_size * kStagedBytes + warps * Keys::kBeforeBytes;
  }

  const Key* keys;  ///< [n]
  Equal equal;
  Key* run_keys;        ///< [run] or null
  Length* run_lengths;  ///< [run]
  SelectedCount result;

  /// Returns this job with another number of bytes per thread.
  template <size_t kOther>
  operator RunLengthsJob<Key, Length, Equal, kOther>() const {
    return {keys, equal, run_keys, run_lengths, result};
  }

  template <unsigned kChunks>
  struct Registers {
    static_assert(kChunks == 1);
    Chunk chunk;
    uint32_t begins;       ///< bit i: a run begins at item i
    uint32_t runs_before;  ///< runs that begin in the lanes below
  };

  SIMT_KERNEL uint32_t head() const { return Keys{Items<Key>{keys}}.head(); }
  /// Starts to copy the items of the warp in a tile.
  SIMT_KERNEL void copy(auto& copies, std::byte* bytes, const ThreadView& view) const {
    const Items<Key> all{keys};
    Keys{all}.copy(copies, bytes, view);
    Keys{all}.copy_before(copies, before(bytes, view), view);
  }
  template <unsigned kChunks>
  SIMT_KERNEL void take(Registers<kChunks>& registers, std::byte* bytes,
                        const ThreadView& view) const {
    const Items<Key> all{keys};
    Keys{all}.take(bytes, view, registers.chunk.keys);
    if (view.first_chunk % simt::kWarpSize == 0)
      registers.chunk.before = Keys{all}.before(before(bytes, view), view);
  }
  SIMT_KERNEL void prefetch(uint64_t slot, const TileRange& range) const {
    if (range.holds_item(slot)) simt::prefetch(keys + slot - range.head);
  }

  SIMT_KERNEL static bool in_place() { return false; }
  SIMT_KERNEL static Total identity() { return {0, 0}; }
  SIMT_KERNEL static Prefix initial_prefix() { return {0, 0}; }
  SIMT_KERNEL static Prefix extend(const Prefix& prefix, const Total& total) {
    return {(total.runs > 0 ? 0 : prefix.items) + total.items, prefix.runs + total.runs};
  }

  /// Only the items since the last begin count, so each lane adds its own of them.
  template <unsigned kReads>
  SIMT_KERNEL static Prefix fold(simt::Warp auto warp, const Prefix& prefix,
                                 const Total (&totals)[kReads], uint32_t count) {
    uint32_t runs = 0, items = 0;
    visit_since_begin(warp, totals, count, [&](const Total& total, bool counts) {
      runs += total.runs;
      if (counts) items += total.items;
    });
    runs = warp_sum(warp, runs);
    return extend(prefix, {warp_sum(warp, items), runs});
  }

  template <unsigned kWarps>
  SIMT_KERNEL static BeforeAndTotal combine_warps(simt::Warp auto warp, unsigned warp_rank,
                                                  const Total* totals) {
    const unsigned lane = warp.thread_rank();
    const Total own = lane < kWarps ? totals[lane] : identity();
    const uint32_t lanes = warp.ballot(own.runs > 0);
    const bool counts = lanes == 0 || lane >= simt::last_set(lanes);
    return {{0, warp_sum(warp, lane < warp_rank ? own.runs : 0)},
            {warp_sum(warp, counts ? own.items : 0), warp_sum(warp, own.runs)}};
  }

  /// Ranks the runs that begin in the warp.
  template <unsigned kChunks>
  SIMT_KERNEL Total rank(simt::Warp auto warp, Registers<kChunks>& registers,
                         const ThreadView& view) const {
    const unsigned first_chunk = view.first_chunk - warp.thread_rank();
    // The items of the warp are in slots [begin, end) of the tile.
    unsigned begin = first_chunk * kChunkItems, end = begin + simt::kWarpSize * kChunkItems;
    if (!view.range.is_full(view.tile)) {
      const uint64_t left = view.range.end - view.range.first_slot(view.tile);
      if (end > left) end = unsigned(left);
      if (view.tile == 0 && begin < view.range.head) begin = view.range.head;
    }
    const uint32_t begins = registers.chunk.begins(warp, view, equal);
    const uint32_t lanes = warp.ballot(begins != 0);
    registers.begins = begins;
    uint32_t runs = 0;
    if (lanes != 0) {
      const Rank rank = warp_rank_of_counts<kChunkItems>(warp, simt::popcount(begins));
      registers.runs_before = rank.rank;
      runs = rank.total;
      const unsigned last = simt::last_set(lanes);
      begin = (first_chunk + last) * kChunkItems + simt::last_set(warp.shfl(begins, last));
    }
    return {end > begin ? end - begin : 0, runs};
  }

  /// Stages the slot of each run that begins in the tile.
  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view,
                         const Total& before, const Total&, std::byte* bytes) const {
    const uint32_t begins = registers.begins;
    if (begins == 0) return;
    Slot* const slots = staged_slots(bytes, view);
    unsigned place = before.runs + registers.runs_before;
    for (unsigned i = 0; i < kChunkItems; ++i)
      if (begins >> i & 1) slots[staged_place(place++)] = Slot(view.first_chunk * kChunkItems + i);
  }

  /// Writes the keys of the runs that begin in a tile, and the lengths of the runs before them.
  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const Prefix& prefix,
                         const Total& total, std::byte* bytes) const {
    const PlacesOfRuns places(prefix.runs, total.runs, result.capacity);
    const Slot* const slots = staged_slots(bytes, view);
    const Items<Key> all{keys};
    Key* const to_key = run_keys + prefix.runs;
    Length* const to_length = run_lengths + (prefix.runs - 1);
#if defined(__CUDACC__)
#pragma unroll 1  // waiting takes less time than fetching more instructions
#endif
    for (unsigned place = thread; place < places.values; place += kThreads) {
      const unsigned slot = slots[staged_place(place)];
      if (run_keys && place < places.keys) to_key[place] = Keys{all}.item(bytes, view, slot);
      // The first run of the tile ends a run of earlier tiles; the very first run ends none.
      if constexpr (kHasLengths) {
        if (place > 0)
          to_length[place] = Length(slot - slots[staged_place(place - 1)]);
        else if (prefix.runs > 0)
          to_length[0] = Length(prefix.items + slot);
      }
    }
  }

  SIMT_KERNEL void finish(const Prefix& prefix, const Total& total) const {
    const Prefix all = extend(prefix, total);
    if constexpr (kHasLengths)
      if (all.runs > 0 && all.runs - 1 < result.capacity)
        run_lengths[all.runs - 1] = Length(all.items);
    if (result.count) result.count.store(all.runs);
    if (result.overflowed) *result.overflowed = all.runs > result.capacity;
  }
  SIMT_KERNEL void finish_empty() const {
    finish(initial_prefix(), identity());
  }

 private:
  SIMT_KERNEL static Slot* staged_slots(std::byte* bytes, const ThreadView& view) {
    return reinterpret_cast<Slot*>(bytes + view.range.tile_size * sizeof(Key));
  }
  /// Where copy() puts the key before the first of a warp.
  SIMT_KERNEL static std::byte* before(std::byte* bytes, const ThreadView& view) {
    return bytes + view.range.tile_size * kStagedBytes +
           view.first_chunk / simt::kWarpSize * Keys::kBeforeBytes;
  }
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
  const RunLengthsJob<T, Length, Equal> job{in, equal, run_items, run_lengths, result};
  run_tiles(launcher, job, n, workspace);
}

/// Whether unique() is a select of the first items of runs: one vector access moves several items.
template <class T>
inline constexpr bool kSelectsFirsts = simt::kHasVectors<T> && sizeof(T) < simt::kVectorBytes;

/// Returns the job of unique().
template <class T, class Equal>
auto unique_job(const T* in, const Equal& equal, T* out, const SelectedCount& result) {
  if constexpr (kSelectsFirsts<T>)
    return select_job(FirstsOfRuns<T, Equal>(in, equal), WriteItems<T>{out}, result);
  else
    return RunLengthsJob<T, NoLength, Equal>{in, equal, out, nullptr, result};
}

/// Returns the bytes of workspace of unique() for up to `capacity` items; grows with it.
template <class T, class Equal = Equals>
size_t unique_bytes(uint64_t capacity) {
  using Job = decltype(unique_job(std::declval<const T*>(), std::declval<Equal>(),
                                  std::declval<T*>(), SelectedCount()));
  return run_tiles_bytes<Job>(capacity);
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
  run_tiles(launcher, unique_job(in, equal, out, result), n, workspace);
}

}  // namespace compaction
