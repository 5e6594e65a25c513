// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

namespace winnow {

/// Makes CUDA calls fail in tests, which cannot cause a lost device or one out of memory otherwise.
/// Set it while nothing renders; the renderer reads it at each call that it checks.
struct CudaFault {
  std::string doing;  ///< operation that fails, as check_cuda() describes it; empty: none
  int works = 0;      ///< calls of the operation that still succeed
  int fails = 0;      ///< calls that fail after these; later ones succeed again
  int status = 0;     ///< cudaError_t of the failing calls
};
inline CudaFault cuda_fault;

/// Returns the status with which a call of `doing` must fail, or 0 (cudaSuccess) if it may succeed.
inline int injected_fault(const std::string& doing) {
  if (cuda_fault.doing.empty() || cuda_fault.doing != doing) return 0;
  if (std::atomic_ref(cuda_fault.works)-- > 0) return 0;
  return std::atomic_ref(cuda_fault.fails)-- > 0 ? cuda_fault.status : 0;
}

}  // namespace winnow
