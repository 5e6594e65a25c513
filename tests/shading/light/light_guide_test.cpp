// SPDX-License-Identifier: MIT
#include "shading/light/light_guide.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/shading/light/support/lit_scene.h"

namespace winnow {
namespace {

/// Small lamps of two strengths above a floor.
HostScene lamps_over_floor() {
  HostScene scene = empty_scene();
  scene.materials.push_back({});
  for (float side : {-1.0f, 1.0f})
    add_triangle(scene, {-8.0f, 0.0f, -8.0f}, {8.0f, 0.0f, 8.0f}, {8.0f * side, 0.0f, -8.0f * side},
                 2);
  for (uint32_t i = 0; i < 400; ++i) {
    const glm::vec4 u = Sampler{.seed = 2, .sample = i}.sample4(0);
    const glm::vec3 p(16.0f * u.x - 8.0f, 0.2f + u.y, 16.0f * u.z - 8.0f);
    if (i % 2 == 0)
      add_sphere(scene, p, 0.03f, i % 4 / 2);
    else
      add_triangle(scene, p, p + glm::vec3(0.1f, 0.0f, 0.0f), p + glm::vec3(0.0f, 0.0f, 0.1f),
                   i % 4 / 2);
  }
  return scene;
}

template <class Lit>
class LightGuideTest : public testing::Test {};
TYPED_TEST_SUITE(LightGuideTest, LitScenes, LitSceneName);

// The points lie in cells with tables of their own; the last one is outside of the grid. The sky is
// sampled as without a guide.
TYPED_TEST(LightGuideTest, KeepsTheLightAndReducesItsVariance) {
  for (const Sky& sky : {Sky{}, kBlueSky}) {
    HostScene scene = lamps_over_floor();
    scene.sky = sky;
    const TypeParam plain(scene);
    TypeParam guided(scene);
    guided.guide_lights();
    ASSERT_TRUE(guided.lights.light_guide.exists());
    for (glm::vec3 from : {glm::vec3(0.0f), glm::vec3(5.0f, 0.0f, 2.0f),
                           glm::vec3(-3.0f, 0.4f, -6.0f), glm::vec3(20.0f, 0.0f, 0.0f)}) {
      const Estimate expected = sampled_irradiance(plain, from, kUp, 100'000),
                     found = sampled_irradiance(guided, from, kUp, 100'000);
      EXPECT_NEAR(found.mean, expected.mean, 4.0 * std::hypot(found.error, expected.error));
      const Estimate combined = combined_irradiance(plain, from, kUp, 4'000),
                     with_guide = combined_irradiance(guided, from, kUp, 4'000);
      EXPECT_NEAR(with_guide.mean, combined.mean,
                  4.0 * std::hypot(with_guide.error, combined.error));
      const bool is_in_grid = from.x < 8.0f;
      if (is_in_grid && is_black(sky)) {
        EXPECT_LT(found.error, 0.7 * expected.error);
      }
    }
  }
}

// The lamp is the last one in the list, so that all others have less power than a bin.
TYPED_TEST(LightGuideTest, KeepsTheLightOfOneLampThatOutshinesAllOthers) {
  for (const float strength : {1e4f, 1e9f})
    for (const Sky& sky : {Sky{}, kBlueSky}) {
      HostScene scene = lamps_over_floor();
      scene.sky = sky;
      scene.materials.push_back({.emission = glm::vec3(strength)});
      add_sphere(scene, {7.9f, 1.5f, 7.9f}, 0.3f, 3);
      const TypeParam plain(scene);
      TypeParam guided(scene);
      guided.guide_lights();
      for (glm::vec3 from : {glm::vec3(0.0f), glm::vec3(7.0f, 0.0f, 7.0f)}) {
        const Estimate expected = combined_irradiance(plain, from, kUp, 4'000),
                       found = combined_irradiance(guided, from, kUp, 4'000);
        EXPECT_GT(expected.mean, 0.01 * strength / 8.0 / 8.0 / 3.0);
        EXPECT_NEAR(found.mean, expected.mean, 4.0 * std::hypot(found.error, expected.error));
      }
    }
}

// A uniform chooses each light with a probability that its factor describes:
// the mean of 1 / factor over the guided uniforms is that over all uniforms, 1.
TYPED_TEST(LightGuideTest, KnowsTheDensityOfItsUniforms) {
  HostScene scene = lamps_over_floor();
  scene.sky = kBlueSky;
  TypeParam lit(scene);
  lit.guide_lights();
  const LightGuide& guide = lit.lights.light_guide;
  const auto local = uint32_t(lit.table().local.size());
  for (glm::vec3 from : {glm::vec3(1.0f, 0.0f, 2.0f), glm::vec3(-2.0f, 0.0f, 0.0f)}) {
    const auto share_of_half = [&](bool upper) {
      return estimate(100'000, [&](uint32_t i) {
        const glm::uvec3 u = Sampler{.sample = i}.light3(0);
        const GuidedUniform guided = guide_light(guide, from, u.x, u.z);
        const bool is_local = sample_cdf_table(lit.lights.choices, guided.u).item < local;
        const float density =
            guided.factor * (is_local ? lit.table().light_guide.mis_factor : 1.0f);
        return guided.u >> 31 == uint32_t(upper) ? 1.0f / density : 0.0f;
      });
    };
    for (const bool upper : {false, true}) {
      const Estimate share = share_of_half(upper);
      EXPECT_NEAR(share.mean, 0.5, 5.0 * share.error);
    }
  }
}

TEST(LightGuide, IsBuiltForManyLightsByPower) {
  const auto has_guide = [](uint32_t lights, LightChoice by) {
    LitScene<kExtended> lit(light_cloud(lights), by);
    lit.guide_lights();
    return lit.lights.light_guide.exists();
  };
  EXPECT_TRUE(has_guide(40, LightChoice::kPower));
  EXPECT_FALSE(has_guide(20, LightChoice::kPower));
  EXPECT_FALSE(has_guide(40, LightChoice::kUniform));
  EXPECT_FALSE(has_guide(40, LightChoice::kBvh));
}

}  // namespace
}  // namespace winnow
