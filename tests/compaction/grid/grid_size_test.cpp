#include "compaction/grid/grid_size.h"

#include <gtest/gtest.h>

namespace {

TEST(GridSize, CoversEveryItem) {
  EXPECT_EQ(compaction::grid_size(0, 256), 0u);
  EXPECT_EQ(compaction::grid_size(1, 256), 1u);
  EXPECT_EQ(compaction::grid_size(256, 256), 1u);
  EXPECT_EQ(compaction::grid_size(257, 256), 2u);
  EXPECT_EQ(compaction::grid_size((uint64_t(1) << 39) - 256, 256), (1u << 31) - 1);
}

}  // namespace
