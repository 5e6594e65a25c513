// SPDX-License-Identifier: MIT
#include "compaction/tools/statistics.h"

#include <gtest/gtest.h>

namespace {

using namespace compaction;

TEST(Statistics, SummarizesSamplesInAnyOrder) {
  Summary summary = summarize({9, 1, 5, 3, 7});
  EXPECT_EQ(summary.median, 5);
  EXPECT_EQ(summary.lower_quartile, 3);
  EXPECT_EQ(summary.upper_quartile, 7);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.samples, 5u);
  EXPECT_DOUBLE_EQ(summary.spread(), 0.8);
}

TEST(Statistics, InterpolatesBetweenSamples) {
  Summary summary = summarize({4, 1, 2, 3});
  EXPECT_DOUBLE_EQ(summary.median, 2.5);
  EXPECT_DOUBLE_EQ(summary.lower_quartile, 1.75);
  EXPECT_DOUBLE_EQ(summary.upper_quartile, 3.25);
}

TEST(Statistics, OneSampleHasNoSpread) {
  Summary summary = summarize({2.5});
  EXPECT_EQ(summary.median, 2.5);
  EXPECT_EQ(summary.min, 2.5);
  EXPECT_EQ(summary.spread(), 0);
}

TEST(Statistics, OneOutlierMovesNeitherMedianNorSpread) {
  Summary quiet = summarize({10, 10, 10, 11, 9, 10, 10, 10, 10});
  Summary outlier = summarize({10, 10, 10, 11, 9, 10, 10, 10, 9000});
  EXPECT_EQ(quiet.median, outlier.median);
  EXPECT_EQ(quiet.spread(), outlier.spread());
}

TEST(MedianInterval, ExcludesAsManyValuesAsTheConfidenceAllows) {
  struct Case {
    size_t n;
    double low, high;  // interval for the values 1, 2, ..., n
  };
  // The binomial distribution gives the coverage: n = 9 excludes one value at each end
  // (1 - 2 * 10 / 512 = 96 %), two would give 82 %.
  for (Case c : {Case{1, 1, 1},
                 {2, 1, 2},
                 {4, 1, 4},
                 {5, 1, 5},
                 {7, 1, 7},
                 {8, 2, 7},
                 {9, 2, 8},
                 {10, 2, 9},
                 {20, 6, 15}}) {
    std::vector<double> values;
    for (size_t value = c.n; value > 0; --value) values.push_back(double(value));
    MedianInterval interval = median_interval(values);
    EXPECT_EQ(interval.median, 0.5 * double(c.n + 1)) << c.n;
    EXPECT_EQ(interval.low, c.low) << c.n;
    EXPECT_EQ(interval.high, c.high) << c.n;
  }
}

TEST(MedianInterval, SpreadIsTheLargerSide) {
  EXPECT_DOUBLE_EQ((MedianInterval{.median = 5, .low = 4, .high = 5.5}.spread()), 1.0);
  EXPECT_DOUBLE_EQ((MedianInterval{.median = 5, .low = 4.5, .high = 7}.spread()), 2.0);
}

}  // namespace
