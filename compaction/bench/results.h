// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/tools/statistics.h"

namespace compaction::bench {

struct DeviceInfo {
  std::string name = "";
  int sms = 0;
  size_t l2_bytes = 0;
  int sm_mhz = 0, memory_mhz = 0;  ///< highest clock rates
  size_t free_bytes = 0, total_bytes = 0;
  std::string driver = "", runtime = "", cub = "";  ///< versions
};

struct Task {
  std::string suite = "", operation = "";  ///< "select", "select_flagged"
  unsigned item_bytes = 0;
  uint64_t n = 0;
  int bounce = -1;     ///< bounce of a recorded mask; negative if none is replayed
  double keep = -1;    ///< % of the items to select; negative if nothing is selected
  uint64_t kept = 0;   ///< selected items, counted in the data
  uint64_t bytes = 0;  ///< read plus written, see traffic.h

  bool selects() const { return keep >= 0; }
};

/// Calls in the graph of a short call.
inline constexpr int kGraphCalls = 100;

struct Timing {
  std::string algorithm;
  Summary cold_us;        ///< one call whose input is not in L2
  Summary hot_us;         ///< one of many calls in a row, on the same buffers
  Summary enqueue_us;     ///< host time of the call
  int launches = -1;      ///< kernels, copies and fills of a call; negative if unknown
  Summary graph_us = {};  ///< one of kGraphCalls calls in a graph; no samples if not measured
};

struct Race {
  Task task;
  std::vector<Timing> timings;
};

/// Name of the library's fast path among the algorithms of a race.
inline constexpr const char* kOurs = "compaction";
inline constexpr const char *kMemcpy = "memcpy", *kCub = "cub", *kThrust = "thrust";

/// Ratios of a timing to the baselines of its race, all medians; 0 if the baseline is missing.
struct Ratios {
  double cold_speed_of_memcpy = 0, hot_speed_of_memcpy = 0;  ///< above 1 is faster than a copy
  double cold_time_of_cub = 0, hot_time_of_cub = 0;          ///< below 1 is faster than CUB
  double graph_time_of_cub = 0;
  double cold_time_of_thrust = 0;
};

inline Ratios ratios_of(const Race& race, const Timing& timing) {
  Ratios ratios;
  auto ratio = [](double numerator, double denominator) {
    return numerator > 0 && denominator > 0 ? numerator / denominator : 0;
  };
  const double cold = timing.cold_us.median, hot = timing.hot_us.median;
  for (const Timing& baseline : race.timings) {
    const double baseline_cold = baseline.cold_us.median, baseline_hot = baseline.hot_us.median;
    if (baseline.algorithm == kMemcpy) {
      ratios.cold_speed_of_memcpy = ratio(baseline_cold, cold);
      ratios.hot_speed_of_memcpy = ratio(baseline_hot, hot);
    } else if (baseline.algorithm == kCub) {
      ratios.cold_time_of_cub = ratio(cold, baseline_cold);
      ratios.hot_time_of_cub = ratio(hot, baseline_hot);
      ratios.graph_time_of_cub = ratio(timing.graph_us.median, baseline.graph_us.median);
    } else if (baseline.algorithm == kThrust) {
      ratios.cold_time_of_thrust = ratio(cold, baseline_cold);
    }
  }
  return ratios;
}

}  // namespace compaction::bench
