// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "compaction/tools/statistics.h"

namespace winnow {

using compaction::kConfidence;
using compaction::median_interval;
using compaction::MedianInterval;

/// Configurations with fewer repeats than this are not compared: they do not reach kConfidence.
inline constexpr size_t kMinRepeats = 5;

/// Returns the interval of a[i] / b[i], where a[i] and b[i] were measured in the same round. What
/// slows down a whole round (clocks, heat, other programs) does not change the ratio.
MedianInterval ratio_interval(const std::vector<double>& a, const std::vector<double>& b);

/// Comparison of two configurations. `kTied` unless the whole interval of the ratios of their times
/// lies more than kMinDifference to one side of 1, with at least kMinRepeats repeats.
enum class Verdict { kFaster, kTied, kSlower };
inline constexpr double kMinDifference =
    0.002;  ///< variation of the clock and of the start of a frame, relative

/// Compares `a` with `b`: kFaster if `a` is faster.
///
/// @param a, b  [round], ms
Verdict compare_times(const std::vector<double>& a, const std::vector<double>& b);

struct Rank {
  int rank = 1;       ///< 1 + number of configurations that are significantly faster
  bool tied = false;  ///< whether another configuration has the same rank
};

/// @param times  [configuration][round]
std::vector<Rank> rank_times(const std::vector<std::vector<double>>& times);

}  // namespace winnow
