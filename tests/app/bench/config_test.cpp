// SPDX-License-Identifier: MIT
#include "app/bench/config.h"

#include <gmock/gmock.h>

namespace winnow {
namespace {

std::vector<std::string> names_of(const BenchMatrix& matrix) {
  std::vector<std::string> names;
  for (const BenchConfig& config : bench_configs(matrix))
    names.push_back(config_name(config) + " " + roulette_name(config.roulette));
  return names;
}

TEST(BenchConfig, MatrixHasEveryCombinationThatDiffers) {
  EXPECT_THAT(names_of({.culls = {Cull::kNone, Cull::kScan}}),
              testing::ElementsAre(
                  "wave + none with roulette", "wave + scan with roulette",
                  "wave + append, regenerating with roulette", "path with roulette",
                  "wave + none without roulette", "wave + scan without roulette",
                  "wave + append, regenerating without roulette", "path without roulette"));
}

TEST(BenchConfig, GroupingIsMeasuredWhereNoOtherPassCulls) {
  EXPECT_THAT(names_of({.culls = {Cull::kNone, Cull::kAppend, Cull::kScan, Cull::kAuto},
                        .loops = {Loop::kWave},
                        .roulettes = {true},
                        .groups = {Group::kNone, Group::kMaterial}}),
              testing::ElementsAre(
                  "wave + none with roulette", "wave + none, by material with roulette",
                  "wave + append with roulette", "wave + append, by material with roulette",
                  "wave + scan with roulette", "wave + auto with roulette",
                  "wave + append, regenerating with roulette"));
  EXPECT_EQ(cull_name({.cull = Cull::kAppend, .group = Group::kMaterial}), "append+mat");
}

TEST(BenchConfig, APathLoopHasNoDriver) {
  EXPECT_THAT(
      names_of({.culls = {Cull::kNone},
                .roulettes = {false},
                .regenerates = {false},
                .drivers = {Driver::kGraph, Driver::kHost}}),
      testing::ElementsAre("wave + none without roulette",
                           "wave + none, host driver without roulette", "path without roulette"));
}

TEST(BenchConfig, TheHostDrivesWavesThatOptixTraces) {
  EXPECT_THAT(names_of({.culls = {Cull::kNone, Cull::kAppend},
                        .roulettes = {true},
                        .regenerates = {false},
                        .tracers = {Tracer::kBvh, Tracer::kRt}}),
              testing::ElementsAre("wave + none with roulette", "wave + append with roulette",
                                   "wave + none, rt with roulette",
                                   "wave + append, rt with roulette", "path with roulette"));
}

TEST(BenchConfig, DefaultCullsSuitTheDevice) {
  EXPECT_EQ(default_culls(false), (std::vector<Cull>{Cull::kNone, Cull::kAppend, Cull::kAuto}));
  EXPECT_EQ(default_culls(true).size(), size_t(Cull::kAuto) + 1);
}

TEST(BenchConfig, IsPutIntoTheSettings) {
  RenderSettings settings = with_config(
      {.width = 3},
      {Loop::kWave, Cull::kMove, false, true, Driver::kHost, Group::kMaterial, Tracer::kRt});
  EXPECT_EQ(settings.width, 3u);
  EXPECT_EQ(settings.cull, Cull::kMove);
  EXPECT_FALSE(settings.roulette);
  EXPECT_TRUE(settings.regenerate);
  EXPECT_EQ(settings.driver, Driver::kHost);
  EXPECT_EQ(settings.group, Group::kMaterial);
  EXPECT_EQ(settings.tracer, Tracer::kRt);
}

}  // namespace
}  // namespace winnow
