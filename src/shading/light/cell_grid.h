// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "math/bounds.h"
#include "math/rounded.h"

namespace winnow {

struct HostScene;

// Guides divide the scene into cells, each with a table of what light sampling
// finds from there.

/// Returns the cell of a point (m); for points outside the grid a cell at its
/// border.
///
/// @tparam Guide  has `corner` (m), `cells_per_meter` and `size` (cells), each
/// per axis
template <class Guide>
SIMT_HOST_DEVICE uint32_t guide_cell(const Guide& guide, glm::vec3 p) {
  uint32_t index[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    const float cell = (p[axis] - guide.corner[axis]) * guide.cells_per_meter[axis];
    const auto last = float(int32_t(guide.size[axis]) - 1);
    index[axis] = uint32_t(int32_t(smaller(larger(cell, 0.0f), last)));
  }
  return (index[2] * guide.size.y + index[1]) * guide.size.x + index[0];
}

/// The cells of the guides of a scene, in host memory: about 4096 that are
/// nearly cubes.
struct CellGrid {
  Bounds box;
  glm::uvec3 size{1};

  explicit CellGrid(const Bounds& bounds);

  uint32_t count() const { return size.x * size.y * size.z; }
  uint32_t cell(glm::uvec3 at) const { return (at.z * size.y + at.y) * size.x + at.x; }
  glm::uvec3 place(uint32_t cell) const {
    return {cell % size.x, cell / size.x % size.y, cell / size.x / size.y};
  }
  glm::vec3 cells_per_meter() const {
    return glm::vec3(size) / glm::max(box.size(), glm::vec3(std::numeric_limits<float>::min()));
  }
  glm::vec3 point(uint32_t cell, glm::vec3 inside) const {
    return box.min + (glm::vec3(place(cell)) + inside) / glm::vec3(size) * box.size();
  }
};

/// Returns the cells in which light may be sampled: those that the boxes of
/// primitives and instances meet, or all of them where there are media. Runs on
/// all threads of oneTBB.
std::vector<uint32_t> cells_with_surfaces(const HostScene& scene, const CellGrid& grid);

}  // namespace winnow
