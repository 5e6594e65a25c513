// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace winnow {

/// Finds memory that is allocated and never freed, from case to case.
class MemoryGrowth {
 public:
  static constexpr uint64_t kWarmUp = 64;  ///< cases that show how much memory a case needs
  static constexpr uint64_t kAllowance = uint64_t(192) << 20;  ///< bytes by which cases may differ

  /// Records the memory after a case. Returns true once: when it first exceeds the maximum of the
  /// first kWarmUp cases by more than kAllowance.
  ///
  /// @param resident  bytes in use by the process
  bool has_grown(uint64_t resident) {
    last_ = resident;
    if (cases_++ < kWarmUp) first_ = std::max(first_, resident);
    if (is_reported_ || resident <= first_ + kAllowance) return false;
    return is_reported_ = true;
  }

  std::string text() const {
    constexpr double kMiB = 1024.0 * 1024.0;
    return fmt::format("memory {:.0f} MiB, at most {:.0f} MiB in the first cases",
                       double(last_) / kMiB, double(first_) / kMiB);
  }

 private:
  uint64_t cases_ = 0, first_ = 0, last_ = 0;
  bool is_reported_ = false;
};

}  // namespace winnow
