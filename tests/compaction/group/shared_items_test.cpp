// SPDX-License-Identifier: MIT
#include "compaction/group/shared_items.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "tests/compaction/support/ordered_items.h"

namespace {

TEST(SharedItems, SlotsAreDistinctAndFitTheMemory) {
  using Items = compaction::SharedItems<uint32_t, 512>;
  for (unsigned item = 1; item < Items::kCount; ++item)
    EXPECT_GT(Items::slot(item), Items::slot(item - 1));
  EXPECT_LT(Items::slot(Items::kCount - 1), sizeof(Items) / sizeof(uint32_t));
}

TEST(SharedItems, PowersOfTwoSpreadOverTheBanks) {
  using Items = compaction::SharedItems<uint32_t, 1024>;
  uint32_t banks = 0;
  for (unsigned lane = 0; lane < 32; ++lane) banks |= 1u << Items::slot(lane * 32) % 32;
  EXPECT_EQ(banks, ~0u);
}

// Detects an up-sweep with too many steps.
TEST(SharedItems, ReportsAnIndexOutside) {
  compaction::SharedItems<uint32_t, 64> items;
  items[63] = 1;
  EXPECT_EQ(items[63], 1u);
  EXPECT_THROW(items[64], std::out_of_range);
  EXPECT_THROW(items[~0u], std::out_of_range);
}

TEST(SharedItems, HoldsItemsWithInitialValues) {
  static_assert(!std::is_trivially_default_constructible_v<Affine>);
  static_assert(std::is_trivially_default_constructible_v<compaction::SharedItems<Affine, 32>>);
  static_assert(alignof(compaction::SharedItems<uint64_t, 3>) == alignof(uint64_t));
}

}  // namespace
