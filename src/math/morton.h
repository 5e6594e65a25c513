// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

// Positions on the Morton curve (Z-order): the bits of the coordinates, interleaved. Cells that are
// close on the curve are close in space.

/// Interleaves the bits of x and y, both below 2^16; x has the lowest bit. A square of 2^n by 2^n
/// cells at multiples of 2^n is a contiguous part of the curve.
SIMT_HOST_DEVICE inline uint32_t morton_code(uint32_t x, uint32_t y) {
  auto spread = [](uint32_t v) {
    v = (v | v << 8) & 0x00FF00FF;
    v = (v | v << 4) & 0x0F0F0F0F;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
  };
  return spread(x) | spread(y) << 1;
}

/// Interleaves the bits of three coordinates, all below 2^21; z has the lowest bit.
SIMT_HOST_DEVICE inline uint64_t morton_code(glm::uvec3 cell) {
  auto spread = [](uint64_t v) {  // moves bit i to bit 3 i
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
  };
  return spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z);
}

}  // namespace winnow
