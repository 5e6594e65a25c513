// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/bvh_geometry.h"
#include "compaction/simt/span.h"
#include "math/bounds.h"
#include "math/morton.h"

namespace winnow {

using simt::Span;

/// A cube around a scene, divided into 2^21 cells along each axis.
struct MortonGrid {
  static constexpr uint32_t kBits = 21;  ///< per axis; three coordinates fit 64 bits
  static constexpr uint32_t kCells = 1u << kBits;

  glm::vec3 lower{0.0f};  ///< m
  double cell = 0.0;      ///< m; 0 where the scene is a point

  MortonGrid() = default;
  SIMT_HOST_DEVICE explicit MortonGrid(const Bounds& scene) : lower(scene.min) {
    for (int axis = 0; axis < 3; ++axis) {
      const double size = double(scene.max[axis]) - double(scene.min[axis]);
      cell = cell < size / kCells ? size / kCells : cell;
    }
  }

  /// Returns the cell of a coordinate, which may lie outside of the cube by rounding.
  SIMT_HOST_DEVICE uint32_t cell_of(double x, int axis) const {
    const double cells = cell > 0.0 ? (x - double(lower[axis])) / cell : 0.0;
    return cells >= kCells - 1 ? kCells - 1 : cells > 0.0 ? uint32_t(cells) : 0;
  }

  /// Returns the Morton code of the cell at the center of `box`.
  SIMT_HOST_DEVICE uint64_t code(const Bounds& box) const {
    glm::uvec3 cells;
    for (int axis = 0; axis < 3; ++axis)
      cells[axis] = cell_of(0.5 * (double(box.min[axis]) + double(box.max[axis])), axis);
    return morton_code(cells);
  }
};

/// Computes the boxes of all primitives, and flags the finite ones.
struct ComputeBounds {
  BvhGeometry geometry;
  Span<Bounds> boxes;    ///< [primitive]; empty if not finite
  Span<uint8_t> finite;  ///< [primitive], 0 or 1

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Bounds box = geometry.bounds(i);
    boxes[i] = box;
    finite[i] = !box.is_empty();
  }
};

/// Joins two boxes, for a reduction.
struct JoinBounds {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static Bounds identity() { return {}; }
  SIMT_HOST_DEVICE Bounds operator()(const Bounds& a, const Bounds& b) const { return join(a, b); }
};

/// Computes the Morton codes of primitives.
struct ComputeMortonCodes {
  Span<const Bounds> boxes;         ///< [primitive]
  Span<const Bounds> scene;         ///< [1], bounds of all
  Span<const uint32_t> primitives;  ///< [item], finite primitives
  Span<uint64_t> codes;             ///< [item]

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    codes[i] = MortonGrid(scene[0]).code(boxes[primitives[i]]);
  }
};

}  // namespace winnow
