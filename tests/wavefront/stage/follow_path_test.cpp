// SPDX-License-Identifier: MIT
#include "wavefront/stage/follow_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

uint64_t sum_of(const StepCosts& costs) {
  return costs.traversal + costs.shading;
}

TEST(CostMeter, AddsEachStepToItsBounce) {
  constexpr uint64_t kWait = 100'000;  // ns
  const auto wait = [] {
    for (const uint64_t start = nanoseconds(); nanoseconds() - start < kWait;) continue;
  };
  std::vector<StepCosts> costs(kCostBounces);
  CostMeter meter(costs.data());
  const uint64_t start = nanoseconds();
  meter.start();
  wait();
  meter.add_traversal(0);
  meter.add_shading(0);
  wait();
  meter.add_shading(2);
  wait();
  meter.add_traversal(1000);
  const uint64_t end = nanoseconds();
  EXPECT_GE(costs[0].traversal, kWait);
  EXPECT_GE(costs[2].shading, kWait);
  EXPECT_GE(costs.back().traversal, kWait);  // includes all later bounces
  EXPECT_EQ(costs[1].traversal + costs[1].shading + costs[2].traversal, 0u);
  uint64_t sum = 0;
  for (const StepCosts& bounce : costs) sum += sum_of(bounce);
  EXPECT_LE(sum, end - start);
}

class PathCosts : public OnDevice {
 protected:
  static RenderSettings measured(RenderSettings settings = kFewPaths) {
    settings.keep_cost = true;
    return settings;
  }
  static StepCosts costs_at(const HostFilm& film, size_t pixel, uint32_t bounce) {
    return film.cost[pixel * kCostBounces + bounce];
  }
  static uint64_t cost_of(const HostFilm& film, size_t pixel) {
    uint64_t sum = 0;
    for (uint32_t bounce = 0; bounce < kCostBounces; ++bounce)
      sum += sum_of(costs_at(film, pixel, bounce));
    return sum;
  }
  static uint64_t median(std::vector<uint64_t> values) {
    std::ranges::sort(values);
    return values.at(values.size() / 2);
  }
};
INSTANTIATE_TEST_SUITE_P(Cpu, PathCosts, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, PathCosts, testing::Values(Device::kCuda), device_name);

TEST_P(PathCosts, LeaveTheFilmAsItIsInEveryWay) {
  for (const HostScene& scene : {mixed_scene(), mixed_scene_with_instances()}) {
    RenderSettings settings = kFewPaths;
    settings.clamp_indirect = 0.5f;
    const std::string without = image_hash(render(scene, settings, kSpp));
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    for (RenderSettings way : representative_ways(GetParam(), measured(settings))) {
      SCOPED_TRACE(name_of(way));
      way.wave_size = kFewPathsWave;
      renderer->restart(way);
      EXPECT_EQ(image_hash(render(*renderer, kSpp)), without);
      for (size_t pixel = 0; pixel < renderer->host_film().sum.size(); ++pixel)
        ASSERT_GT(cost_of(renderer->host_film(), pixel), 0u);
    }
  }
}

TEST_P(PathCosts, ArePositiveExactlyAtTheBouncesOfThePath) {
  RenderSettings settings = measured();
  settings.max_bounces = 6;
  settings.map_terminations = true;
  const HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, 1);
  const HostFilm film = renderer->host_film();
  uint32_t longest = 0;
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel)
    for (uint32_t bounce = 0; bounce < kCostBounces; ++bounce) {
      const StepCosts costs = costs_at(film, pixel, bounce);
      const bool is_reached = bounce <= film.termination_bounces[pixel];
      EXPECT_EQ(costs.traversal > 0, is_reached) << pixel << ", bounce " << bounce;
      EXPECT_EQ(costs.shading > 0, is_reached) << pixel << ", bounce " << bounce;
      longest = std::max(longest, film.termination_bounces[pixel]);
    }
  EXPECT_GE(longest, 3u);
}

TEST_P(PathCosts, AreZeroWhereNothingIsTraced) {
  const HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, measured());
  renderer->choose_pixels({3, 4, 40});
  render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel)
    EXPECT_EQ(cost_of(film, pixel) > 0, pixel == 3 || pixel == 4 || pixel == 40) << pixel;
}

TEST_P(PathCosts, AreHigherWhereCameraRaysHitSurfaces) {
  RenderSettings settings = measured();
  settings.width = 64, settings.height = 48;  // several warps see only the sky
  settings.keep_background = true;
  HostScene scene = mixed_scene();
  scene.camera.vertical_fov = 80.0f;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, 16);
  const HostFilm film = renderer->host_film();
  std::vector<uint64_t> covered, sky;
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel) {
    const double missed = film.background[pixel].w;
    if (missed == 0.0) covered.push_back(cost_of(film, pixel));
    if (missed == double(film.samples[pixel])) sky.push_back(cost_of(film, pixel));
  }
  ASSERT_GT(covered.size(), 100u);
  ASSERT_GT(sky.size(), 100u);
  EXPECT_GT(median(covered), 2 * median(sky));
}

TEST(CostsOnTheCpu, AddUpToTheTimeOfThePaths) {
  RenderSettings settings{.width = 64, .height = 48, .threads = 1};
  settings.keep_cost = settings.measure_stages = true;
  const HostScene scene = mixed_scene();
  const std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings);
  RenderControl control;
  renderer->render_samples(0, 8, control);
  double milliseconds = 0.0, measured = 0.0;
  for (const BounceStats& bounce : renderer->stats().bounces)
    milliseconds += bounce.milliseconds[size_t(Stage::kPath)];
  for (const StepCosts& costs : renderer->host_film().cost)
    measured += double(sum_of(costs)) * 1e-6;
  EXPECT_LE(measured, milliseconds);
  EXPECT_GT(measured, 0.5 * milliseconds);
}

}  // namespace
}  // namespace winnow
