// SPDX-License-Identifier: MIT
// A student's compaction, in plain CUDA: flags are scanned in padded shared memory, and each block
// passes its total on to the next block.

#include <cuda_runtime.h>

#define LOG_BANKS 5
#define PAD(i) ((i) + ((i) >> LOG_BANKS))

template <int kThreads>
__global__ void compactBlocks(const int* in, int* out, int* count, volatile int* totals,
                              unsigned* next, int n) {
  __shared__ int ranks[PAD(2 * kThreads)], block, before;
  __shared__ __align__(16) int warp_sums[kThreads / 32];
  const int t = threadIdx.x, lane = t % warpSize;
  if (t == 0) block = atomicAdd(next, 1u);
  __syncthreads();

  const int item = block * kThreads + t;
  const int value = item < n ? in[item] : 0;
  int sum = value != 0;
  for (int delta = 1; delta < 32; delta <<= 1) {
    int other = __shfl_up_sync(0xffffffff, sum, delta);
    if (lane >= delta) sum += other;
  }
  if (lane == 31) warp_sums[t / 32] = sum;
  __syncthreads();
  if (t < kThreads / 32) {
    const unsigned mask = (1u << (kThreads / 32)) - 1;
    int warps = warp_sums[t];
    for (int delta = 1; delta < kThreads / 32; delta <<= 1) {
      int other = __shfl_up_sync(mask, warps, delta);
      if (t >= delta) warps += other;
    }
    warp_sums[t] = warps;
  }
  __syncthreads();
  ranks[PAD(t)] = sum + (t >= 32 ? warp_sums[t / 32 - 1] : 0);
  __syncthreads();

  if (t == 0) {
    before = 0;
    if (block > 0) {
      int published;
      while ((published = totals[block - 1]) == 0) {
      }
      before = published - 1;
    }
    totals[block] = before + ranks[PAD(kThreads - 1)] + 1;
    if (block == gridDim.x - 1) *count = before + ranks[PAD(kThreads - 1)];
  }
  __syncthreads();
  if (value != 0) out[before + ranks[PAD(t)] - 1] = value;
}

int select(const int* in, int* out, int n) {
  if (n == 0) return 0;
  constexpr int kThreads = 128;
  const int blocks = (n + kThreads - 1) / kThreads;
  int *count, *totals, selected;
  unsigned* next;
  cudaMalloc(&count, sizeof(int));
  cudaMalloc(&totals, blocks * sizeof(int));
  cudaMalloc(&next, sizeof(unsigned));
  cudaMemset(totals, 0, blocks * sizeof(int));
  cudaMemset(next, 0, sizeof(unsigned));
  compactBlocks<kThreads><<<blocks, kThreads>>>(in, out, count, totals, next, n);
  cudaMemcpy(&selected, count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(count);
  cudaFree(totals);
  cudaFree(next);
  return selected;
}
