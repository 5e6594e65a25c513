// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"

namespace winnow {

// Warp-aggregated atomics for code that the lanes of a warp reach in any combination: lanes that
// add to the same counter at the same time share one atomic instruction. Adinetz, "CUDA Pro Tip:
// Optimized Filtering with Warp-Aggregated Atomics", 2014.

#if defined(__CUDA_ARCH__)
/// Returns the mask of the converged lanes that pass the same counter.
SIMT_KERNEL inline unsigned lanes_with_same(const void* counter) {
  return __match_any_sync(__activemask(), reinterpret_cast<uintptr_t>(counter));
}
#endif

/// Increments a counter in global or shared memory. On the host, all threads that share one are
/// fibers of one thread, so it needs no atomic instruction. One takes longer than adding a sample
/// to the film.
template <class T>
SIMT_HOST_DEVICE void add_one_aggregated(T& counter) {
#if defined(__CUDA_ARCH__)
  using Atomic = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  unsigned same = lanes_with_same(&counter);
  bool leads = (same & simt::lanes_below(threadIdx.x % simt::kWarpSize)) == 0;
  if (leads) atomicAdd(reinterpret_cast<Atomic*>(&counter), Atomic(simt::popcount(same)));
#else
  ++counter;
#endif
}

/// Increments a counter in global memory and returns its previous value, unique to each thread.
SIMT_HOST_DEVICE inline uint32_t fetch_add_one_aggregated(uint32_t& counter) {
#if defined(__CUDA_ARCH__)
  unsigned same = lanes_with_same(&counter);
  unsigned rank = simt::popcount(same & simt::lanes_below(threadIdx.x % simt::kWarpSize));
  uint32_t first = 0;
  if (rank == 0) first = simt::fetch_add_relaxed(counter, simt::popcount(same));
  return __shfl_sync(same, first, int(simt::first_set(same))) + rank;
#else
  return simt::fetch_add_relaxed(counter, 1u);
#endif
}

}  // namespace winnow
