#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/bvh_box.h"

namespace winnow {

/// A cube around a scene, cut into 2^21 cells along each axis.
struct MortonGrid {
  static constexpr uint32_t kBits = 21;  ///< three coordinates fit 64 bits
  static constexpr uint32_t kCells = 1u << kBits;

  glm::vec3 lower{0.0f};  ///< m
  double cell = 0.0;      ///< m; 0 where the scene is a point

  MortonGrid() = default;
  SIMT_HOST_DEVICE explicit MortonGrid(const BvhBox& scene) : lower(scene.lower) {
    for (int axis = 0; axis < 3; ++axis) {
      const double size = double(scene.upper[axis]) - double(scene.lower[axis]);
      cell = cell < size / kCells ? size / kCells : cell;
    }
  }

  /// The cell that a coordinate is in, which is in the cube up to rounding.
  SIMT_HOST_DEVICE uint32_t cell_of(double x, int axis) const {
    const double cells = cell > 0.0 ? (x - double(lower[axis])) / cell : 0.0;
    return cells >= kCells - 1 ? kCells - 1 : cells > 0.0 ? uint32_t(cells) : 0;
  }

  /// The bits of the cell of the middle of `box`, those of the three axes in turn.
  SIMT_HOST_DEVICE uint64_t code(const BvhBox& box) const {
    uint64_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double middle = 0.5 * (double(box.lower[axis]) + double(box.upper[axis]));
      code |= spread(cell_of(middle, axis)) << (2 - axis);
    }
    return code;
  }

 private:
  /// Moves bit i to 3 i.
  SIMT_HOST_DEVICE static uint64_t spread(uint64_t bits) {
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
  }
};

}  // namespace winnow
