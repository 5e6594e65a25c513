// SPDX-License-Identifier: MIT
#include "bvh/bvh_intrinsics.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace winnow
