// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace winnow {

/// Chooses one of several plans for each wave of a render by the times of earlier waves. The first
/// waves have the first plan, as short renders gain less than it takes to load other kernels; the
/// next ones try the others, the last plan first; then the fastest one is used. At waves that are
/// powers of two, the plan whose time is the oldest is tried again, as a wave may have been delayed
/// and scenes differ from pixel to pixel: ever more rarely, so that this costs a vanishing share of
/// the render.
class PlanChoice {
 public:
  /// The first wave that may have another plan than the first.
  static constexpr uint64_t kFirstTry = 4;

  explicit PlanChoice(size_t plan_count) : times_(plan_count) {}

  /// Waves after which all plans have been tried.
  static constexpr uint64_t waves_to_choose(size_t plan_count) {
    return kFirstTry + kTries * (plan_count - 1);
  }

  /// The plan of the next wave.
  size_t next() {
    const uint64_t wave = waves_++;
    if (times_.size() == 1 || wave < kFirstTry) return 0;
    if (wave < waves_to_choose(times_.size()))
      return times_.size() - 1 - size_t(wave - kFirstTry) / kTries;
    return wave >= kFirstRetry && std::has_single_bit(wave) ? oldest() : fastest();
  }

  /// Records how long a wave took. Times may be missing, and arrive some waves later. That of a
  /// plan's first wave, in which kernels are loaded and caches are cold, does not count.
  ///
  /// @param wave  counted from 0, as next() was called
  void add(uint64_t wave, size_t plan, double nanoseconds_per_path) {
    Times& times = times_[plan];
    times.wave = wave;
    if (times.count++ == 0) return;
    times.before_last = times.last;
    times.last = nanoseconds_per_path;
  }

 private:
  /// Waves in a row: one that loads kernels, and one that counts.
  static constexpr uint64_t kTries = 2;
  static constexpr uint64_t kFirstRetry = 16;
  /// Another plan than the first must take less time than this share, more than times vary.
  static constexpr double kWorthwhile = 0.99;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  /// What is known of a plan. Times are in nanoseconds per path.
  struct Times {
    uint64_t wave = 0;   ///< of the latest time
    uint64_t count = 0;  ///< of all times
    double last = kUnknown, before_last = kUnknown;

    /// The time of a wave that nothing else delayed.
    double best() const { return std::min(last, before_last); }
  };

  size_t fastest() const {
    size_t best = 0;
    for (size_t plan = 1; plan < times_.size(); ++plan)
      if (times_[plan].best() < times_[best].best() * (best == 0 ? kWorthwhile : 1.0)) best = plan;
    return best;
  }

  size_t oldest() const {
    size_t oldest = 0;
    for (size_t plan = 1; plan < times_.size(); ++plan)
      if (times_[plan].wave < times_[oldest].wave) oldest = plan;
    return oldest;
  }

  uint64_t waves_ = 0;
  std::vector<Times> times_;  ///< [plan]
};

}  // namespace winnow
