// SPDX-License-Identifier: MIT
// Diffuse lobes about a mapped normal, below specular lobes about z.

#include "shading/bsdf/lambert_lobe.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/shading/bsdf/support/bsdf_runner.h"
#include "tests/support/chi_square.h"
#include "tests/support/sample_directions.h"

namespace winnow {
namespace {

/// White surfaces with a diffuse part, of lobes that are wide enough for integrals over bins.
std::vector<Material> white_surfaces() {
  using enum MaterialType;
  const glm::vec3 white(1.0f);
  const Material base{.type = kPrincipled, .reflectance = white, .roughness = 0.8f};
  Material everything = base;
  everything.metallic = 0.2f;
  everything.transmission = everything.coat = 0.4f;
  everything.coat_roughness = 0.6f;
  everything.sheen = glm::vec3(0.5f);
  everything.diffuse_transmission = 0.4f;
  Material paper = everything;
  paper.thin = true;
  return {{.type = kDiffuse, .reflectance = white},
          {.type = kPlastic, .reflectance = white, .roughness = 0.7f},
          base,
          everything,
          paper};
}

/// A normal that leans far from z, with bumps that cast shadows.
BumpedLambertLobe leaning_lobe() {
  BumpedLambertLobe lobe;
  lobe.n = glm::normalize(glm::vec3(-0.8f, -0.7f, 0.5f));
  lobe.ns = glm::normalize(glm::vec3(0.2f, 0.1f, 1.0f));
  lobe.roughness = 0.3f;
  return lobe;
}

/// Views from both sides. The second one is below the mapped normal.
const std::array<glm::vec3, 3> kViews = {at_cosine(0.9f), at_cosine(0.3f), at_cosine(-0.5f)};

glm::vec3 uniforms(uint32_t i) {
  return glm::vec3(Sampler{.seed = 2, .sample = i}.sample4(0));
}

TEST(LambertLobe, HasTheSameBitsAboutZWithBumpsOrWithout) {
  const auto& bsdfs = host_bsdfs();
  const BumpedLambertLobe flat;
  for (const Material& material : white_surfaces())
    for (const glm::vec3 wo : kViews)
      for (uint32_t i = 0; i < 200; ++i) {
        const BsdfSample a = bsdfs.sample(material, wo, uniforms(i));
        const BsdfSample b = bsdfs.sample(material, wo, uniforms(i), flat);
        EXPECT_EQ(a.wi, b.wi);
        EXPECT_EQ(a.weight, b.weight);
        EXPECT_EQ(a.pdf, b.pdf);
        const glm::vec3 wi = sample_uniform_sphere(uniforms(i));
        EXPECT_EQ(bsdfs.eval(material, wo, wi).f, bsdfs.eval(material, wo, wi, flat).f);
        EXPECT_EQ(bsdfs.eval(material, wo, wi).pdf, bsdfs.eval(material, wo, wi, flat).pdf);
      }
}

TEST(LambertLobe, IsAboutTheMappedNormalAndLeavesSpecularLobesAboutZ) {
  const BumpedLambertLobe lobe = leaning_lobe();
  Material rough{
      .type = MaterialType::kPrincipled, .reflectance = glm::vec3(0.7f), .roughness = 0.5f};
  Material matte = rough, black = rough;
  matte.specular = glm::vec3(0.0f);
  black.reflectance = glm::vec3(0.0f);
  const Material diffuse{.reflectance = glm::vec3(0.7f)};
  int lit = 0;
  for (const glm::vec3 wo : kViews)
    for (uint32_t i = 0; i < 500; ++i) {
      const glm::vec3 wi = sample_uniform_sphere(uniforms(i));
      if (wi.z * wo.z <= 0.01f) continue;
      const glm::vec3 turned{wi.x, wi.y, std::abs(wi.z)};
      const float cosine = std::max(glm::dot(lobe.n, turned), 0.0f);
      const float s = glm::dot(lobe.ns, turned), tan2 = (1.0f - s * s) / (s * s);
      const float shadowing = 2.0f / (1.0f + std::sqrt(1.0f + lobe.roughness * tan2));
      const float expected = 0.7f * kInvPi * cosine * shadowing;
      lit += cosine > 0.0f;
      for (const Material& material : {diffuse, matte})
        EXPECT_NEAR(host_bsdfs().eval(material, wo, wi, lobe).f.x * turned.z, expected, 1e-6f);
      EXPECT_EQ(host_bsdfs().eval(black, wo, wi, lobe).f, host_bsdfs().eval(black, wo, wi).f);
    }
  EXPECT_GT(lit, 100);
}

TEST(LambertLobe, HasShadowsWhereTheNormalIsNotBent) {
  BumpedLambertLobe lobe = leaning_lobe();
  lobe.n = {0.0f, 0.0f, 1.0f};
  const glm::vec3 wi = at_cosine(0.4f);
  EXPECT_EQ(lobe.gain(wi), lobe.shadowing(wi));
  EXPECT_LT(lobe.gain(wi), 0.9f);
}

TEST(LambertLobe, IsSampledWithTheDensityOfTheBsdf) {
  const BumpedLambertLobe lobe = leaning_lobe();
  const auto& bsdfs = host_bsdfs();
  for (const Material& material : white_surfaces())
    for (const glm::vec3 wo : kViews) {
      EXPECT_TRUE(samples_follow_density(
          DirectionBins{},
          [&](glm::vec4 u) { return bsdfs.sample(material, wo, glm::vec3(u), lobe).wi; },
          [&](glm::vec3 wi) { return bsdfs.eval(material, wo, wi, lobe).pdf; },
          int(kViews.size() * white_surfaces().size())))
          << kMaterialTraits[size_t(material.type)].name << " from " << wo.z;
    }
}

// The mean weight of samples is the integral of f cos.
TEST(LambertLobe, GivesNoMoreLightThanItGets) {
  const BumpedLambertLobe lobe = leaning_lobe();
  const auto& bsdfs = host_bsdfs();
  for (const Material& material : white_surfaces())
    for (const glm::vec3 wo : kViews) {
      SCOPED_TRACE(testing::Message()
                   << kMaterialTraits[size_t(material.type)].name << " from " << wo.z);
      const Estimate albedo = estimate(100'000, [&](uint32_t i) {
        return bsdfs.sample(material, wo, uniforms(i), lobe).weight.x;
      });
      const double integral = DirectionBins{}.integral(
          [&](glm::vec3 wi) { return bsdfs.eval(material, wo, wi, lobe).f.x * std::abs(wi.z); });
      EXPECT_NEAR(albedo.mean, integral, 4.0 * albedo.error + 3e-3);
      const double energy_of_white = estimate(100'000, [&](uint32_t i) {
                                       return energy(bsdfs.sample(material, wo, uniforms(i), lobe));
                                     }).mean;
      EXPECT_LT(energy_of_white, 1.01);
      EXPECT_GT(energy_of_white, 0.2);
    }
}

}  // namespace
}  // namespace winnow
