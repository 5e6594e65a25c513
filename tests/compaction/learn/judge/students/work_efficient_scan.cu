// SPDX-License-Identifier: MIT
// A student's work-efficient scan of floats, in plain CUDA: up-sweep and down-sweep in dynamic
// shared memory, without padding. A recursive call scans the sums of the blocks.

#include <cuda.h>
#include <cuda_runtime.h>

constexpr int kThreads = 64;

__global__ void scanBlocks(float* g_out, const float* g_in, float* sums, int n) {
  extern __shared__ float temp[];  // 2 * blockDim.x elements
  const int t = threadIdx.x, elements = 2 * blockDim.x;
  const int first = blockIdx.x * elements;
  temp[2 * t] = first + 2 * t < n ? g_in[first + 2 * t] : 0.0f;
  temp[2 * t + 1] = first + 2 * t + 1 < n ? g_in[first + 2 * t + 1] : 0.0f;

  int offset = 1;
  for (int d = elements >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      temp[right] += temp[left];
    }
    offset *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = temp[elements - 1];
    temp[elements - 1] = 0;
  }
  for (int d = 1; d < elements; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      float value = temp[left];
      temp[left] = temp[right];
      temp[right] += value;
    }
  }
  __syncthreads();
  if (first + 2 * t < n) g_out[first + 2 * t] = temp[2 * t];
  if (first + 2 * t + 1 < n) g_out[first + 2 * t + 1] = temp[2 * t + 1];
}

__global__ void addSums(float* out, const float* sums, int n) {
  int i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  float sum = sums[blockIdx.x];
  if (i < n) out[i] += sum;
  if (i + blockDim.x < n) out[i + blockDim.x] += sum;
}

// in and out are on the device.
void scan(const float* in, float* out, int n) {
  if (n == 0) return;
  const int blocks = (n + 2 * kThreads - 1) / (2 * kThreads);
  float *sums, *scanned;
  cudaMalloc(&sums, blocks * sizeof(float));
  scanBlocks<<<blocks, kThreads, 2 * kThreads * sizeof(float)>>>(out, in, sums, n);
  if (blocks > 1) {
    cudaMalloc(&scanned, blocks * sizeof(float));
    scan(sums, scanned, blocks);
    addSums<<<blocks, kThreads>>>(out, scanned, n);
    cudaFree(scanned);
  }
  cudaFree(sums);
}
