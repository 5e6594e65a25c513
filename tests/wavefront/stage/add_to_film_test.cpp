// SPDX-License-Identifier: MIT
#include "wavefront/stage/add_to_film.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using PixelSums = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, PixelSums, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, PixelSums, testing::Values(Device::kCuda), device_name);

/// Distance of an image from another, relative to the light of the other.
double relative_distance(const Image& a, const Image& b) {
  double sum = 0.0, difference = 0.0;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    sum += glm::length(b.pixels[i]);
    difference += glm::distance(a.pixels[i], b.pixels[i]);
  }
  return difference / sum;
}

TEST_P(PixelSums, LoseIndirectLightOnlyWhereItIsClamped) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.roulette = false;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  const Image all = render(*renderer, kSpp);
  EXPECT_TRUE(renderer->host_film().removed.empty());
  EXPECT_EQ(removed_share(renderer->host_film()), 0.0);

  // A limit that is never reached changes only roundings.
  settings.clamp_indirect = 1e30f;
  renderer->restart(settings);
  EXPECT_LT(relative_distance(render(*renderer, kSpp), all), 1e-6);
  EXPECT_EQ(removed_share(renderer->host_film()), 0.0);

  // A limit near 0 leaves only light that was scattered once.
  settings.clamp_indirect = 1e-30f;
  renderer->restart(settings);
  const Image clamped = render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();
  RenderSettings direct = kSmall;
  direct.max_bounces = 1;
  EXPECT_LT(relative_distance(clamped, render(scene, direct, kSpp)), 1e-6);
  EXPECT_GT(relative_distance(clamped, all), 0.05);

  // The removed light is the missing light.
  Image both{kSmall.width, kSmall.height, {}};
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel)
    both.pixels.push_back((film.sum[pixel] + film.removed[pixel]) / double(kSpp));
  EXPECT_LT(relative_distance(both, all), 1e-6);
  double lost = 0.0, whole = 0.0;
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel)
    for (int c = 0; c < 3; ++c) {
      lost += all.pixels[pixel][c] - clamped.pixels[pixel][c];
      whole += all.pixels[pixel][c];
    }
  EXPECT_NEAR(removed_share(film), lost / whole, 1e-5);
}

TEST_P(PixelSums, AreClampedToTheSameBitsInEveryWay) {
  RenderSettings settings = kFewPaths;
  settings.clamp_indirect = 0.1f;
  settings.keep_squares = true;
  expect_same_bits_in_every_way(mixed_scene(), settings);
}

TEST_P(PixelSums, TellTheVarianceOfTheirMean) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.keep_squares = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();

  // Render the same samples one by one.
  std::vector<std::vector<glm::dvec3>> samples(film.sum.size());
  for (uint32_t sample = 0; sample < kSpp; ++sample) {
    renderer->restart(settings);
    RenderControl control;
    renderer->render_samples(sample, 1, control);
    const Image image = renderer->film();
    for (size_t pixel = 0; pixel < samples.size(); ++pixel)
      samples[pixel].push_back(image.pixels[pixel]);
  }
  for (size_t pixel = 0; pixel < samples.size(); ++pixel) {
    glm::dvec3 mean(0.0), squares(0.0);
    for (const glm::dvec3& sample : samples[pixel]) mean += sample / double(kSpp);
    for (const glm::dvec3& sample : samples[pixel]) squares += (sample - mean) * (sample - mean);
    const glm::dvec3 expected = squares / (kSpp - 1.0) / double(kSpp);
    const glm::dvec3 variance =
        variance_of_mean(film.sum[pixel], film.squares[pixel], film.samples[pixel]);
    EXPECT_LT(glm::distance(variance, expected), 1e-9 + 1e-9 * glm::length(expected)) << pixel;
  }
}

}  // namespace
}  // namespace winnow
