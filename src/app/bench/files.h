#pragma once

#include <string>
#include <vector>

#include "app/bench/summary.h"

namespace winnow {

/// A scene that could not be measured.
struct FailedScene {
  std::string file, reason;
};

/// What `winnow bench` found, of all scenes.
struct BenchReport {
  std::string device, started;  ///< UTC, as in 2026-01-31T12:00:00Z
  bool cuda = false;
  uint32_t rounds = 0;   ///< that were asked for
  uint32_t threads = 0;  ///< workers on the CPU
  bool interrupted = false;
  std::vector<SceneBench> scenes;  ///< each with one complete round at least
  std::vector<FailedScene> failed;
};

/// Everything that was measured and what follows from it, as JSON text; units are in the names.
std::string bench_json(const BenchReport& report);

/// A line for each configuration of each scene, after a line of names.
std::string bench_csv(const BenchReport& report);

}  // namespace winnow
