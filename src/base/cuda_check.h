// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <string>

#include "base/error.h"

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

/// Throws Error unless `status` is cudaSuccess. `doing` describes the operation in the message.
inline void check_cuda(cudaError_t status, const std::string& doing) {
  if (status == cudaSuccess) status = cudaError_t(injected_fault(doing));
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears it, so that later calls do not report it again
  const bool is_other_gpu = status == cudaErrorNoKernelImageForDevice;
  throw Error("CUDA failed while " + doing + ": " + cudaGetErrorString(status) +
              (is_other_gpu ? "; `winnow --version` names the GPUs it was built for" : ""));
}

/// Thrown when an allocation on a device finds too little memory.
struct OutOfDeviceMemory : Error {
  using Error::Error;
};

/// Allocates on the current device. Throws OutOfDeviceMemory, which says how much is free.
inline void* allocate_on_device(size_t bytes) {
  constexpr size_t kMiB = size_t{1} << 20;
  void* data = nullptr;
  cudaError_t status = cudaError_t(injected_fault("allocating memory"));
  if (status == cudaSuccess) status = cudaMalloc(&data, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    throw OutOfDeviceMemory("this render needs another " + std::to_string(bytes / kMiB + 1) +
                            " MiB on the GPU, and " + std::to_string(free / kMiB) + " of " +
                            std::to_string(total / kMiB) +
                            " MiB are free; use a smaller --size or --wave-size");
  }
  check_cuda(status, "allocating device memory");
  return data;
}

}  // namespace winnow
