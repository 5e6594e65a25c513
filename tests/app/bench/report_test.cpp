// SPDX-License-Identifier: MIT
#include "app/bench/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/bench/support/bench_example.h"

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
  Json json = Json::parse(bench_json(example_report()));
  EXPECT_EQ(json["what"], "winnow bench");
  EXPECT_EQ(json["device"], "a GPU");
  EXPECT_EQ(json["started"], "2026-01-31T12:00:00Z");
  EXPECT_EQ(json["threads"], nullptr);
  EXPECT_EQ(json["interrupted"], false);
  EXPECT_FALSE(json["version"].get<std::string>().empty());
  EXPECT_EQ(json["failed"], Json::parse(R"([{"file": "bad.json",
                                             "reason": "bad.json: there is no such file"}])"));
  const Json& scene = json["scenes"][0];
  EXPECT_EQ(scene["file"], "a \"scene\", here.json");
  EXPECT_EQ(scene["size_pixels"], Json({8, 4}));
  EXPECT_EQ(scene["samples_per_pixel"], 2);
  EXPECT_EQ(scene["paths_per_frame"], 64);
  EXPECT_EQ(scene["max_bounces"], 2);
  EXPECT_EQ(scene["rounds_completed"], 5);
  EXPECT_EQ(scene["compared"][0]["none_configuration"], 0);
  EXPECT_EQ(scene["compared"][0]["best_cull_configuration"], 1);
  EXPECT_GE(scene["conclusions"].size(), 4u);
}

TEST(BenchJson, HasEveryTimeOfEveryConfiguration) {
  Json configurations = Json::parse(bench_json(example_report()))["scenes"][0]["configurations"];
  ASSERT_EQ(configurations.size(), 4u);
  const Json& scan = configurations[1];
  EXPECT_EQ(scan["name"], "wave + scan");
  EXPECT_EQ(scan["loop"], "wave");
  EXPECT_EQ(scan["cull"], "scan");
  EXPECT_EQ(scan["roulette"], true);
  EXPECT_EQ(scan["regenerate"], false);
  EXPECT_EQ(scan["driver"], "graph");
  EXPECT_EQ(scan["film_hash"], "0123456789abcdef");
  EXPECT_EQ(scan["frame_ms"].size(), 5u);
  EXPECT_EQ(scan["host_ms"].size(), 5u);
  EXPECT_EQ(scan["frame_ms_interval"]["median"], 8.0);
  EXPECT_EQ(scan["speed_beside_none"]["median"], 1.25);
  EXPECT_EQ(scan["rank"], 2);
  EXPECT_EQ(scan["tied"], false);
  EXPECT_EQ(configurations[3]["cull"], nullptr);
  EXPECT_EQ(configurations[3]["driver"], nullptr);
}

TEST(BenchJson, HasStagesAndBouncesOfTheMeasuredFrame) {
  Json json = Json::parse(bench_json(example_report()));
  const Json& measured = json["scenes"][0]["configurations"][1]["measured"];
  EXPECT_EQ(measured["frame_ms"], 8.0);
  EXPECT_EQ(measured["host_ms"], 0.01);
  EXPECT_EQ(measured["stage_ms"]["intersect"], 3.0);
  EXPECT_EQ(measured["stage_ms"]["cull"], 0.5);
  EXPECT_EQ(measured["other_ms"], 1.5);
  EXPECT_EQ(measured["ideal_share_reached"], 0.5);
  EXPECT_EQ(measured["ideal_stage_ms"]["intersect"], 2.5);
  EXPECT_EQ(measured["deaths"]["escaped"], 48);
  ASSERT_EQ(measured["bounces"].size(), 2u);  // those that a path reached
  const Json& second = measured["bounces"][1];
  EXPECT_EQ(second["alive"], 16);
  EXPECT_EQ(second["alive_share"], 0.25);
  EXPECT_EQ(second["queued"], 16);
  EXPECT_EQ(second["busy_warps"], 1);
  EXPECT_EQ(second["lane_efficiency"], 0.5);
  EXPECT_EQ(second["state_bytes_per_path"], 100.0);
  EXPECT_EQ(second["stage_ms"]["shade"], 1.0);
  EXPECT_EQ(second["full_ms"], 4.0);
  EXPECT_EQ(second["gain_ms"], 0.75 * 4.0 - 0.5);
}

TEST(BenchJson, UnknownValuesAreNull) {
  BenchReport report = example_report();
  report.cuda = report.scenes[0].cuda = false;
  report.scenes[0].runs[1].measured.reset();
  Json json = Json::parse(bench_json(report));
  EXPECT_EQ(json["threads"], 8);
  const Json& configurations = json["scenes"][0]["configurations"];
  EXPECT_EQ(configurations[0]["driver"], nullptr);
  EXPECT_EQ(configurations[0]["measured"]["ideal_stage_ms"], nullptr);
  EXPECT_EQ(configurations[0]["measured"]["bounces"][0]["gain_ms"], nullptr);
  EXPECT_EQ(configurations[1]["measured"], nullptr);
}

TEST(BenchCsv, HasALineForEachConfiguration) {
  std::istringstream lines(bench_csv(example_report()));
  std::string head, none, scan, regenerating, path, more;
  std::getline(lines, head);
  std::getline(lines, none);
  std::getline(lines, scan);
  std::getline(lines, regenerating);
  std::getline(lines, path);
  EXPECT_FALSE(std::getline(lines, more));
  EXPECT_EQ(std::count(head.begin(), head.end(), ',') + 1,  // one is in the scene's name
            std::count(scan.begin(), scan.end(), ','));
  EXPECT_EQ(
      scan.rfind("\"a \"\"scene\"\", here.json\",8,4,2,2,wave,scan,on,off,graph,5,8,7.9,8.1,", 0),
      0u)
      << scan;
  EXPECT_THAT(scan, testing::EndsWith(",0.0625,0.5,2,no"));
  EXPECT_THAT(path, testing::HasSubstr(",path,,on,off,,5,9,"));
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

TEST(BenchText, OfAnInterruptedSceneHasNoStages) {
  SceneBench bench = example_bench();
  bench.interrupted = true;
  for (ConfigRun& run : bench.runs) run.measured.reset();
  EXPECT_THAT(scene_text(bench, "a GPU"), testing::Not(testing::HasSubstr("lanes%")));
}

}  // namespace
}  // namespace winnow
