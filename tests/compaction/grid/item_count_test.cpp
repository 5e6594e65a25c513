// SPDX-License-Identifier: MIT
#include "compaction/grid/item_count.h"

#include <gtest/gtest.h>

namespace {

TEST(ItemCount, IsTheCapacityWhereNoCountIsOnTheDevice) {
  EXPECT_EQ(compaction::ItemCount{7}(), 7u);
}

TEST(ItemCount, CountOnTheDeviceIsLimitedByTheCapacity) {
  uint32_t count = 3;
  compaction::ItemCount items{5, &count};
  EXPECT_EQ(items(), 3u);
  count = 0;
  EXPECT_EQ(items(), 0u);
  count = 9;
  EXPECT_EQ(items(), 5u);
}

TEST(ItemCount, ReadsAllOfAWideCount) {
  uint64_t count = (uint64_t(1) << 32) + 3;
  compaction::ItemCount items{uint64_t(1) << 40, &count};
  EXPECT_EQ(items(), count);
}

TEST(DeviceCountOut, WritesItsWidthOnly) {
  uint32_t narrow[2] = {7, 7};
  compaction::DeviceCountOut(narrow).store((uint64_t(5) << 32) + 1);
  EXPECT_EQ(narrow[0], 1u);
  EXPECT_EQ(narrow[1], 7u);
  uint64_t wide = 7;
  compaction::DeviceCountOut(&wide).store((uint64_t(5) << 32) + 1);
  EXPECT_EQ(wide, (uint64_t(5) << 32) + 1);
}

TEST(GridSize, CoversEveryItem) {
  EXPECT_EQ(compaction::grid_size(0, 256), 0u);
  EXPECT_EQ(compaction::grid_size(1, 256), 1u);
  EXPECT_EQ(compaction::grid_size(256, 256), 1u);
  EXPECT_EQ(compaction::grid_size(257, 256), 2u);
  EXPECT_EQ(compaction::grid_size((uint64_t(1) << 39) - 256, 256), (1u << 31) - 1);
}

}  // namespace
