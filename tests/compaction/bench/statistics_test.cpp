#include "compaction/bench/statistics.h"

#include <gtest/gtest.h>

namespace {

using namespace compaction::bench;

TEST(Statistics, SummarizesSamplesInAnyOrder) {
  Summary summary = summarize({9, 1, 5, 3, 7});
  EXPECT_EQ(summary.median, 5);
  EXPECT_EQ(summary.lower_quartile, 3);
  EXPECT_EQ(summary.upper_quartile, 7);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.samples, 5u);
  EXPECT_DOUBLE_EQ(summary.spread(), 0.8);
}

TEST(Statistics, GoesBetweenSamplesWhereNoneLiesAtTheQuantile) {
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

TEST(Statistics, OneStragglerMovesNeitherMedianNorSpread) {
  Summary quiet = summarize({10, 10, 10, 11, 9, 10, 10, 10, 10});
  Summary straggler = summarize({10, 10, 10, 11, 9, 10, 10, 10, 9000});
  EXPECT_EQ(quiet.median, straggler.median);
  EXPECT_EQ(quiet.spread(), straggler.spread());
}

}  // namespace
