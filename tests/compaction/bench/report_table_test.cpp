// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "compaction/bench/report.h"

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

TEST(Table, LossesInGraphsAreCounted) {
  const auto timing = [](const char* name, double graph_us) {
    return Timing{name, {.median = 1}, {.median = 1}, {}, 1, {.median = graph_us}};
  };
  const Task task{.suite = "scan", .operation = "exclusive_scan", .item_bytes = 4, .n = 64};
  EXPECT_EQ(losses_text({{task, {timing(kOurs, 12), timing(kCub, 10)}}}),
            "1 of 3 times are above 1.02 of CUB's\n"
            "  1.20  exclusive_scan, 4-byte items, n = 2^6, in a graph\n");
}

TEST(Table, LossesAreCountedColdAndHotAndSorted) {
  auto race = [](uint64_t n, double cold_us, double hot_us) {
    auto timing = [](const char* name, double cold_us, double hot_us) {
      return Timing{name, {.median = cold_us}, {.median = hot_us}, {}, 1};
    };
    return Race{{.suite = "reduce", .operation = "reduce", .item_bytes = 4, .n = n},
                {timing(kOurs, cold_us, hot_us), timing("reversed", 99, 99), timing(kCub, 10, 10)}};
  };
  EXPECT_EQ(losses_text({}), "");
  EXPECT_EQ(losses_text({race(1 << 10, 10.2, 9)}), "0 of 2 times are above 1.02 of CUB's\n");
  EXPECT_EQ(losses_text({race(1 << 10, 10.5, 9), race(1 << 20, 10, 15)}),
            "2 of 4 times are above 1.02 of CUB's\n"
            "  1.50  reduce, 4-byte items, n = 2^20, hot\n"
            "  1.05  reduce, 4-byte items, n = 2^10, cold\n");
}

}  // namespace
