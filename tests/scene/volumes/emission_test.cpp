// SPDX-License-Identifier: MIT
#include "scene/volumes/emission.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/spectra/spectrum.h"
#include "tests/scene/volumes/support/grids.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

/// Interpolates the table of a part.
glm::vec3 radiance_of(const EmissionPart& part, float value) {
  const float at = value / part.step, below = std::floor(at);
  const auto entry = [&](float i) {
    return part.radiances.at(std::min(size_t(i), part.radiances.size() - 1));
  };
  return glm::mix(entry(below), entry(below + 1.0f), at - below);
}

TEST(Emission, IsProportionalToTheValueUpToTheLargestOne) {
  const EmissionPart part = proportional_emission({1, 2, 3}, 8.0f);
  for (const float value : {0.0f, 0.1f, 5.0f, 8.0f})
    expect_near(radiance_of(part, value), value * glm::vec3(1, 2, 3), 1e-5f);
  EXPECT_EQ(proportional_emission({1, 2, 3}, 0.0f).radiances, std::vector{glm::vec3(0.0f)});
}

/// Temperatures between two entries, too.
TEST(Emission, OfBlackBodiesFollowsTheirSpectra) {
  const BlackBodyScale scale{.radiance = {2, 1, 1}, .kelvin = 1000.0f, .offset = 1.0f};
  const EmissionPart part = black_body_emission(scale, 7.0f);
  for (float kelvin = 1200.0f; kelvin < 6000.0f; kelvin += 333.3f) {
    const glm::vec3 expected = scale.radiance * rgb_of_black_body_over_maximum(kelvin);
    expect_near(radiance_of(part, kelvin / 1000.0f + 1.0f), expected,
                2e-3f * std::max(expected.x, expected.y));
  }
  EXPECT_EQ(radiance_of(part, 1.05f), glm::vec3(0.0f)) << "below 100 K";
}

/// The spectrum of 5000 K, whose maximum is visible, by samples.
TEST(Emission, OfABlackBodyIsItsSpectrumOverTheMaximum) {
  for (const double kelvin : {1500.0, 5000.0, 20000.0}) {
    const auto planck = [&](double wavelength) {  // nm
      return std::pow(wavelength, -5.0) / std::expm1(1.438777e7 / (wavelength * kelvin));
    };
    std::vector<SpectrumSample> samples;
    for (float wavelength = 360.0f; wavelength <= 830.0f; wavelength += 1.0f)
      samples.push_back({wavelength, float(planck(wavelength) / planck(2.897772e6 / kelvin))});
    const glm::vec3 expected = rgb_of_emission(samples);
    expect_near(rgb_of_black_body_over_maximum(float(kelvin)), expected,
                2e-3f * expected.x + 1e-6f);
  }
}

TEST(Emission, LargestValueIsThatOfAllBricks) {
  const DensityGrid grid = grid_of({20, 3, 3}, GridBorder::kFade, [](auto i, auto, auto) {
    return i == 17 ? 5.0f : float(i % 3);
  });
  EXPECT_EQ(largest_value(grid), 5.0f);
}

}  // namespace
}  // namespace winnow
