// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "base/cuda_check.h"
#include "compaction/simt/span.h"

namespace winnow {

/// Device memory that is freed or reused as a whole.
class CudaMemory {
 public:
  CudaMemory() = default;
  CudaMemory(const CudaMemory&) = delete;
  ~CudaMemory() { free_from(0); }

  /// Makes all allocations available again without freeing them. Later allocations of equal sizes
  /// in the same order reuse the memory, which is much faster than allocating.
  void reuse() { used_ = 0; }

  /// Frees the memory that was not reused since reuse().
  void free_unused() { free_from(used_); }

  /// Returns the bytes of all allocations, reusable ones included.
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (const Block& block : blocks_) sum += block.bytes;
    return sum;
  }

  /// Allocates zeroed items.
  template <class T>
  simt::Span<T> allocate(size_t count) {
    if (count == 0) return {};
    const size_t bytes = count * sizeof(T);
    if (used_ < blocks_.size() && blocks_[used_].bytes != bytes) free_from(used_);
    if (used_ == blocks_.size()) {
      blocks_.reserve(blocks_.size() + 1);
      blocks_.push_back({allocate_on_device(bytes), bytes});
    }
    void* data = blocks_[used_++].data;
    check_cuda(cudaMemset(data, 0, bytes), "clearing memory");
    return {static_cast<T*>(data), count};
  }

  /// Allocates a copy of items in host memory.
  template <class T>
  simt::Span<const T> upload(const std::vector<T>& items) {
    simt::Span<T> copy = allocate<T>(items.size());
    check_cuda(
        cudaMemcpy(copy.data, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice),
        "copying the scene to the GPU");
    return copy;
  }

 private:
  struct Block {
    void* data;
    size_t bytes;
  };

  void free_from(size_t first) {
    for (size_t i = first; i < blocks_.size(); ++i) cudaFree(blocks_[i].data);
    blocks_.resize(std::min(first, blocks_.size()));
    used_ = std::min(used_, first);
  }

  std::vector<Block> blocks_;
  size_t used_ = 0;  ///< number of blocks in use
};

template <class T>
std::vector<std::remove_const_t<T>> download(simt::Span<T> items) {
  std::vector<std::remove_const_t<T>> copy(items.size);
  check_cuda(cudaMemcpy(copy.data(), items.data, items.size * sizeof(T), cudaMemcpyDeviceToHost),
             "copying results from the GPU");
  return copy;
}

}  // namespace winnow
