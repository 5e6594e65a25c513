// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/summary.h"

namespace winnow {

/// A scene that could not be measured.
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
