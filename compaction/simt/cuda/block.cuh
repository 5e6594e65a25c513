// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/simt/simt.h"

// The threads of a kernel on a GPU, also for kernels that NVRTC compiles.

namespace simt::cuda {

/// What an intrinsic shuffles.
template <class T>
concept Number = std::is_arithmetic_v<T>;

/// Implements simt::Warp by the intrinsics.
struct Warp {
  static constexpr uint32_t kAllLanes = ~0u;

  __device__ unsigned thread_rank() const { return threadIdx.x % kWarpSize; }
  __device__ void sync() const { __syncwarp(); }
  __device__ uint32_t ballot(bool vote) const { return __ballot_sync(kAllLanes, vote); }
  __device__ bool any(bool vote) const { return __any_sync(kAllLanes, vote); }
  __device__ bool all(bool vote) const { return __all_sync(kAllLanes, vote); }

  template <Number T>
  __device__ T shfl(T value, unsigned lane) const {
    return __shfl_sync(kAllLanes, value, int(lane));
  }
  template <Number T>
  __device__ T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(kAllLanes, value, delta);
  }
  template <Number T>
  __device__ T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(kAllLanes, value, delta);
  }
};

/// Implements simt::Block by the built-in variables and barriers. `size` is known at compile time.
template <unsigned size>
struct Block {
  __device__ unsigned thread_rank() const { return threadIdx.x; }
  __device__ unsigned num_threads() const { return size; }
  __device__ unsigned group_index() const { return blockIdx.x; }
  __device__ unsigned num_groups() const { return gridDim.x; }
  __device__ void sync() const { __syncthreads(); }
  /// Waits at named barrier 1, which counts threads that arrive from different calls.
  __device__ void sync(Place) const { asm volatile("barrier.sync 1, %0;" ::"n"(size) : "memory"); }
  __device__ unsigned sync_count(bool vote) const { return unsigned(__syncthreads_count(vote)); }
  __device__ unsigned warp_rank() const { return threadIdx.x / kWarpSize; }
  __device__ Warp warp() const { return {}; }
};

}  // namespace simt::cuda
