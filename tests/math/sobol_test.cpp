// SPDX-License-Identifier: MIT

#include "math/sobol.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/sampler.h"

namespace winnow {
namespace {

/// Sobol's construction as Bratley and Fox wrote it, 1988: direction numbers by recurrence.
///
/// @param degree, coefficients  of the primitive polynomial; the inner coefficients as bits
/// @param first                 [degree], the numbers m that start the recurrence
uint32_t by_direction_numbers(uint32_t index, int degree, uint32_t coefficients,
                              const std::vector<uint32_t>& first) {
  std::vector<uint32_t> v(32);
  for (int i = 0; i < 32; ++i) {
    if (i < degree) {
      v[i] = first[i] << (31 - i);
      continue;
    }
    v[i] = v[i - degree] ^ v[i - degree] >> degree;
    for (int k = 1; k < degree; ++k)
      if (coefficients >> (degree - 1 - k) & 1) v[i] ^= v[i - k];
  }
  uint32_t x = 0;
  for (int i = 0; i < 32; ++i)
    if (index >> i & 1) x ^= v[i];
  return x;
}

TEST(Sobol, IsWhatDirectionNumbersGive) {
  for (uint32_t bit = 0; bit < 32; ++bit)  // the maps are linear; a mistake in them need not be
    for (uint32_t index : {1u << bit, 0x9E3779B9u * (bit + 1), ~0u >> bit}) {
      EXPECT_EQ(reverse_bits(sobol_second(index)), by_direction_numbers(index, 1, 0, {1}));
      EXPECT_EQ(reverse_bits(sobol_third(index)), by_direction_numbers(index, 2, 1, {1, 3}));
      EXPECT_EQ(reverse_bits(sobol_fourth(index)), by_direction_numbers(index, 3, 1, {1, 3, 1}));
    }
}

TEST(ReverseBits, ReversesTheOrder) {
  EXPECT_EQ(reverse_bits(0x00000001u), 0x80000000u);
  EXPECT_EQ(reverse_bits(0x12345678u), 0x1E6A2C48u);
  EXPECT_EQ(reverse_bits(~0u), ~0u);
}

TEST(OwenScramble, FlipsABitDependingOnlyOnThoseBelow) {
  for (uint32_t seed = 0; seed < 200; ++seed)
    for (uint32_t i = 0; i < 50; ++i) {
      const glm::uvec4 random = philox({seed, i, 0, 0}, {1, 2});
      for (uint32_t bit = 0; bit < 32; ++bit) {
        const uint32_t below = (1u << bit) - 1;
        const uint32_t a = random.x, b = (random.x & below) | (random.y & ~below);
        const uint32_t flips_a = a ^ owen_scramble(a, random.z),
                       flips_b = b ^ owen_scramble(b, random.z);
        EXPECT_EQ(flips_a & (below << 1 | 1), flips_b & (below << 1 | 1));
      }
    }
}

TEST(OwenScramble, FlipsEachBitHalfTheTimeWhateverTheBitsBelow) {
  // Over seeds, and independently for two numbers that differ in the lowest digit.
  constexpr uint32_t kSeeds = 20'000;
  constexpr double kFiveDeviations = 5.0 * 0.5;  // times the square root of the count
  for (uint32_t bit = 0; bit < 32; ++bit) {
    int flips = 0, same = 0;
    for (uint32_t s = 0; s < kSeeds; ++s) {
      const glm::uvec4 random = philox({s, bit, 7, 0}, {1, 2});
      const uint32_t a = random.x, b = random.x ^ 1;
      const bool flip_a = (a ^ owen_scramble(a, random.y)) >> bit & 1,
                 flip_b = (b ^ owen_scramble(b, random.y)) >> bit & 1;
      flips += flip_a;
      same += flip_a == flip_b;
    }
    EXPECT_NEAR(flips, kSeeds / 2, kFiveDeviations * std::sqrt(kSeeds)) << "bit " << bit;
    if (bit == 0) continue;  // nothing is below it
    EXPECT_NEAR(same, kSeeds / 2, kFiveDeviations * std::sqrt(kSeeds)) << "bit " << bit;
  }
}

}  // namespace
}  // namespace winnow
