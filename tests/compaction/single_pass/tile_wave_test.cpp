// SPDX-License-Identifier: MIT
#include "compaction/single_pass/tile_wave.h"

#include <gtest/gtest.h>

#include "tests/compaction/single_pass/support/jobs.h"
#include "tests/support/rounds.h"

namespace {

constexpr WaveShape kTinyWave{.compute_threads = 32, .chunks = 1, .blocks_per_sm = 1};
constexpr WaveShape kOneTiny{
    .compute_threads = 32, .chunks = 1, .blocks_per_sm = 1, .single_block = true};
using TinyWave = InWave<kTinyWave>;

// Selects 32-bit numbers, 128 in a tile of kTinyWave, and scans maps that do not commute, 32 in a
// tile: 1 to 70 tiles, so that a warp reads no tile state, one row or several.
TEST(TileWave, AnyNumberOfTilesInAnySchedule) {
  constexpr ScanKind kKind = ScanKind::kExclusive;
  using TwoWarps = InWave<WaveShape{64, 1, 1}>;
  using ThreeChunks = InWave<WaveShape{32, 3, 1}>;
  Memory memory;
  for (uint64_t seed = 0; seed < winnow::rounds(100); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const unsigned most = seed % 10 == 0 ? 70 : 1 + unsigned(seed % 7);
    Executor executor({seed % 3 == 0 ? Order::kReverse : Order::kShuffled, seed, most});
    const uint64_t tiles = seed % 4 == 0 ? most : 1 + seed % most;
    const std::vector<uint32_t> in = random_numbers(kTinyItems * tiles - seed % 5, uint32_t(seed));
    const std::vector<uint32_t> expected = reference_below(in, kBelowHalf);
    const bool in_place = seed % 2 == 0;
    // If items begin one tile earlier, there is one block more than full tiles.
    Executor roomy({Order::kShuffled, seed, most + 1});
    ASSERT_EQ(select_below<TinyWave>(roomy, memory, in, in_place), expected);
    ASSERT_EQ(select_below<TwoWarps>(executor, memory, in, in_place), expected);
    ASSERT_EQ(select_below<ThreeChunks>(executor, memory, in, in_place), expected);

    const std::vector<Affine> maps = ordered_items<Affine>(32 * tiles - 1);
    const std::vector<Affine> scanned = reference_scan_of<kKind, Compose>(maps);
    ASSERT_TRUE((scan_items<TinyWave, kKind, Compose>(roomy, memory, maps, in_place)) == scanned);
    ASSERT_TRUE((scan_items<TwoWarps, kKind, Compose>(executor, memory, maps, in_place)) ==
                scanned);
  }
}

TEST(TileWave, AnyWarpMayBeDelayed) {
  constexpr WaveShape kShape{96, 1, 1};
  expect_right_with_delays<InWave<kShape>>(kShape.compute_threads / simt::kWarpSize, {6},
                                           random_numbers(1800, 1), ordered_items<Affine>(500));
  constexpr WaveShape kOne{96, 1, 1, true};
  expect_right_with_delays<InOneTile<kOne>>(kOne.compute_threads / simt::kWarpSize, {1},
                                            random_numbers(380, 1), ordered_items<Affine>(90));
}

// There are as many blocks as tiles, but fewer are resident, as beside a kernel that occupies most
// of the device for any time.
template <class How>
void expect_progress(Order order, unsigned resident) {
  constexpr ScanKind kKind = ScanKind::kInclusive;
  constexpr unsigned kReported = 40;
  Memory memory;
  for (uint64_t tiles : {2u, 3u, 7u, 39u}) {
    SCOPED_TRACE(testing::Message()
                 << tiles << " tiles, " << resident << " resident, order " << int(order));
    Overcommitted launcher{Executor({order, tiles, resident}), kReported};
    const std::vector<uint32_t> in = random_numbers(tiles * kTinyItems - 3, 1);
    for (bool in_place : {false, true})
      ASSERT_EQ(select_below<How>(launcher, memory, in, in_place), reference_below(in, kBelowHalf));
    const std::vector<Affine> maps = ordered_items<Affine>(32 * tiles - 1);
    ASSERT_TRUE((scan_items<How, kKind, Compose>(launcher, memory, maps)) ==
                (reference_scan_of<kKind, Compose>(maps)));
  }
}

TEST(TileWave, NeedsNoMoreThanOneResidentBlock) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled})
    for (unsigned resident : {1u, 2u, 5u, 32u}) expect_progress<TinyWave>(order, resident);
}

TEST(TileWave, OneTileOfAnyNumberOfItems) {
  using One = InOneTile<kOneTiny>;
  constexpr ScanKind kKind = ScanKind::kExclusive;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Executor executor({seed % 3 == 0 ? Order::kReverse : Order::kShuffled, seed});
    Memory unused(0);
    for (uint64_t n : {uint64_t(0), uint64_t(1), kTinyItems / 2, kTinyItems - 3}) {
      const std::vector<uint32_t> in = random_numbers(n, uint32_t(seed));
      ASSERT_EQ(select_below<One>(executor, unused, in, seed % 2 == 0),
                reference_below(in, kBelowHalf));
      const std::vector<Affine> maps = ordered_items<Affine>(n / 4);
      ASSERT_TRUE((scan_items<One, kKind, Compose>(executor, unused, maps, seed % 2 == 0)) ==
                  (reference_scan_of<kKind, Compose>(maps)));
    }
  }
  Executor executor;
  Memory unused(0);
  EXPECT_THROW(select_below<One>(executor, unused, random_numbers(kTinyItems + 1, 1)),
               std::logic_error);
}

// Items begin and end within a chunk. Threads have whole chunks, chunks at either end, and chunks
// without items.
template <class How>
void expect_right_at_the_ends(uint64_t n) {
  Executor executor({Order::kShuffled, n, 4});
  Memory memory;
  for (unsigned offset : {0u, 1u, 3u}) {
    SCOPED_TRACE(testing::Message() << n << " items from " << offset);
    const std::vector<uint32_t> in = random_numbers(n + offset, 1);
    const std::vector<uint32_t> items(in.begin() + offset, in.end());
    std::vector<uint32_t> out(n), sums(n);
    uint64_t count = 0;
    How::run(executor, SelectNumbers{{in.data() + offset, kBelowHalf}, {out.data()}, {}, {&count}},
             ItemCount{n}, memory);
    out.resize(count);
    EXPECT_EQ(out, reference_below(items, kBelowHalf));
    using Add = compaction::Sum<uint32_t>;
    constexpr ScanKind kKind = ScanKind::kInclusive;
    How::run(
        executor,
        compaction::ScanJob<uint32_t, Add, kKind>{in.data() + offset, sums.data(), {}, 0, nullptr},
        ItemCount{n}, memory);
    EXPECT_EQ(sums, (reference_scan_of<kKind, Add>(items)));
  }
}

TEST(TileWave, ItemsBeginAndEndAnywhere) {
  for (uint64_t n : {1u, 3u, 4u, 130u, 250u, 380u}) {
    expect_right_at_the_ends<InOneTile<WaveShape{32, 3, 1, true}>>(n);
    expect_right_at_the_ends<InWave<WaveShape{32, 3, 1}>>(n + 384);
  }
}

TEST(TileWave, RefusesMoreTilesThanAreResident) {
  Executor executor({Order::kForward, 0, 3});
  Memory memory;
  EXPECT_NO_THROW(select_below<TinyWave>(executor, memory, random_numbers(2 * kTinyItems, 1)));
  EXPECT_THROW(select_below<TinyWave>(executor, memory, random_numbers(3 * kTinyItems + 1, 1)),
               std::logic_error);
}

TEST(TileWave, EachCallOfSeveralBlocksHasItsEpoch) {
  expect_an_epoch_for_each_call<TinyWave, InOneTile<kOneTiny>>();
}

TEST(TileWave, EpochsRestartWithoutOldStatesOfWavesAndPipelines) {
  Executor executor({Order::kShuffled, 5, 32});
  expect_restarted_epochs<TinyWave, InPipeline<fast::kTinyTiles>>(executor);
}

TEST(TileWave, LastEpochLeavesZeros) {
  Executor executor({Order::kShuffled, 5, 41});
  expect_zeros_after_the_last_epoch<TinyWave>(executor);
}

TEST(TileWave, ReportsAWorkspaceThatWasNotZeroed) {
  Executor executor({Order::kForward, 0, 13});
  expect_reported_garbage<TinyWave>(executor);
}

// The capacity determines the number of blocks; those without items do not wait.
TEST(TileWave, CountOnTheDeviceLimitsTheItems) {
  Executor executor({Order::kShuffled, 2, 12});
  Memory memory;
  const std::vector<uint32_t> in = random_numbers(11 * kTinyItems, 1);
  for (uint64_t n : {uint64_t(0), uint64_t(1), kTinyItems - 1, kTinyItems, 5 * kTinyItems + 3,
                     11 * kTinyItems, 12 * kTinyItems}) {
    SCOPED_TRACE(testing::Message() << n << " items");
    const auto end = in.begin() + ptrdiff_t(std::min<uint64_t>(n, in.size()));
    EXPECT_EQ(select_below<TinyWave>(executor, memory, in, false, &n),
              reference_below({in.begin(), end}, kBelowHalf));
  }
}

TEST(TileWave, CallsThePredicateOncePerItem) {
  Executor executor({Order::kShuffled, 1, 22});
  for (uint64_t n : {kTinyItems / 2, 20 * kTinyItems + 5})
    expect_one_call_per_item<TinyWave>(executor, n);
  for (uint64_t n : {5u, 700u}) expect_one_call_per_item<InWave<WaveShape{32, 3, 1}>>(executor, n);
}

TEST(TileWave, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  Executor executor({Order::kShuffled, 1, 22});
  expect_calls_with_marked_items_only<TinyWave>(executor);
}

}  // namespace
