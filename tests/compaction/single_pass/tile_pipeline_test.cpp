// SPDX-License-Identifier: MIT
#include "compaction/single_pass/tile_pipeline.h"

#include <gtest/gtest.h>

#include "tests/compaction/single_pass/support/jobs.h"
#include "tests/support/rounds.h"

namespace {

constexpr TileShape kTiny = fast::kTinyTiles;
using Tiny = InPipeline<kTiny>;

/// Shapes that differ in everything that affects how a block processes its tiles.
template <class Use>
void for_all_shapes(Use use) {
  use.template operator()<kTiny>();
  use.template operator()<TileShape{64, 2, 1, 2, 1, 2}>();
  use.template operator()<TileShape{32, 2, 3, 2, 1, 1}>();
  use.template operator()<TileShape{96, 1, 1, 5, 1, 1}>();
}

TEST(TilePipeline, ShapesOfAnyKind) {
  Memory memory;
  for_all_shapes([&]<TileShape kShape>() {
    const uint64_t tile = InPipeline<kShape>::template kTileSize<SelectNumbers>;
    for (unsigned blocks : {1u, 2u, 3u, 7u}) {
      Executor executor({Order::kShuffled, blocks, blocks});
      for (uint64_t n : {uint64_t(0), uint64_t(1), tile, tile + 1, 3 * tile, 9 * tile - 1,
                         (kShape.buffers() + 1) * blocks * tile + 5}) {
        SCOPED_TRACE(testing::Message() << n << " items in tiles of " << tile << ", " << blocks);
        std::vector<uint32_t> in = random_numbers(n, 1);
        ASSERT_EQ(select_below<InPipeline<kShape>>(executor, memory, in),
                  reference_below(in, kBelowHalf));
      }
    }
  });
}

// Hundreds of interleavings of the threads of one to six blocks.
TEST(TilePipeline, SelectsInAnySchedule) {
  Memory memory;
  for (uint64_t seed = 0; seed < winnow::rounds(150); ++seed) {
    Executor executor({Order::kShuffled, seed, unsigned(1 + seed % 6)});
    std::vector<uint32_t> in = random_numbers(kTinyItems * (3 + seed % 7) - 3, uint32_t(seed));
    const bool in_place = seed % 2 == 0;
    ASSERT_EQ(select_below<Tiny>(executor, memory, in, in_place), reference_below(in, kBelowHalf))
        << "seed " << seed;
  }
}

TEST(TilePipeline, ScansInAnySchedule) {
  constexpr ScanKind kKind = ScanKind::kExclusive;
  Memory memory;
  for (uint64_t seed = 0; seed < winnow::rounds(120); ++seed) {
    Executor executor({Order::kShuffled, seed, unsigned(1 + seed % 6)});
    std::vector<Affine> in = ordered_items<Affine>(64 * (3 + seed % 7) - 1);
    ASSERT_TRUE((scan_items<Tiny, kKind, Compose>(executor, memory, in, seed % 2 == 0)) ==
                (reference_scan_of<kKind, Compose>(in)))
        << "seed " << seed;
  }
}

TEST(TilePipeline, AnyWarpMayBeDelayed) {
  constexpr TileShape kShape{96, 1, 2, 2, 1, 1};
  expect_right_with_delays<InPipeline<kShape>>(kShape.block_size() / simt::kWarpSize, {1, 2, 3},
                                               random_numbers(4000, 1), ordered_items<Affine>(900));
}

TEST(TilePipeline, MoreBlocksThanRunAtOnce) {
  Overcommitted launcher{Executor({Order::kShuffled, 3, 2}), 9};
  Memory memory;
  for (uint64_t n : {kTinyItems, 5 * kTinyItems, 9 * kTinyItems, 40 * kTinyItems + 3}) {
    std::vector<uint32_t> in = random_numbers(n, 2);
    ASSERT_EQ(select_below<Tiny>(launcher, memory, in), reference_below(in, kBelowHalf));
  }
}

struct Everything {
  SIMT_HOST_DEVICE bool operator()(uint64_t) const { return true; }
};

/// A select that reports 2^21 times as many selected items as there are, and writes none: 2^32 of
/// them take more time than a test has. A window of look-ahead, whose totals are added in 32 bits,
/// has 32 tiles of 32 items here.
struct InflatedSelect
    : compaction::SelectJob<compaction::IndicesIf<Everything>, compaction::WriteIndices<uint64_t>> {
  static constexpr uint64_t kFactor = uint64_t(1) << 21;

  template <unsigned kChunks>
  SIMT_KERNEL uint32_t rank(simt::Warp auto warp, Registers<kChunks>& items,
                            const compaction::ThreadView& view) const {
    return uint32_t(SelectJob::rank(warp, items, view) * kFactor);
  }
  template <unsigned kChunks>
  SIMT_KERNEL void stage(const Registers<kChunks>&, const compaction::ThreadView&, uint32_t,
                         uint32_t, std::byte*) const {}
};

TEST(TilePipeline, CountsMoreThan32BitsOfSelectedItems) {
  constexpr uint64_t kTiles = 200, kItems = kTiles * simt::kWarpSize - 1;
  constexpr uint64_t kSelected = kItems * InflatedSelect::kFactor;
  static_assert(kSelected > uint64_t(3) << 32);
  for (unsigned blocks : {1u, 2u, 5u}) {
    Executor executor({Order::kShuffled, blocks, blocks});
    Memory memory;
    uint64_t count = 0;
    uint32_t overflowed = 7;
    InflatedSelect job{{{}, compaction::WriteIndices<uint64_t>(nullptr), {}, {}}};
    job.result = {.count = &count, .capacity = 0, .overflowed = &overflowed};
    Tiny::run(executor, job, ItemCount{kItems}, memory);
    EXPECT_EQ(count, kSelected);
    EXPECT_EQ(overflowed, 1u);
  }
}

TEST(TilePipeline, EachCallOfSeveralBlocksHasItsEpoch) {
  expect_an_epoch_for_each_call<Tiny>();
}

TEST(TilePipeline, EpochsRestartWithoutOldStates) {
  Executor executor({Order::kShuffled, 5, 4});
  expect_restarted_epochs<Tiny, Tiny>(executor);
}

TEST(TilePipeline, LastEpochLeavesZeros) {
  Executor executor({Order::kShuffled, 5, 4});
  expect_zeros_after_the_last_epoch<Tiny>(executor);
}

TEST(TilePipeline, ReportsAWorkspaceThatWasNotZeroed) {
  for (unsigned blocks : {1u, 2u, 5u}) {
    Executor executor({Order::kForward, 0, blocks});
    expect_reported_garbage<Tiny>(executor);
  }
}

TEST(TilePipeline, CallsThePredicateOncePerItem) {
  for (unsigned blocks : {1u, 4u}) {
    Executor executor({Order::kShuffled, 1, blocks});
    expect_one_call_per_item<Tiny>(executor, 20 * kTinyItems + 5);
  }
}

TEST(TilePipeline, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  for (unsigned blocks : {1u, 4u}) {
    Executor executor({Order::kShuffled, 1, blocks});
    expect_calls_with_marked_items_only<Tiny>(executor);
  }
}

}  // namespace
