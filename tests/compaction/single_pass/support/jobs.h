// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/launchers.h"

// Runs a select and a scan on the host executor, in a pipeline or in a wave of tiles of a given
// shape, and checks both.

namespace {

using compaction::ItemCount;
using compaction::ScanKind;
using compaction::TilePipeline;
using compaction::TileShape;
using compaction::TileWave;
using compaction::WaveShape;

struct Below {
  uint32_t limit;
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const { return item < limit; }
};

/// Selects half of all random numbers.
constexpr Below kBelowHalf{1u << 31};

using SelectNumbers =
    compaction::SelectJob<compaction::ItemsIf<uint32_t, Below>, compaction::WriteItems<uint32_t>>;

inline std::vector<uint32_t> reference_below(const std::vector<uint32_t>& in, Below below) {
  std::vector<uint32_t> out;
  for (uint32_t number : in)
    if (below(number)) out.push_back(number);
  return out;
}

/// Runs jobs in tiles of one shape.
template <TileShape kShape>
struct InPipeline {
  template <class Job>
  static constexpr uint64_t kTileSize = TilePipeline<Job, kShape>::kTileSize;

  template <class Launcher, class Job>
  static void run(Launcher& launcher, const Job& job, ItemCount n, Memory& memory) {
    compaction::run_pipeline<TilePipeline<Job, kShape>>(launcher, job, n, memory.span());
  }
};

/// Runs jobs in waves of tiles of one shape.
template <WaveShape kShape>
struct InWave {
  template <class Launcher, class Job>
  static void run(Launcher& launcher, const Job& job, ItemCount n, Memory& memory) {
    if (!compaction::run_wave<TileWave<Job, kShape>>(launcher, job, n, memory.span()))
      throw std::logic_error("too many items for one wave");
  }
};

/// Runs jobs in one tile of a shape.
template <WaveShape kShape>
struct InOneTile {
  template <class Launcher, class Job>
  static void run(Launcher& launcher, const Job& job, ItemCount n, Memory&) {
    if (!compaction::run_one_tile<TileWave<Job, kShape>>(launcher, job, n))
      throw std::logic_error("too many items for one tile");
  }
};

/// Selects the numbers below kBelowHalf, into another buffer or in place. `How` is one of the
/// above.
template <class How, class Launcher>
std::vector<uint32_t> select_below(Launcher& launcher, Memory& memory, std::vector<uint32_t> in,
                                   bool in_place = false, compaction::DeviceCount count_in = {}) {
  std::vector<uint32_t> separate(in.size());
  std::vector<uint32_t>& out = in_place ? in : separate;
  uint64_t count = ~uint64_t(0);
  SelectNumbers job{
      {in.data(), kBelowHalf}, {out.data()}, {}, {.count = &count, .in_place = in_place}};
  How::run(launcher, job, ItemCount{in.size(), count_in}, memory);
  out.resize(count);  // throws where nothing was counted
  return out;
}

template <class How, ScanKind kKind, class Op, class T, class Launcher>
std::vector<T> scan_items(Launcher& launcher, Memory& memory, const std::vector<T>& in,
                          bool in_place = false) {
  using Job = compaction::ScanJob<T, Op, kKind>;
  std::vector<T> out = in;
  Job job{in_place ? out.data() : in.data(), out.data(), Op(), T(Op().identity()), nullptr};
  How::run(launcher, job, ItemCount{in.size()}, memory);
  return out;
}

template <ScanKind kKind, class Op, class T>
std::vector<T> reference_scan_of(const std::vector<T>& in) {
  return reference_scan<T, Op>(kKind, in).out;
}

/// Counts its calls for each item.
struct CountedBelow {
  Span<uint32_t> calls;  ///< [item]
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const {
    ++calls[item];
    return item % 3 == 0;
  }
};

/// Expects that the predicate of a select is called once for each of `n` items.
template <class How>
void expect_one_call_per_item(Executor& executor, uint64_t n) {
  using Job = compaction::SelectJob<compaction::ItemsIf<uint32_t, CountedBelow>,
                                    compaction::WriteItems<uint32_t>>;
  Memory memory;
  for (unsigned offset : {0u, 1u, 3u}) {
    std::vector<uint32_t> in(n + offset, ~0u), out(n), calls(n);
    for (uint32_t i = 0; i < n; ++i) in[offset + i] = i;
    Job job{{in.data() + offset, {span_of(calls)}}, {out.data()}, {}, {}};
    How::run(executor, job, ItemCount{n}, memory);
    EXPECT_THAT(calls, testing::Each(1u));
  }
}

template <class How>
void expect_calls_with_marked_items_only(Executor& executor) {
  constexpr ScanKind kKind = ScanKind::kInclusive;
  Memory memory;
  for (uint64_t n : {1u, 31u, 32u, 33u, 63u, 64u, 65u, 700u}) {
    const std::vector<Marked> in = ordered_items<Marked>(n);
    EXPECT_TRUE((scan_items<How, kKind, MarkedSum>(executor, memory, in)) ==
                (reference_scan_of<kKind, MarkedSum>(in)));
  }
}

constexpr uint64_t kTinyItems = 128;  // items of 4 bytes in a tile of the tiny shapes

/// Expects that a call of several blocks begins the next epoch; a call in `HowOne`, in a single
/// block, does not use the workspace.
template <class How, class HowOne = How>
void expect_an_epoch_for_each_call() {
  Executor executor({Order::kForward, 0, 3});
  Memory memory;
  for (uint32_t call = 0; call < 5; ++call) {
    EXPECT_EQ(memory.epoch(), call);
    select_below<HowOne>(executor, memory, random_numbers(kTinyItems / 2, 1));
    select_below<How>(executor, memory, random_numbers(2 * kTinyItems, 1));
  }
}

/// Many different calls leave words of all kinds; the epochs restart in between, with calls that
/// are `Even` and `Odd` in turn.
template <class Even, class Odd>
void expect_restarted_epochs(Executor& executor) {
  for (uint32_t before : {1u, 2u, 3u}) {
    Memory memory;
    // Leaves words of the epochs 0, 1, 2 in the tiles from the first to far beyond.
    for (uint64_t tiles : {30u, 20u, 10u})
      select_below<Even>(executor, memory, random_numbers(tiles * kTinyItems, 3));
    memory.begin_epoch(TileQueue::kLastEpoch + 1 - before);
    for (uint32_t call = 0; call < before + 4; ++call) {
      const uint64_t tiles = call < before ? 2 + call : 31;
      const std::vector<uint32_t> in = random_numbers(tiles * kTinyItems, 10 + call);
      ASSERT_EQ(call % 2 == 0 ? select_below<Even>(executor, memory, in)
                              : select_below<Odd>(executor, memory, in),
                reference_below(in, kBelowHalf))
          << "call " << call << ", " << before << " before the end";
    }
    EXPECT_EQ(memory.epoch(), 4u);
  }
}

template <class How>
void expect_zeros_after_the_last_epoch(Executor& executor) {
  Memory memory;
  select_below<How>(executor, memory, random_numbers(40 * kTinyItems, 3));
  memory.begin_epoch(TileQueue::kLastEpoch);
  select_below<How>(executor, memory, random_numbers(2 * kTinyItems, 3));
  EXPECT_THAT(memory.bytes, testing::Each(std::byte{0}));
}

/// Expects an error or the right result, whatever a workspace holds that was not zeroed.
template <class How>
void expect_reported_garbage(Executor& executor) {
  for (unsigned fill : {0xA5u, 0x7Fu, 0x80u, 0x01u, 0xFFu})
    for (uint64_t tiles : {1u, 2u, 3u, 5u, 12u}) {
      SCOPED_TRACE(testing::Message() << tiles << " tiles, " << fill);
      Memory memory(1 << 12, std::byte(fill));
      const std::vector<uint32_t> in = random_numbers(tiles * kTinyItems, 3);
      try {
        EXPECT_EQ(select_below<How>(executor, memory, in), reference_below(in, kBelowHalf));
      } catch (const KernelError&) {
      } catch (const std::length_error&) {  // from the test's vector: no count was written
        ADD_FAILURE() << "nothing was counted, and no error reported";
      }
    }
}

/// Runs a select and a scan while each of `warps` is delayed, on one of `blocks` resident blocks.
template <class How>
void expect_right_with_delays(unsigned warps, std::initializer_list<unsigned> blocks,
                              const std::vector<uint32_t>& in, const std::vector<Affine>& maps) {
  constexpr ScanKind kIn = ScanKind::kInclusive, kEx = ScanKind::kExclusive;
  Memory memory;
  for (unsigned warp = 0; warp < warps; ++warp)
    for (unsigned resident : blocks)
      for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled})
        for (bool in_place : {false, true}) {
          SCOPED_TRACE(testing::Message() << "warp " << warp << " of " << resident << " blocks");
          DelayingLauncher launcher{Executor({order, 7, resident}), warp};
          ASSERT_EQ(select_below<How>(launcher, memory, in, in_place),
                    reference_below(in, kBelowHalf));
          if (in_place)
            ASSERT_TRUE((scan_items<How, kIn, Compose>(launcher, memory, maps, true)) ==
                        (reference_scan_of<kIn, Compose>(maps)));
          else
            ASSERT_TRUE((scan_items<How, kEx, Compose>(launcher, memory, maps)) ==
                        (reference_scan_of<kEx, Compose>(maps)));
        }
}

}  // namespace
