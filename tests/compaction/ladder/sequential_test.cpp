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

TEST(SequentialScan, CombinesEarlierItemsInPlace) {
  std::vector<uint32_t> items = {3, 1, 7, 0, 4};
  EXPECT_EQ(compaction::sequential_exclusive_scan({items.data(), 5}, {items.data(), 5}), 15u);
  EXPECT_EQ(items, (std::vector<uint32_t>{0, 3, 4, 11, 11}));
  items = {3, 1, 7, 0, 4};
  EXPECT_EQ(compaction::sequential_inclusive_scan({items.data(), 5}, {items.data(), 5}), 15u);
  EXPECT_EQ(items, (std::vector<uint32_t>{3, 4, 11, 11, 15}));
}

TEST(Sequential, NothingIsTheIdentity) {
  EXPECT_EQ(compaction::sequential_reduce(simt::Span<const int>()), 0);
  EXPECT_EQ(compaction::sequential_reduce(simt::Span<const int>(), compaction::Product<int>()), 1);
  EXPECT_EQ(compaction::sequential_exclusive_scan({}, {}), 0u);
  EXPECT_EQ(compaction::sequential_inclusive_scan<int>({}, {}, compaction::Product<int>()), 1);
  EXPECT_EQ(compaction::sequential_select(compaction::FlagSource{}, 0, {}), 0u);
}

// x -> 2x, then x -> x + 5, then x -> 3x.
TEST(Sequential, KeepsTheOrderOfOperands) {
  std::vector<Affine> maps = {{2, 0}, {1, 5}, {3, 0}}, out(3);
  simt::Span<const Affine> in{maps.data(), 3};
  EXPECT_TRUE(compaction::sequential_reduce(in, Compose()) == (Affine{6, 15}));
  compaction::sequential_inclusive_scan(in, simt::Span<Affine>{out.data(), 3}, Compose());
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

}  // namespace
