// SPDX-License-Identifier: MIT
#include "shading/bsdf/microfacets.h"

#include "tests/shading/bsdf/support/bsdf_runner.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

// Properties of all distributions, over roughness, anisotropy and angle.
template <class Facets>
struct Distribution : testing::Test {
  static constexpr bool kIsotropic = std::is_same_v<Facets, IsotropicGgx>;

  static Facets facets_of(glm::vec2 alpha) {
    if constexpr (kIsotropic)
      return {alpha.x};
    else
      return {alpha.x, alpha.y};
  }

  /// Calls test(facets, wo, test_count) for each of `test_count` cases.
  template <class Test>
  static void for_each_view(const Test& test) {
    const std::vector<float> cosines = {1.0f, 0.8f, 0.4f, 0.1f, 0.02f};
    std::vector<glm::vec2> alphas = {{0.01f, 0.01f}, {0.1f, 0.1f}, {0.4f, 0.4f}, {1.0f, 1.0f}};
    if (!kIsotropic) alphas.insert(alphas.end(), {{0.6f, 0.15f}, {0.5f, 1.0f}});
    for (glm::vec2 alpha : alphas)
      for (float cosine : cosines) {
        SCOPED_TRACE(testing::Message()
                     << "alpha " << alpha.x << " " << alpha.y << ", cosine " << cosine);
        test(facets_of(alpha), at_cosine(cosine), int(alphas.size() * cosines.size()));
      }
  }

  /// Density of the facets visible from `wo`.
  static float visible(const Facets& facets, glm::vec3 wo, glm::vec3 h) {
    if (h.z <= 0.0f) return 0.0f;
    return 2.0f * facets.distribution(h) * std::max(glm::dot(wo, h), 0.0f) /
           (wo.z + facets.smith_s(wo));
  }
};
using Distributions = testing::Types<IsotropicGgx, Ggx, Beckmann>;
TYPED_TEST_SUITE(Distribution, Distributions);

// The projected area of the visible facets is that of the plane (Heitz 2014, equation 14). From
// above, where S is 1 and all facets are visible: the integral of D(h) cos(h) is 1.
TYPED_TEST(Distribution, VisibleMicrofacetsProjectToThePlane) {
  this->for_each_view([&](const TypeParam& facets, glm::vec3 wo, int) {
    const DirectionBins bins{.focus = kNarrowFocus};
    EXPECT_NEAR(bins.integral([&](glm::vec3 h) { return this->visible(facets, wo, h); }), 1.0,
                3e-3);
    EXPECT_EQ(facets.smith_s({0.0f, 0.0f, 1.0f}), 1.0f);
  });
}

TYPED_TEST(Distribution, SampledNormalsAreThoseThatAreVisible) {
  this->for_each_view([&](const TypeParam& facets, glm::vec3 wo, int test_count) {
    EXPECT_TRUE(samples_follow_density(
        {.focus = kNarrowFocus},
        [&](glm::vec4 u) { return facets.sample_visible(wo, glm::vec2(u)); },
        [&](glm::vec3 h) { return this->visible(facets, wo, h); }, test_count));
  });
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

}  // namespace
}  // namespace winnow
