#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compaction/bench/statistics.h"

namespace compaction::bench {

/// What several algorithms are given to do.
struct Task {
  std::string suite, operation;  ///< "select", "select_flagged"
  unsigned item_bytes = 0;
  uint64_t n = 0;
  int bounce = -1;     ///< that a recorded mask is of; negative where none is replayed
  double keep = -1;    ///< % that was asked for; negative where nothing is selected
  uint64_t kept = 0;   ///< items, counted
  uint64_t bytes = 0;  ///< read plus written, see traffic.h

  bool selects() const { return keep >= 0; }
};

/// How long one algorithm takes for a task.
struct Timing {
  std::string algorithm;
  Summary cold_us;     ///< one call whose input is not in L2
  Summary hot_us;      ///< a call among many in a row, on the same buffers
  Summary enqueue_us;  ///< what the call takes on the host
  int launches = -1;   ///< kernels, copies and fills of a call; negative where not known
};

/// The algorithms of one task, timed in turn.
struct Race {
  Task task;
  std::vector<Timing> timings;
};

/// Names of the yardsticks.
inline constexpr const char *kMemcpy = "memcpy", *kCub = "cub", *kThrust = "thrust";

/// The cold median of the race's `algorithm`; 0 where it takes no part.
inline double cold_us(const Race& race, std::string_view algorithm) {
  for (const Timing& timing : race.timings)
    if (timing.algorithm == algorithm) return timing.cold_us.median;
  return 0;
}

/// The hot median, likewise.
inline double hot_us(const Race& race, std::string_view algorithm) {
  for (const Timing& timing : race.timings)
    if (timing.algorithm == algorithm) return timing.hot_us.median;
  return 0;
}

}  // namespace compaction::bench
