// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/calls.h"
#include "tests/compaction/support/cuda_device.cuh"

// How tests call the library's functions on CUDA: by the public functions for its runtime, or with
// a launcher that reports less than the device can do.

namespace fast {

struct CudaCalls : LibraryCalls<CudaDevice> {
  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
  }

  template <class Source, class Sink>
  static void select(Device&, const Source& source, const Sink& sink, ItemCount n,
                     const SelectedCount& result, Span<std::byte> workspace) {
    check(compaction::select(source, sink, n, result, workspace));
  }

  template <class T, class Predicate>
  static void partition_in_one(Device&, const compaction::ItemsIf<T, Predicate>& source, T* out,
                               ItemCount n, uint64_t* count, compaction::ChunkMarks* marks,
                               Span<std::byte> workspace) {
    check(compaction::partition_in_one_if(source.items, out, count, marks, n, source.predicate,
                                          workspace));
  }

  template <ScanKind kKind, class T, class Op>
  static void scan(Device&, const T* in, ItemCount n, T* out, Op op, T init, T* total,
                   Span<std::byte> workspace) {
    if constexpr (kKind == ScanKind::kInclusive)
      check(compaction::inclusive_scan(in, out, n, op, workspace, nullptr, init, total));
    else
      check(compaction::exclusive_scan(in, out, n, op, workspace, nullptr, init, total));
  }

  template <class T, class Op>
  static void reduce(Device&, const T* in, ItemCount n, T* result, Op op,
                     Span<std::byte> workspace) {
    check(compaction::reduce(in, result, n, op, workspace));
  }
};

template <size_t kSharedBytes>
using CudaDeviceWithoutWaves = CudaDeviceOf<WithoutWaves<simt::cuda::Launcher, kSharedBytes>>;
using CudaLargeTileCalls = LibraryCalls<CudaDeviceWithoutWaves<kMuchShared>>;
using CudaSmallTileCalls = LibraryCalls<CudaDeviceWithoutWaves<kLittleShared>>;

}  // namespace fast
