// SPDX-License-Identifier: MIT
#include "backend/collect_results.h"

#include <gtest/gtest.h>

#include "wavefront/state/paths.h"

namespace winnow {
namespace {

/// Ten paths: six escape at once, three hit a light after a bounce, one ends at the last bounce.
std::vector<BounceTotals> ten_paths() {
  std::vector<BounceTotals> totals(3);
  totals[0].queued = 10;
  totals[0].survivors = 4;
  totals[0].shadow_rays = 3;
  totals[0].unoccluded = 2;
  totals[0].nanoseconds[uint32_t(Stage::kShade)] = 5'000'000;
  totals[0].terminations[uint32_t(Termination::kEscaped)] = 6;
  totals[1].queued = 4;
  totals[1].survivors = 1;
  totals[1].terminations[uint32_t(Termination::kHitLight)] = 3;
  totals[2].queued = 1;
  totals[2].terminations[uint32_t(Termination::kMaxDepth)] = 1;
  return totals;
}

RenderStats stats_of(const std::vector<BounceTotals>& totals, const RenderSettings& settings) {
  RenderStats stats;
  add_to_stats({totals.data(), totals.size()}, settings, stats);
  return stats;
}

TEST(AddToStats, CountsActivePathsByIteration) {
  std::vector<BounceTotals> totals = ten_paths();
  RenderStats stats = stats_of(totals, {});
  EXPECT_EQ(stats.paths, 10u);
  EXPECT_EQ(stats.bounces[0].alive, 10u);
  EXPECT_EQ(stats.bounces[1].alive, 4u);
  EXPECT_EQ(stats.bounces[2].alive, 1u);
  EXPECT_EQ(stats.bounces[0].milliseconds[uint32_t(Stage::kShade)], 5.0);

  // A miscount is not hidden.
  totals[0].survivors = 5;
  EXPECT_EQ(stats_of(totals, {}).bounces[1].alive, 5u);
}

TEST(AddToStats, CountsActivePathsByTheTerminationsWhereBouncesMix) {
  std::vector<BounceTotals> totals = ten_paths();
  for (BounceTotals& total : totals) total.survivors = 0;
  for (bool regenerate : {false, true}) {
    RenderSettings settings;
    settings.loop = regenerate ? Loop::kWave : Loop::kPath;
    settings.regenerate = regenerate;
    RenderStats stats = stats_of(totals, settings);
    EXPECT_EQ(stats.bounces[1].alive, 4u);
    EXPECT_EQ(stats.bounces[2].alive, 1u);
  }
}

TEST(AddToStats, AddsUpOverWorkers) {
  std::vector<BounceTotals> totals = ten_paths();
  RenderStats stats;
  for (int worker = 0; worker < 3; ++worker)
    add_to_stats({totals.data(), totals.size()}, {}, stats);
  EXPECT_EQ(stats.paths, 30u);
  EXPECT_EQ(stats.bounces[1].alive, 12u);
  EXPECT_EQ(stats.bounces[1].terminations[uint32_t(Termination::kHitLight)], 9u);
}

TEST(AddToStats, CountsTheBytesOfStateThatMove) {
  RenderSettings settings;
  settings.cull = Cull::kLookBack;
  BounceStats first = stats_of(ten_paths(), settings).bounces[0];
  // Each of ten is intersected (a ray) and shaded (2 columns); four are stored (3); six reach the
  // sky (a column) and end (their termination record); they and two shadow rays add to their
  // radiance.
  EXPECT_EQ(first.state_bytes, 10 * (24 + 32) + 4 * 48 + 6 * (16 + 4) + (6 + 2) * 24u);
  settings.cull = Cull::kMove;
  BounceStats moved = stats_of(ten_paths(), settings).bounces[0];
  EXPECT_EQ(moved.state_bytes, first.state_bytes + 4 * 2 * 48);
}

TEST(AliveMasks, SplitTheRecordByBounce) {
  // Three words for each bounce; the third bounce did not take place.
  std::vector<AliveMask> masks = make_alive_masks({1, 2, 3, 4, 5, 6, 7, 8, 9}, {65, 32, 0}, 3);
  ASSERT_EQ(masks.size(), 2u);
  EXPECT_EQ(masks[0].entries, 65u);
  EXPECT_EQ(masks[0].words, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(masks[1].entries, 32u);
  EXPECT_EQ(masks[1].words, (std::vector<uint32_t>{4}));
}

TEST(AliveMasks, AreEmptyWithoutARecord) {
  EXPECT_TRUE(make_alive_masks({}, {}, 0).empty());
}

}  // namespace
}  // namespace winnow
