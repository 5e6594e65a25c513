// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>

#include "base/names.h"
#include "compaction/simt/simt.h"

namespace winnow {

/// How the intensity of a spot fades between the start of its falloff and its edge. All but the
/// first are functions of t, which is linear in the cosine of the angle: 1 at the start, 0 at the
/// edge.
enum class SpotFalloff : uint32_t {
  kLinear,   ///< linear in the angle, as in Mitsuba
  kSquared,  ///< t^2, as in the reference code of KHR_lights_punctual
  kSmooth,   ///< t^2 (3 - 2 t), as in pbrt 4 and Cycles
  kFourth,   ///< t^4, as in pbrt 3
};

template <>
inline constexpr std::array<const char*, 4> kEnumNames<SpotFalloff> = {"linear", "squared",
                                                                       "smooth", "fourth"};

/// Returns the relative intensity of a spot, [0, 1].
///
/// @param cone, start  radians, angles from the axis where it ends and starts to fade
/// @param cosine       cosine of the angle to its axis
SIMT_HOST_DEVICE inline float spot_falloff(SpotFalloff falloff, float cone, float start,
                                           float cosine) {
  const float angle = std::acos(glm::clamp(cosine, -1.0f, 1.0f));
  if (angle >= cone) return 0.0f;
  if (angle <= start) return 1.0f;
  if (falloff == SpotFalloff::kLinear) return (cone - angle) / (cone - start);
  // Products of sines are differences of cosines, also of small angles.
  const float t = std::sin(0.5f * (cone + angle)) * std::sin(0.5f * (cone - angle)) /
                  (std::sin(0.5f * (cone + start)) * std::sin(0.5f * (cone - start)));
  const float squared = t * t;
  if (falloff == SpotFalloff::kSmooth) return squared * (3.0f - 2.0f * t);
  return falloff == SpotFalloff::kSquared ? squared : squared * squared;
}

/// Returns the integral of spot_falloff() over all directions divided by 2 pi.
inline double spot_falloff_integral(SpotFalloff falloff, double cone, double start) {
  const double cos_cone = std::cos(cone), cos_start = std::cos(start);
  if (falloff == SpotFalloff::kLinear)
    return 1.0 - (cone > start ? (std::sin(cone) - std::sin(start)) / (cone - start) : cos_cone);
  const double mean = falloff == SpotFalloff::kSquared  ? 1.0 / 3.0
                      : falloff == SpotFalloff::kSmooth ? 1.0 / 2.0
                                                        : 1.0 / 5.0;
  return 1.0 - cos_start + mean * (cos_start - cos_cone);
}

}  // namespace winnow
