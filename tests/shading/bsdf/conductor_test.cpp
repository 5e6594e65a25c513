// SPDX-License-Identifier: MIT
#include "shading/bsdf/conductor.h"

#include <gtest/gtest.h>

#include <complex>

#include "scene/optical_constants.h"
#include "shading/bsdf/bsdf.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

const float kAlphas[] = {0.01f, 0.1f, 0.4f, 1.0f};
const float kCosines[] = {1.0f, 0.8f, 0.4f, 0.1f};

glm::vec3 at_cosine(float cosine) {
  float sine = std::sqrt(1.0f - cosine * cosine);
  return {0.8f * sine, 0.6f * sine, cosine};
}

template <class Function>
double integral(const DirectionBins& bins, const Function& function) {
  double sum = 0.0;
  for (double share : bins.integrate(function)) sum += share;
  return sum;
}

// The projected area of all facets is that of the plane: the integral of D(h) cos(h) is 1.
TEST(Ggx, MicrofacetsCoverTheSurfaceOnce) {
  for (float alpha : kAlphas)
    EXPECT_NEAR(integral({.focus = kNarrowFocus},
                         [&](glm::vec3 h) {
                           return h.z > 0.0f ? IsotropicGgx{alpha}.distribution(h) * h.z : 0.0f;
                         }),
                1.0, 3e-3)
        << "alpha " << alpha;
}

// The projected area of the visible facets is that of the plane (Heitz 2014, equation 14).
TEST(Ggx, VisibleMicrofacetsProjectToThePlane) {
  for (float alpha : kAlphas)
    for (float cosine : kCosines) {
      glm::vec3 wo = at_cosine(cosine);
      float g1 = 2.0f * wo.z / (wo.z + IsotropicGgx{alpha}.smith_s(wo));
      double visible = integral({.focus = kNarrowFocus}, [&](glm::vec3 h) {
        if (h.z <= 0.0f) return 0.0f;
        return g1 * IsotropicGgx{alpha}.distribution(h) * std::max(glm::dot(wo, h), 0.0f);
      });
      EXPECT_NEAR(visible / cosine, 1.0, 5e-3) << "alpha " << alpha << ", cosine " << cosine;
    }
}

TEST(Ggx, SampledNormalsAreThoseThatAreVisible) {
  int test_count = int(std::size(kAlphas) * std::size(kCosines));
  for (float alpha : kAlphas)
    for (float cosine : kCosines) {
      SCOPED_TRACE(testing::Message() << "alpha " << alpha << ", cosine " << cosine);
      glm::vec3 wo = at_cosine(cosine);
      float g1 = 2.0f * wo.z / (wo.z + IsotropicGgx{alpha}.smith_s(wo));
      EXPECT_TRUE(samples_follow_density(
          {.focus = kNarrowFocus},
          [&](glm::vec4 u) {
            return IsotropicGgx{alpha}.sample_visible(wo, {u.x, u.y});
          },
          [&](glm::vec3 h) {
            if (h.z <= 0.0f) return 0.0f;
            return g1 * IsotropicGgx{alpha}.distribution(h) * std::max(glm::dot(wo, h), 0.0f) /
                   wo.z;
          },
          test_count));
    }
}

/// Albedo of white metal, with the textbook's D and G2.
double textbook_albedo(double alpha, double cos_o) {
  constexpr int kRings = 400, kSectors = 200;
  auto lambda = [&](double z) {
    return 0.5 * (std::sqrt(1.0 + alpha * alpha * (1.0 - z * z) / (z * z)) - 1.0);
  };
  double sum = 0.0;
  for (int i = 0; i < kRings; ++i)
    for (int j = 0; j < kSectors; ++j) {
      double z = (i + 0.5) / kRings, r = std::sqrt(1.0 - z * z);
      double phi = (j + 0.5) / kSectors * 2.0 * M_PI;
      glm::dvec3 wi{r * std::cos(phi), r * std::sin(phi), z};
      glm::dvec3 wo{std::sqrt(1.0 - cos_o * cos_o), 0.0, cos_o};
      double cos_h = glm::normalize(wo + wi).z;
      double d = alpha * alpha / (M_PI * std::pow(cos_h * cos_h * (alpha * alpha - 1.0) + 1.0, 2));
      double g2 = 1.0 / (1.0 + lambda(cos_o) + lambda(z));
      sum += d * g2 / (4.0 * cos_o * z) * z;
    }
  return sum * 2.0 * M_PI / (kRings * kSectors);
}

// With a white Fresnel term only multiple scattering is lost.
TEST(Conductor, WhiteMetalReflectsWhatTheTextbookSays) {
  constexpr uint32_t kSampleCount = 20'000;
  for (float roughness : {0.5f, 0.7f, 1.0f})
    for (float cosine : kCosines) {
      Material material{
          .type = MaterialType::kConductor, .reflectance = glm::vec3(1.0f), .roughness = roughness};
      double energy = 0.0;
      for (uint32_t i = 0; i < kSampleCount; ++i) {
        glm::vec4 u = Sampler{.sample = i}.sample4(0);
        BsdfSample sample = sample_conductor<kBasic>(material, at_cosine(cosine), {u.x, u.y});
        ASSERT_LE(sample.weight.x, 1.0f + 1e-6f);
        energy += sample.weight.x / kSampleCount;
      }
      EXPECT_NEAR(energy, textbook_albedo(roughness * roughness, cosine), 0.012)
          << "roughness " << roughness << ", cosine " << cosine;
    }
}

TEST(Conductor, SmoothWhiteMetalReflectsAlmostAll) {
  for (float roughness : {0.0f, 0.1f, 0.2f}) {
    Material material{
        .type = MaterialType::kConductor, .reflectance = glm::vec3(1.0f), .roughness = roughness};
    double energy = 0.0;
    constexpr uint32_t kSampleCount = 5'000;
    for (uint32_t i = 0; i < kSampleCount; ++i) {
      glm::vec4 u = Sampler{.sample = i}.sample4(0);
      energy +=
          sample_conductor<kBasic>(material, at_cosine(0.5f), {u.x, u.y}).weight.x / kSampleCount;
    }
    EXPECT_GT(energy, 0.99) << "roughness " << roughness;
    EXPECT_LE(energy, 1.0 + 1e-6) << "roughness " << roughness;
  }
}

TEST(Conductor, SmoothestIsNarrowButStillHasADensity) {
  Material material{.type = MaterialType::kConductor, .roughness = 0.0f};
  glm::vec3 wo = at_cosine(0.7f);
  for (uint32_t i = 0; i < 1000; ++i) {
    glm::vec4 u = Sampler{.sample = i}.sample4(0);
    BsdfSample sample = sample_conductor<kBasic>(material, wo, {0.9f * u.x, u.y});
    EXPECT_GT(sample.pdf, 0.0f);
    EXPECT_GT(glm::dot(sample.wi, {-wo.x, -wo.y, wo.z}), 0.999f);
  }
}

TEST(Conductor, IsFiniteAtGrazing) {
  for (float roughness : {0.0f, 0.5f, 1.0f}) {
    Material material{.type = MaterialType::kConductor, .roughness = roughness};
    for (float z : {0.0f, 1e-30f, 1e-12f, 2e-7f, 1e-3f}) {
      glm::vec3 wo{std::sqrt(1.0f - z * z), 0.0f, z};
      for (glm::vec3 wi : {wo, glm::vec3{-wo.x, 0.0f, z}, glm::vec3{0.0f, 0.0f, 1.0f}}) {
        const BsdfValue value = eval_conductor<kBasic>(material, wo, wi);
        EXPECT_TRUE(value.f.x >= 0.0f && std::isfinite(value.f.x)) << z;
        EXPECT_TRUE(value.pdf >= 0.0f && std::isfinite(value.pdf)) << z;
      }
      for (glm::vec2 u : {glm::vec2{0.0f, 0.0f}, glm::vec2{kOneMinusEpsilon, 0.5f}}) {
        BsdfSample sample = sample_conductor<kBasic>(material, wo, u);
        EXPECT_TRUE(std::isfinite(sample.weight.x) && sample.weight.x <= 1.0f) << z;
        EXPECT_TRUE(std::isfinite(sample.pdf)) << z;
      }
    }
  }
}

/// Fresnel's equations with complex numbers.
double textbook_reflectance(double cos_i, std::complex<double> eta) {
  const std::complex<double> cos_t = std::sqrt(1.0 - (1.0 - cos_i * cos_i) / (eta * eta));
  const std::complex<double> s = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
  const std::complex<double> p = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
  return 0.5 * (std::norm(s) + std::norm(p));
}

Material metal(const char* name, MaterialType type) {
  Material material{.type = type, .reflectance = glm::vec3(1.0f), .roughness = 0.4f};
  material.metal_n = find_metal(name)->n;
  material.metal_k = find_metal(name)->k;
  return material;
}

TEST(MetalFresnel, MatchesTheTextbook) {
  for (const char* name : {"gold", "copper", "aluminium", "tungsten"}) {
    const ComplexIor ior = *find_metal(name);
    for (float cosine : {1.0f, 0.8f, 0.5f, 0.2f, 0.05f, 0.0f})
      EXPECT_NEAR(metal_fresnel(cosine, ior.n.x, ior.k.x),
                  textbook_reflectance(cosine, {ior.n.x, ior.k.x}), 2e-6)
          << name << " " << cosine;
  }
}

TEST(MetalFresnel, WithoutAbsorptionMatchesADielectric) {
  for (float cosine : {1.0f, 0.7f, 0.3f, 0.1f})
    EXPECT_NEAR(metal_fresnel(cosine, 1.5f, 0.0f), cross_dielectric(cosine, 1.5f).reflected, 1e-6f);
}

TEST(Conductor, MirrorReflectsByItsOpticalConstants) {
  const Material copper = metal("Cu", MaterialType::kMirror);
  const BsdfSample sample = Bsdfs<kExtended>{}.sample(copper, {0.6f, 0.0f, -0.8f}, glm::vec3(0.5f));
  EXPECT_EQ(sample.wi, glm::vec3(-0.6f, 0.0f, -0.8f));
  EXPECT_NEAR(sample.weight.y, textbook_reflectance(0.8, {copper.metal_n.y, copper.metal_k.y}),
              1e-6);
  EXPECT_EQ(sample.pdf, 0.0f);
}

TEST(Conductor, NearlySmoothIsTheMirror) {
  Material gold = metal("Au", MaterialType::kConductor);
  gold.roughness = 0.0f;
  const glm::vec3 wo{0.6f, 0.0f, 0.8f};
  const glm::vec3 mirrored =
      Bsdfs<kExtended>{}.sample(metal("Au", MaterialType::kMirror), wo, glm::vec3(0.5f)).weight;
  for (float u : {0.05f, 0.3f, 0.6f, 0.9f}) {
    const BsdfSample sample = Bsdfs<kExtended>{}.sample(gold, wo, {u, 0.3f, 0.0f});
    EXPECT_LT(glm::length(sample.wi - glm::vec3(-0.6f, 0.0f, 0.8f)), 1e-2f);
    EXPECT_LT(glm::length(sample.weight - mirrored), 2e-3f);
  }
}

TEST(Conductor, IsTheSameInBasicAndExtendedShading) {
  const Material metal{
      .type = MaterialType::kConductor, .reflectance = {0.9f, 0.5f, 0.2f}, .roughness = 0.4f};
  const glm::vec3 wo{0.6f, 0.0f, 0.8f};
  for (glm::vec3 u : {glm::vec3(0.2f, 0.3f, 0.1f), glm::vec3(0.7f, 0.9f, 0.5f)}) {
    const BsdfSample a = Bsdfs<kExtended>{}.sample(metal, wo, u),
                     b = Bsdfs<kBasic>{}.sample(metal, wo, u);
    EXPECT_LT(glm::length(a.wi - b.wi), 1e-6f);
    EXPECT_LT(glm::length(a.weight - b.weight), 1e-6f);
    EXPECT_NEAR(a.pdf / b.pdf, 1.0f, 1e-5f);
  }
}

TEST(Ggx, IsRougherAlongTheTangent) {
  Material material{.roughness = 0.5f, .anisotropy = 0.6f};
  const Ggx ggx = make_ggx(material);
  EXPECT_NEAR(ggx.alpha_x / ggx.alpha_y, 4.0f, 1e-5f);
  EXPECT_NEAR(ggx.alpha_x * ggx.alpha_y, 0.0625f, 1e-6f);
  for (float most : {1.0f, -1.0f}) {
    material.anisotropy = most;
    const Ggx extreme = make_ggx(material);
    EXPECT_EQ(std::max(extreme.alpha_x, extreme.alpha_y), 1.0f);
    EXPECT_EQ(std::min(extreme.alpha_x, extreme.alpha_y), kMinGgxAlpha);
  }
}

TEST(Mirror, ReflectsAboutTheNormalFromBothSides) {
  Material material{.type = MaterialType::kMirror, .reflectance = glm::vec3(1.0f)};
  for (float side : {1.0f, -1.0f}) {
    BsdfSample sample = sample_mirror<kBasic>(material, {0.6f, 0.0f, 0.8f * side});
    EXPECT_EQ(sample.wi, glm::vec3(-0.6f, 0.0f, 0.8f * side));
    EXPECT_EQ(sample.weight, glm::vec3(1.0f));
    EXPECT_EQ(sample.pdf, 0.0f);
    EXPECT_EQ(sample.eta_scale, 1.0f);
  }
}

TEST(Mirror, BrightensTowardsGrazing) {
  Material material{.type = MaterialType::kMirror, .reflectance = {0.5f, 0.2f, 0.9f}};
  EXPECT_EQ(sample_mirror<kBasic>(material, {0.0f, 0.0f, 1.0f}).weight, material.reflectance);
  EXPECT_NEAR(sample_mirror<kBasic>(material, {1.0f, 0.0f, 1e-6f}).weight.y, 1.0f, 1e-5f);
}

}  // namespace
}  // namespace winnow
