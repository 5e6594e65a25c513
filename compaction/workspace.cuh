// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "compaction/simt/span.h"

namespace compaction {

/// Device memory that the library's functions use, one call at a time: consecutive calls on one
/// stream may share a workspace, calls on several streams need one each.
///
/// It is zeroed once; each call of any function leaves it ready for the next one.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace() { cudaFree(memory_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Ensures a size of at least `bytes`: allocates, and zeroes on `stream`, if it is smaller. Then
  /// no work that uses the workspace may be in flight.
  [[nodiscard]] cudaError_t reserve(size_t bytes, cudaStream_t stream = nullptr) {
    if (bytes <= bytes_) return cudaSuccess;
    cudaError_t status = cudaFree(memory_);
    memory_ = nullptr;
    bytes_ = 0;
    if (status != cudaSuccess) return status;
    status = cudaMalloc(&memory_, bytes);
    if (status != cudaSuccess) return status;
    bytes_ = bytes;
    return reset(stream);
  }

  /// Zeroes it. Needed only after a kernel that used it has failed.
  [[nodiscard]] cudaError_t reset(cudaStream_t stream = nullptr) {
    return bytes_ > 0 ? cudaMemsetAsync(memory_, 0, bytes_, stream) : cudaSuccess;
  }

  size_t bytes() const { return bytes_; }
  simt::Span<std::byte> span() const { return {memory_, bytes_}; }
  operator simt::Span<std::byte>() const { return span(); }

 private:
  std::byte* memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace compaction
