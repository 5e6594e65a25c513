// SPDX-License-Identifier: MIT
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "load/load_scene.h"
#include "tests/support/stems.h"
#include "tests/support/test_names.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/pixel_statistics.h"

// Two devices or samplers with different random numbers render the same image: per-pixel tests over
// independent runs.

namespace winnow {
namespace {

/// A scene of the project by its name.
class ProjectScene : public testing::TestWithParam<std::string> {
 protected:
  static HostScene load(const std::string& name) {
    return load_scene(std::filesystem::path(WINNOW_SCENES_DIR) / (name + ".json"));
  }
};

std::string name_of_scene(const testing::TestParamInfo<std::string>& info) {
  return test_name(info.param);
}

RenderSettings small_settings(const HostScene& scene) {
  constexpr uint32_t kWidth = 96;
  return {.width = kWidth,
          .height = std::max(1u, kWidth * scene.height / scene.width),
          .max_bounces = scene.max_bounces};
}

class Agreement : public ProjectScene {
  void SetUp() override { skip_without(Device::kCuda); }
};
INSTANTIATE_TEST_SUITE_P(Gpu, Agreement, testing::ValuesIn(stems_of(WINNOW_SCENES_DIR, ".json")),
                         name_of_scene);

TEST_P(Agreement, CpuAndCudaRenderTheSameImage) {
  HostScene scene = load(GetParam());
  RenderSettings settings = small_settings(scene);
  PixelStatistics cpu =
      measure(0, settings, [&](const RenderSettings& s) { return make_cpu_renderer(scene, s); });
  PixelStatistics cuda = measure(
      1000, settings, [&](const RenderSettings& s) { return make_cuda_renderer(scene, s, 0); });
  expect_same_image(cpu, cuda);
}

using Samplers = ProjectScene;
INSTANTIATE_TEST_SUITE_P(Cpu, Samplers, testing::Values("cornell-box", "many-lights"),
                         name_of_scene);

TEST_P(Samplers, RenderTheSameImage) {
  HostScene scene = load(GetParam());
  RenderSettings settings = small_settings(scene);
  settings.width = settings.height = 48;
  auto make = [&](const RenderSettings& s) { return make_cpu_renderer(scene, s); };
  settings.sampler = SamplerType::kHash;
  PixelStatistics hash = measure(0, settings, make);
  settings.sampler = SamplerType::kSobol;
  settings.sobol_spp = run_spp();
  PixelStatistics sobol = measure(0, settings, make);
  expect_same_image(hash, sobol);

  auto variance = [](const PixelStatistics& image) {
    return std::accumulate(image.variance_of_mean.begin(), image.variance_of_mean.end(), 0.0);
  };
  EXPECT_LT(variance(sobol), 0.8 * variance(hash));
}

/// Tests the test: it accepts two measurements of one scene and rejects one that is 2 % too bright.
TEST(ExpectSameImage, TellsNoiseFromABias) {
  HostScene scene = load_scene(std::filesystem::path(WINNOW_SCENES_DIR) / "cornell-box.json");
  RenderSettings settings = small_settings(scene);
  settings.width = settings.height = 32;
  settings.max_bounces = 1;
  auto make = [&](const RenderSettings& s) { return make_cpu_renderer(scene, s); };
  PixelStatistics a = measure(0, settings, make), b = measure(1000, settings, make);
  expect_same_image(a, b);

  for (double& mean : b.mean) mean *= 1.02;
  testing::TestPartResultArray failures;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    expect_same_image(a, b);
  }
  EXPECT_GT(failures.size(), 0);
}

}  // namespace
}  // namespace winnow
