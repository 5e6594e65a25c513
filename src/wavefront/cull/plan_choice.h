// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace winnow {

/// Chooses one of several plans for each wave of a render by the times of earlier waves. The first
/// waves have the first plan, as short renders gain less than it takes to load other kernels; the
/// next ones try the other plans once; then the fastest one is used. At waves that are powers of
/// two, the plan whose time is the oldest is tried again, as scenes may differ from pixel to pixel:
/// ever more rarely, so that this costs a vanishing share of the render.
class PlanChoice {
 public:
  /// The first wave that may have another plan than the first.
  static constexpr uint64_t kFirstTry = 4;

  explicit PlanChoice(size_t plan_count) : times_(plan_count) {}

  /// The plan of the next wave.
  size_t next() {
    const uint64_t wave = waves_++;
    if (times_.size() == 1 || wave < kFirstTry) return 0;
    if (wave < kFirstTry + times_.size() - 1) return size_t(wave - kFirstTry + 1);
    return wave >= kFirstRetry && std::has_single_bit(wave) ? oldest() : fastest();
  }

  /// Records how long a wave took. Times may be missing, and arrive some waves later. That of the
  /// first wave, in which caches are cold, does not count.
  ///
  /// @param wave  counted from 0, as next() was called
  void add(uint64_t wave, size_t plan, double nanoseconds_per_path) {
    if (wave > 0) times_[plan] = {wave, nanoseconds_per_path};
  }

 private:
  static constexpr uint64_t kFirstRetry = 16;

  struct Time {
    uint64_t wave = 0;                  ///< in which it was measured; 0: not yet
    double nanoseconds_per_path = 0.0;  ///< of that wave
  };

  /// Of those that have been measured, or the first one.
  size_t fastest() const {
    size_t best = 0;
    for (size_t plan = 1; plan < times_.size(); ++plan)
      if (times_[plan].wave > 0 &&
          (times_[best].wave == 0 ||
           times_[plan].nanoseconds_per_path < times_[best].nanoseconds_per_path))
        best = plan;
    return best;
  }

  size_t oldest() const {
    size_t oldest = 0;
    for (size_t plan = 1; plan < times_.size(); ++plan)
      if (times_[plan].wave < times_[oldest].wave) oldest = plan;
    return oldest;
  }

  uint64_t waves_ = 0;
  std::vector<Time> times_;  ///< [plan], the latest
};

}  // namespace winnow
