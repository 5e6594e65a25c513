#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scene/load_scene.h"
#include "wavefront/renderer.h"

// Two devices or samplers, other random numbers, the same image: per-pixel tests over independent
// runs.

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

/// Mean and its variance for each pixel, from runs that differ in their seed only.
struct PixelStatistics {
  std::vector<double> mean, variance_of_mean;
};

constexpr uint32_t kRuns = 24, kSpp = 32;

template <class MakeRenderer>
PixelStatistics measure(uint64_t first_seed, RenderSettings settings, MakeRenderer make) {
  size_t pixels = size_t(settings.width) * settings.height;
  std::vector<double> sum(pixels), sum_of_squares(pixels);
  for (uint32_t run = 0; run < kRuns; ++run) {
    settings.seed = first_seed + run;
    std::unique_ptr<Renderer> renderer = make(settings);
    RenderControl control;
    renderer->render_samples(0, kSpp, control);
    Image image = renderer->film();
    for (size_t i = 0; i < pixels; ++i) {
      glm::dvec3 p(image.pixels[i]);
      double grey = (p.x + p.y + p.z) / 3;
      sum[i] += grey;
      sum_of_squares[i] += grey * grey;
    }
  }
  PixelStatistics statistics{sum, sum_of_squares};
  for (size_t i = 0; i < pixels; ++i) {
    double mean = sum[i] / kRuns;
    double variance = (sum_of_squares[i] / kRuns - mean * mean) * kRuns / (kRuns - 1);
    statistics.mean[i] = mean;
    statistics.variance_of_mean[i] = std::max(variance, 0.0) / kRuns;
  }
  return statistics;
}

/// Fails unless the differences of two measurements look like noise: Student's t of each pixel,
/// with about 46 degrees of freedom.
void expect_same_image(const PixelStatistics& a, const PixelStatistics& b) {
  constexpr double kOneInFiveHundredThousand = 5.4;  // |t| beyond which one pixel in 500,000 lies
  constexpr double kOneInTwenty = 2.013;
  size_t pixels = a.mean.size(), noisy = 0, far = 0, beyond_one_in_twenty = 0;
  double sum_of_t = 0;
  for (size_t i = 0; i < pixels; ++i) {
    double variance = a.variance_of_mean[i] + b.variance_of_mean[i];
    double difference = a.mean[i] - b.mean[i];
    // Light seen directly has no noise; there, rounding is all that may differ.
    if (std::sqrt(variance) <= 1e-6 * a.mean[i]) {
      EXPECT_NEAR(a.mean[i], b.mean[i], 1e-5 * a.mean[i]) << "pixel " << i;
      continue;
    }
    double t = difference / std::sqrt(variance);
    ++noisy;
    sum_of_t += t;
    far += std::abs(t) > kOneInFiveHundredThousand;
    beyond_one_in_twenty += std::abs(t) > kOneInTwenty;
  }
  if (noisy == 0) return;
  EXPECT_LE(double(far), 0.0025 * double(noisy));  // heavy tails of single pixels are let pass
  EXPECT_LE(double(beyond_one_in_twenty),
            0.05 * double(noisy) + 5 * std::sqrt(0.05 * double(noisy)));
  // A bias far below the noise of a pixel adds up over the image.
  EXPECT_LE(std::abs(sum_of_t) / std::sqrt(double(noisy)), 5.0);
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
  settings.sobol_spp = kSpp;
  PixelStatistics sobol = measure(0, settings, make);
  expect_same_image(hash, sobol);

  double hash_variance = 0.0, sobol_variance = 0.0;
  for (double v : hash.variance_of_mean) hash_variance += v;
  for (double v : sobol.variance_of_mean) sobol_variance += v;
  EXPECT_LT(sobol_variance, 0.8 * hash_variance);
}

/// The test itself: it accepts two measurements of one scene and rejects one that is 2 % too
/// bright.
TEST(ExpectSameImage, TellsNoiseFromABias) {
  HostScene scene = load_scene(std::filesystem::path(WINNOW_SCENES_DIR) / "cornell-box.json");
  RenderSettings settings = small_settings(scene);
  settings.width = settings.height = 48;
  settings.max_bounces = 3;
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
