// SPDX-License-Identifier: MIT
#include "scene/volumes/density_grid.h"

#include <glm/common.hpp>

#include "scene/volumes/brick_builder.h"

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
    const glm::uvec3 clamped = glm::clamp(place, glm::uvec3(1), size) - 1u;
    const bool is_repeated = border == GridBorder::kRepeat;
    const glm::uvec3 inside = is_repeated ? (place + size - 1u) % size : clamped;
    if (border != GridBorder::kClamp && !is_repeated && clamped + 1u != place) return 0.0f;
    return samples[(size_t(inside.z) * size.y + inside.y) * size.x + inside.x];
  }
};

size_t value_index(glm::uvec3 cell) {
  return (size_t(cell.z) * kValuesPerSide + cell.y) * kValuesPerSide + cell.x;
}

}  // namespace

DensityGrid make_density_grid(glm::uvec3 size, std::span<const float> samples, GridBorder border) {
  const ExtendedSamples extended{size, samples, border};
  BrickBuilder builder(size, border);
  const glm::uvec3 counts = builder.counts();
  BrickBuilder::Values values;
  for (uint32_t z = 0; z < counts.z; ++z)
    for (uint32_t y = 0; y < counts.y; ++y)
      for (uint32_t x = 0; x < counts.x; ++x) {
        auto next = values.begin();
        for (uint32_t k = 0; k < kValuesPerSide; ++k)
          for (uint32_t j = 0; j < kValuesPerSide; ++j)
            for (uint32_t i = 0; i < kValuesPerSide; ++i)
              *next++ = extended(kSide * glm::uvec3(x, y, z) + glm::uvec3(i, j, k));
        builder.add(values);
      }
  DensityGrid grid = builder.take();
  grid.values.shrink_to_fit();
  return grid;
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
