// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Half the distance from 1 to the next float: the largest relative error of an operation.
inline constexpr float kHalfUlp = 5.9604645e-8f;

/// Returns a bound on the relative error of n float operations in sequence.
/// Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 3.1.
SIMT_HOST_DEVICE constexpr float error_bound(int n) {
  return float(n) * kHalfUlp / (1.0f - float(n) * kHalfUlp);
}

/// Returns the origin of a ray that leaves a surface: outside the error bounds of the hit point, so
/// that the ray cannot intersect the surface that it starts from. Has no scene-dependent epsilon.
///
/// @param p          computed point, m
/// @param p_error    bound on its absolute error per axis, m
/// @param n          geometric normal, unit length, on either side
/// @param direction  direction of the leaving ray
/// Pharr, Jakob & Humphreys, "Physically Based Rendering", 4th ed. 2023, section 6.8.6.
SIMT_HOST_DEVICE inline glm::vec3 offset_origin(glm::vec3 p, glm::vec3 p_error, glm::vec3 n,
                                                glm::vec3 direction) {
  float distance = glm::dot(glm::abs(n), p_error);
  glm::vec3 offset = glm::dot(direction, n) < 0.0f ? -distance * n : distance * n;
  glm::vec3 origin = p + offset;
  for (int axis = 0; axis < 3; ++axis)  // at least an ulp outwards: the sum was rounded
    if (offset[axis] != 0.0f)
      origin[axis] += std::copysign(2.0f * kHalfUlp * std::abs(origin[axis]), offset[axis]);
  return origin;
}

}  // namespace winnow
