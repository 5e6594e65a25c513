#include <gtest/gtest.h>

#include "bvh/ploc/sort_primitives.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

/// Bit by bit: those of x, y and z in turn, the highest first.
uint64_t interleaved(const uint32_t (&cell)[3]) {
  uint64_t code = 0;
  for (int bit = int(MortonGrid::kBits) - 1; bit >= 0; --bit)
    for (uint32_t axis : cell) code = code << 1 | (axis >> bit & 1);
  return code;
}

TEST(MortonGrid, InterleavesTheBitsOfTheCells) {
  RandomScene random(1);
  const Bounds scene{glm::vec3(-1.0f, -0.5f, -0.9f), glm::vec3(1.0f, 0.7f, 0.9f)};
  const MortonGrid grid(scene);
  for (int i = 0; i < 10'000; ++i) {
    Bounds box;
    box.extend(random.point(0.5f));
    box.extend(random.point(0.5f));
    uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis)
      cell[axis] = uint32_t(((double(box.min[axis]) + box.max[axis]) / 2 - scene.min[axis]) / 2.0 *
                            MortonGrid::kCells);
    ASSERT_EQ(grid.code(box), interleaved(cell)) << i;
  }
}

TEST(MortonGrid, KeepsCornersAndWhatLiesOutsideInside) {
  const MortonGrid grid(Bounds{glm::vec3(1.0f), glm::vec3(2.0f, 3.0f, 5.0f)});
  EXPECT_EQ(grid.code(Bounds{glm::vec3(1.0f), glm::vec3(1.0f)}), 0u);
  EXPECT_EQ(grid.code(Bounds{glm::vec3(5.0f), glm::vec3(5.0f)}), (uint64_t(1) << 63) - 1);
  EXPECT_EQ(grid.code(Bounds{glm::vec3(-9.0f), glm::vec3(-9.0f)}), 0u);
  EXPECT_EQ(grid.code(Bounds{glm::vec3(99.0f), glm::vec3(99.0f)}), (uint64_t(1) << 63) - 1);
}

TEST(MortonGrid, TakesScenesOfEverySize) {
  const glm::vec3 p(0.3f);
  EXPECT_EQ(MortonGrid(Bounds{p, p}).code(Bounds{p, p}), 0u);
  for (float size : {1e-38f, 1e-20f, 1e20f, 1.6e38f}) {
    const MortonGrid grid(Bounds{glm::vec3(-size), glm::vec3(size)});
    const glm::vec3 half(0.5f * size);
    uint32_t cell[3] = {3 * MortonGrid::kCells / 4, 3 * MortonGrid::kCells / 4,
                        3 * MortonGrid::kCells / 4};
    EXPECT_EQ(grid.code(Bounds{half, half}), interleaved(cell)) << size;
  }
}

}  // namespace
}  // namespace winnow
