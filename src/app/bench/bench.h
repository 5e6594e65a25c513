// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/config.h"
#include "app/cli/interrupt.h"
#include "app/cli/shared_options.h"

namespace winnow {

/// The options of `winnow bench`. Empty ones are taken from the scene or depend on the device.
struct BenchOptions : SceneOptions {
  std::vector<std::filesystem::path> scenes;
  /// Empty culls, regenerates, drivers or groups stand for the defaults.
  BenchMatrix matrix{.culls = {}, .regenerates = {}, .drivers = {}, .groups = {}};
  uint32_t spp = 4;  ///< samples per pixel of a frame
  /// Number of rounds. With 9, the interval of the median has a confidence of 96 % and excludes the
  /// slowest and the fastest.
  uint32_t repeat = 9;
  RenderSettings settings;  ///< the remaining settings of the renderer
  DeviceRequest device;
  std::filesystem::path json, csv;  ///< empty: none
  bool quiet = false;
};

OptionTable bench_options(BenchOptions& options);

/// Returns the matrix with the defaults filled in. Throws UsageError for options that
/// exclude each other or that the device does not support.
BenchMatrix matrix_for(const BenchOptions& options, bool cuda);

struct BenchReport;

/// Measures one scene after the other with every configuration of the matrix, and prints the
/// results unless `options.quiet`. If one fails, measures the others nevertheless.
///
/// @param stop    ends the measurement after the current frame
/// @param failed  receives the reason of each failure, which names the file
BenchReport measure_scenes(const BenchOptions& options, const StopRequest& stop,
                           const std::function<void(const std::string&)>& failed);

/// Runs measure_scenes() and writes its files. Returns the exit code.
int bench(const BenchOptions& options);

}  // namespace winnow
