// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "compaction/advise/model.h"

namespace compaction::advise {

/// What a program that is built for CUDA can do beside; null without CUDA. Errors are
/// std::runtime_error.
struct Gpu {
  bool (*exists)() = nullptr;
  DeviceModel (*measure)() = nullptr;
  /// Returns the time of the pass before each step, [step], ns; 0 if there is none.
  std::vector<double> (*time_passes)(const Recording&, const Strategy&) = nullptr;
};

/// Defined in a program that is built for CUDA.
Gpu this_gpu();

/// Runs compaction-advise and returns what it prints. Throws std::runtime_error, whose message is a
/// line for the user, if a file or an option cannot be used.
std::string run(const std::vector<std::string>& arguments, const Gpu& gpu);

}  // namespace compaction::advise
