// SPDX-License-Identifier: MIT
#include "wavefront/stage/grid_media.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/device_scene/support/medium_grid_of.h"
#include "tests/scene/volumes/support/grids.h"
#include "tests/support/estimate.h"

namespace winnow {
namespace {

constexpr uint32_t kFlights = 60'000;
constexpr double kFlightSigmas = 5.0;

/// A box from (0, 0, 0) to (1, 1, 1), in which the density grows linearly with z from 0 to 4. A
/// part of its bricks is clear.
DensityGrid ramp_grid() {
  return grid_of({20, 20, 41}, GridBorder::kClamp, [](auto i, auto, auto k) {
    return i < 15 ? 4.0f * (float(k) + 0.5f) / 41.0f : 0.0f;
  });
}

/// Integral of the density of ramp_grid() along the z axis up to z, where x is small.
double ramp_depth(double z) {
  return 2.0 * z * z;
}

const Ray kAlongRamp{.origin = {0.3f, 0.5f, -2.0f}, .direction = {0, 0, 1}};
const Medium kGreen{
    .absorption = {0.2f, 0.0f, 1.0f}, .scattering = {0.3f, 1.0f, 2.0f}, .asymmetry = 0.0f};

glm::dvec3 transmitted_by_ramp(const Medium& medium, double z) {
  const glm::dvec3 depth = glm::dvec3(extinction(medium)) * ramp_depth(z);
  return {std::exp(-depth.x), std::exp(-depth.y), std::exp(-depth.z)};
}

/// Expects the mean of value(i) per channel, up to noise, which must be small.
template <class Value>
void expect_mean_of_flights(const Value& value, glm::dvec3 expected) {
  for (int channel = 0; channel < 3; ++channel) {
    const Estimate mean = estimate(kFlights, [&](uint32_t i) { return double(value(i)[channel]); });
    EXPECT_NEAR(mean.mean, expected[channel], kFlightSigmas * mean.error + 1e-6) << channel;
    EXPECT_LT(mean.error, 0.06 * expected[channel] + 1e-6);
  }
}

TEST(GridMedia, RatioTrackingHasTheTransmittanceOfALinearDensityInEachChannel) {
  const MediumGridOf grid(ramp_grid(), glm::mat4(1.0f));
  for (const float z : {0.4f, 1.0f, 5.0f}) {
    const GridStretch stretch{kGreen, &*grid, 0.0f, 2.0f + z};
    expect_mean_of_flights(
        [&](uint32_t i) {
          RandomStream random({i, 5});
          glm::vec3 passed(1.0f);
          estimate_transmittance(stretch, kAlongRamp, random, passed);
          return passed;
        },
        transmitted_by_ramp(kGreen, std::min(z, 1.0f)));
  }
}

/// Roulette ends most estimates in dense smoke; the others stay unbiased.
TEST(GridMedia, RatioTrackingIsUnbiasedWhereLittleLightPasses) {
  const MediumGridOf grid(ramp_grid(), glm::mat4(1.0f));
  const Medium dense{.absorption = glm::vec3(2.5f)};
  const GridStretch stretch{dense, &*grid, 0.0f, 3.0f};
  const double expected = std::exp(-5.0);
  uint32_t ended = 0;
  const Estimate mean = estimate(kFlights, [&](uint32_t i) {
    RandomStream random({i, 6});
    glm::vec3 passed(1.0f);
    ended += estimate_transmittance(stretch, kAlongRamp, random, passed);
    return double(passed.x);
  });
  EXPECT_NEAR(mean.mean, expected, kFlightSigmas * mean.error);
  EXPECT_LT(mean.error, 0.05 * expected);
  EXPECT_GT(ended, kFlights / 2);
}

/// One flight through a list of stretches.
struct FlightEnd {
  glm::vec3 weight;
  float t;  ///< m; infinite if it passes
};

FlightEnd fly(const std::vector<GridStretch>& stretches, glm::vec3 throughput, uint32_t seed) {
  RandomStream random({seed, 7});
  const glm::vec2 u{random.uniform(), random.uniform()};
  GridFlight flight(throughput, u, RandomStream({seed, 8}));
  for (const GridStretch& stretch : stretches)
    if (float t = 0.0f; flight.ends_in(stretch, kAlongRamp, t))
      return {throughput * flight.weight_of_scattering(stretch.medium), t};
  return {throughput * flight.weight_of_passing(), INFINITY};
}

TEST(GridMedia, FreeFlightsOfColouredSmokeHaveTheDensityOfEachChannel) {
  const MediumGridOf grid(ramp_grid(), glm::mat4(1.0f));
  const std::vector<GridStretch> stretches{{kGreen, &*grid, 0.0f, 9.0f}};
  const glm::vec3 throughput{1.0f, 0.25f, 2.0f};
  const glm::dvec3 albedo = glm::dvec3(kGreen.scattering) / glm::dvec3(extinction(kGreen));
  expect_mean_of_flights(
      [&](uint32_t i) {
        const FlightEnd end = fly(stretches, throughput, i);
        return std::isfinite(end.t) ? glm::vec3(0.0f) : end.weight;
      },
      glm::dvec3(throughput) * transmitted_by_ramp(kGreen, 1.0));
  for (const float z : {0.5f, 1.0f})
    expect_mean_of_flights(
        [&](uint32_t i) {
          const FlightEnd end = fly(stretches, throughput, i);
          return end.t < 2.0f + z ? end.weight : glm::vec3(0.0f);
        },
        glm::dvec3(throughput) * albedo * (1.0 - transmitted_by_ramp(kGreen, double(z))));
}

/// Grey smoke without absorption: every weight is 1, so no light is lost and no noise is added.
TEST(GridMedia, FlightsOfGreySmokeThatAbsorbsNothingHaveTheWeightOne) {
  const MediumGridOf grid(ramp_grid(), glm::mat4(1.0f));
  const Medium white{.scattering = glm::vec3(3.0f)};
  for (uint32_t i = 0; i < 1000; ++i) {
    const FlightEnd end = fly({{white, &*grid, 0.0f, 9.0f}}, glm::vec3(1.0f), i);
    ASSERT_NEAR(end.weight.x, 1.0f, 1e-5f);
    ASSERT_NEAR(end.weight.z, 1.0f, 1e-5f);
  }
}

/// A constant grid is a homogeneous medium, whose closed form FreeFlight has.
TEST(GridMedia, AConstantGridIsAHomogeneousMedium) {
  const DensityGrid constant =
      grid_of({19, 3, 5}, GridBorder::kClamp, [](auto...) { return 2.0f; });
  const MediumGridOf grid(constant, glm::mat4(1.0f));
  const Medium twice{.absorption = 2.0f * kGreen.absorption,
                     .scattering = 2.0f * kGreen.scattering};
  const std::vector<GridStretch> in_grid{{kGreen, &*grid, 0.0f, 9.0f}},
      homogeneous{{twice, nullptr, 2.0f, 3.0f}};
  for (const auto* stretches : {&in_grid, &homogeneous}) {
    const glm::dvec3 depth = glm::dvec3(extinction(twice));
    expect_mean_of_flights(
        [&](uint32_t i) {
          const FlightEnd end = fly(*stretches, glm::vec3(1.0f), i);
          return end.t < 2.5f ? end.weight : glm::vec3(0.0f);
        },
        glm::dvec3(twice.scattering) / depth *
            glm::dvec3(1.0 - std::exp(-0.5 * depth.x), 1.0 - std::exp(-0.5 * depth.y),
                       1.0 - std::exp(-0.5 * depth.z)));
  }
}

/// Smoke, ink and fog on one ray: weights of all media multiply.
TEST(GridMedia, FlightsPassGridsInkAndFogOneAfterAnother) {
  const MediumGridOf grid(ramp_grid(), glm::mat4(1.0f));
  const Medium ink{.absorption = {0.5f, 0.1f, 0.7f}}, fog{.scattering = {0.2f, 0.6f, 0.4f}};
  const std::vector<GridStretch> stretches{{fog, nullptr, 0.0f, 1.0f},
                                           {ink, nullptr, 1.0f, 2.0f},
                                           {kGreen, &*grid, 2.0f, 2.5f},
                                           {ink, &*grid, 2.5f, 3.0f}};
  const glm::dvec3 others = -glm::dvec3(fog.scattering) - glm::dvec3(ink.absorption) -
                            glm::dvec3(ink.absorption) * (ramp_depth(1.0) - ramp_depth(0.5));
  expect_mean_of_flights(
      [&](uint32_t i) {
        const FlightEnd end = fly(stretches, glm::vec3(1.0f), i);
        return std::isfinite(end.t) ? glm::vec3(0.0f) : end.weight;
      },
      transmitted_by_ramp(kGreen, 0.5) *
          glm::dvec3(std::exp(others.x), std::exp(others.y), std::exp(others.z)));
}

}  // namespace
}  // namespace winnow
