// SPDX-License-Identifier: MIT
#include "shading/bsdf/dielectric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "tests/support/expect_near.h"

namespace winnow {
namespace {

constexpr float kReflect = 0.0f,
                kRefract = 0.999999f;  // values of u that choose, except at total reflection

Material glass(glm::vec3 tint = glm::vec3(1.0f), float ior = 1.5f) {
  return {.type = MaterialType::kDielectric, .reflectance = tint, .ior = ior};
}

glm::vec3 at_sine(float sine, float side) {
  return {0.6f * sine, -0.8f * sine, side * std::sqrt(1.0f - sine * sine)};
}

// Radiance is 1.5^2 times larger inside; Russian roulette must not treat the change as a loss.
TEST(Dielectric, RefractsBySnellsLawAndScalesRadianceWithTheSquaredIndex) {
  const glm::vec3 tint{0.9f, 0.5f, 0.1f};
  for (float sine : {0.0f, 0.3f, 0.9f}) {
    const glm::vec3 outside = at_sine(sine, 1.0f), inside = at_sine(sine / 1.5f, -1.0f);
    const BsdfSample entering = sample_dielectric<kBasic>(glass(tint), outside, kRefract);
    expect_near(entering.wi, {-inside.x, -inside.y, inside.z}, 1e-6f);
    expect_near(entering.weight, tint / 2.25f, 1e-6f);
    EXPECT_NEAR(entering.eta_scale, 2.25f, 1e-6f);
    const BsdfSample leaving = sample_dielectric<kBasic>(glass(tint), inside, kRefract);
    expect_near(leaving.wi, {-outside.x, -outside.y, outside.z}, 1e-6f);
    expect_near(leaving.weight, tint * 2.25f, 1e-6f);
    EXPECT_NEAR(leaving.eta_scale, 1.0f / 2.25f, 1e-6f);
  }
}

TEST(Dielectric, ReflectsAboutTheNormalFromBothSides) {
  for (float side : {1.0f, -1.0f}) {
    glm::vec3 wo = at_sine(0.4f, side);
    BsdfSample sample = sample_dielectric<kBasic>(glass(glm::vec3(0.5f)), wo, kReflect);
    EXPECT_EQ(sample.wi, glm::vec3(-wo.x, -wo.y, wo.z));
    EXPECT_EQ(sample.weight, glm::vec3(1.0f));  // reflection stays white
    EXPECT_EQ(sample.eta_scale, 1.0f);
  }
}

// sin > 1 / 1.5 cannot leave.
TEST(Dielectric, ReflectsTotallyBeyondTheCriticalAngle) {
  EXPECT_GT(sample_dielectric<kBasic>(glass(), at_sine(0.66f, -1.0f), kRefract).wi.z, 0.0f);
  EXPECT_LT(sample_dielectric<kBasic>(glass(), at_sine(0.67f, -1.0f), kRefract).wi.z, 0.0f);
}

// Power in: 1. Power out: the mean of weight x (squared index), over evenly spread choices.
TEST(Dielectric, ConservesEnergyAndReflectsAsFresnelSays) {
  constexpr int kChoices = 10'000;
  for (float ior : {1.5f, 0.5f, 0.667f, 0.75f})
    for (float side : {1.0f, -1.0f})
      for (float sine : {0.0f, 0.2f, 0.5f, 0.65f, 0.7f, 0.99f}) {
        glm::vec3 wo = at_sine(sine, side);
        double energy = 0.0;
        int reflected = 0;
        for (int i = 0; i < kChoices; ++i) {
          BsdfSample sample =
              sample_dielectric<kBasic>(glass(glm::vec3(1.0f), ior), wo, (i + 0.5f) / kChoices);
          EXPECT_NEAR(glm::length(sample.wi), 1.0f, 1e-6f);
          EXPECT_EQ(sample.pdf, 0.0f);
          energy += sample.weight.x * sample.eta_scale;
          reflected += sample.wi.z * wo.z > 0.0f;
        }
        EXPECT_NEAR(energy / kChoices, 1.0, 1e-6);
        const float fresnel =
            cross_dielectric(std::abs(wo.z), side > 0.0f ? ior : 1.0f / ior).reflected;
        EXPECT_NEAR(float(reflected) / kChoices, fresnel, 2.0f / kChoices);
      }
}

// The boundary of a bubble in glass is that of a ball of glass, seen from the other side.
TEST(Dielectric, WithTheLowerIndexInsideIsTurnedInsideOut) {
  const Material bubble = glass({0.9f, 0.5f, 0.1f}, 0.625f), ball = glass({0.9f, 0.5f, 0.1f}, 1.6f);
  for (float side : {1.0f, -1.0f})
    for (float sine : {0.0f, 0.3f, 0.6f, 0.63f, 0.9f})
      for (float u : {kReflect, 0.05f, kRefract}) {
        const BsdfSample a = sample_dielectric<kBasic>(bubble, at_sine(sine, side), u),
                         b = sample_dielectric<kBasic>(ball, at_sine(sine, -side), u);
        expect_near(a.wi, {b.wi.x, b.wi.y, -b.wi.z}, 1e-6f);
        expect_near(a.weight, b.weight, 1e-6f);
        EXPECT_FLOAT_EQ(a.eta_scale, b.eta_scale);
      }
}

TEST(Dielectric, WithoutAChangeOfIndexLightGoesStraightOn) {
  Material air = glass();
  air.ior = 1.0f;
  glm::vec3 wo = at_sine(0.7f, 1.0f);
  BsdfSample sample = sample_dielectric<kBasic>(air, wo, kReflect);
  EXPECT_LT(glm::length(sample.wi + wo), 1e-6f);
  EXPECT_EQ(sample.weight, glm::vec3(1.0f));
}

TEST(ThinDielectric, TransmitsStraightOrReflects) {
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

// Simulates interreflection between the two boundaries instead of summing the series.
TEST(ThinDielectric, ReflectsAsTwoBoundaries) {
  constexpr int kChoices = 10'000, kBounces = 50;
  for (float ior : {1.5f, 0.667f})
    for (float cosine : {1.0f, 0.8f, 0.5f, 0.1f}) {
      const Material pane{
          .type = MaterialType::kThinDielectric, .reflectance = glm::vec3(1.0f), .ior = ior};
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

// A gap of air in glass reflects all light beyond the critical angle.
TEST(ThinDielectric, OfLowerIndexReflectsTotally) {
  const Material gap{.type = MaterialType::kThinDielectric, .ior = 0.667f};
  EXPECT_GT(sample_thin_dielectric(gap, at_sine(0.68f, 1.0f), kRefract).wi.z, 0.0f);
  EXPECT_LT(sample_thin_dielectric(gap, at_sine(0.65f, 1.0f), kRefract).wi.z, 0.0f);
}

}  // namespace
}  // namespace winnow
