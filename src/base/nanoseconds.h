// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Returns the time of this device's clock, ns, shared by all SMs; only differences matter.
SIMT_HOST_DEVICE inline uint64_t nanoseconds() {
#if defined(__CUDA_ARCH__)
  uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
#else
  std::chrono::nanoseconds time = std::chrono::steady_clock::now().time_since_epoch();
  return uint64_t(time.count());
#endif
}

/// Returns the time of the host's clock, s; only differences are meaningful.
inline double steady_seconds() {
  return double(nanoseconds()) * 1e-9;
}

}  // namespace winnow
