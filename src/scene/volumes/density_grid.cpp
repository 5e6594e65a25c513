// SPDX-License-Identifier: MIT
#include "scene/volumes/density_grid.h"

#include <glm/common.hpp>

#include "scene/volumes/make_bricks.h"

namespace winnow {
namespace {

constexpr uint32_t kSide = GridBrick::kSide, kValuesPerSide = GridBrick::kValuesPerSide;

/// Samples of a grid with the values beside them.
struct ExtendedSamples {
  glm::uvec3 size;
  std::span<const float> samples;
  GridBorder border;

  /// @param place  in grid space
  float operator()(glm::uvec3 place) const {
    const glm::uvec3 inside = glm::clamp(place, glm::uvec3(1), size) - 1u;
    if (border != GridBorder::kClamp && inside + 1u != place) return 0.0f;
    return samples[(size_t(inside.z) * size.y + inside.y) * size.x + inside.x];
  }
};

size_t value_index(glm::uvec3 cell) {
  return (size_t(cell.z) * kValuesPerSide + cell.y) * kValuesPerSide + cell.x;
}

}  // namespace

DensityGrid make_density_grid(glm::uvec3 size, std::span<const float> samples, GridBorder border) {
  return make_bricks(size, border, ExtendedSamples{size, samples, border},
                     [](glm::uvec3) { return false; });
}

float DensityGrid::sample(glm::uvec3 place) const {
  const glm::uvec3 at = place + 1u, b = at / kSide;
  const GridBrick& brick = bricks[(size_t(b.z) * brick_counts.y + b.y) * brick_counts.x + b.x];
  if (brick.max_density == 0.0f) return 0.0f;
  return values[size_t(brick.stored) * GridBrick::kValues + value_index(at - kSide * b)];
}

uint64_t grid_bytes(const DensityGrid& grid) {
  return grid.bricks.size() * sizeof(GridBrick) + grid.values.size() * sizeof(float);
}

}  // namespace winnow
