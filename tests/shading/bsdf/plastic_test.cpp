// SPDX-License-Identifier: MIT
#include "shading/bsdf/plastic.h"

#include <gtest/gtest.h>

#include "math/sampler.h"

namespace winnow {
namespace {

LobeTables host_tables() {
  return make_lobe_tables({.plastic = true}, []<class T>(const std::vector<T>& items) {
    return simt::Span<const T>(items.data(), items.size());
  });
}

Material plastic(float albedo, float roughness = 0.0f) {
  return {.type = MaterialType::kPlastic,
          .reflectance = glm::vec3(albedo),
          .roughness = roughness,
          .ior = 1.5f};
}

glm::vec3 at_cosine(float cosine) {
  return {std::sqrt(1.0f - cosine * cosine), 0.0f, cosine};
}

double furnace(const Material& material, glm::vec3 wo) {
  constexpr uint32_t kCount = 40'000;
  const LobeTables tables = host_tables();
  double sum = 0.0;
  for (uint32_t i = 0; i < kCount; ++i)
    sum +=
        sample_plastic(material, tables, wo, glm::vec3(Sampler{.seed = 2, .sample = i}.sample4(0)))
            .weight.x;
  return sum / kCount;
}

// All light below a smooth boundary leaves it eventually.
TEST(Plastic, WhiteUnderASmoothBoundaryReturnsEverything) {
  for (float ior : {1.2f, 1.5f, 2.0f})
    for (float cosine : {1.0f, 0.6f, 0.2f}) {
      Material white = plastic(1.0f);
      white.ior = ior;
      EXPECT_NEAR(furnace(white, at_cosine(cosine)), 1.0, 0.006) << ior << " " << cosine;
    }
}

/// Cosine-weighted mean reflectance of a smooth boundary, from inside.
double internal_reflectance(double ior) {
  constexpr int kSteps = 100'000;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double cosine = (i + 0.5) / kSteps;
    sum += 2.0 * cosine * cross_dielectric(float(cosine), float(1.0 / ior)).reflected / kSteps;
  }
  return sum;
}

// Simulates the bounces below the boundary: a nonlinear base multiplies by its albedo at each.
TEST(Plastic, BaseReflectsTheSumOfItsBounces) {
  const LobeTables tables = host_tables();
  for (float ior : {1.3f, 1.49f, 1.9f})
    for (bool nonlinear : {false, true}) {
      Material grey = plastic(0.4f);
      grey.ior = ior;
      grey.nonlinear = nonlinear;
      const double back = internal_reflectance(ior);
      double reached = 1.0, left = 0.0;
      for (int bounce = 0; bounce < 200; ++bounce) {
        const double kept = bounce == 0 || nonlinear ? 0.4 : 1.0;
        left += reached * kept;
        reached *= kept * back;
      }
      EXPECT_NEAR(plastic_base(grey, tables).x * kPi * ior * ior, left, 2e-3 * left);
    }
}

TEST(Plastic, NearlySmoothIsSmooth) {
  for (float cosine : {1.0f, 0.6f, 0.2f})
    EXPECT_NEAR(furnace(plastic(0.5f, 0.01f), at_cosine(cosine)),
                furnace(plastic(0.5f), at_cosine(cosine)), 5e-3);
  const LobeTables tables = host_tables();
  const glm::vec3 wo = at_cosine(0.7f), wi{0.0f, 0.6f, 0.8f};
  EXPECT_NEAR(eval_plastic(plastic(0.5f, 0.01f), tables, wo, wi).f.x,
              eval_plastic(plastic(0.5f), tables, wo, wi).f.x, 1e-3f);
}

TEST(Plastic, SmoothGlossHasNoDensity) {
  const LobeTables tables = host_tables();
  const glm::vec3 wo = at_cosine(0.5f);
  const BsdfSample gloss = sample_plastic(plastic(0.5f), tables, wo, glm::vec3(0.0f));
  EXPECT_EQ(gloss.wi, glm::vec3(-wo.x, 0.0f, wo.z));
  EXPECT_EQ(gloss.pdf, 0.0f);
  const BsdfSample base = sample_plastic(plastic(0.5f), tables, wo, {0.3f, 0.3f, 0.999f});
  EXPECT_GT(base.pdf, 0.0f);
  const BsdfSample black = sample_plastic(plastic(0.0f), tables, wo, {0.3f, 0.3f, 0.999f});
  EXPECT_NEAR(black.weight.x, cross_dielectric(0.5f, 1.5f).reflected, 1e-6f);
}

}  // namespace
}  // namespace winnow
