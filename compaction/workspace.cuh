#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "compaction/simt/span.h"

namespace compaction {

/// Device memory that the library's functions work in, one call at a time: calls on one stream may
/// follow each other without more ado, calls on several streams need a workspace each.
///
/// It is zeroed once; then each call, of whatever function, leaves it ready for the next.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace() { cudaFree(memory_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Makes room for `bytes`: allocates and zeroes, in order with `stream`, unless there is room
  /// already. Work that uses the workspace must have ended if it has to grow.
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

  /// Zeroes it. Needed after a kernel that used it has failed, and never else.
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
