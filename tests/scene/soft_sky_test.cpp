// SPDX-License-Identifier: MIT
#include "scene/soft_sky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "math/constants.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

/// Irradiance of surfaces that face up and down, by the radiance of each direction.
template <class Radiance>
std::pair<glm::vec3, glm::vec3> irradiance(Radiance radiance) {
  constexpr uint32_t kRows = 128;
  constexpr float kStep = kPi / float(kRows);
  glm::dvec3 up(0.0), down(0.0);
  for (uint32_t y = 0; y < kRows; ++y)
    for (uint32_t x = 0; x < 2 * kRows; ++x) {
      const float theta = kStep * (float(y) + 0.5f);
      const double weight = double(kStep * kStep * std::sin(theta) * std::abs(std::cos(theta)));
      (y < kRows / 2 ? up : down) += weight * glm::dvec3(radiance(x, y));
    }
  return {glm::vec3(up), glm::vec3(down)};
}

std::pair<glm::vec3, glm::vec3> irradiance(const EnvironmentMap& map) {
  return irradiance(
      [&](uint32_t x, uint32_t y) { return map.image.pixels[size_t(y) * map.image.width + x]; });
}

TEST(StudioSky, LightsAsMuchAsTheGradientDoes) {
  const Sky sky = soft_sky();
  const auto [up, down] = irradiance([&](uint32_t, uint32_t y) {
    const float cosine = std::cos(kPi / 128.0f * (float(y) + 0.5f));
    return cosine < 0.0f ? sky.ground : (1.0f - cosine) * sky.horizon + cosine * sky.zenith;
  });
  const auto [studio_up, studio_down] = irradiance(studio_sky());
  expect_near(studio_up, up, 2e-3f);
  expect_near(studio_down, down, 2e-3f);
}

TEST(StudioSky, GivesMetalSomethingToMirror) {
  const EnvironmentMap map = studio_sky();
  ASSERT_EQ(map.image.pixels.size(), size_t(map.image.width) * map.image.height);
  float darkest = 1e9f, brightest = 0.0f;
  for (glm::vec3 pixel : map.image.pixels) {
    EXPECT_GE(std::min({pixel.x, pixel.y, pixel.z}), 0.1f);
    darkest = std::min(darkest, pixel.y);
    brightest = std::max(brightest, pixel.y);
  }
  EXPECT_GT(brightest, 4.0f);
  const size_t horizon = size_t(map.image.height / 2) * map.image.width;
  EXPECT_GT(map.image.pixels[horizon - 1].y, 1.5f * map.image.pixels[horizon].y);
}

TEST(StudioSky, TellsTheLowerHalfOfAMirrorFromTheGroundBehindIt) {
  const EnvironmentMap map = studio_sky();
  const glm::vec3 below = map.image.pixels.back();
  const glm::vec3 at_horizon = map.image.pixels[size_t(map.image.height / 2) * map.image.width];
  EXPECT_GT(at_horizon.y, 1.5f * below.y);
}

TEST(AddSoftSky, IsAStudioForSurfacesThatMirrorAndAGradientForOthers) {
  auto has_studio = [](const Material& material) {
    HostScene scene;
    scene.materials = {Material{}, material};
    add_soft_sky(scene);
    EXPECT_NE(scene.environment.image.pixels.empty(), scene.sky.zenith == glm::vec3(0.0f));
    return !scene.environment.image.pixels.empty();
  };
  EXPECT_FALSE(has_studio({}));
  EXPECT_FALSE(has_studio({.type = MaterialType::kPlastic}));
  EXPECT_FALSE(has_studio({.type = MaterialType::kPrincipled}));
  for (MaterialType type : {MaterialType::kMirror, MaterialType::kConductor,
                            MaterialType::kDielectric, MaterialType::kThinDielectric})
    EXPECT_TRUE(has_studio({.type = type}));
  EXPECT_TRUE(has_studio({.type = MaterialType::kPrincipled, .metallic = 0.5f}));
  EXPECT_TRUE(has_studio({.type = MaterialType::kPrincipled, .transmission = 1.0f}));
  EXPECT_TRUE(has_studio({.type = MaterialType::kPrincipled, .iridescence = 1.0f}));
}

}  // namespace
}  // namespace winnow
