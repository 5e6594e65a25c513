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
#include "app/cli/option_values.h"
#include "app/cli/sky.h"
#include "base/folder_watch.h"
#include "load/mitsuba/parameters.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow bench`. Empty ones are taken from the scene or depend on the device.
struct BenchOptions {
  std::vector<std::filesystem::path> scenes;
  MitsubaParameters parameters;                   ///< of a Mitsuba scene
  std::optional<double> time;                     ///< s, a moment of its animations
  OutsideFiles outside = OutsideFiles::kAllowed;  ///< of the folder of the scene
  /// No culls, regenerates, drivers or groups: the default ones.
  BenchMatrix matrix{.culls = {}, .regenerates = {}, .drivers = {}, .groups = {}};

  std::optional<Size> size;
  std::optional<uint32_t> max_bounces;
  std::optional<SkyRequest> sky;
  uint32_t spp = 4;  ///< samples per pixel of a frame
  /// Rounds. With 9, the interval of the median has 96 % and excludes the slowest and the fastest.
  uint32_t repeat = 9;
  RenderSettings settings;  ///< the remaining settings of the renderer
  DeviceRequest device;
  std::filesystem::path json, csv;  ///< empty: none
  bool quiet = false;
};

/// Adds the options of `winnow bench` to `command`. Parsing it fills `options`.
void add_bench_options(CLI::App& command, BenchOptions& options);

/// Returns the matrix with the defaults filled in. Throws UsageError for options that
/// exclude each other or that the device does not support.
BenchMatrix matrix_for(const BenchOptions& options, bool cuda);

struct BenchReport;

/// Measures one scene after the other with every configuration of the matrix, and prints the
/// results unless `options.quiet`. If one fails, the others are measured all the same.
///
/// @param stop    ends the measurement after the current frame
/// @param failed  is told the reason of each failure, which names the file
BenchReport measure_scenes(const BenchOptions& options, const StopRequest& stop,
                           const std::function<void(const std::string&)>& failed);

/// Measures scenes with every configuration of the matrix, prints and writes the results. Returns
/// the exit code.
int bench(const BenchOptions& options);

}  // namespace winnow
