// SPDX-License-Identifier: MIT
// A user's program for CUDA, compiled without --expt-relaxed-constexpr. On the current device, it
// calls a select, and a scan of pairs by the functions with CUB's names.

#include <cstdint>
#include <cstdio>

#include "compaction/cub/cub_compat.cuh"
#include "compaction/cuda.cuh"

namespace {

struct Odd {
  __host__ __device__ bool operator()(uint32_t item) const { return item % 2 == 1; }
};

/// Selects the odd numbers of 0 to n - 1 and counts the wrong results.
cudaError_t select_odd(uint32_t n, uint32_t& wrong) {
  uint32_t *items = nullptr, *odd = nullptr, *odd_count = nullptr;
  compaction::Workspace workspace;
  cudaError_t status = cudaMallocManaged(&items, n * sizeof(uint32_t));
  if (status == cudaSuccess) status = cudaMallocManaged(&odd, n * sizeof(uint32_t));
  if (status == cudaSuccess) status = cudaMallocManaged(&odd_count, sizeof(uint32_t));
  if (status == cudaSuccess) status = workspace.reserve(compaction::bytes_for<uint32_t>(n));
  if (status != cudaSuccess) return status;

  for (uint32_t i = 0; i < n; ++i) items[i] = i;
  status = compaction::select_if(items, odd, odd_count, n, Odd{}, workspace);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return status;

  wrong = *odd_count != n / 2;
  for (uint32_t i = 0; i < n / 2; ++i) wrong += odd[i] != 2 * i + 1;
  cudaFree(odd_count);
  cudaFree(odd);
  cudaFree(items);
  return cudaSuccess;
}

struct Pair {
  uint32_t a, b;
};
__host__ __device__ Pair operator+(Pair x, Pair y) {
  return {x.a + y.a, x.b + y.b};
}

/// Scans `n` equal pairs and counts the wrong sums.
cudaError_t sum_pairs(uint32_t n, uint32_t& wrong) {
  using compaction::cub_compat::DeviceScan;
  Pair *pairs = nullptr, *sums = nullptr;
  void* temp = nullptr;
  size_t temp_bytes = 0;
  cudaError_t status = cudaMallocManaged(&pairs, n * sizeof(Pair));
  if (status == cudaSuccess) status = cudaMallocManaged(&sums, n * sizeof(Pair));
  if (status == cudaSuccess) status = DeviceScan::InclusiveSum(temp, temp_bytes, pairs, sums, n);
  if (status == cudaSuccess) status = cudaMalloc(&temp, temp_bytes);
  if (status != cudaSuccess) return status;

  for (uint32_t i = 0; i < n; ++i) pairs[i] = {1, 2};
  status = DeviceScan::InclusiveSum(temp, temp_bytes, pairs, sums, n);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return status;

  for (uint32_t i = 0; i < n; ++i) wrong += sums[i].a != i + 1 || sums[i].b != 2 * (i + 1);
  cudaFree(temp);
  cudaFree(sums);
  cudaFree(pairs);
  return cudaSuccess;
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess) {
    std::printf("built, but not run: %s\n", cudaGetErrorString(status));
    return 0;
  }
  constexpr uint32_t kItems = 1'000'000;
  uint32_t wrong = 0;
  cudaError_t status = select_odd(kItems, wrong);
  if (status == cudaSuccess) status = sum_pairs(kItems, wrong);
  std::printf("%u mistakes, %s\n", wrong, cudaGetErrorString(status));
  return status == cudaSuccess && wrong == 0 ? 0 : 1;
}
