#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

namespace winnow {

/// An axis-parallel box. Starts with nothing in it.
struct BvhBox {
  glm::vec3 lower{INFINITY};   ///< m
  glm::vec3 upper{-INFINITY};  ///< m

  void add(glm::vec3 point) {
    lower = glm::min(lower, point);
    upper = glm::max(upper, point);
  }
  void add(const BvhBox& other) {
    lower = glm::min(lower, other.lower);
    upper = glm::max(upper, other.upper);
  }

  /// Half of it, m^2.
  float surface_area() const {
    const glm::vec3 size = upper - lower;
    return size.x * size.y + size.y * size.z + size.z * size.x;
  }
};

/// The largest float that is not above `x`.
inline float float_at_most(double x) {
  const auto f = float(x);
  return double(f) <= x ? f : std::nextafter(f, -INFINITY);
}

/// The smallest float that is not below `x`.
inline float float_at_least(double x) {
  const auto f = float(x);
  return double(f) >= x ? f : std::nextafter(f, INFINITY);
}

}  // namespace winnow
