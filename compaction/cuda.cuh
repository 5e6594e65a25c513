// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "compaction/append.h"
#include "compaction/cuda/workspace.cuh"
#include "compaction/device_loop.cuh"
#include "compaction/partition.cuh"
#include "compaction/reduce.cuh"
#include "compaction/runs.cuh"
#include "compaction/scan.cuh"
#include "compaction/scan_loaded.cuh"
#include "compaction/select.cuh"
#include "compaction/simt/chunk.h"
#include "compaction/split.cuh"
#include "compaction/version.h"

// All functions for the CUDA runtime: reduce.cuh; scan.cuh; select.cuh; partition.cuh; split.cuh, a
// partition into many classes; runs.cuh, runs of equal items; scan_loaded.cuh, computed items and
// segments. device_loop.cuh has loops of such calls that the device repeats.
//
// Each function launches one kernel on `stream`. It returns
// cudaErrorInvalidValue for more than 2^40 items or too small a workspace, and then writes nothing;
// otherwise it returns the error of the launch. No function synchronizes. All can be captured in a
// graph and replayed; in the body of a loop, not with stream_ordered. The number of items may be
// read from device memory (ItemCount), and counts are written there.
//
// A negative number of items is refused like more than 2^40, also by a query of the size. A
// negative number in device memory counts as 0.
//
// The memory that a call needs comes in one of three ways.
//
// 1. `storage` is a workspace: a Workspace of at least xxx_bytes(capacity) bytes, or any device
//    memory of that size, aligned to 16 bytes, that was zeroed before its first use. Sizes grow
//    with the capacity; bytes_for() suffices for all functions. One call at a time uses a
//    workspace; the next call on the same stream may follow at once. This is the fastest way: one
//    launch, nothing else.
// 2. `storage` is `stream_ordered`: the call allocates from the memory pool of the stream and frees
//    there. This costs a kernel that zeroes the memory, unless one block processes all items, and
//    100 us if the stream was synchronized since the last call and the pool keeps no memory
//    (cudaMemPoolAttrReleaseThreshold, 0 by default). Errors of cudaMallocAsync() are returned,
//    such as cudaErrorMemoryAllocation, or cudaErrorNotSupported where the device has no pools.
// 3. The second overload of each function, with `temp` and `temp_bytes` in front and no `storage`,
//    is the two-phase interface of CUB: with `temp` null it only sets `temp_bytes`; otherwise it
//    uses any device memory of that size, which costs the same kernel.
//
// With COMPACTION_CHECK defined (for the whole program), calls test their arguments, their
// workspace and how their kernel ended, and explain misuse on stderr; see cuda/check.cuh.

namespace compaction {

namespace detail {

/// Represents any predicate: the size of a workspace does not depend on it.
struct AnyPredicate {
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T&) const {
    return false;
  }
};

/// Returns the bytes of workspace for functions of runs of keys, with values.
template <class Key, class... Value>
size_t bytes_for_runs(uint64_t capacity) {
  constexpr bool kHaveRuns = std::max({alignof(Key), alignof(Value)...}) <= simt::kVectorBytes;
  if constexpr (kHaveRuns)
    return std::max({unique_bytes<Key>(capacity), run_length_encode_bytes<Key, uint32_t>(capacity),
                     run_length_encode_bytes<Key, uint64_t>(capacity),
                     segmented_reduce_bytes<Items<Key>, Sum<Key>>(capacity),
                     segmented_scan_bytes<Items<Key>, BeginsAtFlag, Sum<Key>>(capacity),
                     reduce_by_key_bytes<Key, Items<Value>, Sum<Value>>(capacity)...});
  else
    return 0;
}

/// Maximum classes of a split that bytes_for() covers.
inline constexpr unsigned kCoveredClasses = 32;

/// Returns the bytes of workspace for all other functions, for items of one type.
template <class T>
size_t bytes_for_items(uint64_t capacity) {
  return std::max({reduce_bytes<T>(), select_if_bytes<T, AnyPredicate>(capacity),
                   partition_if_bytes<T, AnyPredicate>(capacity),
                   select_bytes<Flagged, WriteColumns<T>>(capacity),
                   select_bytes<Masked, WriteColumns<T>>(capacity), scan_bytes<T, Sum<T>>(capacity),
                   scan_loaded_bytes<Items<T>, StoreNothing, Sum<T>>(capacity),
                   partition_in_one_bytes<T, AnyPredicate>(capacity),
                   split_by_bytes<kCoveredClasses, T, AnyPredicate>(capacity)});
}

}  // namespace detail

/// Returns the bytes of workspace that suffice for any call of a function of this header on up to
/// `capacity` items of the types T, for any predicate or operator. If the types of results, keys or
/// values differ, name them too: bytes_for<uint8_t, uint64_t>(n).
///
/// It does not cover select(), partition() and split() with sources and sinks of your own (see
/// select_bytes(), partition_bytes(), split_bytes()), splits into more than 32 classes, and runs of
/// items that are aligned to more than 16 bytes.
template <class... T>
size_t bytes_for(uint64_t capacity) {
  return std::max(
      {detail::bytes_for_items<T>(capacity)..., detail::bytes_for_runs<T, T...>(capacity)...});
}

}  // namespace compaction
