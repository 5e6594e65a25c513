#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A launch on the GPU blocks the host until unrelated kernels end, if the kernel needs more local memory than any before.
#
# Expected: a launch on a stream of its own returns at once, whatever runs on other streams.
# Seen: CUDA 13.0.88, driver 580.159.04, H200, 2026-11-27. A thread may use 1,024 bytes of local memory by default
#   (cudaLimitStackSize). The first launch of a kernel that uses more lets the driver allocate memory for all threads of
#   the device, and that waits for all running kernels. If one of them waits for something that the host does after
#   the launch, the program never goes on. cudaDeviceSetLimit(cudaLimitStackSize, bytes), called before, prevents it.
# Winnow: "Forward progress" in compaction/README.md lists the kernels of the library that use more than the default.
#
#   findings/launch-waits-for-local-memory.sh     needs a GPU; NVCC names another nvcc 13.0.88 than that of PyPI
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

if [[ -z ${NVCC-} ]]; then
  python3 -m venv venv
  venv/bin/pip install --quiet --no-deps nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
    nvidia-cuda-runtime==13.0.96
  NVCC=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)
fi

cat >program.cu <<'CU'
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Runs for `seconds` on one multiprocessor.
__global__ void hold(double seconds) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < seconds * 1e9);
}

// Uses kBytes of local memory, as the index is not known at compile time.
template <int kBytes>
__global__ void use_local_memory(int* out) {
  int values[kBytes / 4];
  for (int i = 0; i < kBytes / 4; ++i) values[i] = i * out[0];
  out[1] = values[out[2]];
}

template <int kBytes>
void launch(size_t limit) {
  if (limit > 0) cudaDeviceSetLimit(cudaLimitStackSize, limit);
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, use_local_memory<kBytes>);  // loads the kernel
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  int* out;
  cudaMalloc(&out, 12);
  cudaMemset(out, 0, 12);
  hold<<<1, 1, 0, first>>>(0);
  cudaDeviceSynchronize();

  hold<<<1, 1, 0, first>>>(1.0);
  const auto start = std::chrono::steady_clock::now();
  use_local_memory<kBytes><<<1, 32, 0, second>>>(out);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%zu bytes, limit %s: %s, %s\n", attributes.localSizeBytes, limit > 0 ? "raised" : "default",
              time.count() > 0.5 ? "waits" : "returns", cudaGetErrorString(status));
}

int main(int argc, char** argv) {
  const size_t limit = argc > 2 ? 8192 : 0;
  if (!std::strcmp(argv[1], "1024"))
    launch<1024>(limit);
  else
    launch<4096>(limit);
}
CU
"$NVCC" -O3 -arch=native -o program program.cu

# Each in a process of its own, since the memory is kept once it is allocated.
{
  ./program 1024
  ./program 4096
  ./program 4096 raised
} | tee seen
diff - seen <<'EXPECTED'
1024 bytes, limit default: returns, no error
4096 bytes, limit default: waits, no error
4096 bytes, limit raised: returns, no error
EXPECTED
