// SPDX-License-Identifier: MIT
#include "app/bench/ranking.h"

#include <algorithm>

namespace winnow {
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
