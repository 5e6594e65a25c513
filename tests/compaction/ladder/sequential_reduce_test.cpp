#include "compaction/ladder/sequential_reduce.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/compaction/support/ladder_items.h"

namespace {

TEST(SequentialReduce, CombinesAllItems) {
  std::vector<int> items = {3, 1, 7, -2, 4};
  simt::Span<const int> in{items.data(), 5};
  EXPECT_EQ(compaction::sequential_reduce(in), 13);
  EXPECT_EQ(compaction::sequential_reduce(in, compaction::Product<int>()), -168);
  EXPECT_EQ(compaction::sequential_reduce(in, compaction::Min<int>()), -2);
  EXPECT_EQ(compaction::sequential_reduce(in, compaction::Max<int>()), 7);
}

TEST(SequentialReduce, NothingIsTheIdentity) {
  EXPECT_EQ(compaction::sequential_reduce(simt::Span<const int>()), 0);
  EXPECT_EQ(compaction::sequential_reduce(simt::Span<const int>(), compaction::Product<int>()), 1);
}

// x -> 2x, then x -> x + 5, then x -> 3x.
TEST(SequentialReduce, KeepsTheOrderOfOperands) {
  std::vector<Affine> maps = {{2, 0}, {1, 5}, {3, 0}};
  EXPECT_TRUE(compaction::sequential_reduce(simt::Span<const Affine>{maps.data(), 3}, Compose()) ==
              (Affine{6, 15}));
}

}  // namespace
