// SPDX-License-Identifier: MIT
#include "wavefront/state/path_sampler.h"

#include <gtest/gtest.h>

#include <set>

namespace winnow {
namespace {

TEST(Dimensions, AreUsedForOnePurposeEach) {
  constexpr uint32_t kBounces = 1000;
  std::set<uint32_t> used = {kCameraDimension};
  for (uint32_t bounce = 0; bounce < kBounces; ++bounce) {
    used.insert(scatter_dimension(bounce));
    used.insert(light_dimension(bounce));
  }
  EXPECT_EQ(used.size(), 1 + 2 * kBounces);
}

}  // namespace
}  // namespace winnow
