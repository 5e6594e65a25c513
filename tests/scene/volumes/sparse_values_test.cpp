// SPDX-License-Identifier: MIT
#include "scene/volumes/sparse_values.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/support/message_of.h"

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
        const glm::ivec3 low = SparseValues::kSide * glm::ivec3(x, y, z);
        if (random() % 3 == 0) {
          values.add_uniform(low, float(random() % 2));
          continue;
        }
        SparseValues::Block block;
        for (float& value : block) value = random() % 4 ? 0.0f : float(1 + random() % 7);
        values.add(low, block);
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
  values.add_uniform({-8, -8, 16}, 0.0f);
  EXPECT_EQ(values.block_count(), 1u);
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

/// A file of a few bytes must not take gigabytes.
TEST(SparseValues, InABoxThatIsLargeForTheirNumberAreRefused) {
  const auto corners = [](int side) {
    SparseValues values;
    values.add_uniform({0, 0, 0}, 1.0f);
    values.add_uniform(glm::ivec3(side - SparseValues::kSide), 1.0f);
    return values;
  };
  EXPECT_EQ(make_density_grid(corners(1024), GridBorder::kFade).size, glm::uvec3(1024));
  EXPECT_EQ(message_of([&] { make_density_grid(corners(3072), GridBorder::kFade); }),
            "the box of 3072 x 3072 x 3072 cells is too large for 2 blocks of 8^3");
  EXPECT_THAT(message_of([&] { make_density_grid(corners(1 << 17), GridBorder::kFade); }),
              testing::HasSubstr("within 65536 cells along an axis, found 131072"));
}

TEST(SparseValues, WithoutAnyValueAreAGridOfOneZero) {
  const DensityGrid grid = make_density_grid(SparseValues(), GridBorder::kFade);
  EXPECT_EQ(grid.size, glm::uvec3(1));
  EXPECT_TRUE(grid.values.empty());
}

}  // namespace
}  // namespace winnow
