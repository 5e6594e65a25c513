// SPDX-License-Identifier: MIT
// A student's first scan, in plain CUDA: one launch for each offset, two buffers.

#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

#define CHECK_CUDA(call)                                                             \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error)); \
  } while (0)

// Adds to each element the one `offset` places before it. <<< and __shared__ in comments are text.
__global__ void addAtOffset(int n, int offset, int* __restrict__ out, const int* __restrict__ in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = i >= offset ? in[i - offset] + in[i] : in[i];
}

__global__ void shiftRight(int n, int* out, const int* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 ? 0 : in[i - 1];
}

// odata and idata are on the host.
void scan(int n, int* odata, const int* idata) {
  if (n == 0) return;
  int *a, *b;
  CHECK_CUDA(cudaMalloc((void**)&a, n * sizeof(int)));
  CHECK_CUDA(cudaMalloc((void**)&b, n * sizeof(int)));
  CHECK_CUDA(cudaMemcpy(a, idata, n * sizeof(int), cudaMemcpyHostToDevice));

  const int threads = 128;
  dim3 blocks((n + threads - 1) / threads);
  for (int offset = 1; offset < n; offset *= 2) {
    addAtOffset<<<blocks, threads>>>(n, offset, b, a);
    CHECK_CUDA(cudaGetLastError());
    std::swap(a, b);
  }
  shiftRight<<<blocks, threads>>>(n, b, a);
  CHECK_CUDA(cudaDeviceSynchronize());

  CHECK_CUDA(cudaMemcpy(odata, b, n * sizeof(int), cudaMemcpyDeviceToHost));
  cudaFree(a);
  cudaFree(b);
}

int main() {
  int in[4] = {3, 1, 7, 0}, out[4];
  scan(4, out, in);
  printf("%d\n", out[3]);
}
