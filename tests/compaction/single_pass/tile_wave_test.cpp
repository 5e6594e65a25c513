// SPDX-License-Identifier: MIT
#include "compaction/single_pass/tile_wave.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compaction/single_pass/support/jobs.h"
#include "tests/compaction/support/launchers.h"

namespace {

constexpr WaveShape kTiny{.compute_threads = 32, .chunks = 1, .blocks_per_sm = 1};
constexpr uint64_t kTinyItems = 128;  // of 4 bytes, in a tile of kTiny

/// As select_below() of jobs.h, in a wave.
template <WaveShape kShape, class Launcher>
std::vector<uint32_t> select_in_wave(Launcher& launcher, Memory& memory, std::vector<uint32_t> in,
                                     bool in_place = false) {
  std::vector<uint32_t> separate(in.size());
  std::vector<uint32_t>& out = in_place ? in : separate;
  uint64_t count = ~uint64_t(0);
  SelectNumbers job{
      {in.data(), kBelowHalf}, {out.data()}, {}, {.count = &count, .in_place = in_place}};
  if (!compaction::run_wave<TileWave<SelectNumbers, kShape>>(launcher, job, ItemCount{in.size()},
                                                             memory.span()))
    throw std::logic_error("too many items for one wave");
  out.resize(count);  // throws where nothing was counted
  return out;
}

template <class T, class Op, ScanKind kKind, WaveShape kShape, class Launcher>
std::vector<T> scan_in_wave(Launcher& launcher, Memory& memory, const std::vector<T>& in,
                            bool in_place = false) {
  using Job = compaction::ScanJob<T, Op, kKind>;
  std::vector<T> out = in;
  Job job{in_place ? out.data() : in.data(), out.data(), Op(), T(Op().identity()), nullptr};
  if (!compaction::run_wave<TileWave<Job, kShape>>(launcher, job, ItemCount{in.size()},
                                                   memory.span()))
    throw std::logic_error("too many items for one wave");
  return out;
}

// Of 32-bit numbers and of maps that do not commute, 128 and 32 in a tile of kTiny: 1 to 70 tiles,
// so that the share of a warp is empty, one row or several.
TEST(TileWave, AnyNumberOfTilesInAnySchedule) {
  constexpr ScanKind kKind = ScanKind::kExclusive;
  constexpr WaveShape kTwoWarps{64, 1, 1}, kThreeChunks{32, 3, 1};
  Memory memory;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const unsigned most = seed % 10 == 0 ? 70 : 1 + unsigned(seed % 7);
    Executor executor({seed % 3 == 0 ? Order::kReverse : Order::kShuffled, seed, most});
    const uint64_t tiles = seed % 4 == 0 ? most : 1 + seed % most;
    const std::vector<uint32_t> in = random_numbers(kTinyItems * tiles - seed % 5, uint32_t(seed));
    const std::vector<uint32_t> expected = reference_below(in, kBelowHalf);
    const bool in_place = seed % 2 == 0;
    // The same items may begin one tile earlier: one block more than there are full tiles.
    Executor roomy({Order::kShuffled, seed, most + 1});
    ASSERT_EQ(select_in_wave<kTiny>(roomy, memory, in, in_place), expected);
    ASSERT_EQ(select_in_wave<kTwoWarps>(executor, memory, in, in_place), expected);
    ASSERT_EQ(select_in_wave<kThreeChunks>(executor, memory, in, in_place), expected);

    const std::vector<Affine> maps = ordered_items<Affine>(32 * tiles - 1);
    const std::vector<Affine> scanned = reference_scan<Affine, Compose, kKind>(maps);
    ASSERT_TRUE((scan_in_wave<Affine, Compose, kKind, kTiny>(roomy, memory, maps, in_place)) ==
                scanned);
    ASSERT_TRUE((scan_in_wave<Affine, Compose, kKind, kTwoWarps>(executor, memory, maps,
                                                                 in_place)) == scanned);
  }
}

TEST(TileWave, AnyWarpMayBeDelayed) {
  constexpr WaveShape kShape{96, 1, 1};
  constexpr ScanKind kKind = ScanKind::kInclusive;
  const std::vector<uint32_t> in = random_numbers(1800, 1);
  const std::vector<Affine> maps = ordered_items<Affine>(500);
  Memory memory;
  for (unsigned warp = 0; warp < kShape.compute_threads / simt::kWarpSize; ++warp)
    for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
      SCOPED_TRACE(testing::Message() << "warp " << warp << ", order " << int(order));
      DelayingLauncher launcher{Executor({order, 7, 6}), warp};
      for (bool in_place : {false, true}) {
        ASSERT_EQ(select_in_wave<kShape>(launcher, memory, in, in_place),
                  reference_below(in, kBelowHalf));
        ASSERT_TRUE(
            (scan_in_wave<Affine, Compose, kKind, kShape>(launcher, memory, maps, in_place)) ==
            (reference_scan<Affine, Compose, kKind>(maps)));
      }
    }
}

TEST(TileWave, RefusesMoreTilesThanAreResident) {
  Executor executor({Order::kForward, 0, 3});
  Memory memory;
  EXPECT_NO_THROW(select_in_wave<kTiny>(executor, memory, random_numbers(2 * kTinyItems, 1)));
  EXPECT_THROW(select_in_wave<kTiny>(executor, memory, random_numbers(3 * kTinyItems + 1, 1)),
               std::logic_error);
}

// A single block does not use the workspace; several blocks begin the next epoch.
TEST(TileWave, EachCallOfSeveralBlocksHasItsEpoch) {
  Executor executor({Order::kForward, 0, 3});
  Memory memory;
  for (uint32_t call = 0; call < 5; ++call) {
    EXPECT_EQ(memory.epoch(), call);
    select_in_wave<kTiny>(executor, memory, random_numbers(kTinyItems / 2, 1));
    select_in_wave<kTiny>(executor, memory, random_numbers(2 * kTinyItems, 1));
  }
}

// Pipelines and waves alternate in one workspace while its epochs restart.
TEST(TileWave, EpochsRestartWithoutOldStates) {
  Executor executor({Order::kShuffled, 5, 32});
  for (uint32_t before : {1u, 2u, 3u}) {
    Memory memory;
    for (uint64_t tiles : {30u, 20u, 10u})
      select_in_wave<kTiny>(executor, memory, random_numbers(tiles * kTinyItems, 3));
    memory.begin_epoch(TileQueue::kLastEpoch + 1 - before);
    for (uint32_t call = 0; call < before + 4; ++call) {
      const uint64_t tiles = call < before ? 2 + call : 31;
      const std::vector<uint32_t> in = random_numbers(tiles * kTinyItems, 10 + call);
      ASSERT_EQ(call % 2 == 0 ? select_in_wave<kTiny>(executor, memory, in)
                              : select_below<fast::kTinyTiles>(executor, memory, in, kBelowHalf),
                reference_below(in, kBelowHalf))
          << "call " << call << ", " << before << " before the end";
    }
    EXPECT_EQ(memory.epoch(), 4u);
  }
}

TEST(TileWave, LastEpochLeavesZeros) {
  Executor executor({Order::kShuffled, 5, 41});
  Memory memory;
  select_in_wave<kTiny>(executor, memory, random_numbers(40 * kTinyItems, 3));
  memory.begin_epoch(TileQueue::kLastEpoch);
  select_in_wave<kTiny>(executor, memory, random_numbers(2 * kTinyItems, 3));
  EXPECT_THAT(memory.bytes, testing::Each(std::byte{0}));
}

// Whatever a workspace holds that was not zeroed: an error, or the right result.
TEST(TileWave, ReportsAWorkspaceThatWasNotZeroed) {
  Executor executor({Order::kForward, 0, 13});
  for (unsigned fill : {0xA5u, 0x7Fu, 0x80u, 0x01u, 0xFFu})
    for (uint64_t tiles : {1u, 2u, 5u, 12u}) {
      SCOPED_TRACE(testing::Message() << tiles << " tiles, " << fill);
      Memory memory(1 << 12, std::byte(fill));
      const std::vector<uint32_t> in = random_numbers(tiles * kTinyItems, 3);
      try {
        EXPECT_EQ(select_in_wave<kTiny>(executor, memory, in), reference_below(in, kBelowHalf));
      } catch (const KernelError&) {
      } catch (const std::length_error&) {  // of the test's own vector: no count was written
        ADD_FAILURE() << "nothing was counted, and no error reported";
      }
    }
}

// The capacity determines the number of blocks; those without items do not wait.
TEST(TileWave, CountOnTheDeviceLimitsTheItems) {
  Executor executor({Order::kShuffled, 2, 12});
  Memory memory;
  const std::vector<uint32_t> in = random_numbers(11 * kTinyItems, 1);
  for (uint64_t n : {uint64_t(0), uint64_t(1), kTinyItems - 1, kTinyItems, 5 * kTinyItems + 3,
                     11 * kTinyItems, 12 * kTinyItems}) {
    SCOPED_TRACE(testing::Message() << n << " items");
    std::vector<uint32_t> out(in.size());
    uint64_t count = ~uint64_t(0);
    SelectNumbers job{{in.data(), kBelowHalf}, {out.data()}, {}, {.count = &count}};
    const ItemCount items{in.size(), &n};
    ASSERT_TRUE((
        compaction::run_wave<TileWave<SelectNumbers, kTiny>>(executor, job, items, memory.span())));
    const uint64_t there = std::min<uint64_t>(n, in.size());
    out.resize(count);
    EXPECT_EQ(out, reference_below({in.begin(), in.begin() + ptrdiff_t(there)}, kBelowHalf));
  }
}

/// Counts its calls for each item.
struct CountedBelow {
  Span<uint32_t> calls;  ///< [item]
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const {
    ++calls[item];
    return item % 3 == 0;
  }
};

TEST(TileWave, CallsThePredicateOncePerItem) {
  using Job = compaction::SelectJob<compaction::ItemsIf<uint32_t, CountedBelow>,
                                    compaction::WriteItems<uint32_t>>;
  Memory memory;
  Executor executor({Order::kShuffled, 1, 22});
  for (unsigned offset : {0u, 1u, 3u})
    for (uint64_t n : {kTinyItems / 2, 20 * kTinyItems + 5}) {
      std::vector<uint32_t> in(n + offset, ~0u), out(n), calls(n);
      for (uint32_t i = 0; i < n; ++i) in[offset + i] = i;
      Job job{{in.data() + offset, {{calls.data(), n}}}, {out.data()}, {}, {}};
      ASSERT_TRUE(
          (compaction::run_wave<TileWave<Job, kTiny>>(executor, job, ItemCount{n}, memory.span())));
      EXPECT_THAT(calls, testing::Each(1u));
    }
}

TEST(TileWave, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  constexpr ScanKind kKind = ScanKind::kInclusive;
  Memory memory;
  Executor executor({Order::kShuffled, 1, 22});
  for (uint64_t n : {1u, 31u, 32u, 33u, 65u, 700u}) {
    const std::vector<Marked> in = ordered_items<Marked>(n);
    EXPECT_TRUE((scan_in_wave<Marked, MarkedSum, kKind, kTiny>(executor, memory, in)) ==
                (reference_scan<Marked, MarkedSum, kKind>(in)));
  }
}

}  // namespace
