// SPDX-License-Identifier: MIT
#include "shading/light/environment.h"

#include <gtest/gtest.h>

#include <glm/gtc/matrix_transform.hpp>

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

HostScene scene_of(const EnvironmentMap& map) {
  HostScene scene = empty_scene();
  scene.environment = map;
  return scene;
}

/// Noise with a bright spot, turned and mirrored.
EnvironmentMap spotted_map() {
  EnvironmentMap map = environment_of(12, [](glm::vec3) { return glm::vec3(0.0f); });
  for (size_t i = 0; i < map.image.pixels.size(); ++i) {
    const glm::vec4 u = Sampler{.seed = 3, .sample = uint32_t(i)}.sample4(0);
    map.image.pixels[i] = u.w < 0.3f ? glm::vec3(0.0f) : glm::vec3(u);
  }
  map.image.pixels[5 * 24] = glm::vec3(40.0f);  // at the seam
  map.image.pixels[7] = glm::vec3(9.0f);        // at the pole
  map.scale = 2.0f;
  map.to_world = glm::mat3(glm::rotate(glm::mat4(1.0f), 0.7f, glm::normalize(glm::vec3(1, 2, 3))));
  map.to_world[0] = -map.to_world[0];
  return map;
}

TEST(Environment, SamplesFollowTheDensity) {
  const EnvironmentMap map = spotted_map();
  const LitScene<kExtended> lit(scene_of(map));
  ASSERT_EQ(lit.lights.sky_probability, 1.0f);
  for (glm::vec3 axis : {map.to_world * kUp, glm::vec3(0, 0, 1)})
    EXPECT_TRUE(samples_follow_density(
        {.axis = axis, .rings = 24, .sectors = 48, .subdivision = 12},
        [&](glm::vec4 u) {
          return sample_environment(lit.lights.environment, {u.x, u.y}, {u.z, u.w});
        },
        [&](glm::vec3 w) { return look_up_environment(lit.lights.environment, w).pdf; }, 2,
        400'000));
}

TEST(Environment, ShowsEachTexelInItsDirection) {
  EnvironmentMap map = environment_of(4, [](glm::vec3 w) { return w + 2.0f; });
  map.scale = 3.0f;
  const LitScene<kExtended> lit(scene_of(map));
  for (uint32_t i = 0; i < map.image.pixels.size(); ++i) {
    const glm::vec3 w = glm::normalize(map.image.pixels[i] - 2.0f);
    const glm::vec3 seen = look_up_environment(lit.lights.environment, w).radiance;
    EXPECT_LT(glm::length(seen - 3.0f * map.image.pixels[i]), 1e-4f) << i;
  }
}

// The orientation is Mitsuba's: the upper edge is +y, the left one -z, a quarter from there +x.
TEST(Environment, LiesWithItsMiddleTowardsZ) {
  EnvironmentMap map = environment_of(2, [](glm::vec3) { return glm::vec3(0.0f); });
  map.image.pixels = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0},
                      {5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}};
  auto seen = [&](glm::vec3 w) {
    const LitScene<kExtended> lit(scene_of(map));
    return look_up_environment(lit.lights.environment, glm::normalize(w)).radiance.x;
  };
  EXPECT_NEAR(seen({1, 1.41421356f, -1}), 1.0f, 1e-3f);
  EXPECT_NEAR(seen({1, 1.41421356f, 1}), 2.0f, 1e-3f);
  EXPECT_NEAR(seen({-1, 1.41421356f, 1}), 3.0f, 1e-3f);
  EXPECT_NEAR(seen({-1, -1.41421356f, -1}), 8.0f, 1e-3f);
  map.to_world = glm::mat3(glm::rotate(glm::mat4(1.0f), 0.5f * kPi, kUp));  // -z becomes -x
  EXPECT_NEAR(seen({-1, 1.41421356f, -1}), 1.0f, 1e-3f);
}

struct Irradiance {
  double by_samples = 0.0, by_both = 0.0;  // the latter with MIS
};

/// Red, on a plane of normal n.
Irradiance irradiance(const LitScene<kExtended>& lit, glm::vec3 n) {
  constexpr uint32_t kCount = 200'000;
  Irradiance sum;
  for (uint32_t i = 0; i < kCount; ++i) {
    const Sampler sampler{.seed = 5, .sample = i};
    const glm::vec4 u = sampler.sample4(0), v = sampler.sample4(1);
    const LightSample light = sample_sky_light(lit.lights, {u.x, u.y}, {u.z, u.w});
    const float cosine = glm::max(glm::dot(light.wi, n), 0.0f);
    if (light.pdf > 0.0f) {
      const float value = light.radiance.x * cosine / light.pdf;
      sum.by_samples += value / double(kCount);
      sum.by_both +=
          value * power_heuristic(light.mis_pdf, cosine_hemisphere_pdf(cosine)) / double(kCount);
    }
    const glm::vec3 w = sample_cosine_hemisphere({v.x, v.y});
    const EnvironmentLookup seen = look_up_sky(lit.lights, Frame(n).to_world(w));
    sum.by_both += seen.radiance.x * kPi * power_heuristic(cosine_hemisphere_pdf(w.z), seen.pdf) /
                   double(kCount);
  }
  return sum;
}

TEST(Environment, UniformMapGivesPiTimesItsRadiance) {
  const LitScene<kExtended> lit(
      scene_of(environment_of(5, [](glm::vec3) { return glm::vec3(0.5f); })));
  for (glm::vec3 n : {kUp, glm::vec3{0.6f, 0.0f, 0.8f}}) {
    const Irradiance e = irradiance(lit, n);
    EXPECT_NEAR(e.by_samples, M_PI * 0.5, 0.01);
    EXPECT_NEAR(e.by_both, M_PI * 0.5, 0.01);
  }
}

// White above a plane through the eye, black below: E = pi (1 + cos) / 2 of the angle between their
// normals.
TEST(Environment, HalfWhiteMapGivesItsAnalyticIrradiance) {
  const glm::vec3 n = glm::normalize(glm::vec3(0.4f, 0.5f, -0.7f));
  for (glm::vec3 up : {kUp, glm::vec3{0.0f, 0.0f, 1.0f}}) {
    const LitScene<kExtended> lit(scene_of(environment_of(
        256, [&](glm::vec3 w) { return glm::vec3(glm::dot(w, up) > 0.0f ? 1.0f : 0.0f); })));
    const double expected = M_PI * 0.5 * (1.0 + double(glm::dot(n, up)));
    const Irradiance e = irradiance(lit, n);
    EXPECT_NEAR(e.by_samples, expected, 0.012);
    EXPECT_NEAR(e.by_both, expected, 0.012);
  }
}

TEST(Environment, BlackMapGivesNoLight) {
  const LitScene<kExtended> lit(
      scene_of(environment_of(4, [](glm::vec3) { return glm::vec3(0.0f); })));
  EXPECT_EQ(lit.lights.sky_probability, 0.0f);
  EXPECT_EQ(look_up_sky(lit.lights, kUp).radiance, glm::vec3(0.0f));
  EXPECT_EQ(look_up_sky(lit.lights, kUp).pdf, 0.0f);
}

TEST(Environment, OneTexelAndThePolesGiveNumbers) {
  EnvironmentMap map;
  map.image = {1, 1, {glm::vec3(2.0f)}};
  const LitScene<kExtended> lit(scene_of(map));
  for (glm::vec3 w :
       {kUp, -kUp, glm::vec3(0, 0, -1), glm::vec3(-0.0f, 0, -1), glm::vec3(1, 0, 0)}) {
    const EnvironmentLookup seen = look_up_environment(lit.lights.environment, w);
    EXPECT_EQ(seen.radiance, glm::vec3(2.0f));
    EXPECT_TRUE(std::isfinite(seen.pdf));
  }
}

}  // namespace
}  // namespace winnow
