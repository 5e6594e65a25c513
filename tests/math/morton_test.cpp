// SPDX-License-Identifier: MIT
#include "math/morton.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(MortonCode, InterleavesTheBitsOfTwoCoordinates) {
  EXPECT_EQ(morton_code(1, 0), 1u);
  EXPECT_EQ(morton_code(0, 1), 2u);
  for (uint32_t x : {0u, 3u, 0x1234u, 0xFFFFu})
    for (uint32_t y : {0u, 1u, 0x8001u, 0xABCDu}) {
      uint32_t expected = 0;
      for (uint32_t bit = 0; bit < 16; ++bit)
        expected |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);
      EXPECT_EQ(morton_code(x, y), expected);
    }
}

TEST(MortonCode, InterleavesTheBitsOfThreeCoordinates) {
  EXPECT_EQ(morton_code({0, 0, 1}), 1u);
  EXPECT_EQ(morton_code({0, 1, 0}), 2u);
  EXPECT_EQ(morton_code({1, 0, 0}), 4u);
  constexpr uint32_t kLast = (1u << 21) - 1;
  for (glm::uvec3 cell : {glm::uvec3(0x12345, 0x0FEDC, 0x1A5A5), glm::uvec3(kLast, 0, kLast)}) {
    uint64_t expected = 0;
    for (int bit = 20; bit >= 0; --bit)
      for (int axis = 0; axis < 3; ++axis) expected = expected << 1 | (cell[axis] >> bit & 1);
    EXPECT_EQ(morton_code(cell), expected);
  }
}

}  // namespace
}  // namespace winnow
