// SPDX-License-Identifier: MIT
#include "compaction/bench/table.h"

#include <gtest/gtest.h>

namespace {

using namespace compaction::bench;

TEST(Table, PowersOfTwoAreShort) {
  EXPECT_EQ(size_text(1), "2^0");
  EXPECT_EQ(size_text(uint64_t(1) << 30), "2^30");
  EXPECT_EQ(size_text(1000), "1000");
}

TEST(Table, TaskNamesContainEveryParameter) {
  Task task{.suite = "scan", .operation = "exclusive_scan", .item_bytes = 8, .n = 1 << 20};
  EXPECT_EQ(task_text(task), "exclusive_scan, 8-byte items, n = 2^20");
  task.keep = 12.5;
  EXPECT_EQ(task_text(task), "exclusive_scan, 8-byte items, n = 2^20, keep 12.5 %");
  task.bounce = 3;
  EXPECT_EQ(task_text(task), "exclusive_scan, 8-byte items, n = 2^20, bounce 3, keep 12.5 %");
}

}  // namespace
