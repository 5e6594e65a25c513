// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace winnow {

// Defaults and upper limits of settings that scene files contain and options override.

inline constexpr uint32_t kDefaultWidth = 512, kDefaultHeight = 512;  ///< pixels
inline constexpr uint32_t kDefaultSpp = 64;                           ///< samples per pixel
inline constexpr uint32_t kDefaultMaxBounces = 16;  ///< scattering events of a path
inline constexpr uint32_t kMaxSpp = 0x7fffffff, kMaxBounces = 1000;

}  // namespace winnow
