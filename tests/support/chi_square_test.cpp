// SPDX-License-Identifier: MIT
#include "tests/support/chi_square.h"

#include "math/sampling.h"

namespace winnow {
namespace {

// Tables of the chi-square distribution: the value that 5 % exceed.
TEST(ChiSquare, PValueAgreesWithTables) {
  EXPECT_NEAR(chi_square_p_value(3.841, 1), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_p_value(18.307, 10), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_p_value(124.342, 100), 0.05, 1e-4);
  EXPECT_NEAR(chi_square_p_value(0.7107, 4), 0.95, 1e-4);
  EXPECT_EQ(chi_square_p_value(0.0, 5), 1.0);
}

TEST(ChiSquare, RefusesSamplesThatFollowAnotherDensity) {
  auto follow = [](const auto& pdf) {
    return samples_follow_density({}, sample_cosine_hemisphere, pdf);
  };
  EXPECT_TRUE(follow([](glm::vec3 w) { return cosine_hemisphere_pdf(w.z); }));
  EXPECT_FALSE(follow([](glm::vec3 w) {  // slightly tilted
    return w.z > 0.0f ? cosine_hemisphere_pdf(w.z) * (1.0f + 0.1f * w.x) : 0.0f;
  }));
  EXPECT_FALSE(follow([](glm::vec3 w) { return w.z > 0.0f ? kInvTwoPi : 0.0f; }));
  EXPECT_FALSE(follow([](glm::vec3 w) { return 1.1f * cosine_hemisphere_pdf(w.z); }));
  EXPECT_FALSE(follow([](glm::vec3 w) { return 0.97f * cosine_hemisphere_pdf(w.z); }));
  EXPECT_FALSE(follow([](glm::vec3 w) { return cosine_hemisphere_pdf(-w.z); }));
}

TEST(ChiSquare, BinsPartitionTheSphere) {
  for (double focus : {1.0, kNarrowFocus}) {
    DirectionBins bins{.axis = glm::normalize(glm::vec3{1.0f, -2.0f, 0.5f}), .focus = focus};
    EXPECT_NEAR(bins.integral([](glm::vec3) { return 1.0; }), 4.0 * M_PI, 0.01);
    bins.subdivision = 1;
    int bin = 0;
    bins.integrate([&](glm::vec3 middle) {
      EXPECT_EQ(bins.bin_of(middle), bin++);
      return 1.0;
    });
    EXPECT_EQ(bin, bins.count());
  }
}

}  // namespace
}  // namespace winnow
