// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <unordered_map>

#include "scene/volumes/density_grid.h"

namespace winnow {

/// Builds a grid from its bricks, which are added in the order of DensityGrid::bricks.
class BrickBuilder {
 public:
  using Values = std::array<float, GridBrick::kValues>;

  BrickBuilder(glm::uvec3 size, GridBorder border);

  glm::uvec3 counts() const { return grid_.brick_counts; }
  /// Makes room for bricks with values.
  void reserve(size_t stored) { grid_.values.reserve(stored * GridBrick::kValues); }

  void add_clear() { grid_.bricks.push_back({.stored = stored_count(), .max_density = 0.0f}); }
  void add(const Values& values);

  /// Returns the number of bricks with values, of which equal ones count once.
  uint32_t stored_count() const { return uint32_t(grid_.values.size() / GridBrick::kValues); }
  DensityGrid take();

 private:
  DensityGrid grid_;
  std::unordered_map<uint64_t, uint32_t> known_;  ///< stored bricks by the hash of their values
};

}  // namespace winnow
