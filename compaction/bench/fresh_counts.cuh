#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "compaction/bench/device_array.cuh"

namespace compaction::bench {

/// What kernels that append count in: each call has its own count, so that none must be zeroed
/// between calls.
class FreshCounts {
 public:
  FreshCounts() : counts_(kCounts) { reset(); }

  void reset() {
    counts_.fill(0);
    used_ = 0;
  }

  /// A count that is zero.
  uint32_t* next(cudaStream_t stream) {
    if (used_ == kCounts) {
      check(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream));
      used_ = 0;
    }
    return counts_.data() + used_++;
  }

  /// Empty where the last count is `expected`.
  std::string error(uint64_t expected) const {
    const uint32_t count = counts_.read()[used_ - 1];
    if (count == expected) return "";
    return "the count is " + std::to_string(count) + ", not " + std::to_string(expected);
  }

 private:
  static constexpr size_t kCounts = 4096;

  DeviceArray<uint32_t> counts_;
  size_t used_ = 0;
};

}  // namespace compaction::bench
