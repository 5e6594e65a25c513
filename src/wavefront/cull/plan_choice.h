// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace winnow {

/// Chooses one of several plans for each wave of a render by the times of earlier waves: first each
/// of them is tried in a wave; then the fastest one is used. At waves that are powers of four, the
/// plan whose time is the oldest is tried again, unless it takes far longer, as a wave may have
/// been delayed and scenes differ from pixel to pixel: ever more rarely, so that this costs a
/// vanishing share of the render.
///
/// Small waves take longer per path, and favour plans of few kernels. Plans are tried in waves of
/// about the same size: where it changes meanwhile, by more than a factor of two, that begins
/// again. Larger waves may follow.
class PlanChoice {
 public:
  explicit PlanChoice(size_t plan_count) : times_(plan_count) {}

  /// Waves after which all of so many plans have been tried.
  static constexpr uint64_t waves_to_choose(size_t plan_count) { return plan_count; }

  /// Whether plans are still to be tried.
  bool is_trying() const { return times_.size() > 1 && counted_ < waves_to_choose(times_.size()); }

  /// The plan of the next wave, which has so many paths.
  size_t next(uint64_t paths) {
    const uint64_t wave = waves_++;
    if (times_.size() == 1) return 0;
    if (is_trying() && (is_large(paths) || is_small(paths))) {
      begin_ = wave;
      counted_ = 0;
      paths_ = paths;
      times_.assign(times_.size(), Times{});
    }
    if (is_small(paths)) return fastest();
    const uint64_t counted = counted_++;
    if (counted < waves_to_choose(times_.size())) return size_t(counted);
    return is_retry(counted) ? oldest() : fastest();
  }

  /// Records how long a wave took. Times may be missing, and arrive some waves later.
  ///
  /// @param wave  counted from 0, as next() was called
  void add(uint64_t wave, size_t plan, uint64_t paths, double nanoseconds) {
    if (wave < begin_ || is_small(paths)) return;
    const double per_path = nanoseconds / double(paths);
    Times& times = times_[plan];
    if (is_large(paths)) {
      if (times.last != kUnknown) rescale(per_path / times.best());
      paths_ = paths;
    }
    times.wave = wave;
    times.before_last = times.last;
    times.last = per_path;
  }

 private:
  /// The first of these is soon after waves have grown.
  static bool is_retry(uint64_t counted) {
    constexpr uint64_t kFirst = 4;
    return counted >= kFirst && std::has_single_bit(counted) && std::countr_zero(counted) % 2 == 0;
  }

  /// Another plan than the first must take less time than this share, more than times vary.
  static constexpr double kWorthwhile = 0.99;
  /// Plans that take so much longer than the fastest one are not tried again.
  static constexpr double kTooSlow = 1.15;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  /// What is known of a plan. Times are in nanoseconds per path.
  struct Times {
    uint64_t wave = 0;  ///< of the latest time
    double last = kUnknown, before_last = kUnknown;

    /// The time of a wave that nothing else delayed.
    double best() const { return std::min(last, before_last); }
  };

  bool is_large(uint64_t paths) const { return paths > 2 * paths_; }
  bool is_small(uint64_t paths) const { return 2 * paths < paths_; }

  /// Estimates the times of larger waves: those of all plans change by the same factor.
  void rescale(double factor) {
    for (Times& times : times_) {
      times.last *= factor;
      times.before_last *= factor;
    }
  }

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
  uint64_t begin_ = 0;        ///< first wave whose time counts
  uint64_t counted_ = 0;      ///< waves since then that are not small
  uint64_t paths_ = 0;        ///< of a wave whose time counts
  std::vector<Times> times_;  ///< [plan]
};

}  // namespace winnow
