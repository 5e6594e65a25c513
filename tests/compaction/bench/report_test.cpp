// SPDX-License-Identifier: MIT
#include "compaction/bench/report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using namespace compaction::bench;
using compaction::Summary;
using nlohmann::json;

Summary always(double us) {
  return {.median = us, .lower_quartile = us, .upper_quartile = us, .min = us, .samples = 9};
}

/// A race that moves 1000 bytes: the library takes 2 us, CUB 4 us, a copy 1 us.
Race example() {
  Task task{.suite = "select",
            .operation = "select_if",
            .item_bytes = 4,
            .n = 200,
            .keep = 25,
            .kept = 50,
            .bytes = 1000};
  auto timing = [](const char* name, double us, int launches) {
    return Timing{name, always(us), always(us / 2), always(3), launches};
  };
  return {task,
          {timing("compaction", 2, 1), timing(kCub, 4, 2), timing(kThrust, 8, -1),
           timing(kMemcpy, 1, 1)}};
}

TEST(Report, RelatesEachTimeToTheBaselines) {
  Report report({.name = "device"}, parse_options({}));
  report.add(example());
  json results = json::parse(report.json())["results"];
  ASSERT_EQ(results.size(), 4u);
  json ours = results[0];
  EXPECT_EQ(ours["algorithm"], "compaction");
  EXPECT_EQ(ours["operation"], "select_if");
  EXPECT_EQ(ours["n"], 200);
  EXPECT_EQ(ours["kept"], 50);
  EXPECT_EQ(ours["launches"], 1);
  EXPECT_EQ(ours["cold_us"]["median"], 2);
  EXPECT_EQ(ours["cold_gb_per_s"], 0.5);         // 1000 bytes in 2 us
  EXPECT_EQ(ours["cold_speed_of_memcpy"], 0.5);  // half as fast
  EXPECT_EQ(ours["cold_time_of_cub"], 0.5);      // half the time
  EXPECT_EQ(ours["hot_time_of_cub"], 0.5);
  EXPECT_EQ(ours["cold_time_of_thrust"], 0.25);
  EXPECT_TRUE(results[2]["launches"].is_null());
}

TEST(Report, HasTimesInGraphsWhereTheyWereMeasured) {
  Report report({}, parse_options({}));
  Race race = example();
  race.timings[0].graph_us = always(3);
  race.timings[1].graph_us = always(4);
  report.add(race);
  json results = json::parse(report.json())["results"];
  EXPECT_EQ(results[0]["graph_us"]["median"], 3);
  EXPECT_EQ(results[0]["graph_time_of_cub"], 0.75);
  EXPECT_FALSE(results[2].contains("graph_us"));
  EXPECT_FALSE(results[2].contains("graph_time_of_cub"));
}

TEST(Report, LeavesOutRatiosWithoutABaseline) {
  Report report({}, parse_options({}));
  Race race = example();
  race.timings.erase(race.timings.begin() + 1);  // CUB
  report.add(race);
  json ours = json::parse(report.json())["results"][0];
  EXPECT_FALSE(ours.contains("cold_time_of_cub"));
  EXPECT_FALSE(ours.contains("hot_time_of_cub"));
  EXPECT_TRUE(ours.contains("cold_time_of_thrust"));
}

TEST(Report, NamesTheDeviceAndTheMeasurement) {
  const char* arguments[] = {"--repeat=7"};
  Report report({.name = "a \"GPU\"", .sms = 132}, parse_options(arguments));
  json result = json::parse(report.json());
  EXPECT_EQ(result["program"], "compaction_bench");
  EXPECT_EQ(result["device"]["name"], "a \"GPU\"");
  EXPECT_EQ(result["device"]["sms"], 132);
  EXPECT_EQ(result["samples"], 7);
  EXPECT_EQ(result["flush"], "write");
}

TEST(Report, NamesTheBounceOfARecordedMask) {
  Report report({}, parse_options({}));
  report.add(example());
  Race masked = example();
  masked.task.bounce = 0;
  report.add(masked);
  json results = json::parse(report.json())["results"];
  EXPECT_FALSE(results[0].contains("bounce"));
  EXPECT_EQ(results[4]["bounce"], 0);
}

TEST(Report, ListsSkippedTasks) {
  Report report({}, parse_options({}));
  report.add_skipped({.suite = "scan", .operation = "exclusive_scan", .item_bytes = 16, .n = 7});
  json skipped = json::parse(report.json())["skipped"];
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_EQ(skipped[0]["n"], 7);
  EXPECT_FALSE(skipped[0].contains("keep"));
}

TEST(Report, SavesCompleteFilesOnly) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "bench_report";
  std::filesystem::create_directories(folder);
  std::string path = (folder / "results.json").string();
  Report report({}, parse_options({}));
  report.save(path);
  report.add(example());
  report.save(path);
  EXPECT_EQ(json::parse(std::ifstream(path))["results"].size(), 4u);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  std::filesystem::remove_all(folder);
  EXPECT_THROW(report.save(path), std::runtime_error);
}

}  // namespace
