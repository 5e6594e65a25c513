// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>

#include "app/cli/option_values.h"
#include "app/soak/soak_render.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow soak`.
struct SoakOptions {
  double seconds = 60.0;
  uint64_t seed = 1;  ///< of the sequence of cases
  uint64_t cases = std::numeric_limits<uint64_t>::max();
  std::optional<uint64_t> only;  ///< the one case to repeat
  DeviceRequest device;
  std::filesystem::path folder;  ///< where scenes are kept; empty: one among temporary files
  bool quiet = false;
};

/// Adds the options of `winnow soak` to `command`; parsing it fills `options`.
void add_soak_options(CLI::App& command, SoakOptions& options);

/// What the cases of a soak test run on.
struct SoakDevices {
  MakeRenderer make;
  bool is_on_gpu = false;
  MakeRenderer cpu = nullptr;  ///< to compare with; null without a GPU
};

/// Draws a scene and its settings from a seed, and makes all checks. Throws Error for the first
/// that fails.
///
/// @param folder  for the files of the case; must exist
void run_soak_case(uint64_t seed, const std::filesystem::path& folder, const SoakDevices& devices);

/// Random valid scenes, each rendered in several ways that must agree, until the time is up. The
/// scenes of cases that are wrong are kept, and reported on stderr. Returns the exit code: 1 if one
/// was wrong.
int soak(const SoakOptions& options);

/// The same on given devices.
int soak(const SoakOptions& options, const SoakDevices& devices);

}  // namespace winnow
