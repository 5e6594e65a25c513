#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "compaction/simt/simt.h"

namespace simt::cuda {

/// simt::Warp as the intrinsics.
struct Warp {
  static constexpr uint32_t kAllLanes = ~0u;

  __device__ unsigned thread_rank() const { return threadIdx.x % kWarpSize; }
  __device__ uint32_t ballot(bool vote) const { return __ballot_sync(kAllLanes, vote); }
  __device__ bool any(bool vote) const { return __any_sync(kAllLanes, vote); }
  __device__ bool all(bool vote) const { return __all_sync(kAllLanes, vote); }

  template <class T>
  __device__ T shfl(T value, unsigned lane) const {
    return __shfl_sync(kAllLanes, value, int(lane));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(kAllLanes, value, delta);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(kAllLanes, value, delta);
  }
};

/// simt::Block as the built-in variables and barriers. `size` is known when compiling.
template <unsigned size>
struct Block {
  __device__ unsigned thread_rank() const { return threadIdx.x; }
  __device__ unsigned num_threads() const { return size; }
  __device__ unsigned group_index() const { return blockIdx.x; }
  __device__ unsigned num_groups() const { return gridDim.x; }
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned sync_count(bool vote) const { return unsigned(__syncthreads_count(vote)); }
  __device__ unsigned warp_rank() const { return threadIdx.x / kWarpSize; }
  __device__ Warp warp() const { return {}; }
};

/// `static`: two libraries that instantiate one kernel each launch their own.
template <class Kernel>
static __global__ void __launch_bounds__(Kernel::kBlockSize)
    run(const __grid_constant__ Kernel kernel) {
  __shared__ typename Kernel::Shared shared;
  Block<Kernel::kBlockSize> block;
  kernel(block, shared);
}

/// Starts kernels on one stream. Keeps the first error; after one, launches nothing more.
class Launcher {
 public:
  explicit Launcher(cudaStream_t stream) : stream_(stream) {}

  /// Starts `blocks` blocks of `kernel` and returns at once. Zero blocks is nothing to do.
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    static_assert(Kernel::kBlockSize % kWarpSize == 0);
    if (blocks == 0 || status_ != cudaSuccess) return;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(Kernel::kBlockSize);
    config.stream = stream_;
    status_ = cudaLaunchKernelEx(&config, run<Kernel>, kernel);
  }

  cudaError_t status() const { return status_; }

 private:
  cudaStream_t stream_;
  cudaError_t status_ = cudaSuccess;
};

}  // namespace simt::cuda
