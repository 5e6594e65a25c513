#include "compaction/single_pass/tile_shape.h"

#include <gtest/gtest.h>

namespace {

using compaction::TileShape;

TEST(TileShape, CountsWhatABlockHolds) {
  constexpr TileShape kShape{
      .workers = 64, .chunks = 3, .ahead = 2, .pending = 4, .blocks_per_sm = 1, .reads = 5};
  EXPECT_EQ(kShape.slots(), 7u);         // one examined, two under way, four that wait
  EXPECT_EQ(kShape.block_size(), 128u);  // and two warps that serve
  EXPECT_EQ(kShape.tile_chunks(), 192u);
}

}  // namespace
