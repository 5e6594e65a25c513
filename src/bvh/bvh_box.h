#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// An axis-parallel box. Starts with nothing in it.
struct BvhBox {
  glm::vec3 lower{INFINITY};   ///< m
  glm::vec3 upper{-INFINITY};  ///< m

  SIMT_HOST_DEVICE void add(glm::vec3 point) {
    lower = glm::min(lower, point);
    upper = glm::max(upper, point);
  }
  SIMT_HOST_DEVICE void add(const BvhBox& other) {
    lower = glm::min(lower, other.lower);
    upper = glm::max(upper, other.upper);
  }

  /// Half of it, m^2.
  SIMT_HOST_DEVICE float half_area() const {
    const glm::vec3 size = upper - lower;
    return size.x * size.y + size.y * size.z + size.z * size.x;
  }
};

/// The float after `x`, which is finite.
SIMT_HOST_DEVICE inline float next_float(float x) {
  if (x == 0.0f) return std::bit_cast<float>(1u);
  const auto bits = std::bit_cast<uint32_t>(x);
  return std::bit_cast<float>(x > 0.0f ? bits + 1 : bits - 1);
}

/// The largest float that is not above `x`.
SIMT_HOST_DEVICE inline float float_at_most(double x) {
  const auto f = float(x);
  return double(f) <= x ? f : -next_float(-f);
}

/// The smallest float that is not below `x`.
SIMT_HOST_DEVICE inline float float_at_least(double x) {
  const auto f = float(x);
  return double(f) >= x ? f : next_float(f);
}

}  // namespace winnow
