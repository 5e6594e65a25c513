#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace compaction::bench {

/// What is told about many samples of one quantity, in their unit.
struct Summary {
  double median = 0, lower_quartile = 0, upper_quartile = 0, min = 0;
  size_t samples = 0;

  /// Interquartile range as a share of the median.
  double spread() const { return median > 0 ? (upper_quartile - lower_quartile) / median : 0; }
};

/// The value below which the share `q` of [0, 1] of the samples lies, linear between neighbours.
///
/// @param sorted  ascending, not empty
inline double quantile(const std::vector<double>& sorted, double q) {
  assert(!sorted.empty());
  double place = q * double(sorted.size() - 1);
  size_t below = size_t(place), above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
}

/// @param samples  not empty, in any order
inline Summary summarize(std::vector<double> samples) {
  constexpr double kQuarter = 0.25;
  std::sort(samples.begin(), samples.end());
  return {.median = quantile(samples, 2 * kQuarter),
          .lower_quartile = quantile(samples, kQuarter),
          .upper_quartile = quantile(samples, 1 - kQuarter),
          .min = samples.front(),
          .samples = samples.size()};
}

}  // namespace compaction::bench
