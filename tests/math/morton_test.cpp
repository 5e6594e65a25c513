#include "math/morton.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(MortonCode, TakesBitsInTurn) {
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

}  // namespace
}  // namespace winnow
