#include "compaction/ladder/sequential_scan.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/compaction/support/ladder_items.h"

namespace {

TEST(SequentialScan, ExclusiveSumsAllEarlierItems) {
  std::vector<uint32_t> items = {3, 1, 7, 0, 4};
  uint32_t total =
      compaction::sequential_exclusive_scan({items.data(), 5}, {items.data(), 5});  // in place
  EXPECT_EQ(items, (std::vector<uint32_t>{0, 3, 4, 11, 11}));
  EXPECT_EQ(total, 15u);
}

TEST(SequentialScan, InclusiveTakesInTheItemItself) {
  std::vector<uint32_t> items = {3, 1, 7, 0, 4};
  uint32_t total =
      compaction::sequential_inclusive_scan({items.data(), 5}, {items.data(), 5});  // in place
  EXPECT_EQ(items, (std::vector<uint32_t>{3, 4, 11, 11, 15}));
  EXPECT_EQ(total, 15u);
}

TEST(SequentialScan, NothingSumsToTheIdentity) {
  EXPECT_EQ(compaction::sequential_exclusive_scan({}, {}), 0u);
  EXPECT_EQ(compaction::sequential_inclusive_scan<int>({}, {}, compaction::Product<int>()), 1);
}

// x -> 2x, then x -> x + 5, then x -> 3x.
TEST(SequentialScan, KeepsTheOrderOfOperands) {
  std::vector<Affine> maps = {{2, 0}, {1, 5}, {3, 0}}, out(3);
  compaction::sequential_inclusive_scan({maps.data(), 3}, simt::Span<Affine>{out.data(), 3},
                                        Compose());
  EXPECT_TRUE(out == (std::vector<Affine>{{2, 0}, {2, 5}, {6, 15}}));
}

}  // namespace
