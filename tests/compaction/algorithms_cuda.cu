#include <cuda_runtime.h>

#include "compaction/simt/cuda/launch.cuh"
#include "tests/compaction/algorithms_on.h"

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

class CudaDevice {
 public:
  simt::cuda::Launcher& launcher() { return launcher_; }
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
  simt::cuda::Launcher launcher_{nullptr};
};

std::string why_no_gpu() {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return devices > 0 ? "" : "this machine has no CUDA device";
}

}  // namespace

std::vector<Backend> cuda_backends() {
  return {{.name = "cuda", .why_unavailable = why_no_gpu, .make = [] {
             return std::make_unique<AlgorithmsOn<CudaDevice>>();
           }}};
}
