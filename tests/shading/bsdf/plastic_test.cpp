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

// Little of the light leaves a base below a boundary to a denser outside, with a large weight.
TEST(Plastic, WhiteBelowADenserOutsideReturnsEverything) {
  for (float ior : {0.75f, 0.667f, 0.5f})
    for (float cosine : {1.0f, 0.9f, 0.6f, 0.2f}) {
      const Estimate albedo = furnace(plastic(1.0f, 0.0f, ior), at_cosine(cosine), kFurnaceSamples);
      EXPECT_NEAR(albedo.mean, 1.0, 4.0 * albedo.error + 2e-3) << ior << " " << cosine;
    }
}

// Simulates the bounces below the boundary: a nonlinear base multiplies by its albedo at each.
TEST(Plastic, BaseReflectsTheSumOfItsBounces) {
  for (float ior : {1.3f, 1.49f, 1.9f, 0.75f, 0.5f})
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

/// Mean reflectance of diffuse light from inside, with separable masking: a sum over random points,
/// one in each cell of a grid.
double internal_reflectance(const Microfacets& facets, float ior) {
  constexpr uint32_t kDirections = 128, kRings = 64, kSectors = 32;
  double sum = 0.0;
  for (uint32_t i = 0; i < kDirections * kRings * kSectors; ++i) {
    const glm::vec3 cell(i / (kRings * kSectors), i / kSectors % kRings, i % kSectors);
    const glm::vec3 u = (cell + glm::vec3(Sampler{.seed = 8, .sample = i}.sample4(0))) /
                        glm::vec3(kDirections, kRings, kSectors);
    const glm::vec3 wo{std::sqrt(u.x), 0.0f, std::sqrt(1.0f - u.x)};
    const glm::vec3 h = facets.sample_visible(wo, {u.y, u.z});
    const float cos_o = std::min(glm::dot(wo, h), 1.0f);
    const glm::vec3 wi = glm::normalize(2.0f * cos_o * h - wo);
    if (wi.z > 0.0f)
      sum += double(cross_dielectric(cos_o, 1.0f / ior).reflected) * 2.0 * double(wi.z) /
             double(wi.z + facets.smith_s(wi));
  }
  return sum / (double(kDirections) * kRings * kSectors);
}

// Between the nodes of the table, too. A white base multiplies its error.
TEST(Plastic, LightIsKeptBelowARoughBoundaryAsItsIntegralSays) {
  using enum MicrofacetDistribution;
  const LobeTables tables =
      make_lobe_tables({.plastic = {true, true}, .beckmann_plastic = {.above = true}}, span_of);
  struct Case {
    MicrofacetDistribution distribution;
    float ior, alpha;
  };
  for (const Case& c : {Case{kGgx, 1.49f, 0.05f}, Case{kGgx, 1.49f, 0.3f}, Case{kGgx, 1.9f, 0.2f},
                        Case{kGgx, 1.33f, 0.7f}, Case{kBeckmann, 1.49f, 0.1f},
                        Case{kBeckmann, 1.9f, 0.4f}, Case{kGgx, 0.667f, 0.2f}}) {
    SCOPED_TRACE(testing::Message() << c.ior << ", alpha " << c.alpha);
    const double expected = internal_reflectance({c.distribution, c.alpha, c.alpha}, c.ior);
    const PlasticTable& table = c.distribution == kGgx ? tables.plastic : tables.beckmann_plastic;
    const double found = table.internal_reflectance(std::sqrt(c.alpha), c.ior);
    EXPECT_NEAR((1.0 - expected) / (1.0 - found), 1.0, 4e-3);
  }
}

TEST(PlasticTable, HasANodeAtTheCriticalAngle) {
  for (float ior : {0.3f, 0.667f, 0.95f, 1.0f, 1.5f}) {
    for (float coordinate : {0.0f, 0.1f, 0.25f, 0.3f, 0.7f, 1.0f})
      EXPECT_NEAR(PlasticTable::cosine_coordinate(PlasticTable::cosine_at(coordinate, ior), ior),
                  coordinate, 1e-3f)
          << ior;
    if (ior < 1.0f) {
      EXPECT_NEAR(PlasticTable::cosine_at(PlasticTable::kCritical, ior),
                  std::sqrt(1.0f - ior * ior), 1e-6f);
    }
  }
}

TEST(Plastic, NearlySmoothIsSmooth) {
  for (float ior : {1.5f, 0.75f}) {
    const Material smooth = plastic(0.5f, 0.0f, ior), nearly = plastic(0.5f, 0.01f, ior);
    for (float cosine : {1.0f, 0.8f, 0.6f, 0.2f})
      EXPECT_NEAR(furnace(nearly, at_cosine(cosine), kFurnaceSamples).mean,
                  furnace(smooth, at_cosine(cosine), kFurnaceSamples).mean, 5e-3);
    const glm::vec3 wo = at_cosine(0.7f), wi{0.0f, 0.6f, 0.8f};
    EXPECT_NEAR(host_bsdfs().eval(nearly, wo, wi).f.x, host_bsdfs().eval(smooth, wo, wi).f.x,
                1e-3f);
  }
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
