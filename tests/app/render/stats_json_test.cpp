// SPDX-License-Identifier: MIT
#include "app/render/stats_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  report.threads = 3;
  report.load_seconds = 0.5;
  report.render_seconds = 2.0;
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
                             .deaths = {0, 2, 1},
                             .milliseconds = {}};
  report.stats.bounces[1].alive = 1;
  report.stats.bounces[1].shadow_rays = 1;
  report.stats.bounces[1].deaths[size_t(Death::kMaxDepth)] = 1;
  report.stats.bounces[1].milliseconds[size_t(Stage::kCull)] = 1.5;
  return report;
}

TEST(StatsJson, HoldsEveryField) {
  Json json = Json::parse(stats_json(report()));
  EXPECT_EQ(json["device"], "CPU, 3 threads");
  EXPECT_EQ(json["scene"], "a \"scene\".json");
  EXPECT_EQ(json["size"], Json({2, 1}));
  EXPECT_EQ(json["filter"], Json({{"type", "tent"}, {"radius_pixels", 0.75}}));
  EXPECT_EQ(json["spp"], 2);
  EXPECT_EQ(json["loop"], "wave");
  EXPECT_EQ(json["cull"], "look-back");
  EXPECT_EQ(json["driver"], "host");
  EXPECT_EQ(json["roulette"], false);
  EXPECT_EQ(json["regenerate"], true);
  EXPECT_EQ(json["waves"], 2);
  EXPECT_EQ(json["recorded"], Json({{"kernels", 30}, {"loops", 1}, {"others", 0}}));
  EXPECT_EQ(json["seconds"]["host"], 0.125);
  EXPECT_EQ(json["bvh"], Json({{"build", "fast"}, {"cached", true}, {"seconds", 0.25}}));
  EXPECT_EQ(json["seed"], UINT64_MAX);
  EXPECT_EQ(json["sampler"], "sobol");
  EXPECT_EQ(json["max_bounces"], 2);
  EXPECT_EQ(json["threads"], 3);
  EXPECT_EQ(json["seconds"]["load"], 0.5);
  EXPECT_EQ(json["seconds"]["render"], 2.0);
  EXPECT_TRUE(json["seconds"].contains("build"));
  EXPECT_EQ(json["samples_per_second"], 2.0);
  EXPECT_EQ(json["rays"], Json({{"camera", 4}, {"extension", 1}, {"shadow", 4}}));
  EXPECT_EQ(json["film_hash"], "0123456789abcdef");
  EXPECT_EQ(json["interrupted"], false);
}

TEST(StatsJson, ListsTheBouncesThatWereReached) {
  Json bounces = Json::parse(stats_json(report()))["bounces"];
  ASSERT_EQ(bounces.size(), 2u);
  EXPECT_EQ(bounces[0]["bounce"], 0);
  EXPECT_EQ(bounces[0]["alive"], 4);
  EXPECT_EQ(bounces[0]["queued"], 4);
  EXPECT_EQ(bounces[0]["busy_warps"], 2);
  EXPECT_EQ(bounces[0]["waves"], 2);
  EXPECT_EQ(bounces[0]["culls"], 1);
  EXPECT_EQ(bounces[0]["state_bytes"], 96);
  EXPECT_EQ(bounces[0]["shadow_rays"], 3);
  EXPECT_EQ(bounces[0]["deaths"]["escaped"], 2);
  EXPECT_EQ(bounces[0]["deaths"]["hit_light"], 1);
  EXPECT_FALSE(bounces[0]["deaths"].contains("alive"));
  EXPECT_EQ(bounces[1]["deaths"]["max_depth"], 1);
  EXPECT_EQ(bounces[1]["milliseconds"]["cull"], 1.5);
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

}  // namespace
}  // namespace winnow
