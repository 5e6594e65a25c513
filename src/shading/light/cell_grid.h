// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "math/bounds.h"
#include "math/rounded.h"

namespace winnow {

struct HostScene;

// Guides divide the scene into cells, each with a table of what light sampling
// finds from there.

/// The cells of a guide, on any device.
struct GuideCells {
  glm::vec3 corner{0.0f};           ///< m, lower corner of the grid
  glm::vec3 cells_per_meter{0.0f};  ///< per axis
  glm::uvec3 size{0};               ///< cells per axis
};

/// Returns the cell of a point (m); for points outside the grid a cell at its border.
SIMT_HOST_DEVICE inline uint32_t guide_cell(const GuideCells& cells, glm::vec3 p) {
  uint32_t index[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    const float cell = (p[axis] - cells.corner[axis]) * cells.cells_per_meter[axis];
    const auto last = float(int32_t(cells.size[axis]) - 1);
    index[axis] = uint32_t(int32_t(smaller(larger(cell, 0.0f), last)));
  }
  return (index[2] * cells.size.y + index[1]) * cells.size.x + index[0];
}

/// A division of a scene into about 4096 cells that are nearly cubes, in host memory.
struct CellGrid {
  Bounds box;
  glm::uvec3 size{1};

  explicit CellGrid(const Bounds& bounds);

  uint32_t count() const { return size.x * size.y * size.z; }
  uint32_t cell(glm::uvec3 at) const { return (at.z * size.y + at.y) * size.x + at.x; }
  glm::uvec3 place(uint32_t cell) const {
    return {cell % size.x, cell / size.x % size.y, cell / size.x / size.y};
  }
  GuideCells guide_cells() const {
    const glm::vec3 extents = glm::max(box.size(), glm::vec3(std::numeric_limits<float>::min()));
    return {.corner = box.min, .cells_per_meter = glm::vec3(size) / extents, .size = size};
  }
  glm::vec3 point(uint32_t cell, glm::vec3 inside) const {
    return box.min + (glm::vec3(place(cell)) + inside) / glm::vec3(size) * box.size();
  }
};

/// The cells of a scene, for all of its guides. They are found when they are first needed. Not
/// thread-safe.
class SceneCells {
 public:
  /// @param scene  must outlive this
  explicit SceneCells(const HostScene& scene);

  const CellGrid& grid();

  /// Returns the cells in which light may be sampled: those that the boxes of primitives and
  /// instances meet, or all of them where there are media. They are found on all threads of oneTBB.
  const std::vector<uint32_t>& with_surfaces();

 private:
  const HostScene& scene_;
  std::optional<CellGrid> grid_;
  std::optional<std::vector<uint32_t>> with_surfaces_;
};

}  // namespace winnow
