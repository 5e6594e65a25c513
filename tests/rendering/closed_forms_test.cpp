// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "shading/camera.h"
#include "tests/support/estimate.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

// Images that are known in closed form.

namespace winnow {
namespace {

using ClosedForms = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, ClosedForms, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, ClosedForms, testing::Values(Device::kCuda), device_name);

/// A correct renderer exceeds this once in 10^7 tests.
constexpr double kSigmas = 5.3;

/// Expects the mean over all channels and pixels to be `expected`, up to noise and rounding.
void expect_mean(const Image& image, double expected, double rounding = 1e-5) {
  const Estimate grey = estimate(uint32_t(image.pixels.size()), [&](uint32_t i) {
    const glm::dvec3 pixel(image.pixels[i]);
    return (pixel.x + pixel.y + pixel.z) / 3;
  });
  EXPECT_NEAR(grey.mean, expected, kSigmas * grey.error + rounding * expected);
  EXPECT_LT(grey.error, 0.01 * expected);  // otherwise the line above proves nothing
}

RenderSettings square_settings(uint32_t bounces) {
  return {.width = 64, .height = 64, .max_bounces = bounces};
}

TEST_P(ClosedForms, FurnaceGivesItsGeometricSeriesUpToTheLastBounce) {
  constexpr double kEmission = 0.7;
  for (auto [albedo, bounces] : {std::pair{0.0, 200u},
                                 {0.5, 200u},
                                 {0.8, 200u},
                                 {0.8, 0u},
                                 {0.8, 1u},
                                 {0.8, 2u},
                                 {0.8, 5u}}) {
    SCOPED_TRACE(testing::Message() << "albedo " << albedo << ", " << bounces << " bounces");
    expect_mean(
        render(furnace_scene(float(albedo), float(kEmission)), square_settings(bounces), 16),
        kEmission * (1 - std::pow(albedo, bounces + 1)) / (1 - albedo));
  }
}

TEST_P(ClosedForms, SphereLightGivesItsIrradiance) {
  for (auto [radius, distance] : {std::pair{0.5, 2.0}, {1.5, 2.0}, {0.01, 3.0}}) {
    SCOPED_TRACE(radius);
    const double albedo = 0.6, radiance = 10;
    const HostScene scene =
        sphere_light_scene(float(albedo), float(radius), float(distance), float(radiance));
    // E = pi L (r / d)^2 straight below the light; a diffuse floor sends albedo E / pi to all
    // sides.
    expect_mean(render(scene, square_settings(1), 16),
                albedo * radiance * (radius * radius) / (distance * distance), 1e-4);
  }
}

/// Filters, and by how much of it each is left of x: by hand for the first two, by many midpoints
/// for the others. x is in pixels from the middle.
struct FilterCase {
  FilterDescription filter;
  double (*shape)(double t);  ///< filter at t = |x| / radius, up to a factor
};
const std::vector<FilterCase> kFilterCases = {
    {{FilterType::kBox, 0.5f}, [](double) { return 1.0; }},
    {{FilterType::kBox, 1.7f}, [](double) { return 1.0; }},
    {{FilterType::kTent, 1.0f}, [](double t) { return 1.0 - t; }},
    {{FilterType::kGaussian, 1.5f}, [](double t) { return std::exp(-4.5 * t * t); }},
    {{FilterType::kBlackmanHarris, 2.0f}, [](double t) {
       return 0.35875 + 0.48829 * std::cos(M_PI * t) + 0.14128 * std::cos(2.0 * M_PI * t) +
              0.01168 * std::cos(3.0 * M_PI * t);
     }}};

double share_left_of(double x, const FilterCase& filter) {
  constexpr int kSteps = 20'000;
  double left = 0.0, all = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double t = 2.0 * (i + 0.5) / kSteps - 1.0, value = filter.shape(std::abs(t));
    all += value;
    if (t * double(filter.filter.radius) < x) left += value;
  }
  return left / all;
}

/// A lamp covers the film from the edge on; a pixel shows what of its filter lies there.
TEST_P(ClosedForms, ASharpEdgeHasTheProfileOfTheFilter) {
  constexpr uint32_t kWidth = 12, kHeight = 16, kSamples = 256;
  constexpr double kEdge = 6.3;  // pixels
  HostScene scene;
  uint32_t lamp =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(1.0f)});
  add_rectangle(scene, {float(kEdge) - 6.0f, -100, 0}, {200, 0, 0}, {0, 200, 0}, lamp);
  // A pixel is a metre wide.
  scene.camera = {.position = {0, 0, 5},
                  .look_at = {0, 0, 0},
                  .projection = Projection::kOrthographic,
                  .view_height = float(kHeight)};
  for (const FilterCase& filter : kFilterCases) {
    scene.filter = filter.filter;
    Image image = render(scene, {.width = kWidth, .height = kHeight, .max_bounces = 0}, kSamples);
    for (uint32_t x = 0; x < kWidth; ++x) {
      double mean = 0.0;
      for (uint32_t y = 0; y < kHeight; ++y) mean += image.pixels[y * kWidth + x].x / kHeight;
      const double expected = 1.0 - share_left_of(kEdge - (x + 0.5), filter);
      const double error = std::sqrt(expected * (1.0 - expected) / (kHeight * kSamples));
      EXPECT_NEAR(mean, expected, kSigmas * error + 1e-4)
          << enum_name(filter.filter.type) << ", column " << x;
    }
  }
}

/// A sky so narrow that it is linear: its mean over a filter is its value in the middle of it.
TEST_P(ClosedForms, AFilterLeavesALinearRampAsItIs) {
  constexpr uint32_t kSide = 32, kSamples = 64;
  constexpr float kZenith = 1000.0f;
  HostScene scene;
  add_rectangle(scene, {-1, -1, 9}, {2, 0, 0}, {0, 2, 0}, add_material(scene, {}));  // behind
  scene.sky = {.zenith = glm::vec3(kZenith)};
  scene.camera = {.position = {0, 0, 0}, .look_at = {0, 1, -2}, .vertical_fov = 0.2f};
  const Camera camera = make_camera(scene.camera, kSide, kSide);
  auto sky_at = [&](double x, double y) {
    return double(kZenith * generate_camera_ray(camera, {float(x), float(y)}, {}).direction.y);
  };
  const double slope = (sky_at(16.0, 0.0) - sky_at(16.0, 32.0)) / kSide;  // per pixel
  for (const FilterCase& filter : kFilterCases) {
    scene.filter = filter.filter;
    Image image = render(scene, {.width = kSide, .height = kSide, .max_bounces = 0}, kSamples);
    // None of them spreads more than a box of its radius.
    const double error = slope * filter.filter.radius / std::sqrt(3.0 * kSamples);
    double sum = 0.0;
    for (uint32_t y = 0; y < kSide; ++y)
      for (uint32_t x = 0; x < kSide; ++x) {
        const double off = image.pixels[y * kSide + x].x - sky_at(x + 0.5, y + 0.5);
        EXPECT_NEAR(off, 0.0, kSigmas * error + 1e-3 * slope) << x << ", " << y;
        sum += off;
      }
    EXPECT_NEAR(sum / (kSide * kSide), 0.0, kSigmas * error / kSide + 1e-3 * slope)
        << enum_name(filter.filter.type);
  }
}

TEST_P(ClosedForms, ConstantSkyLightsAnOpenFloorEvenly) {
  HostScene scene;
  uint32_t floor = add_material(scene, {.reflectance = glm::vec3(0.5f)});
  add_rectangle(scene, {-50, 0, 50}, {100, 0, 0}, {0, 0, -100}, floor);
  scene.sky = {.zenith = glm::vec3(2.0f), .horizon = glm::vec3(2.0f), .ground = glm::vec3(2.0f)};
  scene.camera = {.position = {2, 1, 0}, .look_at = {0, 0, 0}, .vertical_fov = 10.0f};
  expect_mean(render(scene, square_settings(1), 16), 1.0);
}

}  // namespace
}  // namespace winnow
