// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Applies the sRGB transfer function: linear [0, 1] to encoded [0, 1]. IEC 61966-2-1.
inline float srgb_from_linear(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

/// Inverts srgb_from_linear().
SIMT_HOST_DEVICE inline float linear_from_srgb(float encoded) {
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

/// Clamps linear radiance to [0, 1] and rounds it to 8-bit sRGB. NaN becomes 0.
inline uint8_t tone_map(float radiance) {
  if (!(radiance > 0.0f)) return 0;
  return uint8_t(std::lround(255.0f * srgb_from_linear(std::min(radiance, 1.0f))));
}

/// Inverts tone_map() for radiance in [0, 1].
inline float invert_tone_map(uint8_t encoded) {
  return linear_from_srgb(float(encoded) / 255.0f);
}

}  // namespace winnow
