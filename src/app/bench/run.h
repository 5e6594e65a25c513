// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/config.h"
#include "backend/renderer.h"

namespace winnow {

/// A frame with measured stages: the one with the median time of kMeasuredFrames.
struct MeasuredFrame {
  double milliseconds = 0.0;  ///< wall-clock time of the whole frame
  RenderStats stats;          ///< on the CPU, stage times are divided by the number of threads
};

struct ConfigRun {
  BenchConfig config;
  std::vector<double> frame_milliseconds;  ///< [round]
  std::vector<double> host_milliseconds;   ///< [round], host time to launch the frame
  std::string film_hash;
  std::optional<MeasuredFrame> measured;  ///< none if interrupted
};

inline constexpr uint32_t kMeasuredFrames = 3;

struct BenchPlan {
  RenderSettings settings;  ///< settings that all configurations share
  uint32_t spp = 1;         ///< samples per pixel of a frame
  uint32_t rounds = 1;
  uint32_t lead_in = 1;         ///< passes before a frame
  uint32_t lead_in_spp = 1;     ///< samples per pixel of each of these passes
  uint32_t worker_threads = 1;  ///< stage times are sums over these; 1 on a GPU

  std::function<double()> seconds;  ///< wall clock
  std::function<bool()> stop;       ///< called between frames; true ends the measurement
  std::function<void(std::string)>
      report_phase;  ///< called with "round 2 of 9" as each phase begins
};

/// Returns the stats that were added to a render after `before`.
RenderStats stats_since(const RenderStats& before, RenderStats now);

/// Measures all configurations: renders one untimed frame with each; then `rounds` rounds of one
/// timed frame with each, in a different order each round; then kMeasuredFrames with measured
/// stages.
///
/// Each frame is preceded by a restart and `lead_in` passes that are not timed: the first waves of
/// a render build graphs, touch memory and let `auto` measure, which a long render does only once.
///
/// If stopped, returns the rounds that were completed, which may be none.
/// Throws Error if the films of two frames with the same roulette setting and tracer differ in any
/// bit.
std::vector<ConfigRun> run_matrix(Renderer& renderer, const std::vector<BenchConfig>& configs,
                                  const BenchPlan& plan);

}  // namespace winnow
