#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/config.h"
#include "backend/renderer.h"

namespace winnow {

/// A frame whose stages were measured: of kMeasuredFrames the one with the median time.
struct MeasuredFrame {
  double milliseconds = 0.0;  ///< of the whole frame, by the clock on the wall
  RenderStats stats;          ///< on the CPU stage times are divided by the number of threads
};

/// What was measured of one configuration.
struct ConfigRun {
  BenchConfig config;
  std::vector<double> frame_milliseconds;  ///< [round]
  std::vector<double> host_milliseconds;   ///< [round], that the host took to start the frame
  std::string film_hash;
  std::optional<MeasuredFrame> measured;  ///< none if interrupted before
};

inline constexpr uint32_t kMeasuredFrames = 3;

/// How a matrix of configurations is measured.
struct BenchPlan {
  RenderSettings settings;  ///< what all configurations share
  uint32_t spp = 1;         ///< samples per pixel of a frame
  uint32_t rounds = 1;
  uint32_t worker_threads = 1;  ///< over which stage times are summed; 1 on a GPU

  std::function<double()> seconds;              ///< the clock on the wall
  std::function<bool()> stop;                   ///< asked between frames
  std::function<void(std::string)> tell_phase;  ///< "round 2 of 9", as each begins
};

/// What was added to the stats of a render after `before` was taken.
RenderStats stats_since(const RenderStats& before, RenderStats now);

/// Each frame begins with a restart and one sample per pixel that is not part of it: the first
/// waves of a render make graphs, touch memory and let `auto` learn, which a render of many
/// samples does once.
///
/// Renders a frame with each configuration, untimed; then `rounds` rounds of one frame with each,
/// timed, in another order each round; then one with each whose stages are measured.
///
/// When stopped, what is returned has the rounds that were completed, which may be none.
/// Throws Error when two films differ that should be the same bit for bit, which are those of all
/// frames with the same roulette setting.
std::vector<ConfigRun> run_matrix(Renderer& renderer, const std::vector<BenchConfig>& configs,
                                  const BenchPlan& plan);

}  // namespace winnow
