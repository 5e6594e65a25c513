// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "app/bench/report.h"

namespace winnow {
namespace {

void add_stages(const ConfigRun& run, const ConfigRun* none, bool cuda, ConfigSummary& summary) {
  if (!run.measured) return;
  summary.stages = stage_milliseconds(run.measured->stats);
  double sum = sum_milliseconds(*summary.stages), frame = run.measured->milliseconds;
  summary.other = frame - sum;
  if (run.config.loop == Loop::kPath) return;
  if (frame > 0.0) summary.cull_share = (*summary.stages)[size_t(Stage::kCull)] / frame;
  if (!cuda || !none || !none->measured) return;
  summary.ideal = ideal_milliseconds(none->measured->stats);
  if (!summary.ideal || none == &run) return;
  summary.ideal_share =
      ideal_share_reached(sum_milliseconds(stage_milliseconds(none->measured->stats)), sum,
                          sum_milliseconds(*summary.ideal));
}

}  // namespace

MedianInterval ratio_interval(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (size_t round = 0; round < std::min(a.size(), b.size()); ++round)
    ratios.push_back(a[round] / b[round]);
  return median_interval(ratios);
}

Verdict compare_times(const std::vector<double>& a, const std::vector<double>& b) {
  if (std::min(a.size(), b.size()) < kMinRepeats) return Verdict::kTied;
  MedianInterval ratio = ratio_interval(a, b);
  if (ratio.high < 1.0 - kMinDifference) return Verdict::kFaster;
  if (ratio.low > 1.0 + kMinDifference) return Verdict::kSlower;
  return Verdict::kTied;
}

std::vector<Rank> rank_runs(const std::vector<ConfigRun>& runs) {
  std::vector<Rank> ranks(runs.size());
  const auto are_comparable = [&](size_t one, size_t other) {
    return one != other && runs[one].config.roulette == runs[other].config.roulette;
  };
  for (size_t one = 0; one < runs.size(); ++one)
    for (size_t other = 0; other < runs.size(); ++other)
      if (are_comparable(one, other))
        ranks[one].rank += compare_times(runs[other].frame_milliseconds,
                                         runs[one].frame_milliseconds) == Verdict::kFaster;
  for (size_t one = 0; one < runs.size(); ++one)
    for (size_t other = 0; other < runs.size(); ++other)
      if (are_comparable(one, other)) ranks[one].tied |= ranks[one].rank == ranks[other].rank;
  return ranks;
}

std::vector<ConfigSummary> summarize(const SceneBench& bench) {
  std::vector<ConfigSummary> summaries;
  for (const ConfigRun& run : bench.runs) {
    ConfigSummary& summary = summaries.emplace_back();
    summary.frame = median_interval(run.frame_milliseconds);
    summary.samples_per_second = double(bench.path_count()) / summary.frame.median * 1e3;
    std::optional<size_t> none = find_none(bench.runs, run.config);
    const ConfigRun* base = none ? &bench.runs[*none] : nullptr;
    if (base) {
      summary.speed = ratio_interval(base->frame_milliseconds, run.frame_milliseconds);
      summary.verdict = compare_times(run.frame_milliseconds, base->frame_milliseconds);
    }
    add_stages(run, base, bench.cuda, summary);
  }
  const std::vector<Rank> ranks = rank_runs(bench.runs);
  for (size_t run = 0; run < ranks.size(); ++run) summaries[run].rank = ranks[run];
  return summaries;
}

std::optional<size_t> find_none(const std::vector<ConfigRun>& runs, const BenchConfig& config) {
  for (size_t run = 0; run < runs.size(); ++run) {
    const BenchConfig& other = runs[run].config;
    if (other.loop == Loop::kWave && other.cull == Cull::kNone && !other.regenerate &&
        other.group == Group::kNone && other.roulette == config.roulette &&
        other.driver == config.driver && other.tracer == config.tracer)
      return run;
  }
  return std::nullopt;
}

std::optional<size_t> find_best_cull(const SceneBench& bench,
                                     const std::vector<ConfigSummary>& summaries, bool roulette,
                                     std::optional<Tracer> tracer) {
  std::optional<size_t> best;
  auto place = [&](size_t run) {
    return std::tuple(summaries[run].rank.rank, summaries[run].frame.median);
  };
  for (size_t run = 0; run < bench.runs.size(); ++run) {
    const BenchConfig& config = bench.runs[run].config;
    bool culls = config.loop == Loop::kWave && !config.regenerate &&
                 (!tracer || config.tracer == *tracer) &&
                 (config.cull != Cull::kNone || config.group == Group::kMaterial);
    if (culls && config.roulette == roulette && (!best || place(run) < place(*best))) best = run;
  }
  return best;
}

std::vector<bool> roulettes_of(const std::vector<ConfigRun>& runs) {
  std::vector<bool> found;
  for (bool roulette : {true, false})
    if (std::ranges::any_of(runs, [&](const auto& run) { return run.config.roulette == roulette; }))
      found.push_back(roulette);
  return found;
}

std::vector<Tracer> tracers_of(const std::vector<ConfigRun>& runs) {
  std::vector<Tracer> found;
  for (Tracer tracer : {Tracer::kBvh, Tracer::kRt})
    if (std::ranges::any_of(runs, [&](const auto& run) { return run.config.tracer == tracer; }))
      found.push_back(tracer);
  return found;
}

}  // namespace winnow
