// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "app/bench/run.h"

namespace winnow {
namespace {

/// Every field another number, times `factor`.
RenderStats counted(uint64_t factor) {
  RenderStats stats;
  stats.paths = 3 * factor;
  stats.waves = 5 * factor;
  stats.host_seconds = 0.5 * double(factor);
  stats.bounces.resize(2);
  for (uint64_t b = 0; b < 2; ++b) {
    BounceStats& bounce = stats.bounces[b];
    uint64_t number = 100 * b;
    for (uint64_t* count : {&bounce.alive, &bounce.queued, &bounce.busy_warps, &bounce.waves,
                            &bounce.culls, &bounce.state_bytes, &bounce.shadow_rays})
      *count = factor * ++number;
    for (uint64_t& deaths : bounce.deaths) deaths = factor * ++number;
    for (double& ms : bounce.milliseconds) ms = 0.25 * double(factor * ++number);
  }
  return stats;
}

void expect_equal(const RenderStats& a, const RenderStats& b) {
  EXPECT_EQ(a.paths, b.paths);
  EXPECT_EQ(a.waves, b.waves);
  EXPECT_EQ(a.host_seconds, b.host_seconds);
  ASSERT_EQ(a.bounces.size(), b.bounces.size());
  for (size_t i = 0; i < a.bounces.size(); ++i) {
    EXPECT_EQ(a.bounces[i].alive, b.bounces[i].alive);
    EXPECT_EQ(a.bounces[i].queued, b.bounces[i].queued);
    EXPECT_EQ(a.bounces[i].busy_warps, b.bounces[i].busy_warps);
    EXPECT_EQ(a.bounces[i].waves, b.bounces[i].waves);
    EXPECT_EQ(a.bounces[i].culls, b.bounces[i].culls);
    EXPECT_EQ(a.bounces[i].state_bytes, b.bounces[i].state_bytes);
    EXPECT_EQ(a.bounces[i].shadow_rays, b.bounces[i].shadow_rays);
    EXPECT_EQ(a.bounces[i].deaths, b.bounces[i].deaths);
    EXPECT_EQ(a.bounces[i].milliseconds, b.bounces[i].milliseconds);
  }
}

TEST(StatsSince, SubtractsEveryField) {
  expect_equal(stats_since(counted(2), counted(7)), counted(5));
}

TEST(StatsSince, NothingBeforeIsEverything) {
  expect_equal(stats_since(RenderStats{}, counted(7)), counted(7));
}

}  // namespace
}  // namespace winnow
