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
/// plan is the one that is expected to be the fastest. In a render of many waves each other plan is
/// tried after the first wave; in one of unknown length, once it has had many. Then the fastest one
/// is used. At waves that are powers of four, the plan whose time is the oldest is tried again,
/// unless it takes far longer, as a wave may have been delayed and scenes differ from pixel to
/// pixel: ever more rarely, so that this costs a vanishing share of the render. Where the size of
/// the waves changes by a factor of two or more, all of that begins again.
class PlanChoice {
 public:
  /// Paths of the smallest large wave: 13 million. On an H200, grouping costs 0.2 ms in a wave of 9
  /// bounces, and gains that in waves of 1 to 15 million paths, depending on the scene.
  static constexpr uint64_t kLargeWave = uint64_t(3) << 22;
  /// Fewer waves would not gain what it takes to load other kernels and to try them.
  static constexpr uint64_t kManyWaves = 12;

  /// What is known of a render before it begins.
  struct Expected {
    uint64_t waves;  ///< 0 where that is not known
    uint64_t paths;  ///< of a wave; the first ones may have fewer
  };

  /// @param first_if_large  whether large waves always have the first plan
  PlanChoice(size_t plan_count, Expected expected, bool first_if_large)
      : first_if_large_(first_if_large),
        first_try_(expected.waves >= kManyWaves && !has_first(expected.paths) ? kSoon : kManyWaves),
        times_(plan_count) {}

  /// Waves of one size, of many, after which all of so many plans have been tried.
  static constexpr uint64_t waves_to_choose(size_t plan_count) { return kSoon + plan_count - 1; }

  /// Whether other plans than the first are to be tried soon.
  bool tries_soon() const { return times_.size() > 1 && first_try_ == kSoon; }

  /// The plan of the next wave, which has so many paths.
  size_t next(uint64_t paths) {
    const uint64_t wave = waves_++;
    if (times_.size() == 1 || has_first(paths)) return 0;
    if (paths >= 2 * paths_ || 2 * paths <= paths_) {
      begin_ = wave;
      chosen_ = 0;
      paths_ = paths;
      times_.assign(times_.size(), Times{});
    }
    const uint64_t index = chosen_++;
    if (index < first_try_) return 0;
    if (index < first_try_ + times_.size() - 1) return size_t(index - first_try_) + 1;
    return is_retry(index) ? oldest() : fastest();
  }

  /// Records how long a wave took. Times may be missing, and arrive some waves later.
  ///
  /// @param wave  counted from 0, as next() was called
  void add(uint64_t wave, size_t plan, uint64_t paths, double nanoseconds) {
    if (wave < begin_ || has_first(paths)) return;
    Times& times = times_[plan];
    times.wave = wave;
    times.before_last = times.last;
    times.last = nanoseconds / double(paths);
  }

 private:
  static constexpr uint64_t kSoon = 1;  ///< wave of the first trial in a render of many
  static bool is_retry(uint64_t index) {
    return index >= kManyWaves && std::has_single_bit(index) && std::countr_zero(index) % 2 == 0;
  }

  bool has_first(uint64_t paths) const { return first_if_large_ && paths >= kLargeWave; }

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

  bool first_if_large_;
  uint64_t first_try_;
  uint64_t waves_ = 0;
  // Of the waves among whose plans it chooses, since their size has changed:
  uint64_t begin_ = 0;        ///< the first one
  uint64_t chosen_ = 0;       ///< how many
  uint64_t paths_ = 0;        ///< of the first one
  std::vector<Times> times_;  ///< [plan]
};

}  // namespace winnow
