#include "shading/bsdf/conductor.h"

#include <gtest/gtest.h>

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

// A surface projects onto its plane as one: the integral of D(h) cos(h) is 1.
TEST(Ggx, MicrofacetsCoverTheSurfaceOnce) {
  for (float alpha : kAlphas)
    EXPECT_NEAR(
        integral({.focus = kNarrowFocus},
                 [&](glm::vec3 h) { return h.z > 0.0f ? ggx_distribution(h, alpha) * h.z : 0.0f; }),
        1.0, 3e-3)
        << "alpha " << alpha;
}

// Seen from anywhere, unmasked facets cover what the plane does (Heitz 2014, equation 14).
TEST(Ggx, VisibleMicrofacetsProjectToThePlane) {
  for (float alpha : kAlphas)
    for (float cosine : kCosines) {
      glm::vec3 wo = at_cosine(cosine);
      float g1 = 2.0f * wo.z / (wo.z + ggx_stretch(wo, alpha));
      double visible = integral({.focus = kNarrowFocus}, [&](glm::vec3 h) {
        if (h.z <= 0.0f) return 0.0f;
        return g1 * ggx_distribution(h, alpha) * std::max(glm::dot(wo, h), 0.0f);
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
      float g1 = 2.0f * wo.z / (wo.z + ggx_stretch(wo, alpha));
      EXPECT_TRUE(samples_follow_density(
          {.focus = kNarrowFocus},
          [&](glm::vec4 u) {
            return sample_visible_ggx_normal(wo, alpha, {u.x, u.y});
          },
          [&](glm::vec3 h) {
            if (h.z <= 0.0f) return 0.0f;
            return g1 * ggx_distribution(h, alpha) * std::max(glm::dot(wo, h), 0.0f) / wo.z;
          },
          test_count));
    }
}

/// Energy that white metal reflects, with D and G2 in the words of the textbook.
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

// With a white Fresnel term only light that would meet the surface twice is lost.
TEST(Conductor, WhiteMetalReflectsWhatTheTextbookSays) {
  constexpr uint32_t kSampleCount = 20'000;
  for (float roughness : {0.5f, 0.7f, 1.0f})
    for (float cosine : kCosines) {
      Material material{
          .type = MaterialType::kConductor, .reflectance = glm::vec3(1.0f), .roughness = roughness};
      double energy = 0.0;
      for (uint32_t i = 0; i < kSampleCount; ++i) {
        glm::vec4 u = Sampler{.sample = i}.sample4(0);
        BsdfSample sample = sample_conductor(material, at_cosine(cosine), {u.x, u.y});
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
      energy += sample_conductor(material, at_cosine(0.5f), {u.x, u.y}).weight.x / kSampleCount;
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
    BsdfSample sample = sample_conductor(material, wo, {0.9f * u.x, u.y});
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
        glm::vec3 f = eval_conductor(material, wo, wi);
        EXPECT_TRUE(f.x >= 0.0f && std::isfinite(f.x)) << z;
        float pdf = conductor_pdf(material, wo, wi);
        EXPECT_TRUE(pdf >= 0.0f && std::isfinite(pdf)) << z;
      }
      for (glm::vec2 u : {glm::vec2{0.0f, 0.0f}, glm::vec2{kOneMinusEpsilon, 0.5f}}) {
        BsdfSample sample = sample_conductor(material, wo, u);
        EXPECT_TRUE(std::isfinite(sample.weight.x) && sample.weight.x <= 1.0f) << z;
        EXPECT_TRUE(std::isfinite(sample.pdf)) << z;
      }
    }
  }
}

}  // namespace
}  // namespace winnow
