#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <vector>

#include "math/frame.h"
#include "math/sampler.h"

// Pearson's chi-square test: does a histogram of samples fit the density they claim?

namespace winnow {

/// Q(a, x): what of the gamma function's integral lies above x, as a share.
/// Series below a + 1, Lentz's continued fraction above.
inline double upper_incomplete_gamma(double a, double x) {
  constexpr double kMin = 1e-300, kPrecision = 1e-15;
  constexpr int kMaxTerms = 100'000;
  if (x <= 0.0) return 1.0;
  double scale = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1.0) {
    double term = 1.0 / a, sum = term;
    for (int n = 1; n < kMaxTerms && term > sum * kPrecision; ++n) sum += term *= x / (a + n);
    return 1.0 - scale * sum;
  }
  double b = x + 1.0 - a, c = 1.0 / kMin, d = 1.0 / b, fraction = d;
  for (int n = 1; n < kMaxTerms; ++n) {
    double numerator = -n * (n - a);
    b += 2.0;
    d = 1.0 / std::max(numerator * d + b, kMin);
    c = std::max(b + numerator / c, kMin);
    fraction *= c * d;
    if (std::abs(c * d - 1.0) < kPrecision) break;
  }
  return scale * fraction;
}

/// Chance that samples which do follow the density fit it no better than this.
inline double chi_square_p_value(double statistic, double degrees_of_freedom) {
  return upper_incomplete_gamma(0.5 * degrees_of_freedom, 0.5 * statistic);
}

struct HistogramBin {
  double expected = 0.0;  ///< samples
  double observed = 0.0;  ///< samples
};

/// Succeeds unless a fit as bad as this is a rare event.
///
/// @param test_count  how many such tests are made together: rare is 1 % over all of them (Sidak)
inline testing::AssertionResult fits_density(std::vector<HistogramBin> bins, int test_count = 1) {
  constexpr double kMinExpected = 5.0;  // below, the statistic is not chi-square distributed
  constexpr double kSignificance = 0.01;

  // Pool the bins that expect little, least first; what remains too small joins the next one.
  std::sort(bins.begin(), bins.end(),
            [](HistogramBin a, HistogramBin b) { return a.expected < b.expected; });
  double statistic = 0.0;
  int cells = 0;
  HistogramBin pooled;
  for (const HistogramBin& bin : bins) {
    pooled.expected += bin.expected;
    pooled.observed += bin.observed;
    if (pooled.expected < kMinExpected) continue;
    double difference = pooled.observed - pooled.expected;
    statistic += difference * difference / pooled.expected;
    ++cells;
    pooled = {};
  }
  if (pooled.observed > 0.0 && pooled.expected == 0.0)
    return testing::AssertionFailure() << pooled.observed << " samples where none can be";
  if (cells < 2) return testing::AssertionFailure() << "only " << cells << " bins expect enough";

  double p = chi_square_p_value(statistic, cells - 1);
  double threshold = 1.0 - std::pow(1.0 - kSignificance, 1.0 / test_count);
  if (p < threshold || std::isnan(p))
    return testing::AssertionFailure()
           << "chi-square " << statistic << " in " << cells << " cells, p = " << p;
  return testing::AssertionSuccess();
}

/// A focus that resolves a narrow lobe and ends the 17th of 20 rings at 90 degrees, where densities
/// over a hemisphere break off.
inline const double kNarrowFocus = std::log(0.5) / std::log(17.0 / 20.0);

/// Partition of the sphere around an axis. Rings are bounded by 1 - cos(theta) = 2 t^focus for even
/// steps of t: 1 gives equal areas, more resolves a narrow lobe about the axis.
struct DirectionBins {
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  ///< unit length
  double focus = 1.0;
  int rings = 20;
  int sectors = 32;
  int subdivision = 8;  ///< of a bin along each side, to integrate a density over it

  int count() const { return rings * sectors; }

  /// Direction of ring coordinate t and sector coordinate s in [0, 1].
  glm::vec3 direction(double t, double s) const {
    double one_minus_cos = 2.0 * std::pow(t, focus);
    double r = std::sqrt(std::max(one_minus_cos * (2.0 - one_minus_cos), 0.0));
    double phi = 2.0 * M_PI * s;
    return Frame(axis).to_world(
        {float(r * std::cos(phi)), float(r * std::sin(phi)), float(1.0 - one_minus_cos)});
  }

  int bin_of(glm::vec3 w) const {
    glm::dvec3 apart = glm::dvec3(w) - glm::dvec3(axis);  // |apart|^2 = 2 (1 - cos)
    double t = std::pow(std::min(0.25 * glm::dot(apart, apart), 1.0), 1.0 / focus);
    glm::vec3 local = Frame(axis).to_local(w);
    double s = std::atan2(local.y, local.x) / (2.0 * M_PI);
    s -= std::floor(s);
    int ring = std::min(int(t * rings), rings - 1),
        sector = std::min(int(s * sectors), sectors - 1);
    return ring * sectors + sector;
  }

  /// Integral of a function of direction over each bin, by midpoints.
  template <class Function>
  std::vector<double> integrate(const Function& function) const {
    std::vector<double> integrals(count());
    int n = subdivision;
    double cell = 1.0 / (double(rings) * n) * 2.0 * M_PI / (double(sectors) * n);
    for (int i = 0; i < rings * n; ++i) {
      double t = (i + 0.5) / (rings * n);
      double stretch = 2.0 * focus * std::pow(t, focus - 1.0);  // d(1 - cos) / dt
      for (int j = 0; j < sectors * n; ++j) {
        glm::vec3 w = direction(t, (j + 0.5) / (sectors * n));
        integrals[i / n * sectors + j / n] += double(function(w)) * stretch * cell;
      }
    }
    return integrals;
  }
};

/// Tests a sampler of directions: the density integrates to at most one, what it lacks of one is
/// the share of samples without a direction, and the histogram fits it.
///
/// @param sample  (glm::vec4 u) -> glm::vec3, the zero vector where there is no direction
/// @param pdf     (glm::vec3 w) -> sr^-1
template <class Sample, class Pdf>
testing::AssertionResult samples_follow_density(const DirectionBins& bins, const Sample& sample,
                                                const Pdf& pdf, int test_count = 1,
                                                uint32_t sample_count = 100'000) {
  constexpr double kIntegrationError = 5e-3;

  std::vector<HistogramBin> histogram(bins.count());
  std::vector<double> shares = bins.integrate(pdf);
  double total = 0.0;
  for (int bin = 0; bin < bins.count(); ++bin) {
    histogram[bin].expected = shares[bin] * sample_count;
    total += shares[bin];
  }
  if (!(total < 1.0 + kIntegrationError))
    return testing::AssertionFailure() << "the density integrates to " << total;

  double lost = 0.0;
  Sampler random{.seed = 7};
  for (random.sample = 0; random.sample < sample_count; ++random.sample) {
    glm::vec3 w = sample(random.sample4(0));
    if (w == glm::vec3(0.0f)) {
      lost += 1.0;
    } else if (std::abs(glm::length(w) - 1.0f) > 1e-5f) {
      return testing::AssertionFailure() << "a direction of length " << glm::length(w);
    } else if (!(pdf(w) > 0.0f)) {
      return testing::AssertionFailure() << "a direction of density " << pdf(w);
    } else {
      histogram[bins.bin_of(w)].observed += 1.0;
    }
  }
  double lost_expected = std::max(1.0 - total, 0.0);
  if (lost_expected > kIntegrationError || lost > kIntegrationError * sample_count) {
    histogram.push_back({lost_expected * sample_count, lost});
  }
  return fits_density(histogram, test_count);
}

}  // namespace winnow
