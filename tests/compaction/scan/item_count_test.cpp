#include "scan/item_count.h"

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

}  // namespace
