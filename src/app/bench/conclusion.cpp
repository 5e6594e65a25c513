// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/bench/report.h"

namespace winnow {
namespace {

using Summaries = std::vector<ConfigSummary>;

/// @param speed  speed of a configuration relative to `other`
std::string verdict_text(Verdict verdict, const MedianInterval& speed, const std::string& other) {
  if (verdict == Verdict::kTied)
    return fmt::format("cannot be distinguished from {} (speed {:.3f}, between {:.3f} and {:.3f})",
                       other, speed.median, speed.low, speed.high);
  if (speed.median < 1.0)
    return fmt::format("takes {:.3f} times as long as {} (between {:.3f} and {:.3f})",
                       1.0 / speed.median, other, 1.0 / speed.high, 1.0 / speed.low);
  return fmt::format("is {:.3f} times as fast as {} (between {:.3f} and {:.3f})", speed.median,
                     other, speed.low, speed.high);
}

/// Returns "2.1 million" or "64".
std::string count_text(uint64_t count) {
  constexpr uint64_t kMillion = 1'000'000;
  if (count < kMillion) return std::to_string(count);
  return fmt::format("{:.1f} million", double(count) / double(kMillion));
}

/// Compares the best culling mode with `none`. Culling pays if the mode is significantly faster.
std::optional<std::string> culling_sentence(const SceneBench& bench, const Summaries& summaries,
                                            bool roulette, Tracer tracer) {
  std::optional<size_t> best = find_best_cull(bench, summaries, roulette, tracer);
  if (!best || !summaries[*best].speed) return std::nullopt;
  const ConfigSummary& summary = summaries[*best];
  std::string head = roulette_name(roulette);
  head[0] = 'W';
  if (tracer == Tracer::kRt) head += " and --tracer rt";
  const char* pays = summary.verdict == Verdict::kFaster ? "culling pays here"
                     : summary.verdict == Verdict::kSlower
                         ? "culling does not pay here"
                         : "culling makes no significant difference";
  return fmt::format("{}, {}: the best mode, {}, {}.", head, pays,
                     cull_name(bench.runs[*best].config),
                     verdict_text(summary.verdict, *summary.speed, "none"));
}

/// Names the causes that terminate at least one path in a hundred, the most frequent first.
std::optional<std::string> termination_sentence(const SceneBench& bench, bool roulette) {
  constexpr double kMinShare = 0.01;
  constexpr std::array<const char*, kTerminationCount> kEnds = {
      "stay active",          "escape",
      "hit a light",          "are terminated by roulette",
      "have zero throughput", "reach the maximum depth",
      "are not finite"};
  for (const ConfigRun& run : bench.runs) {
    if (run.config.roulette != roulette || !run.measured || run.measured->stats.paths == 0)
      continue;
    const RenderStats& stats = run.measured->stats;
    std::array<uint64_t, kTerminationCount> terminations = termination_counts(stats);
    std::vector<size_t> causes;
    for (size_t cause = 1; cause < kTerminationCount; ++cause)
      if (double(terminations[cause]) >= kMinShare * double(stats.paths)) causes.push_back(cause);
    std::sort(causes.begin(), causes.end(),
              [&](size_t a, size_t b) { return terminations[a] > terminations[b]; });
    std::string list;
    for (size_t cause : causes)
      list += fmt::format("{}{:.0f} % {}", list.empty() ? "" : ", ",
                          1e2 * double(terminations[cause]) / double(stats.paths), kEnds[cause]);
    return fmt::format("Of {} paths {}, {}; a path has {:.1f} rays on average.",
                       count_text(stats.paths), roulette_name(roulette), list,
                       mean_path_length(stats));
  }
  return std::nullopt;
}

/// Compares the best mode with the ideal, and names the stage with the largest difference.
std::optional<std::string> ideal_sentence(const SceneBench& bench, const Summaries& summaries,
                                          bool roulette) {
  std::optional<size_t> best = find_best_cull(bench, summaries, roulette);
  if (!best || !summaries[*best].ideal || !summaries[*best].stages) return std::nullopt;
  const ConfigSummary& summary = summaries[*best];
  if (!summary.ideal_share)
    return fmt::format(
        "Nearly all lanes are in use {} even without culling: there is almost nothing to gain.",
        roulette_name(roulette));
  double ideal = sum_milliseconds(*summary.ideal);
  double none =
      sum_milliseconds(*summaries[*find_none(bench.runs, bench.runs[*best].config)].stages);
  std::string text = fmt::format(
      "If culling were perfect and free, the stages would take {:.2f} ms instead of {:.2f} {}",
      ideal, none, roulette_name(roulette));
  if (summary.verdict == Verdict::kTied)
    return text + "; what culling gains of that is below the noise.";
  text += fmt::format("; {} reaches {:.0f} % of that gain", cull_name(bench.runs[*best].config),
                      *summary.ideal_share * 1e2);
  if (*summary.ideal_share >= 1.0) return text + ".";

  StageMilliseconds above = *summary.stages;
  for (size_t stage = 0; stage < kStageCount; ++stage) above[stage] -= (*summary.ideal)[stage];
  auto worst = std::max_element(above.begin(), above.end());
  return text + fmt::format(", and most of what is missing is in {} ({:+.2f} ms).",
                            kEnumNames<Stage>[size_t(worst - above.begin())], *worst);
}

/// Finds the configuration of the smallest median among those that are wanted(config).
template <class Wanted>
std::optional<size_t> find_fastest(const SceneBench& bench, const Summaries& summaries,
                                   Wanted wanted) {
  std::optional<size_t> best;
  for (size_t run = 0; run < bench.runs.size(); ++run)
    if (wanted(bench.runs[run].config) &&
        (!best || summaries[run].frame.median < summaries[*best].frame.median))
      best = run;
  return best;
}

/// Compares the fastest waves of both tracers.
std::optional<std::string> tracer_sentence(const SceneBench& bench, const Summaries& summaries,
                                           bool roulette) {
  auto fastest_with = [&](Tracer tracer) {
    return find_fastest(bench, summaries, [&](const BenchConfig& config) {
      return config.loop == Loop::kWave && config.roulette == roulette && config.tracer == tracer;
    });
  };
  const std::optional<size_t> bvh = fastest_with(Tracer::kBvh), rt = fastest_with(Tracer::kRt);
  if (!bvh || !rt) return std::nullopt;
  const ConfigRun &a = bench.runs[*rt], &b = bench.runs[*bvh];
  return fmt::format(
      "The fastest wave with --tracer rt {}; their films {}.",
      verdict_text(compare_times(a.frame_milliseconds, b.frame_milliseconds),
                   ratio_interval(b.frame_milliseconds, a.frame_milliseconds), "that with bvh"),
      a.film_hash == b.film_hash ? "have the same bits"
                                 : "differ where the tracers find different primitives");
}

/// Compares the fastest wave, whether it culls, regenerates or neither, with the path loop.
std::optional<std::string> loop_sentence(const SceneBench& bench, const Summaries& summaries,
                                         bool roulette) {
  auto fastest_of = [&](Loop loop) {
    return find_fastest(bench, summaries, [&](const BenchConfig& config) {
      return config.loop == loop && config.roulette == roulette;
    });
  };
  const std::optional<size_t> wave = fastest_of(Loop::kWave), path = fastest_of(Loop::kPath);
  if (!wave || !path) return std::nullopt;
  const auto& wave_times = bench.runs[*wave].frame_milliseconds;
  const auto& path_times = bench.runs[*path].frame_milliseconds;
  return fmt::format(
      "The fastest wave {}, {}, {}.", roulette_name(roulette),
      config_name(bench.runs[*wave].config),
      verdict_text(compare_times(wave_times, path_times), ratio_interval(path_times, wave_times),
                   "following each path to its end"));
}

}  // namespace

std::vector<std::string> bench_conclusions(const SceneBench& bench, const Summaries& summaries) {
  std::vector<std::string> sentences;
  auto add = [&](std::optional<std::string> sentence) {
    if (sentence) sentences.push_back(*sentence);
  };
  std::vector<bool> roulettes = roulettes_of(bench.runs);
  for (bool roulette : roulettes)
    for (Tracer tracer : tracers_of(bench.runs))
      add(culling_sentence(bench, summaries, roulette, tracer));
  bool main = roulettes.front();  // the remaining sentences are about this setting
  if (sentences.empty() && find_best_cull(bench, summaries, main))
    sentences.push_back("Whether culling pays is unknown: wave + none was not measured.");
  add(ideal_sentence(bench, summaries, main));
  add(termination_sentence(bench, main));
  add(tracer_sentence(bench, summaries, main));
  add(loop_sentence(bench, summaries, main));
  if (bench.round_count() < kMinRepeats)
    sentences.push_back(
        fmt::format("Nothing is ranked: that takes {} rounds, and {} were measured.", kMinRepeats,
                    bench.round_count()));
  return sentences;
}

}  // namespace winnow
