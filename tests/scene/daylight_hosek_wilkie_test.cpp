// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "math/constants.h"
#include "scene/daylight.h"

namespace winnow {
namespace {

/// Divides radiance by the integral of the luminous efficiency, as Mitsuba does.
constexpr float kMitsubaUnit = 1.0f / 106.7502593f;

struct Measurement {
  float turbidity, elevation, albedo;  ///< degrees, of the sun
  float zenith, azimuth;               ///< degrees, of the direction; the sun's azimuth is 0
  glm::vec3 radiance;
};

/// Radiance that the sunsky emitter of Mitsuba 3.9.1 returned, without the sun.
constexpr Measurement kSkyOfMitsuba[] = {
    {3.0f, 40, 0.3f, 10, 0, {0.02615917f, 0.04395292f, 0.08419769f}},
    {3.0f, 40, 0.3f, 60, 30, {0.09391732f, 0.13001159f, 0.18659335f}},
    {3.0f, 40, 0.3f, 85, 180, {0.13965398f, 0.2036382f, 0.26106083f}},
    {4.5f, 12, 0.1f, 60, 30, {0.08215918f, 0.08963028f, 0.09034504f}},
    {4.5f, 12, 0.1f, 50, 90, {0.02307303f, 0.03653145f, 0.05206216f}},
    {9.3f, 70, 0.8f, 10, 0, {0.8290904f, 0.80899966f, 0.71451753f}},
    {9.3f, 70, 0.8f, 85, 180, {0.27666688f, 0.2778187f, 0.2905276f}},
    {1.0f, 3, 0.3f, 85, 180, {0.08778916f, 0.07575357f, 0.03701694f}},
};

TEST(HosekWilkie, HasTheSkyOfMitsuba) {
  for (const Measurement& m : kSkyOfMitsuba) {
    const float e = glm::radians(m.elevation), zenith = glm::radians(m.zenith);
    const float azimuth = glm::radians(m.azimuth);
    const glm::vec3 sun(std::cos(e), 0.0f, std::sin(e));
    const glm::vec3 w(std::sin(zenith) * std::cos(azimuth), std::sin(zenith) * std::sin(azimuth),
                      std::cos(zenith));
    const HosekWilkieSky sky(m.turbidity, glm::vec3(m.albedo), e);
    const glm::vec3 radiance = kMitsubaUnit * sky.radiance(w.z, std::acos(glm::dot(w, sun)));
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(radiance[channel], m.radiance[channel], 1e-3f * m.radiance[channel])
          << "turbidity " << m.turbidity << ", zenith " << m.zenith;
  }
}

struct SunMeasurement {
  float turbidity, elevation;  ///< degrees
  glm::vec3 irradiance;
};

/// Radiance of the sun of Mitsuba 3.9.1 times the solid angle of its disk.
constexpr SunMeasurement kSunOfMitsuba[] = {
    {1.0f, 90, {1.56139f, 1.32578f, 1.04742f}},  {1.0f, 25, {1.42885f, 1.10058f, 0.68613f}},
    {3.0f, 40, {1.44919f, 1.17789f, 0.84652f}},  {3.0f, 14, {1.15311f, 0.77944f, 0.36186f}},
    {10.0f, 70, {0.99727f, 0.80393f, 0.64417f}}, {10.0f, 25, {0.53012f, 0.36929f, 0.24330f}},
};

TEST(HosekWilkie, HasTheSunOfMitsuba) {
  // Mitsuba interpolates between elevations that are three degrees apart.
  constexpr float kInterpolation = 0.02f;
  for (const SunMeasurement& m : kSunOfMitsuba) {
    const glm::vec3 sun = kMitsubaUnit * hosek_wilkie_sun(m.turbidity, glm::radians(m.elevation));
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(sun[channel], m.irradiance[channel], kInterpolation * m.irradiance[channel])
          << "turbidity " << m.turbidity << ", elevation " << m.elevation;
  }
}

TEST(HosekWilkie, IsANumberForEverySunAndDirection) {
  for (float turbidity : {1.0f, 2.7f, 10.0f})
    for (float elevation : {0.0f, 0.01f, 0.3f, 0.5f * kPi}) {
      const HosekWilkieSky sky(turbidity, {0.0f, 0.5f, 1.0f}, elevation);
      for (float cos_zenith : {1e-3f, 0.1f, 0.7f, 1.0f})
        for (float sun_angle : {0.0f, 0.5f, 3.0f, kPi})
          for (int channel = 0; channel < 3; ++channel) {
            const float radiance = sky.radiance(cos_zenith, sun_angle)[channel];
            EXPECT_GE(radiance, 0.0f);
            EXPECT_LT(radiance, 1e4f);
          }
      EXPECT_GE(hosek_wilkie_sun(turbidity, elevation).z, 0.0f);
    }
  EXPECT_EQ(hosek_wilkie_sun(3.0f, 0.0f), glm::vec3(0.0f));
}

}  // namespace
}  // namespace winnow
