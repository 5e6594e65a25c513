// SPDX-License-Identifier: MIT
#include "app/bench/culling_gain.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

double& time_of(BounceStats& bounce, Stage stage) {
  return bounce.milliseconds[size_t(stage)];
}

/// Statistics of 6400 paths without culling: a quarter stays active, spread over half of the warps.
RenderStats never_culled() {
  RenderStats stats;
  stats.paths = 6400;
  stats.bounces.resize(3);
  BounceStats &first = stats.bounces[0], &second = stats.bounces[1];
  first = {.alive = 6400, .queued = 6400, .busy_warps = 200, .state_bytes = 640000};
  first.terminations[size_t(Termination::kEscaped)] = 4000;
  first.terminations[size_t(Termination::kRoulette)] = 800;
  time_of(first, Stage::kGenerate) = 0.5;
  time_of(first, Stage::kIntersect) = 4.0;
  time_of(first, Stage::kShade) = 2.0;
  time_of(first, Stage::kShadow) = 1.0;
  time_of(first, Stage::kFilm) = 0.25;
  second = {.alive = 1600, .queued = 6400, .busy_warps = 100, .state_bytes = 160000};
  second.terminations[size_t(Termination::kEscaped)] = 1600;
  time_of(second, Stage::kIntersect) = 2.0;
  time_of(second, Stage::kShade) = 1.0;
  time_of(second, Stage::kShadow) = 0.5;
  return stats;
}

/// Statistics of the paths of never_culled(), culled after bounce 0 at a cost of 0.3 ms.
RenderStats culled() {
  RenderStats stats = never_culled();
  time_of(stats.bounces[0], Stage::kCull) = 0.3;
  BounceStats& second = stats.bounces[1];
  second.queued = 1600;
  second.busy_warps = 50;
  time_of(second, Stage::kIntersect) = 1.1;
  time_of(second, Stage::kShade) = 0.5;
  return stats;
}

TEST(CullingGain, SumsStagesAndTerminations) {
  StageMilliseconds stages = stage_milliseconds(never_culled());
  EXPECT_DOUBLE_EQ(stages[size_t(Stage::kIntersect)], 6.0);
  EXPECT_DOUBLE_EQ(stages[size_t(Stage::kShade)], 3.0);
  EXPECT_DOUBLE_EQ(stages[size_t(Stage::kShadow)], 1.5);
  EXPECT_DOUBLE_EQ(sum_milliseconds(stages), 11.25);
  EXPECT_EQ(termination_counts(never_culled())[size_t(Termination::kEscaped)], 5600u);
  EXPECT_EQ(termination_counts(never_culled())[size_t(Termination::kRoulette)], 800u);
  EXPECT_DOUBLE_EQ(mean_path_length(never_culled()), 1.25);
}

TEST(CullingGain, SharesAreOfAllPathsAndOfBusyLanes) {
  RenderStats stats = never_culled();
  EXPECT_DOUBLE_EQ(alive_share(stats, 0), 1.0);
  EXPECT_DOUBLE_EQ(alive_share(stats, 1), 0.25);
  EXPECT_DOUBLE_EQ(alive_share(stats, 2), 0.0);
  EXPECT_DOUBLE_EQ(lane_efficiency(stats.bounces[0]).value(), 1.0);
  EXPECT_DOUBLE_EQ(lane_efficiency(stats.bounces[1]).value(), 0.5);
  EXPECT_FALSE(lane_efficiency(stats.bounces[2]));
  EXPECT_DOUBLE_EQ(bytes_per_path(stats.bounces[1]).value(), 100.0);
  EXPECT_FALSE(bytes_per_path(stats.bounces[2]));
}

TEST(CullingGain, IdealKeepsTheActiveLanesOfIntersectAndShade) {
  StageMilliseconds ideal = ideal_milliseconds(never_culled()).value();
  EXPECT_DOUBLE_EQ(ideal[size_t(Stage::kIntersect)], 4.0 + 0.5 * 2.0);
  EXPECT_DOUBLE_EQ(ideal[size_t(Stage::kShade)], 2.0 + 0.5 * 1.0);
  EXPECT_DOUBLE_EQ(ideal[size_t(Stage::kShadow)], 1.5);
  EXPECT_DOUBLE_EQ(ideal[size_t(Stage::kGenerate)], 0.5);
  EXPECT_DOUBLE_EQ(ideal[size_t(Stage::kFilm)], 0.25);
  EXPECT_DOUBLE_EQ(ideal[size_t(Stage::kCull)], 0.0);
}

TEST(CullingGain, ThereIsNoIdealWithoutCountsOfWarps) {
  RenderStats stats = never_culled();
  stats.bounces[1].busy_warps = 0;
  EXPECT_FALSE(ideal_milliseconds(stats));
}

TEST(CullingGain, ShareOfTheIdealReached) {
  // None takes 11.25, the ideal 9.75, the mode 11.25 + 0.3 - 1.4 = 10.15.
  double none = sum_milliseconds(stage_milliseconds(never_culled()));
  double mode = sum_milliseconds(stage_milliseconds(culled()));
  double ideal = sum_milliseconds(*ideal_milliseconds(never_culled()));
  EXPECT_NEAR(ideal_share_reached(none, mode, ideal).value(), 1.1 / 1.5, 1e-12);
  EXPECT_DOUBLE_EQ(ideal_share_reached(10.0, 5.0, 5.0).value(), 1.0);
  EXPECT_DOUBLE_EQ(ideal_share_reached(10.0, 11.0, 5.0).value(), -0.2);
}

TEST(CullingGain, NothingToGainHasNoShare) {
  EXPECT_FALSE(ideal_share_reached(10.0, 10.0, 10.0));
  EXPECT_FALSE(ideal_share_reached(10.0, 9.0, 9.95));  // half a percent
  EXPECT_FALSE(ideal_share_reached(0.0, 0.0, 0.0));
}

TEST(CullingGain, FullTimeIsThatOfAllLanesOfTheFrame) {
  std::vector<double> none = full_milliseconds(never_culled()), mode = full_milliseconds(culled());
  EXPECT_DOUBLE_EQ(none[0], 6.0);
  EXPECT_DOUBLE_EQ(none[1], 3.0 * 6400 / 3200);
  EXPECT_DOUBLE_EQ(mode[1], 1.6 * 6400 / 1600);
  EXPECT_DOUBLE_EQ(mode[2], mode[1]);  // no active paths: kept
}

TEST(CullingGain, FullTimeIsKeptIfFewLanesAreLeft) {
  RenderStats stats = culled();
  stats.bounces[2].alive = 64;  // a hundredth
  stats.bounces[2].busy_warps = 2;
  time_of(stats.bounces[2], Stage::kIntersect) = 0.5;
  EXPECT_DOUBLE_EQ(full_milliseconds(stats)[2], 6.4);
}

TEST(CullingGain, GainIsTheCostOfTerminatedPathsWithoutTheCullBefore) {
  std::vector<double> gain = gain_milliseconds(culled());
  EXPECT_DOUBLE_EQ(gain[0], 0.0);
  EXPECT_DOUBLE_EQ(gain[1], 0.75 * 6.4 - 0.3);
  EXPECT_DOUBLE_EQ(gain[2], 6.4);
}

TEST(CullingGain, SavedTimesSumToTheDifferenceOfTheStages) {
  std::vector<double> saved = saved_milliseconds(never_culled(), culled());
  EXPECT_NEAR(saved[0], -0.3, 1e-12);
  EXPECT_NEAR(saved[1], 1.4, 1e-12);
  EXPECT_NEAR(saved[2], 0.0, 1e-12);
}

TEST(CullingGain, ARenderWithoutPathsIsNoError) {
  RenderStats empty, dark;
  dark.bounces.resize(2);
  EXPECT_EQ(mean_path_length(empty), 0.0);
  EXPECT_TRUE(full_milliseconds(empty).empty());
  EXPECT_TRUE(gain_milliseconds(empty).empty());
  EXPECT_EQ(alive_share(dark, 1), 0.0);
  EXPECT_EQ(gain_milliseconds(dark), (std::vector<double>{0.0, 0.0}));
  EXPECT_DOUBLE_EQ(sum_milliseconds(ideal_milliseconds(dark).value()), 0.0);
}

}  // namespace
}  // namespace winnow
