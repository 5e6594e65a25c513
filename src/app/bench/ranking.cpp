#include "app/bench/ranking.h"

#include <algorithm>
#include <cmath>

namespace winnow {
namespace {

/// Values that are left out at each end: k - 1.
size_t left_out(size_t n) {
  double binomial = std::pow(0.5, double(n));  // P(exactly k of n lie below the median)
  double below = binomial;                     // P(at most k)
  size_t k = 0;
  while (k + 1 < (n + 1) / 2) {
    binomial *= double(n - k) / double(k + 1);
    below += binomial;
    if (1.0 - 2.0 * below < kConfidence) break;
    ++k;
  }
  return k;
}

}  // namespace

MedianInterval median_interval(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t n = values.size(), k = left_out(n);
  double median = 0.5 * (values[(n - 1) / 2] + values[n / 2]);
  return {.median = median, .low = values[k], .high = values[n - 1 - k]};
}

MedianInterval ratio_interval(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (size_t round = 0; round < std::min(a.size(), b.size()); ++round)
    ratios.push_back(a[round] / b[round]);
  return median_interval(ratios);
}

Verdict compare_times(const std::vector<double>& a, const std::vector<double>& b) {
  if (std::min(a.size(), b.size()) < kMinRepeats) return Verdict::kTied;
  MedianInterval ratio = ratio_interval(a, b);
  if (ratio.high < 1.0 - kMinDifference) return Verdict::kFaster;
  if (ratio.low > 1.0 + kMinDifference) return Verdict::kSlower;
  return Verdict::kTied;
}

std::vector<Rank> rank_times(const std::vector<std::vector<double>>& times) {
  std::vector<Rank> ranks(times.size());
  for (size_t one = 0; one < times.size(); ++one)
    for (size_t other = 0; other < times.size(); ++other)
      ranks[one].rank += compare_times(times[other], times[one]) == Verdict::kFaster;
  for (Rank& rank : ranks)
    rank.tied = std::count_if(ranks.begin(), ranks.end(),
                              [&](const Rank& other) { return other.rank == rank.rank; }) > 1;
  return ranks;
}

}  // namespace winnow
