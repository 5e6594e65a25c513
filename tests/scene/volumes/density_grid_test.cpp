// SPDX-License-Identifier: MIT
#include "scene/volumes/density_grid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/scene/volumes/support/grids.h"

namespace winnow {
namespace {

/// Sizes with cells in one brick and in several, with full bricks and partial ones.
const glm::uvec3 kGridSizes[] = {{1, 1, 1}, {2, 3, 4}, {7, 8, 9}, {15, 16, 17}, {40, 3, 1}};

TEST(DensityGrid, HasTheSamplesThatItIsMadeFromWithXFastest) {
  for (const glm::uvec3 size : kGridSizes)
    for (const GridBorder border : {GridBorder::kFade, GridBorder::kClamp}) {
      const auto density = [](uint32_t i, uint32_t j, uint32_t k) {
        return float(i + 100 * j + 10000 * k);
      };
      const DensityGrid grid = grid_of(size, border, density);
      for (uint32_t k = 0; k < size.z; ++k)
        for (uint32_t j = 0; j < size.y; ++j)
          for (uint32_t i = 0; i < size.x; ++i) ASSERT_EQ(grid.sample({i, j, k}), density(i, j, k));
    }
}

TEST(DensityGrid, StoresNoBricksOfZeros) {
  const DensityGrid grid = grid_of({64, 32, 32}, GridBorder::kFade, [](auto i, auto j, auto k) {
    return i == 20 && j == 10 && k == 12 ? 3.0f : 0.0f;
  });
  EXPECT_EQ(grid.bricks.size(), 9u * 5u * 5u);
  EXPECT_EQ(grid.values.size(), GridBrick::kValues);
  EXPECT_EQ(grid.sample({20, 10, 12}), 3.0f);
  EXPECT_EQ(grid.sample({19, 10, 12}), 0.0f);
  EXPECT_EQ(grid.sample({63, 31, 31}), 0.0f);
  EXPECT_EQ(grid_bytes(grid), 225 * sizeof(GridBrick) + 729 * sizeof(float));
  const DensityGrid clear = grid_of({9, 9, 9}, GridBorder::kClamp, [](auto...) { return 0.0f; });
  EXPECT_TRUE(clear.values.empty());
}

/// Solid parts of clouds and equal parts of periodic ones take memory once.
TEST(DensityGrid, StoresEqualBricksOnce) {
  const DensityGrid grid = grid_of({63, 7, 7}, GridBorder::kClamp,
                                   [](auto i, auto, auto) { return i < 32 ? 2.0f : float(i % 8); });
  ASSERT_EQ(grid.bricks.size(), 8u);
  EXPECT_EQ(grid.bricks[0].stored, grid.bricks[2].stored);
  EXPECT_EQ(grid.bricks[5].stored, grid.bricks[6].stored);
  EXPECT_NE(grid.bricks[2].stored, grid.bricks[5].stored);
  EXPECT_EQ(grid.values.size(), 4u * GridBrick::kValues);
  for (uint32_t i = 0; i < 63; ++i) EXPECT_EQ(grid.sample({i, 3, 3}), i < 32 ? 2.0f : float(i % 8));
}

/// A sample between two bricks is in both: light is scattered on both sides of it.
TEST(DensityGrid, BoundsEachBrickByAllValuesThatItsCellsInterpolate) {
  const DensityGrid grid = grid_of({16, 1, 1}, GridBorder::kFade,
                                   [](auto i, auto, auto) { return i == 7 ? 5.0f : 0.0f; });
  ASSERT_EQ(grid.bricks.size(), 3u);  // sample 7 is the value 8, between the first two
  EXPECT_EQ(grid.bricks[0].max_density, 5.0f);
  EXPECT_EQ(grid.bricks[1].max_density, 5.0f);
  EXPECT_EQ(grid.bricks[2].max_density, 0.0f);
}

TEST(DensityGrid, WithTheSameStoredValuesInOtherPlacesIsAnother) {
  const auto at = [](uint32_t place) {
    return grid_of({40, 1, 1}, GridBorder::kFade,
                   [&](auto i, auto, auto) { return i == place ? 1.0f : 0.0f; });
  };
  EXPECT_EQ(at(3), at(3));
  EXPECT_FALSE(at(3) == at(11));
}

}  // namespace
}  // namespace winnow
