// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ctime>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Returns the time of this device's clock, ns, shared by all SMs; only differences matter.
SIMT_HOST_DEVICE inline uint64_t nanoseconds() {
#if defined(__CUDA_ARCH__)
  uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
#else
  // Kernels include this header; <chrono> would take a tenth of their compile time.
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
#endif
}

/// Returns the time of the fastest clock of this processor: cycles of the SM on a GPU, ns on a CPU.
/// Memory accesses stay on their side of the call.
SIMT_HOST_DEVICE inline uint64_t clock_ticks() {
#if defined(__CUDA_ARCH__)
  uint64_t time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(time) : : "memory");
  return time;
#else
  return nanoseconds();
#endif
}

/// Returns the time of the host's clock, s; only differences are meaningful.
inline double steady_seconds() {
  return double(nanoseconds()) * 1e-9;
}

}  // namespace winnow
