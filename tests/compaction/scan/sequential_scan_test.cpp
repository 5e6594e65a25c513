#include "compaction/scan/sequential_scan.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(SequentialExclusiveScan, SumsAllEarlierItems) {
  std::vector<uint32_t> items = {3, 1, 7, 0, 4};
  uint32_t total =
      compaction::sequential_exclusive_scan({items.data(), 5}, {items.data(), 5});  // in place
  EXPECT_EQ(items, (std::vector<uint32_t>{0, 3, 4, 11, 11}));
  EXPECT_EQ(total, 15u);
}

TEST(SequentialExclusiveScan, NothingSumsToZero) {
  EXPECT_EQ(compaction::sequential_exclusive_scan({}, {}), 0u);
}

}  // namespace
