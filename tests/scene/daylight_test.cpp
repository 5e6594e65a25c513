// SPDX-License-Identifier: MIT
#include "scene/daylight.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "math/sampling.h"

namespace winnow {
namespace {

constexpr float kEfficacy = 179.0f;  // lm / W

glm::vec3 direction(float zenith_degrees, float azimuth_degrees = 0.0f) {
  const float theta = zenith_degrees * kPi / 180.0f, phi = azimuth_degrees * kPi / 180.0f;
  return {std::sin(theta) * std::sin(phi), std::cos(theta), -std::sin(theta) * std::cos(phi)};
}

/// The closed form of the model at the zenith: kcd m^-2.
double zenith_luminance(double turbidity, double sun_zenith) {
  const double chi = (4.0 / 9.0 - turbidity / 120.0) * (M_PI - 2.0 * sun_zenith);
  return (4.0453 * turbidity - 4.9710) * std::tan(chi) - 0.2155 * turbidity + 2.4192;
}

TEST(Daylight, HasTheLuminanceOfTheModelAtTheZenith) {
  for (float turbidity : {2.0f, 3.0f, 6.0f})
    for (float sun : {20.0f, 50.0f, 75.0f}) {
      const Daylight day{.to_sun = direction(sun), .turbidity = turbidity};
      const double expected = zenith_luminance(turbidity, sun * M_PI / 180.0);
      EXPECT_NEAR(luminance(make_sky(day)({0, 1, 0})) * kEfficacy / 1000.0, expected,
                  1e-3 * expected);
    }
}

TEST(Daylight, IsBlueAboveAndBrightAroundTheSun) {
  const Daylight day{.to_sun = direction(50.0f)};
  const glm::vec3 zenith = make_sky(day)({0, 1, 0});
  EXPECT_GT(zenith.z, 1.5f * zenith.x);
  EXPECT_GT(luminance(make_sky(day)(direction(48.0f))),
            2.0f * luminance(make_sky(day)(direction(48.0f, 180.0f))));
  // Symmetric about the sun.
  const glm::vec3 left = make_sky(day)(direction(60.0f, -40.0f));
  EXPECT_LT(glm::length(left - make_sky(day)(direction(60.0f, 40.0f))), 1e-3f * left.z);
}

TEST(Daylight, ASunThatSetsGrowsDimAndRed) {
  glm::vec3 before = sun_irradiance({.to_sun = direction(0.0f)});
  const double klx = luminance(before) * kEfficacy / 1000.0;
  EXPECT_GT(klx, 80.0);  // as measured on clear days: 90 to 110
  EXPECT_LT(klx, 115.0);
  for (float zenith : {40.0f, 70.0f, 85.0f, 90.0f}) {
    const glm::vec3 e = sun_irradiance({.to_sun = direction(zenith)});
    EXPECT_LT(luminance(e), luminance(before));
    EXPECT_GT(e.x / e.z, before.x / before.z);
    before = e;
  }
  EXPECT_LT(luminance(sun_irradiance({.to_sun = direction(50.0f), .turbidity = 8.0f})),
            luminance(sun_irradiance({.to_sun = direction(50.0f), .turbidity = 2.0f})));
}

TEST(Daylight, IsANumberInEveryDirectionOnEveryDay) {
  for (float turbidity : {2.0f, 5.0f, 10.0f})
    for (float sun : {0.0f, 45.0f, 89.0f, 90.0f})
      for (float zenith : {0.0f, 45.0f, 89.9f, 90.0f})
        for (float azimuth : {0.0f, 90.0f, 180.0f}) {
          const glm::vec3 radiance = make_sky({.to_sun = direction(sun), .turbidity = turbidity})(
              direction(zenith, azimuth));
          for (int channel = 0; channel < 3; ++channel) {
            EXPECT_GE(radiance[channel], 0.0f);
            EXPECT_LT(radiance[channel], 1e4f);
          }
        }
}

TEST(Daylight, PutsSkyGroundAndSunIntoTheScene) {
  HostScene scene;
  const Daylight day{.to_sun = glm::normalize(glm::vec3(1, 2, 1)),
                     .up = glm::normalize(glm::vec3(0, 1, 1)),
                     .sky_scale = 2.0f};
  add_daylight(day, scene);
  const Image& image = scene.environment.image;
  ASSERT_EQ(image.pixels.size(), size_t(image.width) * image.height);
  EXPECT_LT(glm::length(scene.environment.to_world * glm::vec3(0, 1, 0) - day.up), 1e-6f);
  EXPECT_GT(glm::determinant(scene.environment.to_world), 0.9f);
  // A texel has the radiance of the sky in its direction.
  const uint32_t x = 100, y = 60;
  const float theta = kPi * (float(y) + 0.5f) / float(image.height);
  const float phi = kTwoPi * (float(x) + 0.5f) / float(image.width);
  const glm::vec3 w(std::sin(theta) * std::sin(phi), std::cos(theta),
                    -std::sin(theta) * std::cos(phi));
  const glm::vec3 expected = make_sky(day)(scene.environment.to_world * w);
  EXPECT_LT(glm::length(image.pixels[y * image.width + x] - expected), 1e-3f * expected.z);
  // The ground reflects a fifth of its irradiance, which is a little more than that of the sun.
  const glm::vec3 sun = sun_irradiance(day) * glm::dot(day.to_sun, day.up) * 0.2f * kInvPi;
  EXPECT_GT(image.pixels.back().x, sun.x);
  EXPECT_LT(image.pixels.back().x, 2.0f * sun.x);
  ASSERT_EQ(scene.delta_lights.size(), 1u);
  EXPECT_EQ(scene.delta_lights[0].direction, -day.to_sun);
  EXPECT_EQ(scene.delta_lights[0].intensity, sun_irradiance(day));
  EXPECT_NEAR(scene.delta_lights[0].disk_angle, 0.533f, 1e-6f);
}

}  // namespace
}  // namespace winnow
