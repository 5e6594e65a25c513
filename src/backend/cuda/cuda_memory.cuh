// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "base/cuda_check.cuh"
#include "compaction/simt/span.h"

namespace winnow {

/// Device memory that is freed all at once.
class CudaMemory {
 public:
  CudaMemory() = default;
  CudaMemory(const CudaMemory&) = delete;
  ~CudaMemory() {
    for (void* block : blocks_) cudaFree(block);
  }

  /// Allocates zeroed items.
  template <class T>
  simt::Span<T> allocate(size_t count) {
    if (count == 0) return {};
    blocks_.reserve(blocks_.size() + 1);
    void* data = allocate_on_device(count * sizeof(T));
    blocks_.push_back(data);
    check_cuda(cudaMemset(data, 0, count * sizeof(T)), "clearing memory");
    return {static_cast<T*>(data), count};
  }

  /// Allocates a copy of host items.
  template <class T>
  simt::Span<const T> upload(const std::vector<T>& items) {
    simt::Span<T> copy = allocate<T>(items.size());
    check_cuda(
        cudaMemcpy(copy.data, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice),
        "copying the scene to the GPU");
    return copy;
  }

 private:
  std::vector<void*> blocks_;
};

/// Copies device items to the host.
template <class T>
std::vector<std::remove_const_t<T>> download(simt::Span<T> items) {
  std::vector<std::remove_const_t<T>> copy(items.size);
  check_cuda(cudaMemcpy(copy.data(), items.data, items.size * sizeof(T), cudaMemcpyDeviceToHost),
             "copying results from the GPU");
  return copy;
}

}  // namespace winnow
