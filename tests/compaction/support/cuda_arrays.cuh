// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/cuda_device.cuh"

// Common parts of the tests of the public functions for CUDA.

/// Selects numbers below a limit. Not default constructible, like many predicates.
struct Below {
  __host__ __device__ explicit Below(uint32_t limit) : limit(limit) {}
  __host__ __device__ bool operator()(uint32_t item) const { return item < limit; }
  uint32_t limit;
};

/// Selects items whose bit `*bit` is clear.
struct BitIsClear {
  const uint64_t* bit;
  __host__ __device__ bool operator()(uint32_t item) const { return (item >> *bit & 1) == 0; }
};

// Calls that several tests make. Their kernels are compiled once, by common_calls_cuda.cu.
#ifndef COMMON_CALL
#define COMMON_CALL extern template
#endif
namespace compaction {
COMMON_CALL cudaError_t reduce(const uint32_t*, uint32_t*, ItemCount, Sum<uint32_t>, const Storage&,
                               cudaStream_t);
COMMON_CALL cudaError_t inclusive_scan(const uint32_t*, uint32_t*, ItemCount, Sum<uint32_t>,
                                       const Storage&, cudaStream_t, std::optional<uint32_t>,
                                       uint32_t*);
COMMON_CALL cudaError_t inclusive_scan(void*, size_t&, const uint32_t*, uint32_t*, ItemCount,
                                       Sum<uint32_t>, cudaStream_t, std::optional<uint32_t>,
                                       uint32_t*);
COMMON_CALL cudaError_t exclusive_scan(const uint32_t*, uint32_t*, ItemCount, Sum<uint32_t>,
                                       const Storage&, cudaStream_t, std::optional<uint32_t>,
                                       uint32_t*);
COMMON_CALL cudaError_t exclusive_scan(void*, size_t&, const uint32_t*, uint32_t*, ItemCount,
                                       Sum<uint32_t>, cudaStream_t, std::optional<uint32_t>,
                                       uint32_t*);
COMMON_CALL cudaError_t select_if(const uint32_t*, uint32_t*, SelectedCount, ItemCount, Below,
                                  const Storage&, cudaStream_t);
COMMON_CALL cudaError_t select_if(const uint32_t*, uint32_t*, int*, ItemCount, Below,
                                  const Storage&, cudaStream_t);
COMMON_CALL cudaError_t select_if(const uint32_t*, uint32_t*, unsigned*, ItemCount, Below,
                                  const Storage&, cudaStream_t);
COMMON_CALL cudaError_t select_if(const uint32_t*, uint32_t*, long*, ItemCount, Below,
                                  const Storage&, cudaStream_t);
COMMON_CALL cudaError_t select_if(const uint32_t*, uint32_t*, long long*, ItemCount, Below,
                                  const Storage&, cudaStream_t);
COMMON_CALL cudaError_t select_if(const uint32_t*, uint32_t*, unsigned long long*, ItemCount, Below,
                                  const Storage&, cudaStream_t);
COMMON_CALL cudaError_t partition_if(const uint32_t*, uint32_t*, uint32_t*, SelectedCount,
                                     ItemCount, Below, const Storage&, cudaStream_t);
COMMON_CALL cudaError_t partition_in_one_if(const uint32_t*, uint32_t*, uint32_t*, ItemCount, Below,
                                            const Storage&, cudaStream_t);
COMMON_CALL cudaError_t partition_in_one_if(const uint32_t*, uint32_t*, int*, ItemCount, Below,
                                            const Storage&, cudaStream_t);
COMMON_CALL cudaError_t partition_in_one_if(const uint32_t*, uint32_t*, uint64_t*, ItemCount, Below,
                                            const Storage&, cudaStream_t);
}  // namespace compaction

namespace {

using compaction::ItemCount;
using compaction::Sum;
using compaction::Workspace;

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Items in device memory.
template <class T>
class Array {
 public:
  explicit Array(size_t size) : size_(size) {
    check(cudaMalloc(&items_, size * sizeof(T)));
    check(cudaMemset(items_, 0xA5, size * sizeof(T)));
  }
  explicit Array(const std::vector<T>& items) : Array(items.size()) { write(items); }
  ~Array() { cudaFree(items_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void write(const std::vector<T>& items) {
    check(cudaMemcpy(items_, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> read(size_t count) const {
    std::vector<T> items(count);
    check(cudaMemcpy(items.data(), items_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return items;
  }
  std::vector<T> read() const { return read(size_); }
  T* data() const { return items_; }

 private:
  T* items_ = nullptr;
  size_t size_;
};

/// A stream that does not wait for the null stream.
struct Stream {
  Stream() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream); }
  cudaStream_t stream;
};

inline std::vector<uint32_t> random_numbers(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> numbers(n);
  for (uint32_t& number : numbers) number = uint32_t(random());
  return numbers;
}

inline std::vector<uint32_t> reference_select(const std::vector<uint32_t>& in, size_t n,
                                              Below keep) {
  std::vector<uint32_t> out;
  std::copy_if(in.begin(), in.begin() + ptrdiff_t(n), std::back_inserter(out), keep);
  return out;
}

const Below kBelowHalf(1u << 31);

/// Skips tests without a GPU.
class OnGpu : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string why = why_no_gpu(); !why.empty()) GTEST_SKIP() << why;
  }
  void TearDown() override {
    if (!IsSkipped()) {
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
  }
};

}  // namespace
