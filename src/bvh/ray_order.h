#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "math/ray.h"

namespace winnow {

/// An order of rays: by the cell of a grid over the scene in which they start, and in a cell by the
/// octant of their direction. Neighbours then take similar ways.
struct RayOrder {
  /// Of a cell along each axis. With five, an H200 traces the order up to 5 % faster, and sorts a
  /// tenth longer.
  static constexpr int kCellBits = 4;
  static constexpr int kKeyBits = 3 * kCellBits + 3;

  glm::vec3 corner;       ///< m, of the grid
  glm::vec3 cells_per_m;  ///< along each axis

  /// @param corner, size  of the scene's bounds, m
  RayOrder(glm::vec3 corner, glm::vec3 size)
      : corner(corner),
        cells_per_m(float(1 << kCellBits) / glm::max(size, std::numeric_limits<float>::min())) {}

  /// Cells along a Morton curve, then the octant.
  SIMT_HOST_DEVICE uint32_t key(const Ray& ray) const {
    constexpr float kLast = float((1 << kCellBits) - 1);
    const glm::uvec3 cell(
        glm::clamp((ray.origin - corner) * cells_per_m, glm::vec3(0.0f), glm::vec3(kLast)));
    uint32_t key = 0;
    for (int bit = kCellBits - 1; bit >= 0; --bit)
      for (int axis = 0; axis < 3; ++axis) key = key << 1 | (cell[axis] >> bit & 1);
    for (int axis = 0; axis < 3; ++axis) key = key << 1 | uint32_t(ray.direction[axis] > 0.0f);
    return key;
  }
};

}  // namespace winnow
