// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "app/bench/report.h"
#include "tests/app/bench/support/bench_example.h"

namespace winnow {
namespace {

using testing::HasSubstr;

std::string conclusions_of(const SceneBench& bench) {
  std::string text;
  for (const std::string& sentence : bench_conclusions(bench, summarize(bench)))
    text += sentence + "\n";
  return text;
}

TEST(BenchSummary, TimesAreMediansAndSpeedIsRelativeToNone) {
  std::vector<ConfigSummary> summaries = summarize(example_bench());
  EXPECT_DOUBLE_EQ(summaries[0].frame.median, 10.0);
  EXPECT_DOUBLE_EQ(summaries[1].frame.median, 8.0);
  EXPECT_NEAR(summaries[1].frame.spread(), 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(summaries[1].samples_per_second, 64.0 / 0.008);
  EXPECT_DOUBLE_EQ(summaries[1].speed->median, 1.25);
  EXPECT_EQ(summaries[1].verdict, Verdict::kFaster);
  EXPECT_EQ(summaries[0].verdict, Verdict::kTied);
  EXPECT_NEAR(summaries[3].speed->median, 10.0 / 9.0, 1e-12);
}

TEST(BenchSummary, RanksAmongThoseWithTheSameRoulette) {
  SceneBench bench = example_bench();
  bench.runs.push_back(bench.runs[2]);
  bench.runs.back().config.roulette = false;
  std::vector<ConfigSummary> summaries = summarize(bench);
  EXPECT_EQ(summaries[2].rank.rank, 1);
  EXPECT_EQ(summaries[1].rank.rank, 2);
  EXPECT_EQ(summaries[3].rank.rank, 3);
  EXPECT_EQ(summaries[0].rank.rank, 4);
  EXPECT_EQ(summaries[4].rank.rank, 1);
  EXPECT_FALSE(summaries[2].rank.tied);
  EXPECT_FALSE(summaries[4].speed);  // there is no wave + none without roulette to compare with
}

TEST(BenchSummary, ShareOfTheIdealIsOfTheStages) {
  std::vector<ConfigSummary> summaries = summarize(example_bench());
  EXPECT_DOUBLE_EQ(sum_milliseconds(*summaries[1].stages), 6.5);
  EXPECT_DOUBLE_EQ(sum_milliseconds(*summaries[1].ideal), 5.0);
  EXPECT_DOUBLE_EQ(summaries[1].ideal_share.value(), 1.5 / 3.0);
  EXPECT_DOUBLE_EQ(summaries[1].cull_share.value(), 0.5 / 8.0);
  EXPECT_DOUBLE_EQ(summaries[1].other, 1.5);
  EXPECT_FALSE(summaries[0].ideal_share);  // the configuration that culls nothing
  EXPECT_FALSE(summaries[3].ideal);        // a path loop has no lanes to cull
  EXPECT_FALSE(summaries[3].cull_share);
}

TEST(BenchSummary, OnTheCpuThereIsNoIdeal) {
  SceneBench bench = example_bench();
  bench.cuda = false;
  for (const ConfigSummary& summary : summarize(bench)) EXPECT_FALSE(summary.ideal);
  EXPECT_THAT(conclusions_of(bench), testing::Not(HasSubstr("perfect")));
}

TEST(BenchSummary, EachDriverIsComparedWithItsOwnNone) {
  SceneBench bench = example_bench();
  for (size_t run : {0, 1}) {
    ConfigRun host = bench.runs[run];
    host.config.driver = Driver::kHost;
    for (double& ms : host.frame_milliseconds) ms *= 2.0;
    bench.runs.push_back(host);
  }
  std::vector<ConfigSummary> summaries = summarize(bench);
  EXPECT_DOUBLE_EQ(summaries[5].speed->median, 1.25);
}

TEST(BenchSummary, BestCullIsTheFastestThatCullsAndDoesNotRegenerate) {
  SceneBench bench = example_bench();
  EXPECT_EQ(find_best_cull(bench, summarize(bench), true), 1u);
  EXPECT_EQ(find_best_cull(bench, summarize(bench), false), std::nullopt);
  bench.runs.push_back(bench.runs[1]);
  bench.runs.back().config.cull = Cull::kMove;
  for (double& ms : bench.runs.back().frame_milliseconds) ms -= 0.5;
  EXPECT_EQ(find_best_cull(bench, summarize(bench), true), 4u);
}

TEST(BenchConclusion, SaysThatCullingPaysAndHowMuchIsReached) {
  std::string text = conclusions_of(example_bench());
  EXPECT_THAT(text, HasSubstr("With roulette, culling pays here: the best mode, scan, is 1.250 "
                              "times as fast as none"));
  EXPECT_THAT(text, HasSubstr("would take 5.00 ms instead of 8.00 with roulette; scan reaches 50 % "
                              "of that gain, and most of what is missing is in"));
  EXPECT_THAT(text,
              HasSubstr("Of 64 paths with roulette, 75 % escape, 25 % reach the maximum depth; a "
                        "path has 1.2 rays on average."));
  EXPECT_THAT(text, HasSubstr("wave + append, regenerating, is 1.286 times as fast as following"));
}

TEST(BenchConclusion, SaysThatCullingDoesNotPay) {
  SceneBench bench = example_bench();
  for (double& ms : bench.runs[1].frame_milliseconds) ms += 3.0;
  EXPECT_THAT(conclusions_of(bench),
              HasSubstr("culling does not pay here: the best mode, scan, takes 1.1"));
}

TEST(BenchConclusion, ReportsADifferenceBelowTheNoise) {
  SceneBench bench = example_bench();
  bench.runs[1].frame_milliseconds = {10.1, 9.9, 10.0, 10.1, 9.8};
  EXPECT_THAT(conclusions_of(bench),
              HasSubstr("culling makes no significant difference: the best "
                        "mode, scan, cannot be distinguished from none (speed "));
  EXPECT_THAT(conclusions_of(bench), HasSubstr("what culling gains of that is below the noise."));
}

TEST(BenchConclusion, DrawsNoConclusionWithoutNone) {
  SceneBench bench = example_bench();
  bench.runs.erase(bench.runs.begin());
  EXPECT_THAT(conclusions_of(bench), HasSubstr("unknown: wave + none was not measured"));
}

TEST(BenchConclusion, RanksNothingAfterAFewRounds) {
  SceneBench bench = example_bench();
  for (ConfigRun& run : bench.runs) run.frame_milliseconds.resize(3);
  EXPECT_THAT(conclusions_of(bench), HasSubstr("Nothing is ranked: that takes 5 rounds, and 3 were "
                                               "measured."));
}

TEST(BenchConclusion, SaysThatThereIsNothingToGain) {
  SceneBench bench = example_bench();
  for (BounceStats& bounce : bench.runs[0].measured->stats.bounces)
    bounce.busy_warps = bounce.alive / 32 + (bounce.alive % 32 > 0);
  bench.runs[0].measured->stats.bounces[1].alive = 64;
  bench.runs[0].measured->stats.bounces[1].busy_warps = 2;
  EXPECT_THAT(conclusions_of(bench), HasSubstr("almost nothing to gain"));
}

TEST(BenchConclusion, AnInterruptedSceneHasTheConclusionsOfItsTimes) {
  SceneBench bench = example_bench();
  for (ConfigRun& run : bench.runs) run.measured.reset();
  EXPECT_THAT(conclusions_of(bench), HasSubstr("culling pays here"));
  EXPECT_THAT(conclusions_of(bench), testing::Not(HasSubstr("Of 64")));
}

}  // namespace
}  // namespace winnow
