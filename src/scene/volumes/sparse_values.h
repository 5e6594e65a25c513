// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <map>
#include <tuple>

#include "scene/volumes/density_grid.h"

namespace winnow {

/// Values at integer coordinates, in blocks of 8^3. All others are 0.
class SparseValues {
 public:
  static constexpr int kSide = 8;
  using Block = std::array<float, kSide * kSide * kSide>;  ///< x is fastest

  /// Adds a block, unless its values are all 0.
  /// @param low  smallest coordinates, multiples of kSide; of no other block
  void add(glm::ivec3 low, const Block& block);

  size_t block_count() const { return blocks_.size(); }
  float at(glm::ivec3 place) const;
  /// Smallest and largest coordinates of values that are not 0. There must be one.
  glm::ivec3 min() const { return min_; }
  glm::ivec3 max() const { return max_; }

 private:
  const Block* find(glm::ivec3 block) const;
  static std::tuple<int, int, int> key_of(glm::ivec3 block) { return {block.z, block.y, block.x}; }
  friend DensityGrid make_density_grid(const SparseValues& values, GridBorder border);

  std::map<std::tuple<int, int, int>, Block> blocks_;  ///< by coordinates over kSide
  glm::ivec3 min_{0}, max_{0};
};

/// Makes a grid of the box from values.min() to values.max(). Throws Error, in one line, if it has
/// too many bricks.
DensityGrid make_density_grid(const SparseValues& values, GridBorder border);

}  // namespace winnow
