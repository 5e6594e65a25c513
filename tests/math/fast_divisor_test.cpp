// SPDX-License-Identifier: MIT
#include "math/fast_divisor.h"

#include <gtest/gtest.h>

#include <random>

namespace winnow {
namespace {

void expect_exact(uint32_t n, uint32_t d) {
  ASSERT_EQ(n / FastDivisor(d), n / d) << n << " / " << d;
  ASSERT_EQ(n % FastDivisor(d), n % d) << n << " % " << d;
}

TEST(FastDivisor, DividesExactlyAroundEveryMultiple) {
  for (uint32_t d : {1u, 2u, 3u, 5u, 7u, 641u, 1920u, 65535u, 65536u, 2073600u, 0x7fffffffu,
                     0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu})
    for (uint64_t multiple = 0; multiple <= 0xffffffffu;
         multiple += d * (0xffffffffull / d / 50 + 1))
      for (uint64_t n : {multiple - 1, multiple, multiple + 1})
        if (n <= 0xffffffffu) expect_exact(uint32_t(n), d);
}

TEST(FastDivisor, DividesExactlyAtRandom) {
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) expect_exact(random(), (random() >> random() % 32) | 1);
}

TEST(FastDivisor, ConvertsToTheDivisor) {
  EXPECT_EQ(FastDivisor(1920) * 3u, 5760u);
  EXPECT_EQ(uint32_t(FastDivisor()), 0u);
}

}  // namespace
}  // namespace winnow
