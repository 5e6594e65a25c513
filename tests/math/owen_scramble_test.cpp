#include "math/owen_scramble.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/philox.h"

namespace winnow {
namespace {

TEST(ReverseBits, PutsTheLastFirst) {
  EXPECT_EQ(reverse_bits(0x00000001u), 0x80000000u);
  EXPECT_EQ(reverse_bits(0x12345678u), 0x1E6A2C48u);
  EXPECT_EQ(reverse_bits(~0u), ~0u);
}

TEST(OwenScramble, FlipsABitByThoseBelowItOnly) {
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

TEST(OwenScramble, FlipsEachBitHalfTheTimeWhateverIsBelow) {
  // Over seeds, and for two numbers whose digits part at the lowest: independent flips.
  constexpr uint32_t kSeeds = 20'000;
  constexpr double kFiveDeviations = 5.0 * 0.5;  // of the square root of the number
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
