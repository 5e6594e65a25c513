// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <numeric>
#include <vector>

#include "math/frame.h"
#include "math/sampler.h"

// Pearson's chi-square test of a histogram of samples against their density.

namespace winnow {

/// Probability that samples which follow the density have a statistic of at least `statistic`.
double chi_square_p_value(double statistic, double degrees_of_freedom);

struct HistogramBin {
  double expected = 0.0;  ///< samples
  double observed = 0.0;  ///< samples
};

/// Succeeds unless the fit is significantly bad.
///
/// @param test_count  number of such tests made together; their joint significance is 1 % (Sidak)
testing::AssertionResult fits_density(std::vector<HistogramBin> bins, int test_count = 1);

/// A focus that resolves a narrow lobe and ends the 17th of 20 rings at 90 degrees, where densities
/// over a hemisphere are discontinuous.
inline const double kNarrowFocus = std::log(0.5) / std::log(17.0 / 20.0);

/// Partition of the sphere around an axis into rings and sectors. Rings are bounded by
/// 1 - cos(theta) = 2 t^focus for uniform steps of t: a focus of 1 gives equal areas, a larger one
/// resolves a narrow lobe about the axis.
struct DirectionBins {
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  ///< unit length
  double focus = 1.0;
  int rings = 20;
  int sectors = 32;
  int subdivision = 8;  ///< cells per side of a bin when a density is integrated over it

  int count() const { return rings * sectors; }

  int bin_of(glm::vec3 w) const {
    glm::dvec3 offset = glm::dvec3(w) - glm::dvec3(axis);  // |offset|^2 = 2 (1 - cos)
    double t = std::pow(std::min(0.25 * glm::dot(offset, offset), 1.0), 1.0 / focus);
    glm::vec3 local = Frame(axis).to_local(w);
    double s = std::atan2(local.y, local.x) / (2.0 * M_PI);
    s -= std::floor(s);
    int ring = std::min(int(t * rings), rings - 1),
        sector = std::min(int(s * sectors), sectors - 1);
    return ring * sectors + sector;
  }

  /// Integral of a function of direction over each bin, by the midpoint rule.
  template <class Function>
  std::vector<double> integrate(const Function& function) const {
    std::vector<double> integrals(count());
    const int n = subdivision;
    const double cell = 1.0 / (double(rings) * n) * 2.0 * M_PI / (double(sectors) * n);
    std::vector<glm::dvec2> azimuths;
    for (int j = 0; j < sectors * n; ++j) {
      const double phi = 2.0 * M_PI * ((j + 0.5) / (sectors * n));
      azimuths.emplace_back(std::cos(phi), std::sin(phi));
    }
    const Frame frame(axis);
    for (int i = 0; i < rings * n; ++i) {
      const double t = (i + 0.5) / (rings * n);
      const double one_minus_cos = 2.0 * std::pow(t, focus);
      const double r = std::sqrt(std::max(one_minus_cos * (2.0 - one_minus_cos), 0.0));
      const double jacobian = 2.0 * focus * std::pow(t, focus - 1.0);  // d(1 - cos) / dt
      for (int j = 0; j < sectors * n; ++j) {
        const glm::vec3 w = frame.to_world(
            {float(r * azimuths[j].x), float(r * azimuths[j].y), float(1.0 - one_minus_cos)});
        integrals[i / n * sectors + j / n] += double(function(w)) * jacobian * cell;
      }
    }
    return integrals;
  }

  /// The sum of these integrals.
  template <class Function>
  double integral(const Function& function) const {
    const std::vector<double> integrals = integrate(function);
    return std::accumulate(integrals.begin(), integrals.end(), 0.0);
  }
};

/// Tests a sampler of directions: the density integrates to at most one, the rest to one is the
/// share of samples without a direction, and the histogram fits the density.
///
/// @param sample  (glm::vec4 u) -> glm::vec3, the zero vector for a sample without a direction
/// @param pdf     (glm::vec3 w) -> sr^-1
template <class Sample, class Pdf>
testing::AssertionResult samples_follow_density(const DirectionBins& bins, const Sample& sample,
                                                const Pdf& pdf, int test_count = 1,
                                                uint32_t sample_count = 100'000) {
  constexpr double kIntegrationError = 5e-3;

  std::vector<HistogramBin> histogram;
  double total = 0.0;
  for (double share : bins.integrate(pdf)) {
    histogram.push_back({.expected = share * sample_count});
    total += share;
  }
  if (!(total < 1.0 + kIntegrationError))
    return testing::AssertionFailure() << "the density integrates to " << total;

  double without_direction = 0.0;
  Sampler random{.seed = 7};
  for (random.sample = 0; random.sample < sample_count; ++random.sample) {
    glm::vec3 w = sample(random.sample4(0));
    if (w == glm::vec3(0.0f)) {
      without_direction += 1.0;
    } else if (std::abs(glm::length(w) - 1.0f) > 1e-5f) {
      return testing::AssertionFailure() << "a direction has length " << glm::length(w);
    } else if (!(pdf(w) > 0.0f)) {
      return testing::AssertionFailure() << "a sampled direction has density " << pdf(w);
    } else {
      histogram[bins.bin_of(w)].observed += 1.0;
    }
  }
  const double expected_without = std::max(1.0 - total, 0.0);
  if (expected_without > kIntegrationError ||
      without_direction > kIntegrationError * sample_count) {
    histogram.push_back({expected_without * sample_count, without_direction});
  }
  return fits_density(histogram, test_count);
}

}  // namespace winnow
