// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace winnow {

/// Chooses one of several plans for each wave of a render. Large waves have the first plan, which
/// is the one of more kernels and less work. In smaller ones these kernels may cost more than they
/// gain, so their times decide: after two waves with the first plan each other one is tried; then
/// the fastest one is used. At waves that are powers of four, the plan whose time is the oldest is
/// tried again, unless it takes far longer, as a wave may have been delayed and scenes differ from
/// pixel to pixel: ever more rarely, so that this costs a vanishing share of the render. Where the
/// size of the waves changes by more than a factor of two, all of that begins again.
class PlanChoice {
 public:
  /// Paths of the smallest large wave: 13 million. On an H200, grouping costs 0.2 ms in a wave of 9
  /// bounces, and gains that in waves of 1 to 15 million paths, depending on the scene.
  static constexpr uint64_t kLargeWave = uint64_t(3) << 22;

  explicit PlanChoice(size_t plan_count) : times_(plan_count) {}

  /// Waves of one size after which all of so many plans have been tried.
  static constexpr uint64_t waves_to_choose(size_t plan_count) {
    return kFirstTry + plan_count - 1;
  }

  /// The plan of the next wave, which has so many paths.
  size_t next(uint64_t paths) {
    const uint64_t wave = waves_++;
    if (times_.size() == 1 || paths >= kLargeWave) return 0;
    if (paths > 2 * paths_ || 2 * paths < paths_) {
      begin_ = wave;
      small_waves_ = 0;
      paths_ = paths;
      times_.assign(times_.size(), Times{});
    }
    const uint64_t index = small_waves_++;
    if (index < kFirstTry) return 0;
    if (index < waves_to_choose(times_.size())) return size_t(index - kFirstTry) + 1;
    return is_retry(index) ? oldest() : fastest();
  }

  /// Records how long a wave took. Times may be missing, and arrive some waves later.
  ///
  /// @param wave  counted from 0, as next() was called
  void add(uint64_t wave, size_t plan, uint64_t paths, double nanoseconds) {
    if (wave < begin_ || paths >= kLargeWave) return;
    Times& times = times_[plan];
    times.wave = wave;
    times.before_last = times.last;
    times.last = nanoseconds / double(paths);
  }

 private:
  /// The first wave that may have another plan than the first: renders of fewer waves would not
  /// gain what it takes to load other kernels.
  static constexpr uint64_t kFirstTry = 2;
  static bool is_retry(uint64_t index) {
    return std::has_single_bit(index) && std::countr_zero(index) % 2 == 0;
  }

  /// Another plan than the first must take less time than this share, more than times vary.
  static constexpr double kWorthwhile = 0.99;
  /// Plans that take so much longer than the fastest one are not tried again.
  static constexpr double kTooSlow = 1.2;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  /// What is known of a plan. Times are in nanoseconds per path.
  struct Times {
    uint64_t wave = 0;  ///< of the latest time
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
    size_t oldest = fastest();
    const double limit = kTooSlow * times_[oldest].best();
    for (size_t plan = 0; plan < times_.size(); ++plan)
      if (times_[plan].wave < times_[oldest].wave && times_[plan].best() < limit) oldest = plan;
    return oldest;
  }

  uint64_t waves_ = 0;
  // Of the waves that are not large, since their size has changed:
  uint64_t begin_ = 0;        ///< the first one
  uint64_t small_waves_ = 0;  ///< how many
  uint64_t paths_ = 0;        ///< of the first one
  std::vector<Times> times_;  ///< [plan]
};

}  // namespace winnow
