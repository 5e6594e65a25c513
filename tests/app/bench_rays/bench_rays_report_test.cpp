// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <sstream>

#include "app/bench_rays/bench_rays.h"
#include "tests/support/expect_json.h"

namespace winnow {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

/// 1000 primary rays on 4 threads of a CPU: 2 ms with all of them, 6 ms with one.
BenchRaysReport example() {
  BenchRaysReport report;
  report.file = "a \"scene\".obj";
  report.scene = "scene";
  report.device = "CPU, 4 threads";
  report.started = "2026-01-31T12:00:00Z";
  report.threads = 4;
  report.repeat = 3;
  report.triangles = 90;
  report.spheres = 10;
  report.camera_origin = "--camera";
  report.settings.width = 40;
  report.settings.height = 25;
  report.settings.light.origin = "the scene's bounds";
  report.trees = {{"WideBvh", 0.5, 6500}, {"Embree", 0.25, 0}};
  TracerRun ours{.name = "WideBvh",
                 .milliseconds = {2.0, 2.5, 1.9},
                 .scaling = {{1, {6.0, 6.0, 7.0}}, {2, {4.0, 4.0, 4.0}}}};
  TracerRun embree{.name = "Embree", .milliseconds = {1.0, 1.0, 1.0}};
  report.sets = {
      {.name = "primary", .rays = 1000, .visits = RayVisits{18.25, 7.5}, .runs = {embree, ours}}};
  return report;
}

TEST(BenchRaysReport, RateAndEfficiencyFollowFromTheMedians) {
  const BenchRaysReport report = example();
  const RaySetRun& set = report.sets[0];
  EXPECT_DOUBLE_EQ(rays_per_second(set, set.runs[1].milliseconds), 500e3);
  EXPECT_DOUBLE_EQ(*parallel_efficiency(set.runs[1], 4), 0.75);
  EXPECT_FALSE(parallel_efficiency(set.runs[0], 4));
}

TEST(BenchRaysReport, MoreThanOneWrongRayOf100000IsAFailure) {
  BenchRaysReport report = example();
  RaySetRun& set = report.sets[0];
  set.rays = 200'000;
  set.runs[1].check = {.differ = 100, .wrong = 2};
  EXPECT_FALSE(is_wrong(report));
  set.runs[1].check.wrong = 3;
  EXPECT_TRUE(is_wrong(report));
  EXPECT_THAT(bench_rays_text(report), HasSubstr("FAILED"));
  set.runs[1].must_be_right = false;
  EXPECT_FALSE(is_wrong(report));
}

TEST(BenchRaysText, SaysHowOftenTheReferenceIsWrong) {
  BenchRaysReport report = example();
  EXPECT_THAT(bench_rays_text(report), testing::Not(HasSubstr("the reference")));
  report.sets[0].runs[1].check = {.differ = 4, .reference_wrong = 3, .on_edge = 1};
  EXPECT_THAT(bench_rays_text(report),
              HasSubstr("primary: Embree, the reference, is wrong for 3 rays."));
}

TEST(BenchRaysText, ShowsEachTracerOfEachSetInto100Columns) {
  BenchRaysReport report = example();
  const std::string text = bench_rays_text(report);
  for (const char* part :
       {"scene: 90 triangles, 10 spheres; on CPU, 4 threads", "camera (--camera)",
        "light (the scene's bounds)", "built in 0.500 s, 0.0 MB, 65.0 bytes per primitive",
        "Mrays/s", "primary      WideBvh       1000    0.500", "75   18.25    7.50"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, testing::Not(HasSubstr("FAILED")));

  report.sets[0].rays = 1'000'000'000;
  std::istringstream lines(bench_rays_text(report));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(BenchRaysText, ComparesTheTracersOfAGpuInARowToReport) {
  BenchRaysReport report = example();
  report.device = "NVIDIA RTX";
  report.cuda = true;
  EXPECT_THAT(bench_rays_text(report), testing::Not(HasSubstr("To report")));
  RaySetRun& set = report.sets[0];
  set.rays = 5'000'000;
  set.runs[0].name = "OptiX";
  set.found_others = 7;
  const std::string text = bench_rays_text(report);
  EXPECT_THAT(text, HasSubstr("primary: OptiX and WideBvh found different primitives for 7 of "
                              "5000000 rays.\n"));
  EXPECT_THAT(text, HasSubstr("| NVIDIA RTX | scene | primary: OptiX 5.00, WideBvh 2.50 |\n"));
}

TEST(BenchRaysText, OfAGpuIsInBillions) {
  BenchRaysReport report = example();
  report.cuda = true;
  report.sets[0].runs.resize(1);
  report.sets[0].rays = 3'000'000;
  const std::string text = bench_rays_text(report);
  EXPECT_THAT(text, HasSubstr("Grays/s"));
  EXPECT_THAT(text, HasSubstr("primary      Embree     3000000    3.000"));
}

TEST(BenchRaysText, SaysWhetherSortingPays) {
  BenchRaysReport report = example();
  report.sets[0].runs = {{.name = "WideBvh", .milliseconds = {3.0}}};
  report.sets.push_back(report.sets[0]);
  RaySetRun& sorted = report.sets[1];
  sorted.name = "diffuse1 (s)";
  sorted.runs[0].milliseconds = {2.0};
  EXPECT_THAT(bench_rays_text(report), testing::Not(HasSubstr("sorting")));
  sorted.sort_milliseconds = {0.75};
  EXPECT_THAT(
      bench_rays_text(report),
      HasSubstr("diffuse1 (s) 2.000 ms instead of 3.000, plus 0.750 ms for sorting: pays off"));
  sorted.sort_milliseconds = {1.25};
  EXPECT_THAT(bench_rays_text(report), HasSubstr("1.250 ms for sorting: does not pay off"));
}

TEST(BenchRaysJson, HasEveryResult) {
  BenchRaysReport report = example();
  report.sets[0].sort_milliseconds = {0.5, 0.25};
  const Json json = Json::parse(bench_rays_json(report));
  EXPECT_EQ(json["camera"]["position"].size(), 3u);
  expect_json(json, R"({"what": "winnow bench-rays", "file": "a \"scene\".obj",
    "device": "CPU, 4 threads", "triangles": 90, "size_pixels": [40, 25],
    "light": {"from": "the scene's bounds"}, "rounds": 3, "passed": true,
    "trees": [{"bytes": 6500, "bytes_per_primitive": 65.0}, {"bytes": null}],
    "sets": [{"set": "primary", "rays": 1000, "nodes_per_ray": 18.25, "primitives_per_ray": 7.5,
      "sort_milliseconds": [0.5, 0.25], "runs": [{"parallel_efficiency": null}, {
        "tracer": "WideBvh", "rays_per_second": 500e3, "rays_per_second_per_thread": 125e3,
        "milliseconds": [2.0, 2.5, 1.9], "milliseconds_interval": {"median": 2.0},
        "parallel_efficiency": 0.75, "fewer_threads": [{"threads": 1},
          {"threads": 2, "rays_per_second": 250e3}], "wrong_in_double_precision": 0,
        "embree_wrong_in_double_precision": 0, "on_an_edge": 0}]}]})");
}

}  // namespace
}  // namespace winnow
