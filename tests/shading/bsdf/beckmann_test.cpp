// SPDX-License-Identifier: MIT
#include "shading/bsdf/beckmann.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/chi_square.h"

namespace winnow {
namespace {

const Beckmann kAlphas[] = {
    {0.01f, 0.01f}, {0.1f, 0.1f}, {0.6f, 0.15f}, {0.5f, 1.0f}, {1.0f, 1.0f}};
const float kCosines[] = {1.0f, 0.8f, 0.4f, 0.1f, 0.02f};

glm::vec3 at_cosine(float cosine) {
  const float sine = std::sqrt(1.0f - cosine * cosine);
  return {0.8f * sine, 0.6f * sine, cosine};
}

std::string alphas_of(const Beckmann& facets) {
  return fmt::format("alpha {} {}", facets.alpha_x, facets.alpha_y);
}

template <class Function>
double integral(const Function& function) {
  double sum = 0.0;
  for (double share : DirectionBins{.focus = kNarrowFocus}.integrate(function)) sum += share;
  return sum;
}

/// Density of the facets visible from `wo`.
float visible(const Beckmann& facets, glm::vec3 wo, glm::vec3 h) {
  if (h.z <= 0.0f) return 0.0f;
  return 2.0f * facets.distribution(h) * std::max(glm::dot(wo, h), 0.0f) /
         (wo.z + facets.smith_s(wo));
}

// The projected area of all facets is that of the plane: the integral of D(h) cos(h) is 1.
TEST(Beckmann, MicrofacetsCoverTheSurfaceOnce) {
  for (const Beckmann& facets : kAlphas)
    EXPECT_NEAR(
        integral([&](glm::vec3 h) { return h.z > 0.0f ? facets.distribution(h) * h.z : 0.0f; }),
        1.0, 3e-3)
        << alphas_of(facets);
}

// The projected area of the visible facets is that of the plane (Heitz 2014, equation 14).
TEST(Beckmann, VisibleMicrofacetsProjectToThePlane) {
  for (const Beckmann& facets : kAlphas)
    for (float cosine : kCosines)
      EXPECT_NEAR(integral([&](glm::vec3 h) { return visible(facets, at_cosine(cosine), h); }), 1.0,
                  5e-3)
          << alphas_of(facets) << ", cosine " << cosine;
}

TEST(Beckmann, SampledNormalsAreThoseThatAreVisible) {
  const int test_count = int(std::size(kAlphas) * std::size(kCosines));
  for (const Beckmann& facets : kAlphas)
    for (float cosine : kCosines) {
      SCOPED_TRACE(testing::Message() << alphas_of(facets) << ", cosine " << cosine);
      const glm::vec3 wo = at_cosine(cosine);
      EXPECT_TRUE(samples_follow_density(
          {.focus = kNarrowFocus},
          [&](glm::vec4 u) {
            return facets.sample_visible(wo, {u.x, u.y});
          },
          [&](glm::vec3 h) { return visible(facets, wo, h); }, test_count));
    }
}

// Walter et al., EGSR 2007, give a ratio of polynomials that is within 0.35 % of G1.
TEST(Beckmann, MasksAsTheKnownApproximationSays) {
  const Beckmann facets{0.5f, 0.5f};
  for (float cosine = 0.01f; cosine < 1.0f; cosine += 0.01f) {
    const float a = cosine / (0.5f * std::sqrt(1.0f - cosine * cosine));
    const float g1 =
        a < 1.6f ? (3.535f * a + 2.181f * a * a) / (1.0f + 2.276f * a + 2.577f * a * a) : 1.0f;
    EXPECT_NEAR(2.0f * cosine / (cosine + facets.smith_s(at_cosine(cosine))), g1, 0.0035f * g1)
        << cosine;
  }
}

}  // namespace
}  // namespace winnow
