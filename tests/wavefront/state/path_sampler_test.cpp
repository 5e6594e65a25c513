// SPDX-License-Identifier: MIT
#include "wavefront/state/path_sampler.h"

#include <gtest/gtest.h>

#include <set>

namespace winnow {
namespace {

TEST(Dimensions, AreUsedForOnePurposeEach) {
  constexpr uint32_t kBounces = 1000;
  std::set<uint32_t> directions = {kFilmDimension}, lights, others = {kLensDimension};
  for (uint32_t bounce = 0; bounce < kBounces; ++bounce) {
    directions.insert(scatter_dimension(bounce));
    lights.insert(light_dimension(bounce));
    others.insert(medium_dimension(bounce));
  }
  EXPECT_EQ(directions.size(), 1 + kBounces);
  EXPECT_EQ(lights.size(), kBounces);
  EXPECT_EQ(others.size(), 1 + kBounces);
  for (uint32_t dimension : others) EXPECT_FALSE(directions.count(dimension));
}

TEST(Dimensions, PairALightSampleWithTheDirectionInWhichThePathCame) {
  EXPECT_EQ(light_dimension(0), kFilmDimension);
  for (uint32_t bounce = 0; bounce < 10; ++bounce)
    EXPECT_EQ(light_dimension(bounce + 1), scatter_dimension(bounce));
}

}  // namespace
}  // namespace winnow
