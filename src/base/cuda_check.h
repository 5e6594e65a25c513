// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "base/cuda_fault.h"
#include "base/error.h"

namespace winnow {

/// Returns what the user can do about a failure of CUDA; empty if no remedy is known.
inline const char* cuda_hint(cudaError_t status) {
  switch (status) {
    case cudaErrorNoKernelImageForDevice:
      return "; `winnow --version` names the GPUs it was built for";
    case cudaErrorUnsupportedPtxVersion:
      return "; this GPU needs a newer driver, or a build for its architecture: `winnow --version` "
             "names those of this one";
    default:
      return "";
  }
}

/// Throws Error unless `status` is cudaSuccess. `doing` describes the operation in the message.
inline void check_cuda(cudaError_t status, const std::string& doing) {
  if (status == cudaSuccess) status = cudaError_t(injected_fault(doing));
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears it, so that later calls do not report it again
  throw Error("CUDA failed while " + doing + ": " + cudaGetErrorString(status) + cuda_hint(status));
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
