// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "backend/renderer.h"
#include "tests/support/rounds.h"

// Whether two images with different random numbers show the same: per-pixel tests over independent
// runs.

namespace winnow {

/// The mean of each pixel and its variance, from runs that differ only in their seed.
struct PixelStatistics {
  std::vector<double> mean, variance_of_mean;
};

inline constexpr uint32_t kRuns = 24;
/// Returns the samples per pixel of a run.
inline uint32_t run_spp() {
  return rounds(16);
}
inline constexpr size_t kGrey = 3;  ///< the mean of red, green and blue

/// Measures red, green, blue and their mean.
template <class MakeRenderer>
std::array<PixelStatistics, 4> measure_channels(uint64_t first_seed, RenderSettings settings,
                                                MakeRenderer make) {
  const size_t pixels = size_t(settings.width) * settings.height;
  std::array<PixelStatistics, 4> channels;
  for (PixelStatistics& channel : channels)
    channel = {std::vector<double>(pixels), std::vector<double>(pixels)};  // sums at first
  std::unique_ptr<Renderer> renderer = make(settings);
  for (uint32_t run = 0; run < kRuns; ++run) {
    settings.seed = first_seed + run;
    renderer->restart(settings);
    RenderControl control;
    renderer->render_samples(0, run_spp(), control);
    const Image image = renderer->film();
    for (size_t i = 0; i < pixels; ++i) {
      const glm::dvec3 p(image.pixels[i]);
      const double values[] = {p.x, p.y, p.z, (p.x + p.y + p.z) / 3};
      for (size_t channel = 0; channel < channels.size(); ++channel) {
        channels[channel].mean[i] += values[channel];
        channels[channel].variance_of_mean[i] += values[channel] * values[channel];
      }
    }
  }
  for (PixelStatistics& channel : channels)
    for (size_t i = 0; i < pixels; ++i) {
      const double mean = channel.mean[i] / kRuns;
      const double variance =
          (channel.variance_of_mean[i] / kRuns - mean * mean) * kRuns / (kRuns - 1);
      channel.mean[i] = mean;
      channel.variance_of_mean[i] = std::max(variance, 0.0) / kRuns;
    }
  return channels;
}

template <class MakeRenderer>
PixelStatistics measure(uint64_t first_seed, const RenderSettings& settings, MakeRenderer make) {
  return measure_channels(first_seed, settings, make)[kGrey];
}

/// Fails unless the differences of two measurements look like noise: Student's t of each pixel,
/// with about 46 degrees of freedom.
inline void expect_same_image(const PixelStatistics& a, const PixelStatistics& b) {
  constexpr double kOneInFiveHundredThousand = 5.4;  // |t| beyond which one pixel in 500,000 lies
  constexpr double kOneInTwenty = 2.013;
  size_t pixels = a.mean.size(), noisy = 0, far = 0, beyond_one_in_twenty = 0;
  double sum_of_t = 0;
  for (size_t i = 0; i < pixels; ++i) {
    double variance = a.variance_of_mean[i] + b.variance_of_mean[i];
    double difference = a.mean[i] - b.mean[i];
    // Light seen directly has no noise; only rounding may differ there.
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
  EXPECT_LE(double(far), 0.0025 * double(noisy));  // allows for the heavy tails of single pixels
  EXPECT_LE(double(beyond_one_in_twenty),
            0.05 * double(noisy) + 5 * std::sqrt(0.05 * double(noisy)));
  // A bias far below the noise of a pixel adds up over the image.
  EXPECT_LE(std::abs(sum_of_t) / std::sqrt(double(noisy)), 5.0);
}

}  // namespace winnow
