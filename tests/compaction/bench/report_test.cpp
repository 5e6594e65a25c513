#include "compaction/bench/report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using namespace compaction::bench;
using nlohmann::json;

Summary always(double us) {
  return {.median = us, .lower_quartile = us, .upper_quartile = us, .min = us, .samples = 9};
}

/// 1000 bytes, which the library moves in 2 us, CUB in 4 and a copy in 1.
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

TEST(Report, SetsEachTimeBesideTheYardsticks) {
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

TEST(Report, TasksThatDoNotFitAreListed) {
  Report report({}, parse_options({}));
  report.add_skipped({.suite = "scan", .operation = "exclusive_scan", .item_bytes = 16, .n = 7});
  json skipped = json::parse(report.json())["skipped"];
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_EQ(skipped[0]["n"], 7);
  EXPECT_FALSE(skipped[0].contains("keep"));
}

TEST(Report, SavesWholeFilesOnly) {
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
