// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

#include "base/names.h"

namespace winnow {

/// How the BVH of a scene is built.
enum class BvhBuild {
  kAuto,     ///< the build that is expected to finish the image first
  kFast,     ///< takes milliseconds on a GPU; Embree's medium quality on the CPU
  kQuality,  ///< takes seconds on the CPU; rays take less time
};
template <>
inline constexpr std::array<const char*, 3> kEnumNames<BvhBuild> = {"auto", "fast", "quality"};

struct BvhReport {
  BvhBuild build = BvhBuild::kQuality;
  bool cached = false;    ///< read from a file
  double seconds = 0.0;   ///< s, time to build it, or to read it
  std::string warning{};  ///< one line for the user; usually empty
};

}  // namespace winnow
