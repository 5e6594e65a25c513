// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

namespace winnow {

/// Lets calls of CUDA fail, for tests: a device that is out of memory or lost cannot be had
/// otherwise. Set it while nothing renders; the renderer reads it at each call that it checks.
struct CudaFault {
  std::string doing;  ///< what fails, as check_cuda() describes it; empty: nothing
  int works = 0;      ///< calls of it that still work
  int fails = 0;      ///< calls that fail after these; then it works again
  int status = 0;     ///< the cudaError_t with which they fail
};
inline CudaFault cuda_fault;

/// The status with which a call about `doing` is to fail; 0, cudaSuccess, if it is not.
inline int injected_fault(const std::string& doing) {
  if (cuda_fault.doing.empty() || cuda_fault.doing != doing) return 0;
  if (std::atomic_ref(cuda_fault.works)-- > 0) return 0;
  return std::atomic_ref(cuda_fault.fails)-- > 0 ? cuda_fault.status : 0;
}

}  // namespace winnow
