// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "math/sampling.h"

namespace winnow {

/// Samples a direction uniformly, with density 1 / (4 pi).
inline glm::vec3 sample_uniform_sphere(glm::vec2 u) {
  float z = 1.0f - 2.0f * u.x;
  float r = 2.0f * std::sqrt(u.x * (1.0f - u.x));  // sqrt(1 - z^2) without cancellation
  return {r * unit_circle(u.y), z};
}

inline constexpr float kUniformSpherePdf = kInvFourPi;  ///< sr^-1

/// Inverts sample_cosine_hemisphere(): returns the `u` that gives `w`.
inline glm::vec2 invert_cosine_hemisphere(glm::vec3 w) {
  float phi = std::atan2(w.y, w.x);
  return {w.x * w.x + w.y * w.y, phi * kInvTwoPi + (phi < 0.0f ? 1.0f : 0.0f)};
}

}  // namespace winnow
