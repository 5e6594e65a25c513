// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>

#include "tests/soak/soak_render.h"

namespace winnow {

/// Cases of a soak test, and the folder of their files.
struct SoakOptions {
  double seconds = 60.0;
  uint64_t seed = 1;                                      ///< seed of the sequence of cases
  uint64_t cases = std::numeric_limits<uint64_t>::max();  ///< maximum
  std::optional<uint64_t> only;                           ///< the one case to repeat
  std::filesystem::path folder;  ///< for scenes of failed cases; empty: a temporary folder
  bool quiet = false;
};

/// Devices that the cases of a soak test run on.
struct SoakDevices {
  MakeRenderer make;
  bool is_on_gpu = false;
  bool has_optix = false;
  MakeRenderer cpu = nullptr;  ///< to compare with; null without a GPU
};

/// Renders random valid scenes, each in several ways that must agree, until the time is up. Keeps
/// the scenes of failed cases and reports them on stderr. Returns the exit code: 1 if a case
/// failed.
int soak(const SoakOptions& options, const SoakDevices& devices);

}  // namespace winnow
