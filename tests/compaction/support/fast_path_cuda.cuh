#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/cuda_device.cuh"
#include "tests/compaction/support/without_waves.h"

// How the tests of the fast path call it on CUDA: by the library's interface, or with a launcher of
// which the library thinks less.

namespace fast {

struct CudaCalls {
  using Device = CudaDevice;
  using ItemCount = compaction::ItemCount;
  using ScanKind = compaction::ScanKind;
  using SelectedCount = compaction::SelectedCount;
  using Workspace = simt::Span<std::byte>;

  template <class Job>
  static constexpr compaction::TileShape kShape = compaction::kLargeTiles<Job>;

  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
  }

  template <class Source, class Sink>
  static size_t select_bytes(uint64_t capacity) {
    return compaction::select_bytes<Source, Sink>(capacity);
  }
  template <class Source, class Sink>
  static void select(Device&, const Source& source, const Sink& sink, ItemCount n,
                     const SelectedCount& result, Workspace workspace) {
    check(compaction::select(source, sink, n, result, workspace));
  }

  template <class T, class Source, class Sink>
  static size_t partition_bytes(uint64_t capacity) {
    return compaction::partition_bytes<Source, Sink>(capacity);
  }
  template <class T, class Source, class Sink>
  static void partition(Device& device, const Source& source, const Sink& selected,
                        const Sink& rejected, ItemCount n, const SelectedCount& result,
                        Workspace workspace) {
    compaction::partition(device.launcher(), source, selected, rejected, n, result, workspace);
  }

  template <class T, class Predicate>
  static size_t partition_in_one_bytes(uint64_t capacity) {
    return compaction::partition_in_one_bytes<T, Predicate>(capacity);
  }
  template <class T, class Predicate>
  static void partition_in_one(Device&, const compaction::ItemsIf<T, Predicate>& source, T* out,
                               ItemCount n, uint64_t* count, compaction::ChunkMarks* marks,
                               Workspace workspace) {
    check(compaction::partition_in_one_if(source.items, out, count, marks, n, source.predicate,
                                          workspace));
  }

  template <class T, class Op>
  static size_t scan_bytes(uint64_t capacity) {
    return compaction::scan_bytes<T, Op>(capacity);
  }
  template <ScanKind kKind, class T, class Op>
  static void scan(Device& device, const T* in, ItemCount n, T* out, Op op, T init, T* total,
                   Workspace workspace) {
    // The interface has no inclusive scan with an initial value.
    if constexpr (kKind == ScanKind::kInclusive)
      compaction::inclusive_scan(device.launcher(), in, n, out, op, init, total, workspace);
    else
      check(compaction::exclusive_scan(in, out, n, op, workspace, nullptr, init, total));
  }

  template <class T, class Op>
  static void reduce(Device&, const T* in, ItemCount n, T* result, Op op, Workspace workspace) {
    check(compaction::reduce(in, result, n, op, workspace));
  }
};

/// On a device without waves.
template <class D>
struct CudaTileCalls : CudaCalls {
  using Device = D;

  template <class Source, class Sink>
  static void select(Device& device, const Source& source, const Sink& sink, ItemCount n,
                     const SelectedCount& result, Workspace workspace) {
    compaction::select(device.launcher(), source, sink, n, result, workspace);
  }
  template <class T, class Source, class Sink>
  static void partition(Device& device, const Source& source, const Sink& selected,
                        const Sink& rejected, ItemCount n, const SelectedCount& result,
                        Workspace workspace) {
    compaction::partition(device.launcher(), source, selected, rejected, n, result, workspace);
  }
  template <class T, class Predicate>
  static void partition_in_one(Device& device, const compaction::ItemsIf<T, Predicate>& source,
                               T* out, ItemCount n, uint64_t* count, compaction::ChunkMarks* marks,
                               Workspace workspace) {
    compaction::partition_in_one(device.launcher(), source, out, n, count, marks, workspace);
  }
  template <ScanKind kKind, class T, class Op>
  static void scan(Device& device, const T* in, ItemCount n, T* out, Op op, T init, T* total,
                   Workspace workspace) {
    if constexpr (kKind == ScanKind::kInclusive)
      compaction::inclusive_scan(device.launcher(), in, n, out, op, init, total, workspace);
    else
      compaction::exclusive_scan(device.launcher(), in, n, out, op, init, total, workspace);
  }
  template <class T, class Op>
  static void reduce(Device& device, const T* in, ItemCount n, T* result, Op op,
                     Workspace workspace) {
    compaction::reduce(device.launcher(), in, n, result, op, workspace);
  }
};

template <size_t kSharedBytes>
using CudaDeviceWithoutWaves = CudaDeviceOf<WithoutWaves<simt::cuda::Launcher, kSharedBytes>>;
using CudaLargeTileCalls = CudaTileCalls<CudaDeviceWithoutWaves<kMuchShared>>;
using CudaSmallTileCalls = CudaTileCalls<CudaDeviceWithoutWaves<kLittleShared>>;

}  // namespace fast
