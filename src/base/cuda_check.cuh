// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "base/error.h"

namespace winnow {

/// Throws Error with a description of the operation unless `status` is cudaSuccess.
inline void check_cuda(cudaError_t status, const std::string& doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears it, so that later calls do not report it again
  throw Error("CUDA failed while " + doing + ": " + cudaGetErrorString(status));
}

}  // namespace winnow
