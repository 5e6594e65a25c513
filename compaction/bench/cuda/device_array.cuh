// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <source_location>
#include <vector>

#include "compaction/bench/random_items.h"

namespace compaction::bench {

/// Exits with a message that names the caller's file and line unless `status` is cudaSuccess.
inline void check(cudaError_t status,
                  std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), unsigned(where.line()),
               cudaGetErrorString(status));
  std::exit(1);
}

/// An array in memory of the current device. Throws std::bad_alloc if there is not enough.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t size) : size_(size) {
    cudaError_t status = cudaMalloc(&data_, bytes() + 1);  // an empty array also has an address
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    check(status);
  }
  explicit DeviceArray(const std::vector<T>& items) : DeviceArray(items.size()) {
    check(cudaMemcpy(data_, items.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }
  void fill(int byte) { check(cudaMemset(data_, byte, bytes())); }
  std::vector<T> read() const {
    std::vector<T> items(size_);
    check(cudaMemcpy(items.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return items;
  }

 private:
  T* data_ = nullptr;
  size_t size_;
};

/// Sets items [n] to `item(i)`. Grid-stride.
template <class T, class Item>
__global__ void fill_items(T* items, uint64_t n, Item item) {
  for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n;
       i += uint64_t(gridDim.x) * blockDim.x)
    items[i] = item(i);
}

/// Grid of kernels that stride over all items: fills the largest GPUs.
inline constexpr unsigned kBlocks = 2048, kBlockSize = 256;

/// Sets each item of the array to `item(i)`, a function of its index. Does not synchronize.
template <class T, class Item>
void fill(const DeviceArray<T>& items, Item item) {
  fill_items<<<kBlocks, kBlockSize>>>(items.data(), items.size(), item);
  check(cudaGetLastError());
}

/// Returns an array of n items with `item(i)` in place i. Does not synchronize.
template <class T, class Item>
std::shared_ptr<DeviceArray<T>> new_array(uint64_t n, Item item) {
  auto items = std::make_shared<DeviceArray<T>>(n);
  fill(*items, item);
  return items;
}

template <class T>
struct RandomItem {
  uint64_t first = 0;
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return random_item<T>(first + i); }
};

template <class T>
struct KeepsItem {
  Below<T> keep;
  SIMT_HOST_DEVICE bool operator()(uint64_t i) const { return keep(random_item<T>(i)); }
};

template <class T>
std::shared_ptr<DeviceArray<T>> random_items(uint64_t n) {
  return new_array<T>(n, RandomItem<T>{});
}

}  // namespace compaction::bench
