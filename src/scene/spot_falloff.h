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

/// Returns the coordinate in which a falloff is given: the angle from the axis, in radians, or the
/// square of the sine of half of it, which is linear in the cosine and exact for small angles.
inline float spot_coordinate(SpotFalloff falloff, float angle) {
  const float sine = std::sin(0.5f * angle);
  return falloff == SpotFalloff::kLinear ? angle : sine * sine;
}

/// Returns the relative intensity of a spot, [0, 1].
///
/// @param edge, start  coordinates where it ends and starts to fade, see spot_coordinate()
/// @param cosine       cosine of the angle to its axis
SIMT_HOST_DEVICE inline float spot_falloff(SpotFalloff falloff, float edge, float start,
                                           float cosine) {
  cosine = glm::clamp(cosine, -1.0f, 1.0f);
  const float at = falloff == SpotFalloff::kLinear ? std::acos(cosine) : 0.5f - 0.5f * cosine;
  if (at >= edge) return 0.0f;
  if (at <= start) return 1.0f;
  const float t = (edge - at) / (edge - start);
  if (falloff == SpotFalloff::kLinear) return t;
  if (falloff == SpotFalloff::kSmooth) return t * t * (3.0f - 2.0f * t);
  return falloff == SpotFalloff::kSquared ? t * t : t * t * (t * t);
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
