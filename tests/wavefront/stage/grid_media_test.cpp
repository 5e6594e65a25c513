// SPDX-License-Identifier: MIT
#include "wavefront/stage/grid_media.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "bvh/embree_accel.h"
#include "shading/light/light_table.h"
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
  glm::vec3 emitted;
};

FlightEnd fly(const std::vector<GridStretch>& stretches, glm::vec3 throughput, uint32_t seed) {
  RandomStream random({seed, 7});
  const glm::vec2 u{random.uniform(), random.uniform()};
  GridFlight flight(throughput, u, RandomStream({seed, 8}));
  for (const GridStretch& stretch : stretches)
    if (float t = 0.0f; flight.ends_in(stretch, kAlongRamp, t))
      return {throughput * flight.weight_of_scattering(stretch.medium), t,
              throughput * flight.emitted()};
  return {throughput * flight.weight_of_passing(), INFINITY, throughput * flight.emitted()};
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

/// Light that the smoke emits on the ramp reaches the origin of the flight: (a / e) L (1 - T) for
/// an absorption a and an extinction e, if the radiance L is the same everywhere.
TEST(GridMedia, FlightsGatherTheEmissionOfTheWayInEachChannel) {
  const glm::vec3 radiance{2.0f, 3.0f, 0.5f}, throughput{1.0f, 0.25f, 2.0f};
  const std::vector<EmissionPart> constant{{.placement = {}, .radiances = {radiance}}};
  const MediumGridOf grid(ramp_grid(), glm::mat4(1.0f), constant);
  const Medium red{.absorption = {3.0f, 1.0f, 0.0f}, .scattering = {1.0f, 0.0f, 2.0f}},
      soot{.absorption = {0.5f, 1.0f, 2.0f}}, pale{.absorption = glm::vec3(0.05f)};
  for (const Medium& medium : {kGreen, red, soot, pale})
    for (const float end : {2.5f, 9.0f}) {
      const std::vector<GridStretch> stretches{{medium, &*grid, 0.0f, end, (*grid).emission}};
      const double z = std::min(double(end) - 2.0, 1.0);
      expect_mean_of_flights([&](uint32_t i) { return fly(stretches, throughput, i).emitted; },
                             glm::dvec3(throughput * radiance) * glm::dvec3(medium.absorption) /
                                 glm::dvec3(extinction(medium)) *
                                 (1.0 - transmitted_by_ramp(medium, z)));
    }
}

/// The radiance grows along the ray, and other media come before and after.
TEST(GridMedia, EmissionOfAFlameIsAttenuatedByAllMediaBeforeIt) {
  // The value of the grid of the emission at the height z is 2 z.
  const DensityGrid twice_z = grid_of({2, 2, 50}, GridBorder::kClamp, [](auto, auto, auto k) {
    return 2.0f * (float(k) + 0.5f) / 50.0f;
  });
  HostScene scene;
  const Medium flame{.absorption = {1.0f, 2.0f, 0.5f}, .scattering = {0.5f, 0.0f, 3.0f}},
      ink{.absorption = {0.5f, 0.1f, 0.7f}}, fog{.scattering = {0.2f, 0.6f, 0.4f}},
      glow{.absorption = {0.1f, 2.0f, 0.0f}, .scattering = {0.7f, 0.0f, 0.5f}};
  const glm::vec3 color{1.0f, 0.5f, 2.0f}, glow_color{3.0f, 1.0f, 2.0f};
  scene.media = {flame, glow};
  scene.camera_medium = 0;
  scene.grids = {ramp_grid(), twice_z};
  scene.grid_placements = {{.grid = 0}};
  EmissionPart part = proportional_emission(color, largest_value(twice_z));
  part.placement.grid = 1;
  scene.emission = {part, {.medium = 1, .placement = {}, .radiances = {glow_color}}};
  const MediumGridTables grids = make_medium_grids(scene);
  const std::vector<GridStretch> stretches{
      {fog, nullptr, 0.0f, 0.5f},
      {ink, nullptr, 0.5f, 1.0f},
      {glow, nullptr, 1.0f, 2.0f, grids.media[1].emission},
      {flame, &grids.media[0], 2.0f, 3.5f, grids.media[0].emission}};
  const auto passed = [](glm::dvec3 depth) {
    return glm::dvec3(std::exp(-depth.x), std::exp(-depth.y), std::exp(-depth.z));
  };
  const glm::dvec3 before =
      passed(0.5 * glm::dvec3(fog.scattering) + 0.5 * glm::dvec3(ink.absorption));
  const glm::dvec3 glow_depth(extinction(glow));
  glm::dvec3 expected =
      before * glm::dvec3(glow.absorption * glow_color) / glow_depth * (1.0 - passed(glow_depth));
  constexpr int kSteps = 4000;
  for (int i = 0; i < kSteps; ++i) {
    const double z = (i + 0.5) / kSteps, density = 4.0 * z;
    const double value = std::clamp(2.0 * z, 0.02, 1.98);  // constant in the outermost half cells
    expected += before * passed(glow_depth) * transmitted_by_ramp(flame, z) * density *
                glm::dvec3(flame.absorption) * value * glm::dvec3(color) / double(kSteps);
  }
  expect_mean_of_flights([&](uint32_t i) { return fly(stretches, glm::vec3(1.0f), i).emitted; },
                         expected);
}

/// A ball of smoke around the origin, one of fog beside it, and a black ball behind them.
class ShadowRaysInGrids : public testing::Test {
 protected:
  using Tracking = TrackShadowRays<DeviceScene<kMedia>>;

  ShadowRaysInGrids() {
    scene_.media = {kGreen, {.absorption = glm::vec3(0.3f)}};
    scene_.materials = {{.type = MaterialType::kNull, .bounds_media = true, .interior = 0},
                        {.type = MaterialType::kNull, .bounds_media = true, .interior = 1},
                        {.reflectance = glm::vec3(0.0f)}};
    scene_.material_names = {"smoke", "fog", "black"};
    scene_.spheres = {{.center = {0, 0, 0}, .radius = 1.0f, .material = 0},
                      {.center = {0, 0, 3}, .radius = 1.0f, .material = 1},
                      {.center = {0, 0, 9}, .radius = 1.0f, .material = 2}};
    lights_ = build_light_table(scene_, {}, LightChoice::kPower, kMedia);
    device_ = make_device_scene<kMedia>(scene_, {lights_, {}, {}, {}}, 1, 1);
    embree_.emplace(scene_);
    state_.wave = {.width = FastDivisor(1), .height = 1, .pixel_count = FastDivisor(1)};
  }

  /// @param t_max        of a ray along +z from before the smoke
  /// @param scatterings  ShadowRay::scatterings
  glm::vec3 transmittance(const MediumGrid& grid, float t_max, uint32_t scatterings = 1) {
    const MediumGrid grids[] = {grid, {}};
    const Ray ray{.origin = {0, 0, -4}, .direction = {0, 0, 1}, .t_max = t_max};
    const GridMedia<false> media{{grids, 2}, {}, &state_};
    return media.transmittance(device_, embree_->accel(), ray, kNoMedium, 0, scatterings);
  }

  HostScene scene_;
  LightTable lights_;
  DeviceScene<kMedia> device_;
  std::optional<EmbreeScene> embree_;
  WaveState state_;
  MediumGridOf dense_{
      grid_of({4, 4, 4}, GridBorder::kClamp, [](auto...) { return 9.0f; }),
      glm::translate(glm::scale(glm::mat4(1.0f), glm::vec3(4.0f)), glm::vec3(-0.5f))};
};

TEST_F(ShadowRaysInGrids, LookForAnOccluderBeforeTheyAreTracked) {
  MediumGrid without_densities = *dense_;
  without_densities.values = {};  // a look at one throws
  EXPECT_EQ(transmittance(without_densities, 20.0f), glm::vec3(0.0f));
  EXPECT_THROW(transmittance(without_densities, 5.5f), std::out_of_range);
  EXPECT_NO_THROW(transmittance(*dense_, 5.5f));
}

TEST_F(ShadowRaysInGrids, ReachOnlyTheMediumThatEmitsTheirLight) {
  constexpr float kBeforeTheSmoke = 2.0f, kInTheSmoke = 4.0f, kInTheFog = 7.0f;
  const MediumGridOf thin(
      grid_of({4, 4, 4}, GridBorder::kClamp, [](auto...) { return 0.01f; }),
      glm::translate(glm::scale(glm::mat4(1.0f), glm::vec3(4.0f)), glm::vec3(-0.5f)));
  const auto reaches = [&](uint32_t medium, float t_max) {
    return transmittance(*thin, t_max, from_medium(1, medium)) != glm::vec3(0.0f);
  };
  EXPECT_FALSE(reaches(0, kBeforeTheSmoke));
  EXPECT_TRUE(reaches(0, kInTheSmoke));
  EXPECT_FALSE(reaches(1, kInTheSmoke));
  EXPECT_FALSE(reaches(0, kInTheFog));
  EXPECT_TRUE(reaches(1, kInTheFog));
}

/// As many rays that the stages share as few that one stage takes, from everywhere to everywhere.
TEST_F(ShadowRaysInGrids, BecomeTheSameLightInOneStageAndInTwo) {
  constexpr uint32_t kRays = 2000;
  const DensityGrid smoke = random_grid({9, 9, 9}, GridBorder::kFade, 7);
  const MediumGridOf placed(
      smoke, glm::translate(glm::scale(glm::mat4(1.0f), glm::vec3(2.0f)), glm::vec3(-0.5f)));
  const MediumGrid grids[] = {*placed, {}};
  state_.wave.first_sample = 0;
  state_.wave.pixel_count = FastDivisor(1);
  std::vector<PathResult> results[2];
  uint32_t visible[2] = {0, 0};
  for (const bool many : {false, true}) {
    state_.iteration.shadow_rays = many ? ManyShadowRays::kMany : kRays;
    std::vector<Packed> origins(kRays), directions(kRays), contributions(kRays);
    std::vector<uint32_t> media(kRays);
    const ShadowRays rays{{origins.data(), kRays},
                          {directions.data(), kRays},
                          {contributions.data(), kRays},
                          {media.data(), kRays}};
    for (uint32_t i = 0; i < kRays; ++i) {
      RandomStream random({i, 3});
      const float x = random.uniform() - 0.5f, y = random.uniform() - 0.5f;
      const bool starts_inside = i % 2;
      rays.store(i, i,
                 {.ray = {.origin = {x, y, starts_inside ? 0.0f : -4.0f},
                          .direction = glm::normalize(glm::vec3(0.2f * y, 0.3f * x, 1.0f)),
                          .t_max = i % 3 ? INFINITY : 5.0f},
                  .contribution = {1.0f, 2.0f, 0.7f},
                  .scatterings = 1});
      media[i] = starts_inside ? 0 : kNoMedium;
    }
    results[many].resize(kRays);
    const Tracking tracking{device_,
                            rays,
                            {.columns = {}, .results = {results[many].data(), kRays}},
                            {{grids, 2}, {}, &state_}};
    const TraceShadowRays<EmbreeAccel, DeviceScene<kMedia>, GridMedia<false>> trace{
        embree_->accel(), tracking};
    for (uint32_t i = 0; i < kRays; ++i) visible[many] += trace(i);
    EXPECT_EQ(ManyShadowRays{}.items(state_).count > 0, many);
    for (uint32_t i = 0; many && i < kRays; ++i) visible[many] += tracking(i);
  }
  EXPECT_EQ(visible[0], visible[1]);
  EXPECT_GT(visible[0], kRays / 4);
  EXPECT_LT(visible[0], kRays);
  for (uint32_t i = 0; i < kRays; ++i)
    ASSERT_EQ(results[0][i].radiance, results[1][i].radiance) << i;
}

}  // namespace
}  // namespace winnow
