#pragma once

#include <cstddef>
#include <string>

namespace compaction::bench {

/// What the times were measured on and with.
struct DeviceInfo {
  std::string name = "";
  int sms = 0;
  size_t l2_bytes = 0;
  int sm_mhz = 0, memory_mhz = 0;  ///< the most that they run at
  size_t free_bytes = 0, total_bytes = 0;
  std::string driver = "", runtime = "", cub = "";  ///< versions
};

}  // namespace compaction::bench
