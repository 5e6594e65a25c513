// SPDX-License-Identifier: MIT
#include "shading/light/environment.h"

#include <gtest/gtest.h>

#include <glm/gtc/matrix_transform.hpp>

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

HostScene scene_with_map(const EnvironmentMap& map) {
  HostScene scene = empty_scene();
  scene.environment = map;
  return scene;
}

EnvironmentMap black_map(uint32_t height) {
  return environment_of(height, [](glm::vec3) { return glm::vec3(0.0f); });
}

/// Noise with a bright spot, turned and mirrored.
EnvironmentMap spotted_map() {
  EnvironmentMap map = black_map(12);
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
  const LitScene<kExtended> lit(scene_with_map(map));
  ASSERT_EQ(lit.lights.sky_probability, 1.0f);
  for (glm::vec3 axis : {map.to_world * kUp, glm::vec3(0, 0, 1)})
    EXPECT_TRUE(samples_follow_density(
        {.axis = axis, .rings = 24, .sectors = 48, .subdivision = 12},
        [&](glm::vec4 u) { return lit.sample({}, u).wi; },
        [&](glm::vec3 w) { return look_up_environment(lit.lights.environment, w).pdf; }, 2,
        400'000));
}

/// A sky with a soft sun.
EnvironmentMap sunny_map() {
  const glm::vec3 sun = glm::normalize(glm::vec3(0.5f, 0.6f, -0.4f));
  return environment_of(64, [&](glm::vec3 w) {
    return glm::vec3(0.8f + 30.0f * std::exp(200.0f * (glm::dot(w, sun) - 1.0f)));
  });
}

TEST(Environment, SamplesOfPeaksFollowTheDensity) {
  const LitScene<kExtended> lit(scene_with_map(spotted_map()), LightChoice::kPower, true);
  ASSERT_GT(lit.lights.environment.floor, 0.0f);
  ASSERT_EQ(lit.lights.sky_probability, 1.0f);
  EXPECT_TRUE(samples_follow_density(
      {.axis = glm::vec3(0, 0, 1), .rings = 24, .sectors = 48, .subdivision = 12},
      [&](glm::vec4 u) { return lit.sample({}, u).wi; },
      [&](glm::vec3 w) { return look_up_environment(lit.lights.environment, w).pdf; }, 2, 400'000));
}

// BSDF sampling and samples of the peaks together estimate the light of the whole map, and better
// than with samples of the whole map.
TEST(Environment, SamplesOfPeaksSuffice) {
  for (const EnvironmentMap& map : {sunny_map(), spotted_map()}) {
    const HostScene scene = scene_with_map(map);
    const LitScene<kExtended> all(scene), peaks(scene, LightChoice::kPower, true);
    ASSERT_GT(peaks.lights.environment.floor, 0.0f);
    const Estimate expected = combined_irradiance(all, {}, kUp, 100'000),
                   found = combined_irradiance(peaks, {}, kUp, 100'000);
    EXPECT_NEAR(found.mean, expected.mean, 4.0 * std::hypot(found.error, expected.error));
    EXPECT_LT(found.error, expected.error);
  }
}

TEST(Environment, HasNoSamplesIfItIsEvenAndAlone) {
  for (uint32_t rows : {1, 2, 3, 8}) {
    HostScene scene = empty_scene();
    scene.environment.image = {2 * rows, rows, std::vector(2 * rows * rows, glm::vec3(1.0f))};
    const LitScene<kExtended> lit(scene, LightChoice::kPower, true);
    EXPECT_EQ(lit.sample({}, glm::vec4(0.5f)).pdf, 0.0f) << rows;
    EXPECT_EQ(look_up_sky(lit.lights, {}, glm::normalize(glm::vec3(1, 0.1f, 0.2f))).pdf, 0.0f);
    EXPECT_NEAR(combined_irradiance(lit, {}, kUp).mean, kPi, 1e-4) << rows;
  }
}

TEST(Environment, HasAllSamplesIfItIsEvenBesideALamp) {
  for (uint32_t rows : {1, 2, 3, 8}) {
    HostScene scene = empty_scene();
    add_sphere(scene, {0.0f, 3.0f, 0.0f}, 0.5f);
    scene.environment.image = {2 * rows, rows, std::vector(2 * rows * rows, glm::vec3(1.0f))};
    const LitScene<kExtended> lit(scene, LightChoice::kPower, true);
    EXPECT_GT(lit.lights.sky_probability, 0.1f);
    EXPECT_EQ(lit.lights.environment.floor, 0.0f) << rows;
    EXPECT_GT(look_up_sky(lit.lights, {}, glm::normalize(glm::vec3(1, 0.1f, 0.2f))).pdf, 0.0f);
  }
}

/// Variance of the irradiance on a plane that faces up, relative to its square, by `count` light
/// samples of a pixel.
double irradiance_variance(const LitScene<kExtended>& lit, SamplerType type, uint32_t count) {
  constexpr uint32_t kPixels = 500;
  double sum = 0.0, squares = 0.0;
  for (uint32_t pixel = 0; pixel < kPixels; ++pixel) {
    double irradiance = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
      const Sampler sampler{.seed = pixel,
                            .sample = i,
                            .type = type,
                            .log2_samples = log2_samples_for(count),
                            .width = 1};
      const LightSample light = lit.sample({}, sampler.light3(0));
      if (light.pdf > 0.0f)
        irradiance += double(light.radiance.x * std::max(light.wi.y, 0.0f) / light.pdf) / count;
    }
    sum += irradiance;
    squares += irradiance * irradiance;
  }
  const double mean = sum / kPixels;
  return (squares / kPixels - mean * mean) / (mean * mean);
}

// For a smooth function of two numbers, the variance is of order 1 / n with random samples, 1 / n^2
// with stratified ones, and nearly 1 / n^3 with scrambled nets: Owen, "Scrambled Net Variance for
// Integrals of Smooth Functions", 1997. A choice of cells that shuffles the map would give 1 / n.
TEST(Environment, SamplesKeepTheirStrata) {
  const glm::vec3 sun = glm::normalize(glm::vec3(0.5f, 0.6f, -0.4f));
  const LitScene<kExtended> lit(scene_with_map(environment_of(64, [&](glm::vec3 w) {
    return glm::vec3(0.2f + std::exp(60.0f * (glm::dot(w, sun) - 1.0f)));
  })));
  const double random = irradiance_variance(lit, SamplerType::kHash, 64);
  const double few = irradiance_variance(lit, SamplerType::kSobol, 16),
               many = irradiance_variance(lit, SamplerType::kSobol, 256);
  EXPECT_NEAR(random, irradiance_variance(lit, SamplerType::kHash, 256) * 4.0, 0.3 * random);
  EXPECT_LT(few, random);
  EXPECT_LT(many, few / (16.0 * 16.0));
}

TEST(Environment, SamplesKnowWhatTheMapShowsThere) {
  const EnvironmentMap map = spotted_map();
  const LitScene<kExtended> lit(scene_with_map(map));
  for (uint32_t i = 0; i < 20'000; ++i) {
    const LightSample sample = lit.sample({}, Sampler{.sample = i}.light3(0));
    ASSERT_GT(sample.pdf, 0.0f);
    const EnvironmentLookup seen = look_up_environment(lit.lights.environment, sample.wi);
    EXPECT_LT(glm::length(sample.radiance - seen.radiance), 1e-3f * glm::length(seen.radiance));
    EXPECT_NEAR(sample.pdf, seen.pdf, 1e-3f * seen.pdf);
  }
}

TEST(Environment, ShowsEachTexelInItsDirection) {
  EnvironmentMap map = environment_of(4, [](glm::vec3 w) { return w + 2.0f; });
  map.scale = 3.0f;
  const LitScene<kExtended> lit(scene_with_map(map));
  for (uint32_t i = 0; i < map.image.pixels.size(); ++i) {
    const glm::vec3 w = glm::normalize(map.image.pixels[i] - 2.0f);
    const glm::vec3 seen = look_up_environment(lit.lights.environment, w).radiance;
    EXPECT_LT(glm::length(seen - 3.0f * map.image.pixels[i]), 1e-4f) << i;
  }
}

// The orientation is Mitsuba's: the upper edge is +y, the left one -z, a quarter from there +x.
TEST(Environment, LiesWithItsMiddleTowardsZ) {
  EnvironmentMap map = black_map(2);
  for (int i = 0; i < 8; ++i) map.image.pixels[i].x = float(i + 1);
  auto seen = [&](glm::vec3 w) {
    const LitScene<kExtended> lit(scene_with_map(map));
    return look_up_environment(lit.lights.environment, glm::normalize(w)).radiance.x;
  };
  EXPECT_NEAR(seen({1, 1.41421356f, -1}), 1.0f, 1e-3f);
  EXPECT_NEAR(seen({1, 1.41421356f, 1}), 2.0f, 1e-3f);
  EXPECT_NEAR(seen({-1, 1.41421356f, 1}), 3.0f, 1e-3f);
  EXPECT_NEAR(seen({-1, -1.41421356f, -1}), 8.0f, 1e-3f);
  map.to_world = glm::mat3(glm::rotate(glm::mat4(1.0f), 0.5f * kPi, kUp));  // -z becomes -x
  EXPECT_NEAR(seen({-1, 1.41421356f, -1}), 1.0f, 1e-3f);
}

void expect_irradiance_of_map(const EnvironmentMap& map, glm::vec3 n, double expected,
                              double tolerance) {
  constexpr uint32_t kCount = 200'000;
  const LitScene<kExtended> lit(scene_with_map(map));
  EXPECT_NEAR(sampled_irradiance(lit, {}, n, kCount).mean, expected, tolerance);
  EXPECT_NEAR(combined_irradiance(lit, {}, n, kCount).mean, expected, tolerance);
}

TEST(Environment, UniformMapGivesPiTimesItsRadiance) {
  for (glm::vec3 n : {kUp, glm::vec3{0.6f, 0.0f, 0.8f}})
    expect_irradiance_of_map(environment_of(5, [](glm::vec3) { return glm::vec3(0.5f); }), n,
                             M_PI * 0.5, 0.01);
}

// White above a plane through the eye, black below: E = pi (1 + cos) / 2 of the angle between their
// normals.
TEST(Environment, HalfWhiteMapGivesItsAnalyticIrradiance) {
  const glm::vec3 n = glm::normalize(glm::vec3(0.4f, 0.5f, -0.7f));
  for (glm::vec3 up : {kUp, glm::vec3{0.0f, 0.0f, 1.0f}})
    expect_irradiance_of_map(
        environment_of(256, [&](glm::vec3 w) { return glm::vec3(glm::dot(w, up) > 0.0f); }), n,
        M_PI * 0.5 * (1.0 + double(glm::dot(n, up))), 0.012);
}

TEST(Environment, BlackMapGivesNoLight) {
  const LitScene<kExtended> lit(scene_with_map(black_map(4)));
  EXPECT_EQ(lit.lights.sky_probability, 0.0f);
  EXPECT_EQ(look_up_sky(lit.lights, kUp).radiance, glm::vec3(0.0f));
  EXPECT_EQ(look_up_sky(lit.lights, kUp).pdf, 0.0f);
}

TEST(Environment, OneTexelAndThePolesGiveNumbers) {
  EnvironmentMap map;
  map.image = {1, 1, {glm::vec3(2.0f)}};
  const LitScene<kExtended> lit(scene_with_map(map));
  for (glm::vec3 w :
       {kUp, -kUp, glm::vec3(0, 0, -1), glm::vec3(-0.0f, 0, -1), glm::vec3(1, 0, 0)}) {
    const EnvironmentLookup seen = look_up_environment(lit.lights.environment, w);
    EXPECT_EQ(seen.radiance, glm::vec3(2.0f));
    EXPECT_TRUE(std::isfinite(seen.pdf));
  }
}

}  // namespace
}  // namespace winnow
