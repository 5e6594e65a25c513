// SPDX-License-Identifier: MIT
#include "scene/volumes/sparse_values.h"

#include <gtest/gtest.h>

#include <random>

namespace winnow {
namespace {

/// Random values in some blocks around the origin.
SparseValues random_values(unsigned seed) {
  std::mt19937 random(seed);
  SparseValues values;
  for (int z = -2; z < 2; ++z)
    for (int y = -1; y < 2; ++y)
      for (int x = -2; x < 3; ++x) {
        if (random() % 3 == 0) continue;
        SparseValues::Block block;
        for (float& value : block) value = random() % 4 ? 0.0f : float(1 + random() % 7);
        values.add(SparseValues::kSide * glm::ivec3(x, y, z), block);
      }
  return values;
}

TEST(SparseValues, AreThoseOfTheirBlocksAndZeroElsewhere) {
  SparseValues::Block block{};
  block[0] = 3.0f;
  block[8 * 8 * 7 + 8 * 6 + 5] = 4.0f;
  SparseValues values;
  values.add({-8, 0, 16}, block);
  values.add({0, 0, 0}, {});
  EXPECT_EQ(values.block_count(), 1u) << "a block of zeros is none";
  EXPECT_EQ(values.at({-8, 0, 16}), 3.0f);
  EXPECT_EQ(values.at({-3, 6, 23}), 4.0f);
  EXPECT_EQ(values.at({-7, 0, 16}), 0.0f);
  EXPECT_EQ(values.at({1000, 0, 16}), 0.0f);
  EXPECT_EQ(values.min(), glm::ivec3(-8, 0, 16));
  EXPECT_EQ(values.max(), glm::ivec3(-3, 6, 23));
}

/// A dense grid of the same samples is the reference.
TEST(SparseValues, MakeTheGridThatAllValuesOfTheirBoxMake) {
  for (const unsigned seed : {1u, 2u, 3u})
    for (const GridBorder border : {GridBorder::kFade, GridBorder::kClamp, GridBorder::kCut}) {
      const SparseValues values = random_values(seed);
      const glm::uvec3 size(values.max() - values.min() + 1);
      std::vector<float> samples;
      for (uint32_t z = 0; z < size.z; ++z)
        for (uint32_t y = 0; y < size.y; ++y)
          for (uint32_t x = 0; x < size.x; ++x)
            samples.push_back(values.at(values.min() + glm::ivec3(x, y, z)));
      EXPECT_EQ(make_density_grid(values, border), make_density_grid(size, samples, border));
    }
}

TEST(SparseValues, WithoutAnyValueAreAGridOfOneZero) {
  const DensityGrid grid = make_density_grid(SparseValues(), GridBorder::kFade);
  EXPECT_EQ(grid.size, glm::uvec3(1));
  EXPECT_TRUE(grid.values.empty());
}

}  // namespace
}  // namespace winnow
