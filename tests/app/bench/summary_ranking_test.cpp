// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "app/bench/report.h"

namespace winnow {
namespace {

using Times = std::vector<double>;

TEST(CompareTimes, ADifferenceInEveryRoundCounts) {
  Times slow = {10.0, 10.1, 10.0, 10.2, 10.1}, fast = {9.0, 9.2, 9.1, 9.1, 9.0};
  EXPECT_EQ(compare_times(fast, slow), Verdict::kFaster);
  EXPECT_EQ(compare_times(slow, fast), Verdict::kSlower);
  EXPECT_EQ(compare_times(slow, slow), Verdict::kTied);
}

TEST(CompareTimes, RoundsAreComparedOneByOne) {
  // The machine slows down to half its speed, yet b takes 2 % longer in every round.
  Times a = {10, 12, 14, 16, 18, 20}, b = {10.2, 12.24, 14.28, 16.32, 18.36, 20.4};
  EXPECT_EQ(compare_times(a, b), Verdict::kFaster);

  // Two configurations with the same times in different orders are tied.
  Times mixed = {20.4, 10.2, 18.36, 12.24, 16.32, 14.28};
  EXPECT_EQ(compare_times(a, mixed), Verdict::kTied);
}

TEST(CompareTimes, ADifferenceBelowTheNoiseIsTied) {
  Times a = {10.0, 10.3, 9.9, 10.1, 10.2}, b = {10.1, 10.1, 10.1, 10.0, 10.3};
  EXPECT_EQ(compare_times(a, b), Verdict::kTied);
}

TEST(CompareTimes, OneOutlierOfNineDoesNotHideADifference) {
  Times a(9, 10.0), b(9, 10.5);
  a[3] = 30.0;
  EXPECT_EQ(compare_times(a, b), Verdict::kFaster);
  a[4] = 30.0;
  EXPECT_EQ(compare_times(a, b), Verdict::kTied);
}

TEST(CompareTimes, ADifferenceOfATenthOfAPercentIsTied) {
  EXPECT_EQ(compare_times(Times(9, 10.0), Times(9, 10.01)), Verdict::kTied);
  EXPECT_EQ(compare_times(Times(9, 10.0), Times(9, 10.03)), Verdict::kFaster);
}

TEST(CompareTimes, FourRoundsRankNothing) {
  EXPECT_EQ(compare_times(Times(4, 1.0), Times(4, 2.0)), Verdict::kTied);
  EXPECT_EQ(compare_times(Times(5, 1.0), Times(5, 2.0)), Verdict::kFaster);
}

/// Returns the ranks of configurations with these times, [configuration][round].
std::vector<Rank> rank_times(const std::vector<Times>& times) {
  std::vector<ConfigRun> runs(times.size());
  for (size_t run = 0; run < runs.size(); ++run) runs[run].frame_milliseconds = times[run];
  return rank_runs(runs);
}

TEST(RankRuns, CountsOnlySignificantlyFasterConfigurations) {
  std::vector<Rank> ranks = rank_times({{12.0, 12.1, 12.0, 12.2, 12.0},
                                        {10.0, 10.2, 10.1, 10.0, 10.1},
                                        {10.1, 10.1, 10.0, 10.1, 10.0},
                                        {15.0, 15.0, 15.1, 15.0, 15.0}});
  EXPECT_EQ(ranks[0].rank, 3);
  EXPECT_FALSE(ranks[0].tied);
  EXPECT_EQ(ranks[1].rank, 1);
  EXPECT_TRUE(ranks[1].tied);
  EXPECT_EQ(ranks[2].rank, 1);
  EXPECT_TRUE(ranks[2].tied);
  EXPECT_EQ(ranks[3].rank, 4);
}

TEST(RankRuns, OneAloneIsTheFirst) {
  EXPECT_EQ(rank_times({{1.0}})[0].rank, 1);
  EXPECT_FALSE(rank_times({{1.0}})[0].tied);
  EXPECT_TRUE(rank_runs({}).empty());
}

}  // namespace
}  // namespace winnow
