// SPDX-License-Identifier: MIT
#include "shading/bsdf/fresnel.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

constexpr float kGlass = 1.5f;

float glass_fresnel(float cos_i, float eta) {
  float sin2_t = (1.0f - cos_i * cos_i) / (eta * eta);
  return dielectric_fresnel(cos_i, std::sqrt(1.0f - sin2_t), eta);
}

TEST(SchlickFresnel, GoesFromTheReflectanceToWhite) {
  glm::vec3 gold{1.0f, 0.71f, 0.29f};
  EXPECT_EQ(schlick_fresnel(gold, 1.0f), gold);
  EXPECT_EQ(schlick_fresnel(gold, 0.0f), glm::vec3(1.0f));
  EXPECT_NEAR(schlick_fresnel(gold, 0.5f).z, 0.29f + 0.71f / 32.0f, 1e-6f);
}

TEST(SchlickFresnel, OfBlackIsBlackFromEverywhere) {
  EXPECT_EQ(schlick_fresnel(glm::vec3(0.0f), 0.0f), glm::vec3(0.0f));
  EXPECT_EQ(schlick_fresnel(glm::vec3(0.0f), 1.0f), glm::vec3(0.0f));
}

TEST(DielectricFresnel, AtNormalIncidenceIsTheTextbookValue) {
  EXPECT_NEAR(glass_fresnel(1.0f, kGlass), 0.04f, 1e-6f);
  EXPECT_NEAR(glass_fresnel(1.0f, 1.0f / kGlass), 0.04f, 1e-6f);
}

// At Brewster's angle, tan = eta, only the perpendicular half reflects: ((1 - eta^2) / (1 +
// eta^2))^2.
TEST(DielectricFresnel, AtBrewstersAngleOnlyOnePolarisationReflects) {
  float cos_brewster = 1.0f / std::sqrt(1.0f + kGlass * kGlass);
  float perpendicular = (1.0f - kGlass * kGlass) / (1.0f + kGlass * kGlass);
  EXPECT_NEAR(glass_fresnel(cos_brewster, kGlass), 0.5f * perpendicular * perpendicular, 1e-6f);
}

TEST(DielectricFresnel, IsTheSameFromBothSides) {
  for (float cos_i : {0.05f, 0.3f, 0.7f, 0.95f}) {
    float cos_t = std::sqrt(1.0f - (1.0f - cos_i * cos_i) / (kGlass * kGlass));
    EXPECT_NEAR(dielectric_fresnel(cos_i, cos_t, kGlass),
                dielectric_fresnel(cos_t, cos_i, 1.0f / kGlass), 1e-6f);
  }
}

TEST(DielectricFresnel, ReflectsAllAtGrazingAndNothingWithoutABoundary) {
  EXPECT_EQ(glass_fresnel(0.0f, kGlass), 1.0f);
  EXPECT_NEAR(glass_fresnel(0.3f, 1.0f), 0.0f, 1e-12f);
}

}  // namespace
}  // namespace winnow
