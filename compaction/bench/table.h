#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "compaction/bench/device_info.h"
#include "compaction/bench/record.h"

// The table on stdout: one line per algorithm and task.

namespace compaction::bench {

/// "2^20" of a power of two, else the plain number.
inline std::string size_text(uint64_t n) {
  return std::has_single_bit(n) ? "2^" + std::to_string(std::countr_zero(n)) : std::to_string(n);
}

/// "select_if, 4-byte items, n = 2^20, keep 10 %"
inline std::string task_text(const Task& task) {
  std::string text = task.operation + ", " + std::to_string(task.item_bytes) +
                     "-byte items, n = " + size_text(task.n);
  if (task.bounce >= 0) text += ", bounce " + std::to_string(task.bounce);
  if (task.selects()) {
    char keep[32];
    std::snprintf(keep, sizeof keep, ", keep %g %%", task.keep);
    text += keep;
  }
  return text;
}

inline void print_device(const DeviceInfo& device) {
  constexpr double kMebi = 1 << 20, kGibi = 1 << 30;
  std::printf("%s, %d SMs, L2 %.0f MiB, up to %d MHz, memory %d MHz, %.1f of %.1f GiB free\n",
              device.name.c_str(), device.sms, double(device.l2_bytes) / kMebi, device.sm_mhz,
              device.memory_mhz, double(device.free_bytes) / kGibi,
              double(device.total_bytes) / kGibi);
  std::printf("driver %s, runtime %s, CUB %s\n\n", device.driver.c_str(), device.runtime.c_str(),
              device.cub.c_str());
}

inline void print_header() {
  std::printf(
      "cold: median of single calls whose input is not in L2; +-: interquartile range, %% of it.\n"
      "hot: a call among many in a row. host: what a call takes the host to enqueue. runs: what "
      "it\n"
      "enqueues, kernels, copies and fills. of copy: speed beside a copy of as many bytes. x cub,\n"
      "x thrust: time beside theirs, below 1 is faster. All but hot and host are of cold calls.\n"
      "GB/s counts what must move of n items, k kept, of s bytes: select ns + ks, by flags n "
      "more,\n"
      "by a mask n/8 more, partition and scan 2ns, reduce ns. Of columns all are counted as read\n"
      "in full.\n\n");
  std::printf("%-15s %4s %6s %5s %-18s %11s %5s %7s %7s %6s %8s %11s %7s %5s\n", "operation",
              "item", "n", "keep", "algorithm", "cold us", "+-", "GB/s", "of copy", "x cub",
              "x thrust", "hot us", "host us", "runs");
}

inline void print_race(const Race& race) {
  const Task& task = race.task;
  auto ratio = [](int width, double numerator, double denominator) {
    if (numerator > 0 && denominator > 0)
      std::printf(" %*.2f", width, numerator / denominator);
    else
      std::printf(" %*s", width, "-");
  };
  for (const Timing& timing : race.timings) {
    double cold = timing.cold_us.median;
    std::printf("%-15s %4u %6s", task.operation.c_str(), task.item_bytes,
                size_text(task.n).c_str());
    task.selects() ? std::printf(" %4g%%", task.keep) : std::printf(" %5s", "-");
    std::printf(" %-18s %11.2f %4.1f%% %7.0f", timing.algorithm.c_str(), cold,
                100 * timing.cold_us.spread(), 1e-3 * double(task.bytes) / cold);
    ratio(7, cold_us(race, kMemcpy), cold);
    ratio(6, cold, cold_us(race, kCub));
    ratio(8, cold, cold_us(race, kThrust));
    std::printf(" %11.2f %7.2f", timing.hot_us.median, timing.enqueue_us.median);
    timing.launches < 0 ? std::printf(" %5s\n", "-") : std::printf(" %5d\n", timing.launches);
  }
  std::fflush(stdout);
}

}  // namespace compaction::bench
