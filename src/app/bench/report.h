// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/culling_gain.h"
#include "app/bench/run.h"
#include "compaction/tools/statistics.h"

namespace winnow {

using compaction::kConfidence;
using compaction::median_interval;
using compaction::MedianInterval;

/// Configurations with fewer repeats than this are not compared: they do not reach kConfidence.
inline constexpr size_t kMinRepeats = 5;

/// Returns the interval of a[i] / b[i], where a[i] and b[i] were measured in the same round. What
/// slows down a whole round (clocks, heat, other programs) does not change the ratio.
MedianInterval ratio_interval(const std::vector<double>& a, const std::vector<double>& b);

/// Comparison of two configurations. `kTied` unless the whole interval of the ratios of their times
/// lies more than kMinDifference to one side of 1, with at least kMinRepeats repeats.
enum class Verdict { kFaster, kTied, kSlower };
inline constexpr double kMinDifference =
    0.002;  ///< variation of the clock and of the start of a frame, relative

/// Compares `a` with `b`, both [round], ms: kFaster if `a` is faster.
Verdict compare_times(const std::vector<double>& a, const std::vector<double>& b);

struct Rank {
  int rank = 1;       ///< 1 + number of configurations that are significantly faster
  bool tied = false;  ///< whether another configuration has the same rank
};

struct SceneBench {
  std::string file;  ///< file name as given
  std::string name, description;
  RenderSettings settings;  ///< common to all configurations
  uint32_t spp = 1;
  bool cuda = false;
  double load_seconds = 0.0, build_seconds = 0.0;
  bool interrupted = false;
  std::vector<ConfigRun> runs;

  uint64_t path_count() const { return uint64_t(settings.width) * settings.height * spp; }
  size_t round_count() const { return runs.empty() ? 0 : runs[0].frame_milliseconds.size(); }
};

struct ConfigSummary {
  MedianInterval frame;  ///< ms
  double samples_per_second = 0.0;
  /// Relative to wave + none with the same roulette setting, driver and tracer; above 1 is faster.
  std::optional<MedianInterval> speed;
  Verdict verdict = Verdict::kTied;  ///< verdict of that comparison
  Rank rank;                         ///< rank among those with the same roulette setting

  // Times of the frame with measured stages, ms; none without it.
  std::optional<StageMilliseconds> stages;
  std::optional<StageMilliseconds> ideal;  ///< ideal times of the stages; GPUs only
  std::optional<double> ideal_share;       ///< see ideal_share_reached
  double other = 0.0;                      ///< time of the frame outside the stages

  std::optional<double> cull_share;  ///< share of the frame; waves only
};

/// Returns the rank of each run among those with the same roulette setting.
std::vector<Rank> rank_runs(const std::vector<ConfigRun>& runs);

/// Returns the summaries, [configuration]. Needs one complete round.
std::vector<ConfigSummary> summarize(const SceneBench& bench);

/// Finds the baseline of a configuration: wave + none with the same roulette setting, driver and
/// tracer.
std::optional<size_t> find_none(const std::vector<ConfigRun>& runs, const BenchConfig& config);

/// Finds the fastest wave that culls, of those with `tracer` if given: the best rank, and of these
/// the smallest median. Waves that regenerate are excluded.
std::optional<size_t> find_best_cull(const SceneBench& bench,
                                     const std::vector<ConfigSummary>& summaries, bool roulette,
                                     std::optional<Tracer> tracer = std::nullopt);

/// Returns the measured roulette settings, roulette on first.
std::vector<bool> roulettes_of(const std::vector<ConfigRun>& runs);

/// Returns the measured tracers, the BVH first.
std::vector<Tracer> tracers_of(const std::vector<ConfigRun>& runs);

struct FailedScene {
  std::string file, reason;
};

/// The results of `winnow bench` for all scenes.
struct BenchReport {
  std::string device, started;  ///< UTC, as in 2026-01-31T12:00:00Z
  bool cuda = false;
  uint32_t rounds = 0;   ///< requested number of rounds
  uint32_t threads = 0;  ///< worker threads on the CPU
  bool interrupted = false;
  std::vector<SceneBench> scenes;  ///< each with at least one complete round
  std::vector<FailedScene> failed;
};

/// Returns all measurements, their summaries and conclusions as JSON text. Units are in the names.
std::string bench_json(const BenchReport& report);

/// Returns a line of names and a line for each configuration of each scene.
std::string bench_csv(const BenchReport& report);

/// Returns the text that `winnow bench` prints for a scene, at most 100 columns wide: the table of
/// configurations; the bounces and stages of `none` and of the best culling mode with the first
/// roulette setting; the conclusions.
std::string scene_text(const SceneBench& bench, const std::string& device_name);

/// Returns the conclusions from the numbers of a scene, in sentences: whether culling pays, its
/// ideal, why paths terminate, the path loop. The text names differences below the noise as such.
std::vector<std::string> bench_conclusions(const SceneBench& bench,
                                           const std::vector<ConfigSummary>& summaries);

}  // namespace winnow
