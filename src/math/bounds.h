// SPDX-License-Identifier: MIT
#pragma once

#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Axis-aligned bounding box. Empty until it is extended.
struct Bounds {
  glm::vec3 min{std::numeric_limits<float>::max()};     ///< m
  glm::vec3 max{std::numeric_limits<float>::lowest()};  ///< m

  SIMT_HOST_DEVICE void extend(glm::vec3 p) {
    min = glm::min(min, p);
    max = glm::max(max, p);
  }
  SIMT_HOST_DEVICE void extend(const Bounds& other) {
    min = glm::min(min, other.min);
    max = glm::max(max, other.max);
  }
  bool operator==(const Bounds&) const = default;
  SIMT_HOST_DEVICE bool is_empty() const { return min.x > max.x || min.y > max.y || min.z > max.z; }
  SIMT_HOST_DEVICE glm::vec3 center() const { return 0.5f * (min + max); }
  /// Returns twice the center: enough to compare centers, without a multiplication.
  SIMT_HOST_DEVICE glm::vec3 twice_center() const { return min + max; }
  SIMT_HOST_DEVICE glm::vec3 size() const { return max - min; }
  /// Returns half the surface area, m^2. The probability that a random ray hits the box is
  /// proportional to it.
  SIMT_HOST_DEVICE float half_area() const {
    const glm::vec3 s = size();
    return s.x * s.y + s.y * s.z + s.z * s.x;
  }
};

SIMT_HOST_DEVICE inline Bounds join(Bounds a, const Bounds& b) {
  a.extend(b);
  return a;
}

}  // namespace winnow
