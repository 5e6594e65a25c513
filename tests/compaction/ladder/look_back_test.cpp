// SPDX-License-Identifier: MIT
#include "compaction/ladder/look_back.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "tests/compaction/grid/support/find_prefixes.h"
#include "tests/support/rounds.h"

namespace {

using compaction::kEpochs;
using compaction::Sum;

template <class ItemAndOperator>
class LookBackTest : public testing::Test {
 protected:
  using T = std::tuple_element_t<0, ItemAndOperator>;
  using Op = std::tuple_element_t<1, ItemAndOperator>;
};

// Types of 1, 4, 4, 8, 12 and 128 bytes. Of the operators, only the sum is commutative.
using ItemsAndOperators =
    testing::Types<std::tuple<uint8_t, KeepLastByte>, std::tuple<uint32_t, Sum<uint32_t>>,
                   std::tuple<NarrowAffine, NarrowCompose>, std::tuple<Affine, Compose>,
                   std::tuple<Interval, Join>, std::tuple<Wide, KeepLast>>;
TYPED_TEST_SUITE(LookBackTest, ItemsAndOperators);

// Many blocks run at once, so that a tile finds only aggregates and needs several windows of 32
// tiles.
constexpr Schedule kSchedules[] = {
    {Order::kForward, 0, 1}, {Order::kReverse, 0, 98}, {Order::kShuffled, 1, 98}};

TYPED_TEST(LookBackTest, CombinesAllEarlierTilesInOrder) {
  using T = typename TestFixture::T;
  for (Schedule schedule : kSchedules) {
    Executor executor(schedule);
    PrefixFinder<T, typename TestFixture::Op> finder(98);
    for (uint32_t tiles : {1u, 2u, 33u, 98u})  // the last has tiles with 0 to 97 predecessors
      EXPECT_TRUE(finder.finds(executor, tile_values<T>(tiles)))
          << tiles << " tiles, order " << int(schedule.order) << ", " << schedule.resident_blocks
          << " blocks at once";
  }
}

TYPED_TEST(LookBackTest, ReadsWordsThatAreBeingWritten) {
  using T = typename TestFixture::T;
  Executor executor({Order::kShuffled, 4, 40});
  PrefixFinder<T, typename TestFixture::Op> finder(40);
  for (unsigned call = 0; call < winnow::rounds(6); ++call)
    for (uint32_t tiles : {5u, 40u})
      EXPECT_TRUE(finder.template finds<compaction::LookBack>(executor, tile_values<T>(tiles),
                                                              TornStates<T>()))
          << tiles << " tiles, call " << call;
}

TYPED_TEST(LookBackTest, StatesOfOtherCallsDoNotCount) {
  using T = typename TestFixture::T;
  constexpr uint32_t kTiles = 40;
  Executor executor({Order::kShuffled, 5, kTiles});
  std::vector<T> items = tile_values<T>(2 * kTiles), poison(items.begin() + kTiles, items.end());
  items.resize(kTiles);
  for (uint32_t epoch : {0u, 1000u, kEpochs - 1})
    for (uint32_t other : {0u, epoch - 1, epoch + 1, kEpochs - 1})
      for (TileStatus status : {TileStatus::kAggregate, TileStatus::kInclusivePrefix}) {
        if (other == epoch || other >= kEpochs) continue;
        PrefixFinder<T, typename TestFixture::Op> finder(kTiles, epoch);
        for (uint32_t tile = 0; tile < kTiles; ++tile)
          finder.workspace().states.publish(tile, other, status, poison[tile]);
        EXPECT_TRUE(finder.finds(executor, items)) << "epoch " << epoch << ", words of " << other;
      }
}

/// TileStates in which one tile publishes nothing.
struct SilentTile : TileStates<uint32_t> {
  uint32_t silent = 0;

  SIMT_KERNEL void publish(uint32_t tile, uint32_t epoch, TileStatus status, uint32_t value) const {
    if (tile != silent) TileStates<uint32_t>::publish(tile, epoch, status, value);
  }
};

TEST(LookBack, ReportsATileThatPublishesNothing) {
  constexpr uint32_t kTiles = 5;
  for (uint32_t silent = 0; silent < kTiles - 1; ++silent) {
    PrefixFinder<uint32_t, Sum<uint32_t>> finder(kTiles);
    SilentTile states;
    states.silent = silent;
    Executor executor({Order::kShuffled, silent, kTiles});
    const std::string error = kernel_error_of([&] {
      finder.finds<compaction::LookBack>(executor, std::vector<uint32_t>(kTiles, 1), states);
    });
    EXPECT_THAT(error, testing::HasSubstr("tile_states.h")) << "tile " << silent;
    EXPECT_THAT(error, testing::HasSubstr("no thread makes progress"));
  }
}

}  // namespace
