// SPDX-License-Identifier: MIT
#include "app/bench/report.h"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/app/bench/support/bench_example.h"
#include "tests/support/expect_json.h"

namespace winnow {
namespace {

using Json = nlohmann::json;

BenchReport example_report() {
  return {.device = "a GPU",
          .started = "2026-01-31T12:00:00Z",
          .cuda = true,
          .rounds = 5,
          .threads = 8,
          .interrupted = false,
          .scenes = {example_bench()},
          .failed = {{"bad.json", "bad.json: there is no such file"}}};
}

TEST(BenchJson, NamesTheDeviceTheSceneAndTheSettings) {
  const Json json = Json::parse(bench_json(example_report()));
  expect_json(json, R"({"what": "winnow bench", "device": "a GPU", "threads": null,
    "started": "2026-01-31T12:00:00Z", "interrupted": false,
    "failed": [{"file": "bad.json", "reason": "bad.json: there is no such file"}],
    "scenes": [{"file": "a \"scene\", here.json", "size_pixels": [8, 4], "samples_per_pixel": 2,
      "paths_per_frame": 64, "max_bounces": 2, "rounds_completed": 5,
      "compared": [{"tracer": "bvh", "none_configuration": 0,
                    "best_cull_configuration": 1}]}]})");
  EXPECT_FALSE(json["version"].get<std::string>().empty());
  EXPECT_EQ(json["failed"].size(), 1u);
  EXPECT_GE(json["scenes"][0]["conclusions"].size(), 4u);
}

TEST(BenchJson, HasEveryTimeOfEveryConfiguration) {
  Json configurations = Json::parse(bench_json(example_report()))["scenes"][0]["configurations"];
  ASSERT_EQ(configurations.size(), 4u);
  const Json& scan = configurations[1];
  expect_json(
      scan,
      R"({"name": "wave + scan", "loop": "wave", "cull": "scan", "group": "none", "roulette": true,
    "regenerate": false, "driver": "graph", "tracer": "bvh", "film_hash": "0123456789abcdef",
    "frame_ms_interval": {"median": 8.0}, "speed_beside_none": {"median": 1.25},
    "rank": 2, "tied": false})");
  EXPECT_EQ(scan["frame_ms"].size(), 5u);
  EXPECT_EQ(scan["host_ms"].size(), 5u);
  expect_json(configurations[3], R"({"cull": null, "driver": null, "tracer": null})");
}

TEST(BenchJson, HasStagesAndBouncesOfTheMeasuredFrame) {
  Json json = Json::parse(bench_json(example_report()));
  const Json& measured = json["scenes"][0]["configurations"][1]["measured"];
  expect_json(measured, R"({"frame_ms": 8.0, "host_ms": 0.01, "other_ms": 1.5,
    "stage_ms": {"intersect": 3.0, "cull": 0.5}, "ideal_stage_ms": {"intersect": 2.5},
    "ideal_share_reached": 0.5, "deaths": {"escaped": 48}})");
  ASSERT_EQ(measured["bounces"].size(), 2u);  // bounces that a path reached
  expect_json(measured["bounces"][1], R"({"alive": 16, "alive_share": 0.25, "queued": 16,
    "busy_warps": 1, "lane_efficiency": 0.5, "state_bytes_per_path": 100.0,
    "stage_ms": {"shade": 1.0}, "full_ms": 4.0, "gain_ms": 2.5})");
}

TEST(BenchJson, UnknownValuesAreNull) {
  BenchReport report = example_report();
  report.cuda = report.scenes[0].cuda = false;
  report.scenes[0].runs[1].measured.reset();
  Json json = Json::parse(bench_json(report));
  expect_json(json, R"({"threads": 8, "scenes": [{"configurations": [
    {"driver": null, "measured": {"ideal_stage_ms": null, "bounces": [{"gain_ms": null}]}},
    {"measured": null}]}]})");
}

TEST(BenchCsv, HasALineForEachConfiguration) {
  std::istringstream stream(bench_csv(example_report()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 5u);
  const std::string &head = lines[0], &scan = lines[2], &path = lines[4];
  EXPECT_EQ(std::count(head.begin(), head.end(), ',') + 1,  // one is in the scene's name
            std::count(scan.begin(), scan.end(), ','));
  EXPECT_EQ(
      scan.rfind("\"a \"\"scene\"\", here.json\",8,4,2,2,wave,scan,on,off,graph,bvh,5,8,7.9,8.1,",
                 0),
      0u)
      << scan;
  EXPECT_THAT(scan, testing::EndsWith(",0.0625,0.5,2,no"));
  EXPECT_THAT(path, testing::HasSubstr(",path,,on,off,,,5,9,"));
  EXPECT_THAT(path, testing::EndsWith(",,,3,no"));
}

TEST(BenchText, FitsInto100ColumnsAndShowsEachConfiguration) {
  SceneBench bench = example_bench();
  bench.settings.width = bench.settings.height = 32768;
  for (ConfigRun& run : bench.runs) {
    for (double& ms : run.frame_milliseconds) ms *= 10'000.0;
    for (BounceStats& bounce : run.measured->stats.bounces)
      for (uint64_t* count : {&bounce.alive, &bounce.queued, &bounce.busy_warps})
        *count *= 100'000'000;
  }
  std::string text = scene_text(bench, "an NVIDIA GPU with a name");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  for (const char* part : {"wave  none", "wave  scan", "path  -", "above ideal", "lanes%",
                           "escaped%", "culling pays here"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

/// The example with both tracers: OptiX takes twice as long.
SceneBench bench_of_both_tracers() {
  SceneBench bench = example_bench();
  for (size_t i = 0; i < 2; ++i) {
    ConfigRun run = bench.runs[i];
    run.config.tracer = Tracer::kRt;
    run.config.driver = Driver::kHost;
    for (double& ms : run.frame_milliseconds) ms *= 2.0;
    bench.runs.insert(bench.runs.begin() + 3 + long(i), run);
  }
  return bench;
}

TEST(BenchText, SaysWhatCullingGainsWithEachTracer) {
  const SceneBench bench = bench_of_both_tracers();
  EXPECT_THAT(bench_conclusions(bench, summarize(bench)),
              testing::IsSupersetOf({
                  testing::StartsWith("With roulette, culling pays here: the best mode, scan, is "
                                      "1.250 times as fast as none"),
                  testing::StartsWith("With roulette and --tracer rt, culling pays here: the best "
                                      "mode, scan, is 1.250 times as fast as none"),
                  testing::StartsWith("The fastest wave with --tracer rt takes 2.286 times as long "
                                      "as that with bvh"),
              }));
  EXPECT_THAT(scene_text(bench, "a GPU"),
              testing::AllOf(testing::HasSubstr("graph  bvh"), testing::HasSubstr("host   rt")));
}

TEST(BenchJson, ComparesCullingWithEachTracer) {
  BenchReport report = example_report();
  report.scenes = {bench_of_both_tracers()};
  expect_json(Json::parse(bench_json(report)), R"({"scenes": [{"compared": [
    {"tracer": "bvh", "none_configuration": 0, "best_cull_configuration": 1},
    {"tracer": "rt", "none_configuration": 3, "best_cull_configuration": 4}]}]})");
}

TEST(BenchText, OfAnInterruptedSceneHasNoStages) {
  SceneBench bench = example_bench();
  bench.interrupted = true;
  for (ConfigRun& run : bench.runs) run.measured.reset();
  EXPECT_THAT(scene_text(bench, "a GPU"), testing::Not(testing::HasSubstr("lanes%")));
}

}  // namespace
}  // namespace winnow
