#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bench/culling_gain.h"
#include "app/bench/ranking.h"
#include "app/bench/run.h"

namespace winnow {

/// All that was measured of one scene.
struct SceneBench {
  std::string file;  ///< as it was given
  std::string name, description;
  RenderSettings settings;  ///< what all configurations share
  uint32_t spp = 1;
  bool cuda = false;
  double load_seconds = 0.0, build_seconds = 0.0;
  bool interrupted = false;
  std::vector<ConfigRun> runs;

  uint64_t path_count() const { return uint64_t(settings.width) * settings.height * spp; }
  size_t round_count() const { return runs.empty() ? 0 : runs[0].frame_milliseconds.size(); }
};

/// What follows for one configuration.
struct ConfigSummary {
  MedianInterval frame;  ///< ms
  double samples_per_second = 0.0;
  std::optional<MedianInterval>
      speed;                         ///< of wave + none with the same roulette; above 1 is faster
  Verdict verdict = Verdict::kTied;  ///< the same comparison
  Rank rank;                         ///< among those with the same roulette

  // From the frame whose stages were measured, ms; none without it.
  std::optional<StageMilliseconds> stages;
  std::optional<StageMilliseconds> ideal;  ///< of the stages; GPUs only, as it is about warps
  std::optional<double> ideal_share;       ///< see ideal_share_reached
  double other = 0.0;                      ///< the frame without its stages

  std::optional<double> cull_share;  ///< of the frame; waves only
};

/// [configuration]. Needs one complete round.
std::vector<ConfigSummary> summarize(const SceneBench& bench);

/// What all others with the same roulette are compared with: wave + none. Of `driver` if given.
std::optional<size_t> find_none(const std::vector<ConfigRun>& runs, bool roulette,
                                std::optional<Driver> driver = std::nullopt);

/// The fastest wave that culls: the best rank, and of these the smallest median. Regeneration,
/// which is another idea, is left out.
std::optional<size_t> find_best_cull(const SceneBench& bench,
                                     const std::vector<ConfigSummary>& summaries, bool roulette);

/// The roulette settings that were measured, with roulette first.
std::vector<bool> roulettes_of(const std::vector<ConfigRun>& runs);

}  // namespace winnow
