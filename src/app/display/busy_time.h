// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <ctime>

namespace winnow {

/// Processor time of threads other than those that render. Any thread may call all functions.
class BusyTime {
 public:
  double seconds() const { return seconds_; }

  /// Runs some work and adds the processor time that this thread needs for it.
  template <class Work>
  auto count(Work work) {
    struct Timer {
      std::atomic<double>& seconds;
      double start = thread_seconds();
      ~Timer() { seconds += thread_seconds() - start; }
    } timer{seconds_};
    return work();
  }

 private:
  static double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  }

  std::atomic<double> seconds_{0.0};
};

}  // namespace winnow
