// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <unordered_map>
#include <vector>

#include "scene/volumes/density_grid.h"

namespace winnow {

/// Values at integer coordinates, in blocks of 8^3. All others are 0.
class SparseValues {
 public:
  static constexpr int kSide = 8;
  using Block = std::array<float, kSide * kSide * kSide>;  ///< x is fastest

  /// Adds a block, unless its values are all 0. Throws Error if there are too many.
  /// @param low  smallest coordinates, multiples of kSide; of no other block
  void add(glm::ivec3 low, const Block& block);
  /// Adds a block of one value, unless it is 0. Throws Error as add() does.
  void add_uniform(glm::ivec3 low, float value);

  size_t block_count() const { return places_.size(); }
  float at(glm::ivec3 place) const;
  /// Smallest and largest coordinates of values that are not 0. There must be one.
  glm::ivec3 min() const { return min_; }
  glm::ivec3 max() const { return max_; }

 private:
  static constexpr uint32_t kUniform = ~0u;
  /// Where the values of a block are.
  struct Place {
    uint32_t block = kUniform;  ///< index in `blocks_`; kUniform: all values are `value`
    float value = 0.0f;
  };
  struct Hash {
    size_t operator()(glm::ivec3 block) const;
  };

  void add(glm::ivec3 low, glm::ivec3 first, glm::ivec3 last, Place place);
  /// Returns the values of a block by its coordinates over kSide; a uniform block of 0 for others.
  Place find(glm::ivec3 block) const;
  friend class SparseBricks;
  friend DensityGrid make_density_grid(const SparseValues& values, GridBorder border);

  std::unordered_map<glm::ivec3, Place, Hash> places_;  ///< by coordinates over kSide
  std::vector<Block> blocks_;
  glm::ivec3 min_{0}, max_{0};
};

/// A sparse grid of a file.
struct SparseGrid {
  SparseValues values;             ///< negative ones are 0, vectors their means
  glm::dmat4 index_to_world{1.0};  ///< from the coordinates of values to the space of the file
  bool is_level_set = false;       ///< its values are distances
};

/// Makes a grid of the box from values.min() to values.max(). Throws Error, in one line, if it has
/// too many bricks. Takes time and memory by the number of blocks, and 8 bytes per brick of the
/// box.
DensityGrid make_density_grid(const SparseValues& values, GridBorder border);

}  // namespace winnow
