// SPDX-License-Identifier: MIT
#include "scene/spectra/spectrum.h"

#include <gtest/gtest.h>

#include "tests/support/expect_near.h"

namespace winnow {
namespace {

constexpr SpectrumSample kFlatSpectrum[] = {{360.0f, 1.0f}, {830.0f, 1.0f}};
constexpr SpectrumSample kFlatVisible[] = {{400.0f, 1.0f}, {700.0f, 1.0f}};
constexpr SpectrumSample kRisingSpectrum[] = {{380.0f, 0.2f}, {780.0f, 0.9f}};
/// The lamp of the Cornell box.
constexpr SpectrumSample kLampSpectrum[] = {
    {400.0f, 0.0f}, {500.0f, 8.0f}, {600.0f, 15.6f}, {700.0f, 18.4f}};

constexpr float kOwnIntegration = 0.002f;  // Mitsuba sums 1000 wavelengths

// The values are those of Mitsuba 3.9.1, variant scalar_rgb.
TEST(Spectrum, AConstantReflectanceIsGrey) {
  expect_near(rgb_of_reflectance(kFlatSpectrum), glm::vec3(1.0f), kOwnIntegration);
}
TEST(Spectrum, ReflectancesAreThoseOfMitsuba) {
  constexpr glm::vec3 kWhiteOfMitsuba(0.998985f, 0.998874f, 0.998802f);  // ours is 1
  expect_near(rgb_of_reflectance(kFlatVisible) * kWhiteOfMitsuba, {0.995342f, 0.999756f, 0.994909f},
              kOwnIntegration);
  expect_near(rgb_of_reflectance(kRisingSpectrum) * kWhiteOfMitsuba,
              {0.658558f, 0.48471f, 0.306035f}, kOwnIntegration);
}
TEST(Spectrum, EmissionsAreThoseOfMitsuba) {
  expect_near(rgb_of_emission(kFlatSpectrum), {1.20488f, 0.948228f, 0.909267f}, kOwnIntegration);
  expect_near(rgb_of_emission(kRisingSpectrum), {0.779085f, 0.461337f, 0.273177f}, kOwnIntegration);
  constexpr float kBrightest = 20.0f;
  expect_near(rgb_of_emission(kLampSpectrum), {20.7108f, 10.8546f, 2.77115f},
              kBrightest * kOwnIntegration);
}
TEST(Spectrum, ColoursOutOfGamutAreClamped) {
  constexpr SpectrumSample kGreen[] = {{500.0f, 1.0f}, {510.0f, 1.0f}};
  constexpr float kOneOfTwentyOneSamples =
      0.0781108f / 21.0f;  // one of Mitsuba's samples in this band
  expect_near(rgb_of_reflectance(kGreen), {0.0f, 0.0781108f, 0.0146232f}, kOneOfTwentyOneSamples);
  EXPECT_EQ(rgb_of_reflectance(kGreen).r, 0.0f);
}

// CIE: the black body of 6504 K lies beside D65, and illuminant A is that of 2856 K, with the
// chromaticity (0.4476, 0.4074).
TEST(Spectrum, ABlackBodyOfDaylightIsNearlyWhite) {
  constexpr float kTint = 0.06f;  // D65 is greener than the black body
  expect_near(rgb_of_black_body(6504.0f), glm::vec3(1.0f), kTint);
}
TEST(Spectrum, ABlackBodyOfALightBulbIsIlluminantA) {
  constexpr float kX = 0.4476f, kY = 0.4074f;
  expect_near(rgb_of_black_body(2856.0f), rgb_of_xyz({kX / kY, 1.0, (1.0f - kX - kY) / kY}),
              kOwnIntegration);
}
TEST(Spectrum, BlackBodiesOfAnyTemperatureHaveAColour) {
  for (float temperature : {1.0f, 300.0f, 1e5f, 1e9f}) {
    const glm::vec3 rgb = rgb_of_black_body(temperature);
    EXPECT_TRUE(rgb.r >= 0.0f && rgb.r < 10.0f) << temperature;
    EXPECT_TRUE(rgb.b >= 0.0f && rgb.b < 10.0f) << temperature;
  }
}

}  // namespace
}  // namespace winnow
