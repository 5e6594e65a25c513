// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "compaction/cuda_scan.cuh"
#include "compaction/cuda_select.cuh"
#include "compaction/version.h"
#include "compaction/workspace.cuh"

// The public functions for the CUDA runtime: reduce and scan (cuda_scan.cuh), select and partition
// (cuda_select.cuh) of device memory.
//
// Each function launches one kernel on `stream` (partition_in_one_if: two) and returns
// cudaErrorInvalidValue for more than 2^40 items or too small a workspace, in which case nothing is
// written, or else the error of the launch. No function synchronizes; all of them may be captured
// in a graph and replayed. The number of items may be read from device memory (ItemCount), and
// counts are written there.
//
// The memory that a call needs comes in one of three ways.
//
// 1. `storage` is a workspace: a Workspace of at least xxx_bytes(capacity) bytes, or any device
//    memory of that size, aligned to 16 bytes, that was zeroed before its first use. Sizes grow
//    with the capacity; bytes_for() is one that suffices for all functions. One call at a time uses
//    a workspace; the next one on the same stream may follow at once. Fastest: one launch, nothing
//    else.
// 2. `storage` is `stream_ordered`: the call allocates from the memory pool of the stream, and frees
//    there. Costs a memset, and returns the error of cudaMallocAsync(), such as
//    cudaErrorMemoryAllocation, or cudaErrorNotSupported where the device has no pools.
// 3. The second overload of each function, with `temp` and `temp_bytes` in front and no `storage`,
//    is the two-phase interface of CUB: with `temp` null it only sets `temp_bytes`; otherwise it
//    uses any device memory of that size, which costs one memset per call.
//
// With COMPACTION_CHECK defined (for the whole program), calls test their arguments, their
// workspace and how their kernel ended, and print misuse to stderr in words; see check.cuh.

namespace compaction {

namespace detail {

/// Stands for any predicate: the size of a workspace does not depend on it.
struct AnyPredicate {
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T&) const {
    return false;
  }
};

/// As bytes_for(), for items of one type.
template <class T>
size_t bytes_for_items(uint64_t capacity) {
  size_t bytes =
      std::max({reduce_bytes<T>(), select_if_bytes<T, AnyPredicate>(capacity),
                partition_if_bytes<T, AnyPredicate>(capacity),
                select_bytes<Flagged, WriteColumns<T>>(capacity),
                select_bytes<Masked, WriteColumns<T>>(capacity), scan_bytes<T, Sum<T>>(capacity)});
  if constexpr (simt::kHasVectors<T>)
    bytes = std::max(bytes, partition_in_one_bytes<T, AnyPredicate>(capacity));
  return bytes;
}

}  // namespace detail

/// Bytes of workspace that suffice for any call of a function of this header on up to `capacity`
/// items of one of the types T, whatever its predicate or operator. Name the types of results too,
/// where they differ: bytes_for<uint8_t, uint64_t>(n). For select() and partition() of other
/// sources and sinks see select_bytes() and partition_bytes().
template <class... T>
size_t bytes_for(uint64_t capacity) {
  return std::max({detail::bytes_for_items<T>(capacity)...});
}

}  // namespace compaction
