// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include "base/error.h"

namespace winnow {

/// Returns the bytes of host memory available without swapping, from /proc/meminfo, but at least
/// 1 GiB, since the memory of some virtual machines grows as it is used; the maximum of the type on
/// machines without that file.
inline uint64_t free_host_memory() {
  constexpr uint64_t kLeast = 1ull << 30;
  std::ifstream file("/proc/meminfo");
  std::string key, rest_of_line;
  uint64_t kilobytes;
  while (file >> key >> kilobytes) {
    std::getline(file, rest_of_line);
    if (key == "MemAvailable:") return std::max(kilobytes * 1024, kLeast);
  }
  return std::numeric_limits<uint64_t>::max();
}

/// Throws Error with the estimate and a remedy if `needed` bytes exceed `free`.
///
/// @param where   "on the GPU", "in memory"
/// @param remedy  "use a smaller --size"
inline void check_memory(uint64_t needed, uint64_t free, const std::string& where,
                         const std::string& remedy) {
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  if (needed > free)
    throw Error(fmt::format("this render needs {:.1f} GiB {} and {:.1f} GiB are free; {}",
                            needed / kGiB, where, free / kGiB, remedy));
}

}  // namespace winnow
