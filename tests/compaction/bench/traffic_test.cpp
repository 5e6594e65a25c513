// SPDX-License-Identifier: MIT
#include "compaction/bench/traffic.h"

#include <gtest/gtest.h>

namespace {

using namespace compaction::bench;

TEST(Traffic, CountsWhatEachItemCosts) {
  // 8 items of 4 bytes, 3 of them kept.
  EXPECT_EQ(scan_traffic(8, 4), 8 * (4u + 4));
  EXPECT_EQ(reduce_traffic(8, 4), 8 * 4u);
  EXPECT_EQ(select_traffic(8, 3, 4), 8 * 4u + 3 * 4);
  EXPECT_EQ(flagged_traffic(8, 3, 4), 8 * (4u + 1) + 3 * 4);
  EXPECT_EQ(masked_traffic(8, 3, 4), 4 + 8 * 4u + 3 * 4);  // a word holds all bits
  EXPECT_EQ(masked_traffic(33, 3, 4), 2 * 4 + 33 * 4u + 3 * 4);
  EXPECT_EQ(masked_traffic(0, 0, 4), 0u);
  EXPECT_EQ(partition_traffic(8, 4), 8 * 4u + 3 * 4 + 5 * 4);
}

TEST(Traffic, LargeTasksDoNotOverflow) {
  EXPECT_EQ(select_traffic(uint64_t(1) << 30, uint64_t(1) << 30, 64), uint64_t(1) << 37);
}

}  // namespace
