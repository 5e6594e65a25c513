#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/bench/config.h"
#include "app/cli/option_values.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow bench`. What is empty is taken from the scene or depends on the device.
struct BenchOptions {
  std::vector<std::filesystem::path> scenes;
  BenchMatrix matrix;                                         ///< no culls: the default ones
  bool asks_for_regenerate = false, asks_for_driver = false;  ///< not by default

  std::optional<Size> size;
  std::optional<uint32_t> max_bounces;
  uint32_t spp = 4;  ///< samples per pixel of a frame
  /// Rounds. The median's interval of 9 has 96 %, and the slowest and the fastest do not widen it.
  uint32_t repeat = 9;
  RenderSettings settings;  ///< the rest of what the renderer takes
  DeviceRequest device;
  std::filesystem::path json, csv;  ///< empty: none
  bool quiet = false;
};

/// Adds the options of `winnow bench` to `command`; parsing it fills `options`.
void add_bench_options(CLI::App& command, BenchOptions& options);

/// Refuses, as a UsageError, what makes no sense together or on the device; fills in the default
/// culls.
BenchMatrix matrix_for(const BenchOptions& options, bool cuda);

/// Measures scenes with every configuration of the matrix, prints and writes what follows. Returns
/// the exit code.
int bench(const BenchOptions& options);

}  // namespace winnow
