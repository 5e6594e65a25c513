#include "shading/bsdf/mirror.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(Mirror, ReflectsAboutTheNormalFromBothSides) {
  Material material{.type = MaterialType::kMirror, .reflectance = glm::vec3(1.0f)};
  for (float side : {1.0f, -1.0f}) {
    BsdfSample sample = sample_mirror(material, {0.6f, 0.0f, 0.8f * side});
    EXPECT_EQ(sample.wi, glm::vec3(-0.6f, 0.0f, 0.8f * side));
    EXPECT_EQ(sample.weight, glm::vec3(1.0f));
    EXPECT_EQ(sample.pdf, 0.0f);
    EXPECT_EQ(sample.eta_scale, 1.0f);
  }
}

TEST(Mirror, BrightensTowardsGrazing) {
  Material material{.type = MaterialType::kMirror, .reflectance = {0.5f, 0.2f, 0.9f}};
  EXPECT_EQ(sample_mirror(material, {0.0f, 0.0f, 1.0f}).weight, material.reflectance);
  EXPECT_NEAR(sample_mirror(material, {1.0f, 0.0f, 1e-6f}).weight.y, 1.0f, 1e-5f);
}

}  // namespace
}  // namespace winnow
