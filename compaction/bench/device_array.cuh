#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <source_location>
#include <vector>

namespace compaction::bench {

/// Ends the program, naming the caller's file and line, unless `status` is cudaSuccess.
inline void check(cudaError_t status,
                  std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), unsigned(where.line()),
               cudaGetErrorString(status));
  std::exit(1);
}

/// Memory of the current device. Throws std::bad_alloc where there is not enough.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t size) : size_(size) {
    cudaError_t status = cudaMalloc(&data_, bytes() + 1);  // so that none is null
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

}  // namespace compaction::bench
