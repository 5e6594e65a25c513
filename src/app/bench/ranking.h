#pragma once

#include <cstddef>
#include <vector>

namespace winnow {

/// A median, and bounds that the true one lies within with a probability of kConfidence at least.
struct MedianInterval {
  double median = 0.0, low = 0.0, high = 0.0;

  /// The larger of the distances from the median to the bounds: what stands behind +-.
  double spread() const { return median - low > high - median ? median - low : high - median; }
};

/// Of the true median. 5 repeats are the fewest that reach it.
inline constexpr double kConfidence = 0.9;
inline constexpr size_t kMinRepeats = 5;

/// By order statistics, whatever the distribution: of n values in order, the k-th from below and
/// the k-th from above, with the largest k for which the binomial distribution gives kConfidence.
/// 5 values: the smallest and the largest (94 %); 9 values: the second and the eighth (96 %). Fewer
/// than kMinRepeats values give the smallest and the largest all the same.
///
/// @param values  one at least
MedianInterval median_interval(std::vector<double> values);

/// The interval of a[i] / b[i], where a[i] and b[i] were measured in one round. What slows a whole
/// round down (clocks, heat, other programs) leaves the ratio as it is.
MedianInterval ratio_interval(const std::vector<double>& a, const std::vector<double>& b);

/// How two configurations compare. `kTied` unless the whole interval of the ratios of their times
/// lies on one side of 1 by more than kMinDifference, and there are kMinRepeats.
enum class Verdict { kFaster, kTied, kSlower };
inline constexpr double kMinDifference = 0.002;  ///< the clock and the start of a frame vary so

/// Whether `a` is faster than `b`; each has one time a round.
Verdict compare_times(const std::vector<double>& a, const std::vector<double>& b);

struct Rank {
  int rank = 1;       ///< 1 + how many configurations are faster for certain
  bool tied = false;  ///< another one has the same rank
};

/// @param times  [configuration][round]
std::vector<Rank> rank_times(const std::vector<std::vector<double>>& times);

}  // namespace winnow
