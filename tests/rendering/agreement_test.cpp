// SPDX-License-Identifier: MIT
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "load/load_scene.h"
#include "tests/wavefront/support/pixel_statistics.h"

// Two devices or samplers with different random numbers render the same image: per-pixel tests over
// independent runs.

namespace winnow {
namespace {

/// Every scene of the project.
std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WINNOW_SCENES_DIR))
    if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

RenderSettings small_settings(const HostScene& scene) {
  constexpr uint32_t kWidth = 96;
  return {.width = kWidth,
          .height = std::max(1u, kWidth * scene.height / scene.width),
          .max_bounces = scene.max_bounces};
}

class Agreement : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gpu, Agreement, testing::ValuesIn(scene_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(Agreement, CpuAndCudaRenderTheSameImage) {
  std::string why_none = list_cuda_devices().why_none;
  if (!why_none.empty()) GTEST_SKIP() << "needs a GPU: " << why_none;
  HostScene scene = load_scene(std::filesystem::path(WINNOW_SCENES_DIR) / (GetParam() + ".json"));
  RenderSettings settings = small_settings(scene);
  PixelStatistics cpu =
      measure(0, settings, [&](const RenderSettings& s) { return make_cpu_renderer(scene, s); });
  PixelStatistics cuda = measure(
      1000, settings, [&](const RenderSettings& s) { return make_cuda_renderer(scene, s, 0); });
  expect_same_image(cpu, cuda);
}

class Samplers : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Cpu, Samplers, testing::Values("cornell-box", "many-lights"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Samplers, RenderTheSameImage) {
  HostScene scene = load_scene(std::filesystem::path(WINNOW_SCENES_DIR) / (GetParam() + ".json"));
  RenderSettings settings = small_settings(scene);
  settings.width = settings.height = 48;
  auto make = [&](const RenderSettings& s) { return make_cpu_renderer(scene, s); };
  settings.sampler = SamplerType::kHash;
  PixelStatistics hash = measure(0, settings, make);
  settings.sampler = SamplerType::kSobol;
  settings.sobol_spp = kRunSpp;
  PixelStatistics sobol = measure(0, settings, make);
  expect_same_image(hash, sobol);

  double hash_variance = 0.0, sobol_variance = 0.0;
  for (double v : hash.variance_of_mean) hash_variance += v;
  for (double v : sobol.variance_of_mean) sobol_variance += v;
  EXPECT_LT(sobol_variance, 0.8 * hash_variance);
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
