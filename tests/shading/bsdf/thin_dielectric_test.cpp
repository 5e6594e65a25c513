#include "shading/bsdf/thin_dielectric.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

namespace winnow {
namespace {

TEST(ThinDielectric, LetsLightStraightThroughOrReflectsIt) {
  const Material pane{.type = MaterialType::kThinDielectric,
                      .reflectance = glm::vec3(0.5f),
                      .specular = glm::vec3(0.25f)};
  for (glm::vec3 wo : {glm::vec3(0.6f, 0.0f, 0.8f), glm::vec3(0.0f, 0.6f, -0.8f)}) {
    const BsdfSample through = sample_thin_dielectric(pane, wo, 0.999f);
    EXPECT_EQ(through.wi, -wo);
    EXPECT_EQ(through.weight, glm::vec3(0.5f));
    EXPECT_EQ(through.eta_scale, 1.0f);
    EXPECT_EQ(through.pdf, 0.0f);
    const BsdfSample back = sample_thin_dielectric(pane, wo, 0.0f);
    EXPECT_EQ(back.wi, glm::vec3(-wo.x, -wo.y, wo.z));
    EXPECT_EQ(back.weight, glm::vec3(0.25f));
  }
}

// Follows light between the two boundaries, instead of summing a series.
TEST(ThinDielectric, ReflectsWhatTwoBoundariesDo) {
  const Material pane{.type = MaterialType::kThinDielectric, .reflectance = glm::vec3(1.0f)};
  constexpr int kChoices = 10'000, kBounces = 50;
  for (float cosine : {1.0f, 0.5f, 0.1f}) {
    const double once = cross_dielectric(cosine, pane.ior).reflected;
    double reflected = once, inside = 1.0 - once;
    for (int bounce = 0; bounce < kBounces; ++bounce) {
      inside *= once;  // at the far boundary
      reflected += inside * (1.0 - once);
      inside *= once;  // at the near one
    }
    int count = 0;
    const glm::vec3 wo{std::sqrt(1.0f - cosine * cosine), 0.0f, cosine};
    for (int i = 0; i < kChoices; ++i)
      count += sample_thin_dielectric(pane, wo, (float(i) + 0.5f) / kChoices).wi.z > 0.0f;
    EXPECT_NEAR(double(count) / kChoices, reflected, 2.0 / kChoices);
  }
}

}  // namespace
}  // namespace winnow
