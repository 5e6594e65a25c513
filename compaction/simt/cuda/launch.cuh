// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/simt/chunk.h"
#include "compaction/simt/cuda/block.cuh"
#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"

namespace simt::cuda {

/// Kernel::kBlocksPerSm for __launch_bounds__, or 0 (the compiler's choice) without it.
template <class Kernel>
constexpr unsigned blocks_per_sm() {
  if constexpr (requires { Kernel::kBlocksPerSm; }) return Kernel::kBlocksPerSm;
  return 0;
}

/// Shared memory beyond the static limit must be requested at the launch. Bytes.
inline constexpr size_t kStaticSharedBytes = 48 << 10, kSharedAlignment = 128;

template <class Shared>
inline constexpr bool is_dynamic = sizeof(Shared) > kStaticSharedBytes;

/// First compute capability with programmatic dependent launch, in units of __CUDA_ARCH__ / 10.
inline constexpr int kOverlapCapability = 90;

/// Waits for the end of the previous kernel, whose results are visible then, and allows the blocks
/// of the next kernel to start once all blocks of this kernel have reached this call. In the other
/// order, blocks of several kernels wait on a multiprocessor and take the place of those that could
/// run: calls of 2^20 items of 1 and 2 bytes in a graph take up to 1.8 times as long (H200). Has no
/// effect between kernels that were not launched to overlap.
__device__ inline void begin_overlapped() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// `static`, so that two libraries that instantiate a kernel each launch their own copy.
template <class Kernel>
static __global__ void __launch_bounds__(Kernel::kBlockSize, blocks_per_sm<Kernel>())
    run(const __grid_constant__ Kernel kernel) {
  using Shared = typename Kernel::Shared;
  begin_overlapped();
  Block<Kernel::kBlockSize> block;
  if constexpr (is_dynamic<Shared>) {
    extern __shared__ __align__(kSharedAlignment) std::byte memory[];
    kernel(block, *reinterpret_cast<Shared*>(memory));
  } else {
    __shared__ Shared shared;
    kernel(block, shared);
  }
}

/// Zeroes memory. A memset would not overlap the kernels before and after it.
struct ZeroVectors {
  static constexpr unsigned kBlockSize = 256;
  using Shared = NoShared;

  Span<Vector> vectors;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const size_t i = size_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (i < vectors.size) vectors[i] = {};
  }
};

/// Whether a kernel uses no workspace.
template <class Kernel>
constexpr bool uses_no_workspace() {
  if constexpr (requires { Kernel::kIsSingleBlock; }) return Kernel::kIsSingleBlock;
  return std::is_same_v<Kernel, ZeroVectors>;
}

/// When a kernel begins that follows another kernel in its stream.
enum class Begin {
  kAfterPrevious,  ///< once the previous kernel has ended
  kOverlapped,  ///< its blocks are launched while the previous kernel runs, and wait for its end:
                ///< saves a microsecond per kernel, if device and compiled code allow it
};

/// Launches kernels on one stream. Keeps the first error, after which it launches nothing.
class Launcher {
 public:
  explicit Launcher(cudaStream_t stream, Begin begin = Begin::kAfterPrevious)
      : stream_(stream), begin_(begin) {}

  /// Zeroes a workspace, aligned to vectors and a whole number of them, before the first kernel
  /// that uses it.
  void zero_before_use(Span<std::byte> workspace) { unzeroed_ = workspace; }

  /// Launches `blocks` blocks of `kernel` asynchronously. 0 blocks are allowed.
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    static_assert(Kernel::kBlockSize % kWarpSize == 0);
    if (blocks == 0) return;
    if constexpr (!uses_no_workspace<Kernel>()) zero_workspace();
    allow_shared<Kernel>();
    if (status_ != cudaSuccess) return;
    using Shared = typename Kernel::Shared;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(Kernel::kBlockSize);
    config.dynamicSmemBytes = is_dynamic<Shared> ? sizeof(Shared) : 0;
    config.stream = stream_;
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &overlap;
    config.numAttrs = begin_ == Begin::kOverlapped && waits_for_previous<Kernel>() ? 1 : 0;
    if (status_ != cudaSuccess) return;
    status_ = cudaLaunchKernelEx(&config, run<Kernel>, kernel);
  }

  /// Returns the number of blocks of `Kernel` that the current device holds at once.
  template <class Kernel>
  uint32_t resident_blocks() {
    using Shared = typename Kernel::Shared;
    int per_sm = 0;
    allow_shared<Kernel>();
    if (status_ == cudaSuccess)
      status_ = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &per_sm, run<Kernel>, Kernel::kBlockSize, is_dynamic<Shared> ? sizeof(Shared) : 0);
    return uint32_t(per_sm) * multiprocessors();
  }

  unsigned multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }
  /// Returns the bytes of shared memory that one block may request.
  size_t max_shared_bytes() { return attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin); }
  /// Returns the bytes of shared memory of one multiprocessor.
  size_t shared_bytes_per_multiprocessor() {
    return attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  }

  cudaStream_t stream() const { return stream_; }
  cudaError_t status() const { return status_; }

 private:
  void zero_workspace() {
    const ZeroVectors zero{
        {reinterpret_cast<Vector*>(unzeroed_.data), unzeroed_.size / sizeof(Vector)}};
    unzeroed_ = {};
    launch(uint32_t(ceil_div(zero.vectors.size, ZeroVectors::kBlockSize)), zero);
  }

  template <class Kernel>
  void allow_shared() {
    using Shared = typename Kernel::Shared;
    if constexpr (is_dynamic<Shared>) {
      static_assert(alignof(Shared) <= kSharedAlignment,
                    "compaction: items and results are aligned to at most 128 bytes");
      if (status_ == cudaSuccess)
        status_ = cudaFuncSetAttribute(run<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       int(sizeof(Shared)));
    }
  }

  /// Returns whether the code of `Kernel` that the current device runs contains the wait of
  /// begin_overlapped(). Code that was compiled for older devices, and by the driver for this one,
  /// does not. Queries the driver once per device.
  template <class Kernel>
  bool waits_for_previous() {
    enum : signed char { kUnknown, kNo, kYes };
    constexpr int kMaxDevices = 64;  // on further devices, kernels do not overlap
    static std::atomic<signed char> known[kMaxDevices];
    int device = 0;
    if (status_ == cudaSuccess) status_ = cudaGetDevice(&device);
    if (status_ != cudaSuccess || device >= kMaxDevices) return false;
    if (known[device] == kUnknown) {
      cudaFuncAttributes attributes{};
      status_ = cudaFuncGetAttributes(&attributes, run<Kernel>);
      if (status_ != cudaSuccess) return false;
      known[device] = attributes.ptxVersion >= kOverlapCapability ? kYes : kNo;
    }
    return known[device] == kYes;
  }

  unsigned attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    if (status_ == cudaSuccess) status_ = cudaGetDevice(&device);
    if (status_ == cudaSuccess) status_ = cudaDeviceGetAttribute(&value, which, device);
    return unsigned(value);
  }

  cudaStream_t stream_;
  Begin begin_;
  Span<std::byte> unzeroed_;
  cudaError_t status_ = cudaSuccess;
};

}  // namespace simt::cuda
