// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/group/block_rank.h"
#include "compaction/group/warp.h"
#include "compaction/op/equality.h"
#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/single_pass/copied_items.h"
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

  /// Returns the total of which `shuffle` returns the words.
  template <class Shuffle>
  SIMT_KERNEL RunsTotal shuffled(const Shuffle& shuffle) const {
    return {shuffle_words(value, shuffle), shuffle(runs)};
  }
};

/// Total of all items before some item.
template <class Value>
struct RunsPrefix {
  Value value;
  uint64_t runs;

  RunsPrefix() = default;
  SIMT_HOST_DEVICE RunsPrefix(const Value& value, uint64_t runs) : value(value), runs(runs) {}
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

/// The keys of a thread, of which copy_before() of CopiedItems has copied the one before.
template <class Key, unsigned kItems>
struct KeyChunk {
  Key keys[kItems];
  Key before;  ///< the key before the first one; set in lane 0 only

  /// Returns bit i set if a run begins at item i. All lanes call it together. `equal` is called
  /// for pairs of neighbours only.
  template <class Equal>
  SIMT_KERNEL uint32_t begins(simt::Warp auto warp, const ThreadView& view,
                              const Equal& equal) const {
    const TileRange& range = view.range;
    const uint64_t slot = range.first_slot(view.tile) + view.first_chunk * kItems;
    const Key below = shuffle_item_up(warp, keys[kItems - 1], 1);
    const Key last = warp.thread_rank() > 0 ? below : before;
    uint32_t begins = 0;
    if (range.is_full(view.tile)) {
      if constexpr (kComparesWords<Key, Equal>) {
        begins = differing_items(keys, last, equal) | uint32_t(slot == 0);
      } else {
        begins = slot == 0 || !equal(last, keys[0]);
        for (unsigned i = 1; i < kItems; ++i) begins |= uint32_t(!equal(keys[i - 1], keys[i])) << i;
      }
    } else {
      for (unsigned i = 0; i < kItems; ++i)
        if (range.holds_item(slot + i) &&
            (slot + i == range.head || !equal(i > 0 ? keys[i - 1] : last, keys[i])))
          begins |= 1u << i;
    }
    return begins;
  }
};

/// Returns the number of consecutive items of a thread if each takes `item_bytes` of at most
/// `bytes`: at most 32, and an even number if it is larger than 4.
constexpr unsigned run_items(size_t item_bytes, size_t bytes) {
  const unsigned items = unsigned(std::min(bytes / item_bytes, size_t(32)));
  return items > 4 ? items / 2 * 2 : std::max(1u, items);
}

/// Returns where place `place` of the staged runs of a tile is: the places of 32 are permuted, so
/// that threads which stage some runs each use all banks.
SIMT_KERNEL inline unsigned staged_place(unsigned place) {
  return place ^ (place / simt::kWarpSize % simt::kWarpSize);
}

/// Returns the sum of the values of the lanes below, and that of all lanes. The values are at most
/// kMax. Takes one ballot for each bit; the ballots do not wait for one another.
template <unsigned kMax>
SIMT_KERNEL Rank warp_rank_of_counts(simt::Warp auto warp, uint32_t value) {
  const uint32_t below = simt::lanes_below(warp.thread_rank());
  Rank rank{0, 0};
  for (unsigned bit = 0; 1u << bit <= kMax; ++bit) {
    const uint32_t lanes = warp.ballot(value >> bit & 1);
    rank.rank += simt::popcount(lanes & below) << bit;
    rank.total += simt::popcount(lanes) << bit;
  }
  return rank;
}

/// Which of the runs that begin in a tile have their keys written, and which have the value of the
/// run before them written: the value of a run is known where the next run begins.
struct PlacesOfRuns {
  unsigned keys, values;

  SIMT_KERNEL PlacesOfRuns(uint64_t runs_before, uint32_t runs, uint64_t capacity) {
    const uint64_t room = runs_before < capacity ? capacity - runs_before : 0;
    keys = room < runs ? unsigned(room) : runs;
    values = runs_before > capacity ? 0 : room < runs ? unsigned(room) + 1 : runs;
  }
};

// g++ 12 does not see that each put() has the same condition as its fetch().
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
/// Calls `put(i, fetch(i))` for each `kThreads`-th i in [thread, count), in batches whose fetches
/// are in flight together.
template <unsigned kThreads, unsigned kBatch, class Fetch, class Put>
SIMT_KERNEL void copy_in_batches(unsigned thread, unsigned count, Fetch fetch, Put put) {
#if defined(__CUDACC__)
#pragma unroll 1
#endif
  for (unsigned first = thread; first < count; first += kBatch * kThreads) {
    decltype(fetch(first)) fetched[kBatch];
    for (unsigned b = 0; b < kBatch; ++b)
      if (const unsigned i = first + b * kThreads; i < count) fetched[b] = fetch(i);
    for (unsigned b = 0; b < kBatch; ++b)
      if (const unsigned i = first + b * kThreads; i < count) put(i, fetched[b]);
  }
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// Bytes of keys and values per thread in a reduction of runs, for many items and in waves of few
/// and of more tiles. Large tiles have fewer barriers and totals per item, small ones occupy more
/// multiprocessors. In a fixed order, all are the same: 2^26 pairs of 4 and 4 bytes take 0.9 of the
/// time of 64 bytes, pairs of 8 and 8 bytes 0.7 (H200). In any order, keys that no vector moves
/// (20 bytes) and keys of one byte have fewer items per thread, because threads read them from the
/// same banks.
template <class Op, class Value>
inline constexpr bool kLargeRuns = kAnyOrder<Op, Value> || sizeof(RunsTotal<Value>) > 8;
template <class Key, class Op, class Value>
inline constexpr size_t kRunBytes =
    kAnyOrder<Op, Value> && !simt::kHasVectors<Key>                             ? 144
    : kAnyOrder<Op, Value> && sizeof(Key) == 1 && sizeof(RunsTotal<Value>) <= 8 ? 120
    : kLargeRuns<Op, Value>                                                     ? 224
                                                                                : 96;
template <class Key, class Op, class Value>
inline constexpr size_t kWaveRunBytes = !kAnyOrder<Op, Value>    ? kRunBytes<Key, Op, Value>
                                        : simt::kHasVectors<Key> ? 256
                                                                 : 128;
template <class Key, class Op, class Value>
inline constexpr size_t kFewRunBytes = !kAnyOrder<Op, Value>           ? kRunBytes<Key, Op, Value>
                                       : sizeof(RunsTotal<Value>) <= 8 ? 64
                                                                       : 128;

/// Calls `visit(total, counts)` for the totals of `count` tiles, by row, then lane, from the last
/// row on. `counts` says whether no run begins in later tiles. Returns whether one begins in the
/// last tile.
template <class Total, unsigned kReads, class Visit>
SIMT_KERNEL bool visit_since_begin(simt::Warp auto warp, const Total (&totals)[kReads],
                                   uint32_t count, Visit visit) {
  bool begun = false, last_begins = false;
  for (unsigned row = kReads; row-- > 0;) {
    const uint32_t first = row * simt::kWarpSize;
    if (first >= count) continue;
    const uint32_t lanes = begun ? 0 : warp.ballot(totals[row].runs > 0);
    visit(totals[row], !begun && (lanes == 0 || warp.thread_rank() >= simt::last_set(lanes)));
    if (count - first <= simt::kWarpSize) last_begins = lanes >> (count - 1 - first) & 1;
    begun |= lanes != 0;
  }
  return last_begins;
}

/// Job of a TilePipeline or TileWave: reduces each run; writes a result where the next run begins.
///
/// The items of a thread are combined one after another, and those of a warp by a scan that
/// restarts where a run begins. A warp is one segment of the order of combination (tile.h).
///
/// @param kBytes  of keys and values per thread
template <class Key, class Load, class Op, class Equal,
          size_t kBytes = kRunBytes<Key, Op, Loaded<Load>>>
struct ReduceRunsJob {
  using Value = Loaded<Load>;
  using Combine = CombineRuns<Value, Op>;
  using Total = RunsTotal<Value>;
  using Prefix = RunsPrefix<Value>;
  using Few = ReduceRunsJob<Key, Load, Op, Equal, kFewRunBytes<Key, Op, Value>>;
  using Wave = ReduceRunsJob<Key, Load, Op, Equal, kWaveRunBytes<Key, Op, Value>>;

  static constexpr unsigned kStagedBytes = sizeof(Key) + sizeof(Value);
  static constexpr unsigned kChunkItems = run_items(kStagedBytes, kBytes);
  static constexpr unsigned kChunkBytes = kChunkItems * kStagedBytes;
  static constexpr bool kAsync = false;
  static constexpr unsigned kChunks = 1, kFewChunks = 1, kWaveChunks = 1;
  static constexpr unsigned kSegmentRows = kAnyOrder<Op, Value> ? 0 : kChunks;
  static constexpr bool kFolds = kSegmentRows == 0;
  /// Tiles of up to 56 KiB. One of them is in flight while another one is ranked.
  static constexpr unsigned kMaxRunTileBytes = 56 << 10;
  static constexpr unsigned kTileThreads =
      kFolds ? warps_within(kPipelineThreads, kChunkBytes, kMaxRunTileBytes)
             : threads_within(kPipelineThreads, kChunkBytes, kMaxRunTileBytes);
  static constexpr unsigned kAhead = kTileThreads * kChunkBytes > kMaxTileBytes ? 1 : 2;
  static constexpr unsigned kWaveStagedBytes = kStagedBytes;
  static constexpr unsigned kFewThreads =
      kLargeRuns<Op, Value> ? std::min(kTileThreads, kWaveThreads) : kTileThreads;
  /// Threads of a tile in a wave of many tiles; 0: as in other jobs.
  static constexpr unsigned kManyThreads = kFolds ? kWaveThreads : 0;
  /// A look-ahead that folds is faster with smaller windows: 2^26 pairs of 8 and 8 bytes take 0.88
  /// of the time with 5 rows (H200).
  static constexpr unsigned kReads = kFolds || (sizeof(Total) > 16 && sizeof(Total) <= 32) ? 3
                                     : sizeof(Total) <= 16                                 ? 5
                                                                                           : 1;

  /// Runs that a thread writes at once. With one instead of four, 2^24 pairs of 4 and 4 bytes take
  /// up to 1.16 of the time. With four instead of one, 2^20 pairs of 8 and 8 bytes take 1.02, and
  /// 2^12 pairs of 20 and 4 bytes 1.04 of it (H200).
  static constexpr unsigned kWriteBatch =
      simt::kHasVectors<Key> ? std::clamp(unsigned(simt::kVectorBytes / sizeof(Value)), 1u, 4u) : 1;

  using Keys = CopiedItems<Items<Key>, kChunkItems>;
  using Values = CopiedItems<Load, kChunkItems>;
  static constexpr unsigned kCopies = Keys::kCopies + Values::kCopies + 1;
  static constexpr unsigned copied_bytes(unsigned tile_size, unsigned warps) {
    return tile_size * kStagedBytes + warps * Keys::kBeforeBytes;
  }

  struct Chunk : KeyChunk<Key, kChunkItems> {
    Value values[kChunkItems];
  };

  const Key* keys;  ///< [n]
  Load values;
  Op op;
  Equal equal;
  Key* run_keys;      ///< [run] or null
  Value* run_values;  ///< [run]
  SelectedCount result;

  /// Returns this job with another number of bytes per thread.
  template <size_t kOther>
  operator ReduceRunsJob<Key, Load, Op, Equal, kOther>() const {
    return {keys, values, op, equal, run_keys, run_values, result};
  }

  template <unsigned kChunks>
  struct Registers {
    static_assert(kChunks == 1);
    Chunk chunk;
    Value before;          ///< value in the warp of the run that item 0 continues
    uint32_t begins;       ///< bit i: a run begins at item i
    uint32_t runs_before;  ///< runs that begin in the lanes below
    bool warp_begins;      ///< whether a run begins in the warp
  };

  struct BeforeAndTotal {
    Total before, total;
  };

  SIMT_KERNEL uint32_t head() const { return kSegmentRows > 0 ? 0 : Keys{Items<Key>{keys}}.head(); }

  /// Starts to copy the items of the warp in a tile.
  SIMT_KERNEL void copy(auto& copies, std::byte* bytes, const ThreadView& view) const {
    const Items<Key> all{keys};
    const Parts to(bytes, view);
    Keys{all}.copy(copies, to.keys, view);
    Keys{all}.copy_before(copies, to.before, view);
    Values{values}.copy(copies, to.values, view);
  }

  /// Reads the items of a thread. Items that do not exist receive the identity.
  template <unsigned kChunks>
  SIMT_KERNEL void take(Registers<kChunks>& registers, std::byte* bytes,
                        const ThreadView& view) const {
    const Items<Key> all{keys};
    const Parts from(bytes, view);
    Chunk& chunk = registers.chunk;
    Keys{all}.take(from.keys, view, chunk.keys);
    if (view.first_chunk % simt::kWarpSize == 0) chunk.before = Keys{all}.before(from.before, view);
    Values{values}.take(from.values, view, chunk.values);
    if (view.range.is_full(view.tile)) return;
    const uint64_t slot = view.range.first_slot(view.tile) + view.first_chunk * kChunkItems;
    for (unsigned i = 0; i < kChunkItems; ++i)
      if (!view.range.holds_item(slot + i)) chunk.values[i] = op.identity();
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
  SIMT_KERNEL Prefix extend(const Prefix& prefix, const Total& total) const {
    return {total.runs > 0 ? total.value : Value(op(prefix.value, total.value)),
            prefix.runs + total.runs};
  }
  SIMT_KERNEL Total extend(const Total& a, const Total& b) const { return combine()(a, b); }

  // In any order:

  /// Extends a prefix by the totals of tiles. Only the values since the last begin count, so each
  /// lane combines its own of them. They are that of the last tile alone if a run begins in it.
  template <unsigned kReads>
  SIMT_KERNEL Prefix fold(simt::Warp auto warp, const Prefix& prefix, const Total (&totals)[kReads],
                          uint32_t count) const {
    Total sum = identity();
    const bool last_begins =
        visit_since_begin(warp, totals, count, [&](const Total& total, bool counts) {
          sum.runs += total.runs;
          if (counts) sum.value = op(total.value, sum.value);
        });
    const unsigned last = (count - 1) % simt::kWarpSize;
    sum.value = last_begins ? shuffle_item(warp, sum.value, last) : combine_lanes(warp, sum.value);
    return extend(prefix, Total{sum.value, warp_sum(warp, sum.runs)});
  }

  /// The value before a warp is set if a run begins in the warp, that of the total in warp 0.
  template <unsigned kWarps>
  SIMT_KERNEL BeforeAndTotal combine_warps(simt::Warp auto warp, unsigned warp_rank,
                                           const Total* totals) const {
    const unsigned lane = warp.thread_rank();
    const Total own = lane < kWarps ? totals[lane] : identity();
    const uint32_t begun = warp.ballot(own.runs > 0);
    // Combines the values of warps [0, end) from the last one on in which a run begins.
    auto value_before = [&](unsigned end) {
      const uint32_t below = end < simt::kWarpSize ? begun & ((1u << end) - 1) : begun;
      const unsigned first = below != 0 ? simt::last_set(below) : 0;
      return combine_lanes(warp, lane >= first && lane < end ? own.value : Value(op.identity()));
    };
    BeforeAndTotal result{identity(), identity()};
    result.before.runs = warp_sum(warp, lane < warp_rank ? own.runs : 0);
    result.total.runs = warp_sum(warp, own.runs);
    if (warp_rank == 0)
      result.total.value = value_before(kWarps);
    else if (begun >> (warp_rank - 1) & 1)
      result.before.value = totals[warp_rank - 1].value;
    else if (begun >> warp_rank & 1)
      result.before.value = value_before(warp_rank);
    return result;
  }

  /// Finds where runs begin, and scans the values of the warp. Returns its total.
  template <unsigned kChunks>
  SIMT_KERNEL Total rank(simt::Warp auto warp, Registers<kChunks>& registers,
                         const ThreadView& view) const {
    const unsigned lane = warp.thread_rank();
    const Value(&values)[kChunkItems] = registers.chunk.values;
    const uint32_t begins = registers.chunk.begins(warp, view, equal);
    Value sum = values[0];
    for (unsigned i = 1; i < kChunkItems; ++i)
      sum = begins >> i & 1 ? values[i] : Value(op(sum, values[i]));
    const uint32_t lanes = warp.ballot(begins != 0);
    const Value inclusive = scan_segments(warp, sum, lanes);
    const Value below = shuffle_item_up(warp, inclusive, 1);
    registers.before = lane > 0 ? below : Value(op.identity());
    registers.begins = begins;
    registers.warp_begins = lanes != 0;
    const Value last = shuffle_item(warp, inclusive, simt::kWarpSize - 1);
    if (lanes == 0) return {last, 0};
    const Rank runs = warp_rank_of_counts<kChunkItems>(warp, simt::popcount(begins));
    registers.runs_before = runs.rank;
    return {last, runs.total};
  }

  /// Stages, for each run that begins in the tile, its key and the value of the run before it.
  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view,
                         const Total& before, const Total&, std::byte* bytes) const {
    if (registers.begins == 0) return;
    stage_runs(registers, view, before, bytes);
    if (registers.runs_before > 0) return;
    const Staged staged(bytes, view);
    const unsigned first = staged_place(before.runs);
    staged.values.put(first, op(before.value, staged.values[first]));
  }

  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const Prefix& prefix,
                         const Total& total, std::byte* bytes) const {
    write_runs<kThreads>(thread, view, prefix, total, prefix, bytes);
  }

  // In a fixed order:

  template <unsigned kChunks>
  SIMT_KERNEL void rank(simt::Warp auto warp, Registers<kChunks>& registers, const ThreadView& view,
                        Total (&totals)[1]) const {
    totals[0] = rank(warp, registers, view);
  }

  /// Otherwise like stage() above. If the run before began in an earlier tile, the value is that of
  /// its items in the segment.
  template <unsigned kChunks, class Segments>
  SIMT_KERNEL void stage(const Registers<kChunks>& registers, const ThreadView& view,
                         Segments segments, std::byte* bytes) const {
    if (!registers.warp_begins) return;
    const Total before = segments().own_prefixes(identity()).prefixes[0];
    if (registers.begins == 0) return;
    stage_runs(registers, view, before, bytes);
    if (registers.runs_before > 0) return;
    if (before.runs > 0) {
      const Staged staged(bytes, view);
      const unsigned first = staged_place(before.runs);
      staged.values.put(first, op(before.value, staged.values[first]));
    } else {
      first_segment(bytes, view) = view.first_chunk / simt::kWarpSize;
    }
  }

  template <unsigned kThreads, unsigned kChunks, class Segments>
  SIMT_KERNEL void write(unsigned thread, const ThreadView& view, const Prefix& prefix,
                         const Total& total, Segments segments, std::byte* bytes) const {
    Prefix before = prefix;
    if (thread < simt::kWarpSize && prefix.runs > 0 && total.runs > 0)
      before = segments().prefix_of(first_segment(bytes, view), prefix);
    write_runs<kThreads>(thread, view, prefix, total, before, bytes);
  }

  /// In a fixed order, `prefix` and `total` are those of the last segment.
  SIMT_KERNEL void finish(const Prefix& prefix, const Total& total) const {
    const Prefix all = extend(prefix, total);
    if (all.runs > 0 && all.runs - 1 < result.capacity) run_values[all.runs - 1] = all.value;
    if (result.count) result.count.store(all.runs);
    if (result.overflowed) *result.overflowed = all.runs > result.capacity;
  }
  SIMT_KERNEL void finish_empty() const { finish(initial_prefix(), identity()); }

 private:
  /// Where copy() puts the keys and values of a tile, and the key before those of a warp.
  struct Parts {
    std::byte *keys, *values, *before;

    SIMT_KERNEL Parts(std::byte* bytes, const ThreadView& view)
        : keys(bytes),
          values(bytes + view.range.tile_size * sizeof(Key)),
          before(bytes + view.range.tile_size * kStagedBytes +
                 view.first_chunk / simt::kWarpSize * Keys::kBeforeBytes) {}
  };
  struct Staged {
    ItemsInShared<Value> values;
    ItemsInShared<Key> keys;

    SIMT_KERNEL Staged(std::byte* bytes, const ThreadView& view)
        : values{bytes}, keys{bytes + view.range.tile_size * sizeof(Value)} {}
  };
  SIMT_KERNEL Value combine_lanes(simt::Warp auto warp, const Value& value) const {
    return shuffle_item(warp, warp_reduce(warp, value, op), 0);
  }

  /// Stages the keys of the thread's runs and the values of the runs before them, of which the
  /// first is that of the items in the warp.
  template <unsigned kChunks>
  SIMT_KERNEL void stage_runs(const Registers<kChunks>& registers, const ThreadView& view,
                              const Total& before, std::byte* bytes) const {
    const Chunk& chunk = registers.chunk;
    const Staged staged(bytes, view);
    Value sum = registers.before;
    unsigned place = before.runs + registers.runs_before;
    for (unsigned i = 0; i < kChunkItems; ++i) {
      if (registers.begins >> i & 1) {
        const unsigned to = staged_place(place++);
        staged.keys.put(to, chunk.keys[i]);
        staged.values.put(to, sum);
        sum = chunk.values[i];
      } else {
        sum = op(sum, chunk.values[i]);
      }
    }
  }

  /// Writes the staged runs. The first run of the tile ends a run that began in earlier tiles,
  /// whose value is `before` combined with the staged one; the very first run ends none.
  template <unsigned kThreads>
  SIMT_KERNEL void write_runs(unsigned thread, const ThreadView& view, const Prefix& prefix,
                              const Total& total, const Prefix& before, std::byte* bytes) const {
    const Staged staged(bytes, view);
    const PlacesOfRuns places(prefix.runs, total.runs, result.capacity);
    if (run_keys) write_keys<kThreads>(thread, staged.keys, run_keys + prefix.runs, places.keys);
    Value* to = run_values + (prefix.runs - 1);
    copy_in_batches<kThreads, kWriteBatch>(
        thread, places.values, [&](unsigned place) { return staged.values[staged_place(place)]; },
        [&](unsigned place, const Value& value) {
          if (place > 0) to[place] = value;
        });
    if (thread == 0 && prefix.runs > 0 && places.values > 0)
      to[0] = op(before.value, staged.values[0]);
  }

  /// Writes the first `count` staged keys. Consecutive threads write consecutive words of keys that
  /// no vector moves, so that they write whole lines.
  template <unsigned kThreads>
  SIMT_KERNEL static void write_keys(unsigned thread, const ItemsInShared<Key>& staged, Key* to,
                                     unsigned count) {
    using Word = std::conditional_t<alignof(Key) % sizeof(uint64_t) == 0, uint64_t, uint32_t>;
    if constexpr (simt::kHasVectors<Key> || alignof(Key) < sizeof(Word)) {
      copy_in_batches<kThreads, kWriteBatch>(
          thread, count, [&](unsigned place) { return staged[staged_place(place)]; },
          [&](unsigned place, const Key& key) { to[place] = key; });
    } else {
      constexpr unsigned kWords = sizeof(Key) / sizeof(Word);
      const ItemsInShared<Word> from{staged.bytes}, words{reinterpret_cast<std::byte*>(to)};
      copy_in_batches<kThreads, kWriteBatch>(
          thread, count * kWords,
          [&](unsigned i) { return from[staged_place(i / kWords) * kWords + i % kWords]; },
          [&](unsigned i, Word word) { words.put(i, word); });
    }
  }

  /// The segment of the tile in which its first run begins; staged in the memory of the keys before
  /// the warps.
  SIMT_KERNEL static uint32_t& first_segment(std::byte* bytes, const ThreadView& view) {
    return *reinterpret_cast<uint32_t*>(bytes + view.range.tile_size * kStagedBytes);
  }

  /// Inclusive scan over the lanes that restarts at the lanes in the mask `lanes`.
  SIMT_KERNEL Value scan_segments(simt::Warp auto warp, const Value& own, uint32_t lanes) const {
    Value value = own;
    const unsigned lane = warp.thread_rank();
    // Lanes from the last begin to this one.
    const uint32_t begun = lanes & (simt::lanes_below(lane) << 1 | 1);
    const unsigned start = begun != 0 ? simt::last_set(begun) : 0;
    for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2) {
      const Value below = shuffle_item_up(warp, value, delta);
      if (lane >= start + delta) value = op(below, value);
    }
    return value;
  }
};

}  // namespace compaction
