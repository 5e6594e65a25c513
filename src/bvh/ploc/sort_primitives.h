#pragma once

#include <cstdint>

#include "bvh/ploc/bvh_geometry.h"
#include "bvh/ploc/morton_grid.h"

namespace winnow {

/// Writes the boxes of all primitives, and which of these are finite.
struct MeasureBoxes {
  BvhGeometry geometry;
  Span<BvhBox> boxes;    ///< [primitive]; nothing in it where it is not finite
  Span<uint8_t> finite;  ///< [primitive], 0 or 1

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const BvhBox box = geometry.box(i);
    boxes[i] = box;
    finite[i] = box.lower.x <= box.upper.x;
  }
};

/// The box around two boxes, for a reduction.
struct JoinBoxes {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static BvhBox identity() { return {}; }
  SIMT_HOST_DEVICE BvhBox operator()(BvhBox a, const BvhBox& b) const {
    a.add(b);
    return a;
  }
};

/// Writes the places of primitives on the Morton curve.
struct MeasureCodes {
  Span<const BvhBox> boxes;         ///< [primitive]
  Span<const BvhBox> scene;         ///< [1], around all of them
  Span<const uint32_t> primitives;  ///< [item], those that are finite
  Span<uint64_t> codes;             ///< [item]

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    codes[i] = MortonGrid(scene[0]).code(boxes[primitives[i]]);
  }
};

}  // namespace winnow
