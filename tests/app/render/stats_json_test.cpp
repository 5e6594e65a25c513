// SPDX-License-Identifier: MIT
#include "app/render/stats_json.h"

#include <gtest/gtest.h>

#include "tests/support/expect_json.h"

namespace winnow {
namespace {

using Json = nlohmann::json;

/// Two samples of two pixels; one path reaches the second bounce, none the third.
RenderReport report() {
  RenderReport report;
  report.device = "CPU, 3 threads";
  report.scene = "a \"scene\".json";
  report.settings.width = 2;
  report.settings.height = 1;
  report.settings.max_bounces = 2;
  report.settings.seed = UINT64_MAX;
  report.settings.cull = Cull::kLookBack;
  report.settings.driver = Driver::kHost;
  report.settings.roulette = false;
  report.settings.regenerate = true;
  report.filter = {.type = FilterType::kTent, .radius = 0.75f};
  report.written.exposure = {.is_automatic = true, .stops = -1.5f};
  report.threads = 3;
  report.load_seconds = 0.5;
  report.render_seconds = 2.0;
  report.cpu_seconds = 3.5;
  report.film_hash = "0123456789abcdef";
  report.bvh = {.build = BvhBuild::kFast, .cached = true, .seconds = 0.25, .warning = ""};
  report.stats.paths = 4;
  report.stats.waves = 2;
  report.stats.recorded = {.kernels = 30, .loops = 1, .others = 0};
  report.stats.host_seconds = 0.125;
  report.stats.bounces.resize(3);
  report.stats.bounces[0] = {.alive = 4,
                             .queued = 4,
                             .busy_warps = 2,
                             .waves = 2,
                             .culls = 1,
                             .state_bytes = 96,
                             .shadow_rays = 3,
                             .terminations = {0, 2, 1}};
  report.stats.bounces[1].alive = 1;
  report.stats.bounces[1].shadow_rays = 1;
  report.stats.bounces[1].terminations[size_t(Termination::kMaxDepth)] = 1;
  report.stats.bounces[1].milliseconds[size_t(Stage::kCull)] = 1.5;
  return report;
}

TEST(StatsJson, HoldsEveryField) {
  Json json = Json::parse(stats_json(report()));
  EXPECT_TRUE(json["seconds"].contains("build"));
  expect_json(
      json,
      R"({"device": "CPU, 3 threads", "devices": null, "scene": "a \"scene\".json", "size": [2, 1],
    "filter": {"type": "tent", "radius_pixels": 0.75}, "spp": 2,
    "exposure": {"stops": -1.5, "mode": "auto"}, "loop": "wave",
    "cull": "look-back", "group": "auto", "driver": "host", "roulette": false, "regenerate": true,
    "waves": 2, "recorded": {"kernels": 30, "loops": 1, "others": 0},
    "bvh": {"build": "fast", "cached": true, "seconds": 0.25},
    "seed": 18446744073709551615, "sampler": "sobol", "max_bounces": 2, "threads": 3,
    "seconds": {"host": 0.125, "load": 0.5, "render": 2.0, "cpu": 3.5}, "samples_per_second": 2.0,
    "rays": {"camera": 4, "extension": 1, "shadow": 4},
    "film_hash": "0123456789abcdef", "interrupted": false})");
}

TEST(StatsJson, ListsTheBouncesThatWereReached) {
  Json bounces = Json::parse(stats_json(report()))["bounces"];
  ASSERT_EQ(bounces.size(), 2u);
  EXPECT_FALSE(bounces[0]["deaths"].contains("alive"));
  expect_json(bounces, R"([{"bounce": 0, "alive": 4, "queued": 4, "busy_warps": 2, "waves": 2,
    "culls": 1, "state_bytes": 96, "shadow_rays": 3, "deaths": {"escaped": 2, "hit_light": 1}},
    {"deaths": {"max_depth": 1}, "milliseconds": {"cull": 1.5}}])");
}

TEST(StatsJson, MeanOfUnevenSamplesIsNoWholeNumber) {
  RenderReport uneven = report();
  uneven.stats.paths = 5;
  EXPECT_EQ(Json::parse(stats_json(uneven))["spp"], 2.5);
}

TEST(StatsJson, NamesThatAreNotUtf8StillGiveJson) {
  RenderReport latin = report();
  latin.scene = "\xfc.json";
  EXPECT_TRUE(Json::accept(stats_json(latin)));
}

TEST(StatsJson, ListsTheDevicesOfAGroup) {
  RenderReport group = report();
  group.devices = {{"GPU A", 3, 1.5, false}, {"GPU B", 1, 0.5, true}};
  expect_json(Json::parse(stats_json(group))["devices"],
              R"([{"name": "GPU A", "paths": 3, "seconds": 1.5, "failed": false},
                  {"name": "GPU B", "paths": 1, "seconds": 0.5, "failed": true}])");
}

TEST(StatsJson, SaysWhichImagesAreClean) {
  EXPECT_EQ(Json::parse(stats_json(report()))["denoise"], nullptr);
  RenderReport clean = report();
  clean.written.clean = {.library = "Open Image Denoise 2.3.1",
                         .device = "CUDA",
                         .seconds = 0.5,
                         .noisy = {"a.exr"},
                         .clean = {"a.clean.exr"}};
  expect_json(Json::parse(stats_json(clean))["denoise"],
              R"({"library": "Open Image Denoise 2.3.1", "device": "CUDA", "seconds": 0.5,
                  "images": [{"noisy": "a.exr", "clean": "a.clean.exr"}]})");
}

TEST(StatsJson, ListsTheImagesOfASequence) {
  RenderReport frame = report();
  frame.frame = {{.number = 7, .time = 0.25, .camera = {.position = {1, 2, 3}}}, {"f-7.png"}};
  const Json stats = Json::parse(stats_json(std::vector{report(), frame}));
  ASSERT_EQ(stats.size(), 2u);
  EXPECT_FALSE(stats[0].contains("frame"));
  expect_json(stats[1], R"({"film_hash": "0123456789abcdef", "frame": {"number": 7, "time": 0.25,
    "camera": {"position": [1, 2, 3], "up": [0, 1, 0]}, "files": ["f-7.png"]}})");
}

}  // namespace
}  // namespace winnow
