// SPDX-License-Identifier: MIT
#include "app/bench/culling_gain.h"

#include <algorithm>
#include <numeric>

namespace winnow {
namespace {

constexpr double kWarpSize = 32.0;

double milliseconds_of(const BounceStats& bounce, Stage stage) {
  return bounce.milliseconds[size_t(stage)];
}

}  // namespace

StageMilliseconds stage_milliseconds(const RenderStats& stats) {
  StageMilliseconds sum{};
  for (const BounceStats& bounce : stats.bounces)
    for (size_t stage = 0; stage < kStageCount; ++stage) sum[stage] += bounce.milliseconds[stage];
  return sum;
}

double sum_milliseconds(const StageMilliseconds& stages) {
  return std::accumulate(stages.begin(), stages.end(), 0.0);
}

std::array<uint64_t, kTerminationCount> termination_counts(const RenderStats& stats) {
  std::array<uint64_t, kTerminationCount> sum{};
  for (const BounceStats& bounce : stats.bounces)
    for (size_t cause = 0; cause < kTerminationCount; ++cause)
      sum[cause] += bounce.terminations[cause];
  return sum;
}

double mean_path_length(const RenderStats& stats) {
  uint64_t rays = 0;
  for (const BounceStats& bounce : stats.bounces) rays += bounce.alive;
  return stats.paths > 0 ? double(rays) / double(stats.paths) : 0.0;
}

double alive_share(const RenderStats& stats, size_t bounce) {
  uint64_t first = stats.bounces.front().alive;
  return first > 0 ? double(stats.bounces[bounce].alive) / double(first) : 0.0;
}

std::optional<double> lane_efficiency(const BounceStats& bounce) {
  if (bounce.busy_warps == 0) return std::nullopt;
  return double(bounce.alive) / (kWarpSize * double(bounce.busy_warps));
}

std::optional<double> bytes_per_path(const BounceStats& bounce) {
  if (bounce.alive == 0) return std::nullopt;
  return double(bounce.state_bytes) / double(bounce.alive);
}

std::optional<StageMilliseconds> ideal_milliseconds(const RenderStats& none) {
  StageMilliseconds sum{};
  for (const BounceStats& bounce : none.bounces) {
    std::optional<double> efficiency = lane_efficiency(bounce);
    if (!efficiency && bounce.alive > 0) return std::nullopt;
    for (Stage stage : {Stage::kIntersect, Stage::kShade})
      sum[size_t(stage)] += milliseconds_of(bounce, stage) * efficiency.value_or(0.0);
    for (Stage stage : {Stage::kGenerate, Stage::kShadow, Stage::kFilm})
      sum[size_t(stage)] += milliseconds_of(bounce, stage);
  }
  return sum;
}

std::optional<double> ideal_share_reached(double none, double mode, double ideal) {
  if (none <= 0.0 || none - ideal < kMinIdealGain * none) return std::nullopt;
  return (none - mode) / (none - ideal);
}

std::vector<double> full_milliseconds(const RenderStats& stats) {
  std::vector<double> full;
  double last = 0.0;
  for (const BounceStats& bounce : stats.bounces) {
    double busy = kWarpSize * double(bounce.busy_warps);
    auto paths = double(stats.bounces.front().alive);
    if (busy > 0.0 && busy >= kMinBusyShare * paths) {
      double lanes = busy > paths ? busy : paths;  // the last warp may be partly empty
      last = (milliseconds_of(bounce, Stage::kIntersect) + milliseconds_of(bounce, Stage::kShade)) *
             lanes / busy;
    }
    full.push_back(last);
  }
  return full;
}

std::vector<double> gain_milliseconds(const RenderStats& stats) {
  std::vector<double> full = full_milliseconds(stats), gain;
  for (size_t bounce = 0; bounce < stats.bounces.size(); ++bounce) {
    double cull = bounce > 0 ? milliseconds_of(stats.bounces[bounce - 1], Stage::kCull) : 0.0;
    double saved = bounce > 0 ? (1.0 - alive_share(stats, bounce)) * full[bounce] : 0.0;
    gain.push_back(saved - cull);
  }
  return gain;
}

std::vector<double> saved_milliseconds(const RenderStats& none, const RenderStats& mode) {
  std::vector<double> saved;
  for (size_t bounce = 0; bounce < std::min(none.bounces.size(), mode.bounces.size()); ++bounce)
    saved.push_back(sum_milliseconds(none.bounces[bounce].milliseconds) -
                    sum_milliseconds(mode.bounces[bounce].milliseconds));
  return saved;
}

}  // namespace winnow
