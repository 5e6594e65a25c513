// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "scene/volumes/density_grid.h"

namespace winnow {

/// Makes a grid of bricks.
///
/// @param value     value(place) is the value at a place of grid space
/// @param is_clear  is_clear(low) may be true only if all values of the brick from `low` on are 0
template <class Value, class IsClear>
DensityGrid make_bricks(glm::uvec3 size, GridBorder border, Value value, IsClear is_clear) {
  constexpr uint32_t kSide = GridBrick::kSide, kValuesPerSide = GridBrick::kValuesPerSide;
  DensityGrid grid{.size = size,
                   .border = border,
                   .brick_counts = size / kSide + 1u,  // for size + 1 cells
                   .bricks = {},
                   .values = {}};
  const glm::uvec3 counts = grid.brick_counts;
  grid.bricks.reserve(size_t(counts.x) * counts.y * counts.z);
  std::vector<float> values(GridBrick::kValues);
  for (uint32_t z = 0; z < counts.z; ++z)
    for (uint32_t y = 0; y < counts.y; ++y)
      for (uint32_t x = 0; x < counts.x; ++x) {
        const glm::uvec3 low = kSide * glm::uvec3(x, y, z);
        const auto stored = uint32_t(grid.values.size() / GridBrick::kValues);
        float largest = 0.0f;
        if (!is_clear(low)) {
          auto next = values.begin();
          for (uint32_t k = 0; k < kValuesPerSide; ++k)
            for (uint32_t j = 0; j < kValuesPerSide; ++j)
              for (uint32_t i = 0; i < kValuesPerSide; ++i)
                *next++ = value(low + glm::uvec3(i, j, k));
          largest = *std::ranges::max_element(values);
        }
        grid.bricks.push_back({.stored = stored, .max_density = largest});
        if (largest > 0.0f) grid.values.insert(grid.values.end(), values.begin(), values.end());
      }
  grid.values.shrink_to_fit();
  return grid;
}

}  // namespace winnow
