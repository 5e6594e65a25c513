// SPDX-License-Identifier: MIT
#include "shading/bsdf/plastic.h"

#include <gtest/gtest.h>

#include "tests/shading/bsdf/support/bsdf_runner.h"

namespace winnow {
namespace {

constexpr uint32_t kFurnaceSamples = 40'000;

Material plastic(float albedo, float roughness = 0.0f, float ior = 1.5f) {
  return {.type = MaterialType::kPlastic,
          .reflectance = glm::vec3(albedo),
          .roughness = roughness,
          .ior = ior};
}

// All light below a smooth boundary leaves it eventually.
TEST(Plastic, WhiteUnderASmoothBoundaryReturnsEverything) {
  for (float ior : {1.2f, 1.5f, 2.0f})
    for (float cosine : {1.0f, 0.6f, 0.2f})
      EXPECT_NEAR(furnace(plastic(1.0f, 0.0f, ior), at_cosine(cosine), kFurnaceSamples).mean, 1.0,
                  0.006)
          << ior << " " << cosine;
}

// Simulates the bounces below the boundary: a nonlinear base multiplies by its albedo at each.
TEST(Plastic, BaseReflectsTheSumOfItsBounces) {
  for (float ior : {1.3f, 1.49f, 1.9f})
    for (bool nonlinear : {false, true}) {
      Material grey = plastic(0.4f, 0.0f, ior);
      grey.nonlinear = nonlinear;
      const double back = mean_over_cosine(boundary_reflectance(1.0 / ior), 100'000);
      double reached = 1.0, left = 0.0;
      for (int bounce = 0; bounce < 200; ++bounce) {
        const double kept = bounce == 0 || nonlinear ? 0.4 : 1.0;
        left += reached * kept;
        reached *= kept * back;
      }
      EXPECT_NEAR(plastic_base(grey, host_bsdfs().tables).x * kPi * ior * ior, left, 2e-3 * left);
    }
}

TEST(Plastic, NearlySmoothIsSmooth) {
  const Material smooth = plastic(0.5f), nearly = plastic(0.5f, 0.01f);
  for (float cosine : {1.0f, 0.6f, 0.2f})
    EXPECT_NEAR(furnace(nearly, at_cosine(cosine), kFurnaceSamples).mean,
                furnace(smooth, at_cosine(cosine), kFurnaceSamples).mean, 5e-3);
  const glm::vec3 wo = at_cosine(0.7f), wi{0.0f, 0.6f, 0.8f};
  EXPECT_NEAR(host_bsdfs().eval(nearly, wo, wi).f.x, host_bsdfs().eval(smooth, wo, wi).f.x, 1e-3f);
}

TEST(Plastic, SmoothGlossHasNoDensity) {
  const glm::vec3 wo = at_cosine(0.5f), u{0.3f, 0.3f, 0.999f};
  const BsdfSample gloss = host_bsdfs().sample(plastic(0.5f), wo, glm::vec3(0.0f));
  EXPECT_EQ(gloss.wi, glm::vec3(-wo.x, -wo.y, wo.z));
  EXPECT_EQ(gloss.pdf, 0.0f);
  EXPECT_GT(host_bsdfs().sample(plastic(0.5f), wo, u).pdf, 0.0f);
  EXPECT_NEAR(host_bsdfs().sample(plastic(0.0f), wo, u).weight.x,
              cross_dielectric(0.5f, 1.5f).reflected, 1e-6f);
}

}  // namespace
}  // namespace winnow
