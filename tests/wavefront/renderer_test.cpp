#include "wavefront/renderer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "film/image_hash.h"
#include "tests/wavefront/test_scenes.h"

namespace winnow {
namespace {

enum class Device { kCpu, kCuda };

std::unique_ptr<Renderer> make_renderer(Device device, const HostScene& scene,
                                        const RenderSettings& settings) {
  return device == Device::kCpu ? make_cpu_renderer(scene, settings)
                                : make_cuda_renderer(scene, settings, 0);
}

/// Everything here holds on either device.
class OnDevice : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (GetParam() == Device::kCpu) return;
    std::string why_none = list_cuda_devices().why_none;
    if (!why_none.empty()) GTEST_SKIP() << "needs a GPU: " << why_none;
  }

  static std::unique_ptr<Renderer> make(const HostScene& scene, const RenderSettings& settings) {
    return make_renderer(GetParam(), scene, settings);
  }
  static Image render(const HostScene& scene, const RenderSettings& settings, uint32_t spp) {
    return render(*make(scene, settings), spp);
  }
  static Image render(Renderer& renderer, uint32_t spp) {
    RenderControl control;
    renderer.render_samples(0, spp, control);
    return renderer.film();
  }
};

std::string device_name(const testing::TestParamInfo<Device>& info) {
  return info.param == Device::kCpu ? "cpu" : "cuda";
}

using Renderers = OnDevice;
using ClosedForms = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, Renderers, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Renderers, testing::Values(Device::kCuda), device_name);
INSTANTIATE_TEST_SUITE_P(Cpu, ClosedForms, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, ClosedForms, testing::Values(Device::kCuda), device_name);

constexpr RenderSettings kSmall{.width = 37, .height = 23, .max_bounces = 8};
constexpr uint32_t kSpp = 5;

TEST_P(Renderers, GiveTheSameBitsForEveryLoopCullAndWaveSize) {
  HostScene scene = mixed_scene();
  std::string expected = image_hash(render(scene, kSmall, kSpp));
  for (Loop loop : {Loop::kWave, Loop::kPath})
    for (Cull cull : {Cull::kNone, Cull::kAppend, Cull::kScan, Cull::kBallot, Cull::kLookBack})
      for (uint32_t wave_size : {0u, 33u, 1000u, 100'000u}) {
        RenderSettings settings = kSmall;
        settings.loop = loop;
        settings.cull = cull;
        settings.wave_size = wave_size;
        SCOPED_TRACE(testing::Message() << "loop " << int(loop) << ", cull " << int(cull)
                                        << ", wave size " << wave_size);
        EXPECT_EQ(image_hash(render(scene, settings, kSpp)), expected);
      }
}

TEST_P(Renderers, GiveTheSameBitsForEveryNumberOfThreads) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.threads = 1;
  std::string expected = image_hash(render(scene, settings, kSpp));
  for (uint32_t threads : {2u, 3u, 7u}) {
    settings.threads = threads;
    EXPECT_EQ(image_hash(render(scene, settings, kSpp)), expected) << threads << " threads";
  }
}

TEST_P(Renderers, GiveTheSameBitsInOnePassAndInMany) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> many = make(scene, kSmall);
  RenderControl control;
  many->render_samples(0, 1, control);
  many->render_samples(1, 3, control);
  many->render_samples(4, 1, control);
  EXPECT_EQ(image_hash(many->film()), image_hash(render(scene, kSmall, kSpp)));
  EXPECT_EQ(control.paths_done, uint64_t(kSmall.width) * kSmall.height * kSpp);
}

TEST_P(Renderers, GiveOtherNoiseForAnotherSeed) {
  RenderSettings other = kSmall;
  other.seed = 1;
  HostScene scene = mixed_scene();
  EXPECT_NE(image_hash(render(scene, other, kSpp)), image_hash(render(scene, kSmall, kSpp)));
}

TEST_P(Renderers, AccountForEveryPath) {
  HostScene scene = mixed_scene();
  for (Loop loop : {Loop::kWave, Loop::kPath})
    for (Cull cull : {Cull::kNone, Cull::kAppend, Cull::kScan, Cull::kBallot, Cull::kLookBack}) {
      RenderSettings settings = kSmall;
      settings.loop = loop;
      settings.cull = cull;
      SCOPED_TRACE(testing::Message() << "loop " << int(loop) << ", cull " << int(cull));
      std::unique_ptr<Renderer> renderer = make(scene, settings);
      render(*renderer, kSpp);
      RenderStats stats = renderer->stats();
      EXPECT_EQ(stats.paths, uint64_t(settings.width) * settings.height * kSpp);
      ASSERT_EQ(stats.bounces.size(), settings.max_bounces + 1);
      for (size_t b = 0; b < stats.bounces.size(); ++b) {
        uint64_t died = 0;
        for (uint64_t deaths : stats.bounces[b].deaths) died += deaths;
        uint64_t next = b + 1 < stats.bounces.size() ? stats.bounces[b + 1].alive : 0;
        EXPECT_EQ(stats.bounces[b].alive, next + died) << "bounce " << b;
        EXPECT_LE(stats.bounces[b].shadow_rays, stats.bounces[b].alive);
        EXPECT_EQ(stats.bounces[b].deaths[uint32_t(Death::kAlive)], 0u);
        EXPECT_EQ(stats.bounces[b].deaths[uint32_t(Death::kNotFinite)], 0u);
      }
    }
}

TEST_P(Renderers, CountTheSameInEveryLoopAndCull) {
  HostScene scene = mixed_scene();
  auto stats_of = [&](Loop loop, Cull cull) {
    RenderSettings settings = kSmall;
    settings.loop = loop;
    settings.cull = cull;
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    render(*renderer, kSpp);
    return renderer->stats();
  };
  RenderStats expected = stats_of(Loop::kPath, Cull::kNone);
  for (Cull cull : {Cull::kNone, Cull::kAppend, Cull::kScan, Cull::kBallot, Cull::kLookBack}) {
    RenderStats stats = stats_of(Loop::kWave, cull);
    for (size_t b = 0; b < stats.bounces.size(); ++b) {
      EXPECT_EQ(stats.bounces[b].alive, expected.bounces[b].alive);
      EXPECT_EQ(stats.bounces[b].shadow_rays, expected.bounces[b].shadow_rays);
      EXPECT_EQ(stats.bounces[b].deaths, expected.bounces[b].deaths);
    }
  }
}

TEST_P(Renderers, StopWhenAsked) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  RenderControl control;
  control.stop = true;
  renderer->render_samples(0, 1000, control);
  EXPECT_LT(control.paths_done, uint64_t(kSmall.width) * kSmall.height * 1000);
  for (glm::vec3 pixel : renderer->film().pixels) EXPECT_TRUE(std::isfinite(pixel.x + pixel.y));
}

TEST_P(Renderers, MeasureTheStagesThatRan) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.measure_stages = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  BounceStats first = renderer->stats().bounces[0];
  for (Stage stage :
       {Stage::kGenerate, Stage::kIntersect, Stage::kShade, Stage::kShadow, Stage::kFilm})
    EXPECT_GT(first.milliseconds[uint32_t(stage)], 0.0) << kStageNames[uint32_t(stage)];
  EXPECT_EQ(first.milliseconds[uint32_t(Stage::kPath)], 0.0);
}

/// Mean over all channels and pixels, and the standard error of that mean.
struct Estimate {
  double mean, error;
};
Estimate estimate(const Image& image) {
  double sum = 0, sum_of_squares = 0;
  for (glm::vec3 pixel : image.pixels) {
    double grey = (pixel.x + pixel.y + pixel.z) / 3;
    sum += grey;
    sum_of_squares += grey * grey;
  }
  double n = double(image.pixels.size()), mean = sum / n;
  return {mean, std::sqrt(std::max(sum_of_squares / n - mean * mean, 0.0) / n)};
}

/// A right renderer misses this once in 10^7 tests.
constexpr double kSigmas = 5.3;

TEST_P(ClosedForms, FurnaceGivesItsGeometricSeries) {
  RenderSettings settings{.width = 64, .height = 64, .max_bounces = 200};
  for (float albedo : {0.0f, 0.5f, 0.8f}) {
    Estimate e = estimate(render(furnace_scene(albedo, 0.7f), settings, 16));
    double expected = 0.7 / (1.0 - albedo);
    EXPECT_NEAR(e.mean, expected, kSigmas * e.error + 1e-5 * expected) << "albedo " << albedo;
    EXPECT_LT(e.error, 0.01 * expected);  // else the line above says nothing
  }
}

TEST_P(ClosedForms, FurnaceIsCutOffExactlyAtTheLastBounce) {
  for (uint32_t bounces : {0u, 1u, 2u, 5u}) {
    RenderSettings settings{.width = 64, .height = 64, .max_bounces = bounces};
    double albedo = 0.8, emission = 0.7;
    Estimate e = estimate(render(furnace_scene(float(albedo), float(emission)), settings, 16));
    double expected = emission * (1 - std::pow(albedo, bounces + 1)) / (1 - albedo);
    EXPECT_NEAR(e.mean, expected, kSigmas * e.error + 1e-5 * expected) << bounces << " bounces";
    EXPECT_LT(e.error, 0.01 * expected);
  }
}

TEST_P(ClosedForms, SphereLightGivesItsIrradiance) {
  RenderSettings settings{.width = 64, .height = 64, .max_bounces = 1};
  for (auto [radius, distance] : {std::pair{0.5, 2.0}, {1.5, 2.0}, {0.01, 3.0}}) {
    double albedo = 0.6, radiance = 10;
    HostScene scene =
        sphere_light_scene(float(albedo), float(radius), float(distance), float(radiance));
    Estimate e = estimate(render(scene, settings, 16));
    // E = pi L (r / d)^2 straight below the light; a diffuse floor sends albedo E / pi to all
    // sides.
    double expected = albedo * radiance * (radius * radius) / (distance * distance);
    EXPECT_NEAR(e.mean, expected, kSigmas * e.error + 1e-4 * expected) << "radius " << radius;
    EXPECT_LT(e.error, 0.01 * expected);
  }
}

TEST_P(ClosedForms, ConstantSkyLightsAnOpenFloorEvenly) {
  HostScene scene;
  uint32_t floor = add_material(scene, {.reflectance = glm::vec3(0.5f)});
  add_rectangle(scene, {-50, 0, 50}, {100, 0, 0}, {0, 0, -100}, floor);
  scene.sky = {.zenith = glm::vec3(2.0f), .horizon = glm::vec3(2.0f), .ground = glm::vec3(2.0f)};
  scene.camera = {.position = {2, 1, 0}, .look_at = {0, 0, 0}, .vertical_fov = 10.0f};
  Estimate e = estimate(render(scene, {.width = 64, .height = 64, .max_bounces = 1}, 16));
  EXPECT_NEAR(e.mean, 1.0, kSigmas * e.error + 1e-5);
  EXPECT_LT(e.error, 0.01);
}

}  // namespace
}  // namespace winnow
