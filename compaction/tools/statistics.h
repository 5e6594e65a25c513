// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

namespace compaction {

/// Returns the `q` quantile, `q` in [0, 1], interpolated linearly.
///
/// @param sorted  ascending, not empty
inline double quantile(const std::vector<double>& sorted, double q) {
  assert(!sorted.empty());
  double position = q * double(sorted.size() - 1);
  size_t below = size_t(position), above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - double(below)) * (sorted[above] - sorted[below]);
}

/// Summary of many samples of one quantity, in their unit.
struct Summary {
  double median = 0, lower_quartile = 0, upper_quartile = 0, min = 0;
  size_t samples = 0;

  /// Returns the interquartile range as a share of the median.
  double spread() const { return median > 0 ? (upper_quartile - lower_quartile) / median : 0; }
};

/// @param samples  not empty, in any order
inline Summary summarize(std::vector<double> samples) {
  constexpr double kHalf = 0.5, kQuarter = 0.25;
  std::sort(samples.begin(), samples.end());
  return {.median = quantile(samples, kHalf),
          .lower_quartile = quantile(samples, kQuarter),
          .upper_quartile = quantile(samples, 1 - kQuarter),
          .min = samples.front(),
          .samples = samples.size()};
}

/// Minimum probability that a MedianInterval contains the true median. It takes at least 5 samples.
inline constexpr double kConfidence = 0.9;

struct MedianInterval {
  double median = 0.0, low = 0.0, high = 0.0;

  /// Returns the larger distance from the median to a bound, which is printed after "+-".
  double spread() const { return std::max(median - low, high - median); }
};

/// Returns the median of `values` and an interval that contains the true median with a probability
/// of at least kConfidence, for any distribution. For fewer than 5 values, it is the smallest and
/// the largest, with a lower probability.
///
/// The bounds are order statistics: of n sorted values, the k-th from below and the k-th from
/// above, with the largest k for which the binomial distribution gives kConfidence. 5 values: the
/// smallest and the largest (94 %); 9 values: the second and the eighth (96 %).
///
/// @param values  not empty, in any order
inline MedianInterval median_interval(std::vector<double> values) {
  constexpr double kHalf = 0.5;
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  double binomial = std::pow(kHalf, double(n));  // P(exactly k of n values lie below the median)
  double below = binomial;                       // P(at most k)
  size_t omitted = 0;                            // values outside the interval at each end, k - 1
  while (omitted + 1 < (n + 1) / 2) {
    binomial *= double(n - omitted) / double(omitted + 1);
    below += binomial;
    if (1.0 - 2.0 * below < kConfidence) break;
    ++omitted;
  }
  return {
      .median = quantile(values, kHalf), .low = values[omitted], .high = values[n - 1 - omitted]};
}

}  // namespace compaction
