// SPDX-License-Identifier: MIT
#include "bvh/bvh_intrinsics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace winnow {
namespace {

TEST(NthSet, HasRankSetBitsBelowIt) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    uint32_t bits = uint32_t(random());
    if (i % 2 == 1) bits &= uint32_t(random()) & uint32_t(random());  // few
    if (i == 0) bits = ~0u;
    uint32_t rank = 0;
    for (uint32_t bit = 0; bit < simt::kWarpSize; ++bit) {
      if (bits >> bit & 1) {
        ASSERT_EQ(nth_set(bits, rank++), bit) << "of " << bits;
      }
    }
  }
}

TEST(ByteAbove128, IsExactForEveryByte) {
  for (unsigned i = 0; i < 4; ++i)
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t others = 0xa5c3965au & ~(0xffu << (8 * i));
      EXPECT_EQ(byte_above_128(others | byte << (8 * i), i), 128.0f + std::ldexp(float(byte), -9));
    }
}

TEST(EntryAndExit, AreMaximumAndMinimumOfThree) {
  const float values[] = {-INFINITY, -2.0f, -0.0f, 0.0f, 1e-40f, 0.5f, 3.0f, INFINITY};
  for (float a : values)
    for (float b : values)
      for (float c : values) {
        EXPECT_EQ(max3_or_0(a, b, c), std::fmax(std::fmax(a, b), std::fmax(c, 0.0f)));
        const float least = std::fmin(std::fmin(a, b), c);
        const float exit = min3_or_negative(a, b, c);
        if (least < 0.0f) {
          EXPECT_LT(exit, 0.0f);
        } else {
          EXPECT_EQ(exit, least);
        }
      }
}

}  // namespace
}  // namespace winnow
