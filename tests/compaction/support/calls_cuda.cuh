// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/calls.h"
#include "tests/compaction/support/cuda_device.cuh"

// Calls of the library's functions on CUDA: by the public functions, or with a launcher that
// reports less shared memory than the device has, so that the library chooses other tiles.

namespace fast {

/// With other tiles than kLibrary, reports too little shared memory for waves: the library then
/// chooses large or small tiles for any number of items.
class TileLauncher : public simt::cuda::Launcher {
 public:
  TileLauncher(CudaTiles tiles) : Launcher(nullptr), tiles_(tiles) {}

  CudaTiles tiles() const { return tiles_; }
  size_t shared_bytes_per_multiprocessor() {
    return tiles_ == CudaTiles::kLibrary ? Launcher::shared_bytes_per_multiprocessor() : 0;
  }
  size_t max_shared_bytes() {
    constexpr size_t kMuchShared = size_t(227) << 10;
    switch (tiles_) {
      case CudaTiles::kLarge:
        return kMuchShared;
      case CudaTiles::kSmall:
        return kLittleShared;
      case CudaTiles::kLibrary:
        break;
    }
    return Launcher::max_shared_bytes();
  }

 private:
  CudaTiles tiles_;
};

/// The device is constructed from a CudaTiles. With kLibrary, calls use the public form of a
/// function where there is one with these arguments.
struct CudaCalls : LibraryCalls<CudaDeviceOf<TileLauncher>> {
  static bool is_public(Device& device) { return device.launcher().tiles() == CudaTiles::kLibrary; }
  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
  }

  template <class Source, class Sink>
  static void select(Device& device, const Source& source, const Sink& sink, ItemCount n,
                     const SelectedCount& result, Span<std::byte> workspace) {
    if (is_public(device))
      check(compaction::select(source, sink, n, result, workspace));
    else
      LibraryCalls::select(device, source, sink, n, result, workspace);
  }

  template <class T, class Predicate>
  static void partition_in_one(Device& device, const T* items, Predicate predicate, T* out,
                               ItemCount n, uint64_t* count, Span<std::byte> workspace) {
    if (is_public(device))
      check(compaction::partition_in_one_if(items, out, count, n, predicate, workspace));
    else
      LibraryCalls::partition_in_one(device, items, predicate, out, n, count, workspace);
  }

  template <ScanKind kKind, class T, class Op>
  static void scan(Device& device, const T* in, ItemCount n, T* out, Op op, T init, T* total,
                   Span<std::byte> workspace) {
    if (!is_public(device))
      LibraryCalls::scan<kKind>(device, in, n, out, op, init, total, workspace);
    else if constexpr (kKind == ScanKind::kInclusive)
      check(compaction::inclusive_scan(in, out, n, op, workspace, nullptr, init, total));
    else
      check(compaction::exclusive_scan(in, out, n, op, workspace, nullptr, init, total));
  }

  template <class T, class Op>
  static void reduce(Device& device, const T* in, ItemCount n, T* result, Op op,
                     Span<std::byte> workspace) {
    if (is_public(device))
      check(compaction::reduce(in, result, n, op, workspace));
    else
      LibraryCalls::reduce(device, in, n, result, op, workspace);
  }
};

/// Instantiated by scans_of_numbers_cuda.cu and scans_of_structs_cuda.cu.
template <class T, class Op>
ScansPointer<T, Op> make_cuda_scans_of(CudaTiles tiles);

}  // namespace fast
