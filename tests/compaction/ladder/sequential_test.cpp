// SPDX-License-Identifier: MIT
#include "compaction/ladder/sequential.h"

#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/source.h"
#include "tests/compaction/support/ordered_items.h"

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

static_assert(compaction::Source<compaction::FlagSource>);

TEST(SequentialSelect, WritesIndicesOfSetFlagsInOrder) {
  std::vector<uint8_t> flags = {0, 1, 1, 0, 2};
  std::vector<uint32_t> selected(3);
  EXPECT_EQ(compaction::sequential_select(compaction::FlagSource{{flags.data(), 5}}, 5,
                                          {selected.data(), 3}),
            3u);
  EXPECT_EQ(selected, (std::vector<uint32_t>{1, 2, 4}));
}

TEST(SequentialSelect, NothingSelectsNothing) {
  EXPECT_EQ(compaction::sequential_select(compaction::FlagSource{}, 0, {}), 0u);
}

}  // namespace
