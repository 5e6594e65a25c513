// SPDX-License-Identifier: MIT
#include "shading/bsdf/fresnel.h"

#include <gtest/gtest.h>

#include <complex>
#include <glm/vec2.hpp>
#include <vector>

#include "scene/optical_constants.h"

namespace winnow {
namespace {

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

/// Fresnel's equations with complex numbers.
double textbook_reflectance(double cos_i, std::complex<double> eta) {
  const std::complex<double> cos_t = std::sqrt(1.0 - (1.0 - cos_i * cos_i) / (eta * eta));
  const std::complex<double> s = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
  const std::complex<double> p = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
  return 0.5 * (std::norm(s) + std::norm(p));
}

TEST(DielectricFresnel, MatchesTheTextbookFromBothSides) {
  for (float eta : {1.5f, 1.0f / 1.5f, 2.4f})
    for (float cosine : {1.0f, 0.95f, 0.8f, 0.7f, 0.5547f /* Brewster's */, 0.3f, 0.05f, 0.0f}) {
      SCOPED_TRACE(testing::Message() << "eta " << eta << ", cosine " << cosine);
      const Crossing crossing = cross_dielectric(cosine, eta);
      EXPECT_NEAR(crossing.reflected, textbook_reflectance(cosine, eta), 1e-6);
      const double sin2_t = (1.0 - cosine * cosine) / (eta * eta);
      EXPECT_NEAR(crossing.cos_t, std::sqrt(std::max(1.0 - sin2_t, 0.0)), 1e-6);
    }
  EXPECT_NEAR(cross_dielectric(1.0f, 1.5f).reflected, 0.04f, 1e-6f);  // the well-known value
}

TEST(DielectricFresnel, ReflectsAllAtGrazingAndNothingWithoutABoundary) {
  EXPECT_EQ(cross_dielectric(0.0f, 1.5f).reflected, 1.0f);
  EXPECT_NEAR(cross_dielectric(0.3f, 1.0f).reflected, 0.0f, 1e-12f);
}

TEST(DielectricFresnel, HasTheMeanOfItsFit) {
  for (float ior : {1.0f, 1.2f, 1.5f, 2.4f, 5.0f, 100.0f}) {
    constexpr int kSteps = 1000;
    double mean = 0.0;
    for (int i = 0; i < kSteps; ++i) {
      const double cosine = (i + 0.5) / kSteps;
      mean += 2.0 * cosine * textbook_reflectance(cosine, ior) / kSteps;
    }
    EXPECT_NEAR(mean_fresnel(ior), mean, 7e-3) << ior;
  }
}

TEST(MetalFresnel, MatchesTheTextbook) {
  std::vector<glm::vec2> iors = {{1.5f, 0.0f}};  // n and k; without absorption, a dielectric's
  for (const char* name : {"gold", "copper", "aluminium", "tungsten"})
    iors.emplace_back(find_metal(name)->n.x, find_metal(name)->k.x);
  for (glm::vec2 ior : iors)
    for (float cosine : {1.0f, 0.8f, 0.5f, 0.2f, 0.05f, 0.0f})
      EXPECT_NEAR(metal_fresnel(cosine, ior.x, ior.y), textbook_reflectance(cosine, {ior.x, ior.y}),
                  2e-6)
          << ior.x << " " << ior.y << ", cosine " << cosine;
}

TEST(MetalFresnel, IsBetween0And1ForEachNamedMetal) {
  const char* const kNames[] = {
      "Ag",  "Al",  "Au",   "Cr",     "Cu",       "CuZn", "Hg",   "Ni",  "W",   "none", "AlAs",
      "Be",  "CsI", "Cu2O", "CuO",    "Cu_palik", "HgTe", "Ir",   "K",   "Li",  "MgO",  "Mo",
      "Na",  "Nb",  "Rh",   "Se",     "Se-e",     "SiC",  "SnTe", "Ta",  "Te",  "Te-e", "ThF4",
      "TiC", "TiN", "TiO2", "TiO2-e", "VC",       "VN",   "V",    "a-C", "d-C", "AlSb"};
  for (const char* name : kNames)
    for (float cosine : {1.0f, std::nextafter(1.0f, 0.0f), 0.5f, 0.0f})
      for (int channel = 0; channel < 3; ++channel) {
        const ComplexIor ior = *find_metal(name);
        const float reflected = metal_fresnel(cosine, ior.n[channel], ior.k[channel]);
        EXPECT_TRUE(reflected >= 0.0f && reflected <= 1.0f) << name << " " << cosine;
      }
  const ComplexIor without_index = *find_metal("AlSb");  // red: n and k are 0, all is reflected
  for (float cosine : {1.0f, 0.5f, 0.0f})
    EXPECT_NEAR(metal_fresnel(cosine, without_index.n.r, without_index.k.r), 1.0f, 1e-5f);
}

}  // namespace
}  // namespace winnow
