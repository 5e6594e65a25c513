// SPDX-License-Identifier: MIT
#include "shading/bsdf/conductor.h"

#include <gtest/gtest.h>

#include "scene/optical_constants.h"
#include "tests/shading/bsdf/support/bsdf_runner.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

// Narrower lobes than the numerical integrals of bsdf_test.cpp resolve.
TEST(Conductor, SmoothestIsNarrowButStillHasADensity) {
  const Material white{
      .type = MaterialType::kConductor, .reflectance = glm::vec3(1.0f), .roughness = 0.0f};
  const glm::vec3 wo = at_cosine(0.7f);
  for (uint32_t i = 0; i < 1000; ++i) {
    const glm::vec4 u = Sampler{.sample = i}.sample4(0);
    const BsdfSample sample = sample_conductor<kBasic>(white, wo, {0.9f * u.x, u.y});
    EXPECT_GT(sample.pdf, 0.0f);
    EXPECT_GT(glm::dot(sample.wi, {-wo.x, -wo.y, wo.z}), 0.999f);
    EXPECT_NEAR(sample.weight.x, 1.0f, 1e-4f);
  }
}

Material metal(const char* name, MaterialType type) {
  const ComplexIor ior = *find_metal(name);
  return {.type = type,
          .reflectance = glm::vec3(1.0f),
          .roughness = 0.0f,
          .metal_n = ior.n,
          .metal_k = ior.k};
}

TEST(Conductor, MirrorReflectsByItsOpticalConstants) {
  const Material copper = metal("Cu", MaterialType::kMirror);
  const BsdfSample sample = sample_mirror<kExtended>(copper, {0.6f, 0.0f, -0.8f});
  EXPECT_EQ(sample.wi, glm::vec3(-0.6f, 0.0f, -0.8f));
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(sample.weight[k], metal_fresnel(0.8f, copper.metal_n[k], copper.metal_k[k]));
  EXPECT_EQ(sample.pdf, 0.0f);
}

TEST(Conductor, NearlySmoothIsTheMirror) {
  const Material gold = metal("Au", MaterialType::kConductor);
  const glm::vec3 wo{0.6f, 0.0f, 0.8f};
  const BsdfSample mirrored = sample_mirror<kExtended>(metal("Au", MaterialType::kMirror), wo);
  for (float u : {0.05f, 0.3f, 0.6f, 0.9f}) {
    const BsdfSample sample = sample_conductor<kExtended>(gold, wo, {u, 0.3f});
    expect_near(sample.wi, mirrored.wi, 1e-2f);
    expect_near(sample.weight, mirrored.weight, 2e-3f);
  }
}

TEST(Conductor, IsTheSameInBasicAndExtendedShading) {
  const Material tinted{
      .type = MaterialType::kConductor, .reflectance = {0.9f, 0.5f, 0.2f}, .roughness = 0.4f};
  const glm::vec3 wo{0.6f, 0.0f, 0.8f};
  for (glm::vec2 u : {glm::vec2(0.2f, 0.3f), glm::vec2(0.7f, 0.9f)}) {
    const BsdfSample a = sample_conductor<kExtended>(tinted, wo, u),
                     b = sample_conductor<kBasic>(tinted, wo, u);
    expect_near(a.wi, b.wi, 1e-6f);
    expect_near(a.weight, b.weight, 1e-6f);
    EXPECT_NEAR(a.pdf / b.pdf, 1.0f, 1e-5f);
  }
}

TEST(Mirror, ReflectsAboutTheNormalFromBothSides) {
  const Material white{.type = MaterialType::kMirror, .reflectance = glm::vec3(1.0f)};
  for (float side : {1.0f, -1.0f}) {
    const BsdfSample sample = sample_mirror<kBasic>(white, {0.6f, 0.0f, 0.8f * side});
    EXPECT_EQ(sample.wi, glm::vec3(-0.6f, 0.0f, 0.8f * side));
    EXPECT_EQ(sample.weight, glm::vec3(1.0f));
    EXPECT_EQ(sample.pdf, 0.0f);
    EXPECT_EQ(sample.eta_scale, 1.0f);
  }
}

TEST(Mirror, BrightensTowardsGrazing) {
  const Material tinted{.type = MaterialType::kMirror, .reflectance = {0.5f, 0.2f, 0.9f}};
  EXPECT_EQ(sample_mirror<kBasic>(tinted, {0.0f, 0.0f, 1.0f}).weight, tinted.reflectance);
  EXPECT_NEAR(sample_mirror<kBasic>(tinted, {1.0f, 0.0f, 1e-6f}).weight.y, 1.0f, 1e-5f);
}

}  // namespace
}  // namespace winnow
