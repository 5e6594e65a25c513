#pragma once

#include <cuda_runtime.h>

#include <string>

#include "base/error.h"

namespace winnow {

/// Throws Error with what was being done unless `status` is cudaSuccess.
inline void check_cuda(cudaError_t status, const std::string& doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a later call must not report it again
  throw Error("CUDA failed while " + doing + ": " + cudaGetErrorString(status));
}

}  // namespace winnow
