// SPDX-License-Identifier: MIT
#include "app/bench/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "base/error.h"
#include "image/compare.h"

namespace winnow {
namespace {

/// Returns a permutation of the configurations that depends on the round alone, so that no
/// configuration always follows the same other one.
std::vector<size_t> order_of(uint32_t round, size_t count) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t(0));
  std::mt19937 random(round);
  for (size_t left = count; left > 1; --left) std::swap(order[left - 1], order[random() % left]);
  return order;
}

class Matrix {
 public:
  Matrix(Renderer& renderer, const std::vector<BenchConfig>& configs, const BenchPlan& plan)
      : renderer_(renderer), plan_(plan) {
    for (const BenchConfig& config : configs) {
      runs_.emplace_back();
      runs_.back().config = config;
    }
  }

  void warm_up() {
    plan_.report_phase("warming up");
    for (ConfigRun& run : runs_) {
      if (plan_.stop()) return;
      render(run, false);
      check_film(run);
    }
  }

  void time_round(uint32_t round) {
    plan_.report_phase(fmt::format("round {} of {}", round + 1, plan_.rounds));
    std::vector<double> frames(runs_.size()), hosts(runs_.size());
    for (size_t config : order_of(round, runs_.size())) {
      if (plan_.stop()) return;
      frames[config] = render(runs_[config], false);
      hosts[config] = stats_.host_seconds * 1e3;
    }
    for (size_t config = 0; config < runs_.size(); ++config) {
      runs_[config].frame_milliseconds.push_back(frames[config]);
      runs_[config].host_milliseconds.push_back(hosts[config]);
    }
  }

  void measure_stages() {
    plan_.report_phase("measuring stages");
    std::vector<std::vector<MeasuredFrame>> frames(runs_.size());
    for (uint32_t round = 0; round < kMeasuredFrames; ++round)
      for (size_t config : order_of(round, runs_.size())) {
        if (plan_.stop()) return;
        double milliseconds = render(runs_[config], true);
        check_film(runs_[config]);
        frames[config].push_back({milliseconds, stats_});
      }
    for (size_t config = 0; config < runs_.size(); ++config)
      runs_[config].measured = per_thread(median_frame(frames[config]));
  }

  std::vector<ConfigRun>& runs() { return runs_; }

 private:
  static MeasuredFrame median_frame(std::vector<MeasuredFrame>& frames) {
    auto middle = frames.begin() + kMeasuredFrames / 2;
    std::ranges::nth_element(frames, middle, {}, &MeasuredFrame::milliseconds);
    return *middle;
  }

  MeasuredFrame per_thread(MeasuredFrame frame) const {
    for (BounceStats& bounce : frame.stats.bounces)
      for (double& stage : bounce.milliseconds) stage /= plan_.worker_threads;
    return frame;
  }

  /// Renders one frame and returns its time, ms. Its counts are in stats_.
  double render(ConfigRun& run, bool measure_stages) {
    RenderSettings settings = with_config(plan_.settings, run.config);
    settings.measure_stages = measure_stages;
    renderer_.restart(settings);
    RenderControl control;
    for (uint32_t pass = 0; pass < plan_.lead_in; ++pass)
      renderer_.render_samples(pass * plan_.lead_in_spp, plan_.lead_in_spp, control);
    RenderStats before = renderer_.stats();
    double start = plan_.seconds();
    renderer_.render_samples(plan_.lead_in * plan_.lead_in_spp, plan_.spp, control);
    double milliseconds = (plan_.seconds() - start) * 1e3;
    stats_ = stats_since(before, renderer_.stats());
    return milliseconds;
  }

  /// Compares the film with the first one that had the same roulette setting and tracer. Called
  /// before and after the timed rounds.
  void check_film(ConfigRun& run) {
    const std::string hash = image_hash(renderer_.film());
    const ConfigRun*& first = first_[run.config.roulette][size_t(run.config.tracer)];
    if (!first) first = &run;
    if (run.film_hash.empty()) run.film_hash = hash;
    if (hash == first->film_hash) return;
    throw Error(
        fmt::format("the films differ {}: {} has the hash {}, {} has {}; they must be identical, "
                    "so the times are not comparable",
                    roulette_name(run.config.roulette), config_name(run.config), hash,
                    config_name(first->config), first->film_hash));
  }

  Renderer& renderer_;
  const BenchPlan& plan_;
  std::vector<ConfigRun> runs_;
  RenderStats stats_;
  const ConfigRun* first_[2][kEnumNames<Tracer>.size()] = {};  ///< [roulette][tracer]
};

}  // namespace

RenderStats stats_since(const RenderStats& before, RenderStats now) {
  now.paths -= before.paths;
  now.waves -= before.waves;
  now.host_seconds -= before.host_seconds;
  for (size_t b = 0; b < std::min(before.bounces.size(), now.bounces.size()); ++b) {
    const BounceStats& old = before.bounces[b];
    BounceStats& bounce = now.bounces[b];
    for (const auto& [name, count] : kBounceCounts) bounce.*count -= old.*count;
    for (size_t cause = 0; cause < kTerminationCount; ++cause)
      bounce.terminations[cause] -= old.terminations[cause];
    for (size_t stage = 0; stage < kStageCount; ++stage)
      bounce.milliseconds[stage] -= old.milliseconds[stage];
  }
  return now;
}

std::vector<ConfigRun> run_matrix(Renderer& renderer, const std::vector<BenchConfig>& configs,
                                  const BenchPlan& plan) {
  Matrix matrix(renderer, configs, plan);
  matrix.warm_up();
  for (uint32_t round = 0; round < plan.rounds && !plan.stop(); ++round) matrix.time_round(round);
  if (!plan.stop()) matrix.measure_stages();
  return std::move(matrix.runs());
}

}  // namespace winnow
