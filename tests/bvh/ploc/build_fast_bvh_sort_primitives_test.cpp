// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "bvh/ploc/merge_clusters.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

TEST(MortonGrid, FindsTheCellOfTheCenter) {
  RandomScene random(1);
  const Bounds scene{glm::vec3(-1.0f, -0.5f, -0.9f), glm::vec3(1.0f, 0.7f, 0.9f)};
  const MortonGrid grid(scene);
  for (int i = 0; i < 10'000; ++i) {
    const Bounds box = random.box(0.0f, 0.5f);
    glm::uvec3 cell;
    for (int axis = 0; axis < 3; ++axis)
      cell[axis] = uint32_t(((double(box.min[axis]) + box.max[axis]) / 2 - scene.min[axis]) / 2.0 *
                            MortonGrid::kCells);
    ASSERT_EQ(grid.code(box), morton_code(cell)) << i;
  }
}

TEST(MortonGrid, ClampsToTheGrid) {
  const MortonGrid grid(Bounds{glm::vec3(1.0f), glm::vec3(2.0f, 3.0f, 5.0f)});
  EXPECT_EQ(grid.code(Bounds{glm::vec3(1.0f), glm::vec3(1.0f)}), 0u);
  EXPECT_EQ(grid.code(Bounds{glm::vec3(5.0f), glm::vec3(5.0f)}), (uint64_t(1) << 63) - 1);
  EXPECT_EQ(grid.code(Bounds{glm::vec3(-9.0f), glm::vec3(-9.0f)}), 0u);
  EXPECT_EQ(grid.code(Bounds{glm::vec3(99.0f), glm::vec3(99.0f)}), (uint64_t(1) << 63) - 1);
}

TEST(MortonGrid, HandlesScenesOfAnySize) {
  const glm::vec3 p(0.3f);
  EXPECT_EQ(MortonGrid(Bounds{p, p}).code(Bounds{p, p}), 0u);
  for (float size : {1e-38f, 1e-20f, 1e20f, 1.6e38f}) {
    const MortonGrid grid(Bounds{glm::vec3(-size), glm::vec3(size)});
    const glm::vec3 half(0.5f * size);
    EXPECT_EQ(grid.code(Bounds{half, half}), morton_code(glm::uvec3(3 * MortonGrid::kCells / 4)))
        << size;
  }
}

}  // namespace
}  // namespace winnow
