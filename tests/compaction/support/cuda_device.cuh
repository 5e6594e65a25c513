// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "compaction/simt/cuda/launch.cuh"

/// The current CUDA device and its memory, behind the interface of HostDeviceOf. Throws if a call
/// fails.
template <class Launcher>
class CudaDeviceOf {
 public:
  explicit CudaDeviceOf(Launcher launcher = Launcher(nullptr)) : launcher_(launcher) {}

  Launcher& launcher() { return launcher_; }
  void* allocate(size_t bytes) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes));
    return memory;
  }
  void free(void* memory) { cudaFree(memory); }
  void write(void* to, const void* from, size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  }
  void read(void* to, const void* from, size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
  }
  void finish() {
    check(launcher_.status());
    check(cudaDeviceSynchronize());
  }

 private:
  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
  }

  Launcher launcher_;
};

using CudaDevice = CudaDeviceOf<simt::cuda::Launcher>;

/// Returns why no CUDA device can be used; empty if one can.
inline std::string why_no_gpu() {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return devices > 0 ? "" : "this machine has no CUDA device";
}
