// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"

#if !defined(__CUDACC__) && !defined(__cpp_lib_source_location)
#error "compaction needs std::source_location on the host, which clang 14 and older do not have"
#endif

// The operations that a kernel may use. A kernel is a struct:
//
//   struct Kernel {
//     static constexpr unsigned kBlockSize = 256;  // threads of a block, a multiple of kWarpSize
//     using Shared = ...;                          // shared memory, trivial; or NoShared
//     ...                                          // its parameters
//     SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const;
//   };
//
// `launcher.launch(blocks, Kernel{...})` runs it: simt::cuda::Launcher on a GPU (cuda/launch.cuh),
// simt::host::Executor on the host (host/executor.h). Blocks start in any order, and some start
// only when others have ended: a block may wait only for blocks that have certainly started.

namespace simt {

inline constexpr unsigned kWarpSize = 32;

/// 32 threads that exchange registers. All 32 lanes make each call together; calls other than
/// sync() do not order memory.
template <class W>
concept Warp = requires(W warp, unsigned lane, bool vote) {
  { warp.thread_rank() } -> std::same_as<unsigned>;          // this lane, [0, 32)
  { warp.sync() } -> std::same_as<void>;                     // barrier; orders memory in the warp
  { warp.ballot(vote) } -> std::same_as<uint32_t>;           // bit i = lane i's vote
  { warp.any(vote) } -> std::same_as<bool>;                  // some lane votes yes
  { warp.all(vote) } -> std::same_as<bool>;                  // every lane votes yes
  { warp.shfl(lane, lane) } -> std::same_as<unsigned>;       // value held by a lane
  { warp.shfl_up(lane, lane) } -> std::same_as<unsigned>;    // value held `delta` lanes below,
  { warp.shfl_down(lane, lane) } -> std::same_as<unsigned>;  // or above; own value past the end
};

/// Identifies a barrier by its source position. Where two roles of a block arrive at one barrier
/// from different calls, both calls are given the same place; the host executor reports calls at
/// different places as an error.
#if defined(__CUDACC__)
struct Place {};
SIMT_HOST_DEVICE constexpr Place here() {
  return {};
}
#else
using Place = std::source_location;
constexpr Place here(std::source_location where = std::source_location::current()) {
  return where;
}
#endif

/// Threads that share memory and a barrier. All threads reach each sync together.
template <class B>
concept Block = requires(B block, bool vote, Place place) {
  { block.thread_rank() } -> std::same_as<unsigned>;     // this thread, [0, num_threads)
  { block.num_threads() } -> std::same_as<unsigned>;     // threads of a block
  { block.group_index() } -> std::same_as<unsigned>;     // this block, [0, num_groups)
  { block.num_groups() } -> std::same_as<unsigned>;      // blocks of the grid
  { block.sync() } -> std::same_as<void>;                // barrier; orders memory in the block
  { block.sync(place) } -> std::same_as<void>;           // barrier, reached from several places
  { block.sync_count(vote) } -> std::same_as<unsigned>;  // barrier; how many threads vote yes
  { block.warp_rank() } -> std::same_as<unsigned>;       // this warp, [0, num_threads / 32)
  { block.warp() } -> Warp;
};

/// `Shared` of a kernel that has none.
struct NoShared {};

/// A kernel that calls `step()` once, on one thread. Launched with one block.
template <class Step>
struct RunOnce {
  static constexpr unsigned kBlockSize = kWarpSize;
  using Shared = NoShared;

  Step step;

  SIMT_KERNEL void operator()(Block auto& block, Shared&) const {
    if (block.thread_rank() == 0) step();
  }
};

/// Returns `item` of shared memory, whose address the compiler then keeps in a register. Otherwise
/// it may compute the address at each use, in four instructions.
template <class T>
SIMT_KERNEL T& in_register(T& item) {
#if defined(__CUDA_ARCH__)
  uint32_t place = uint32_t(__cvta_generic_to_shared(&item));
  asm volatile("" : "+r"(place));
  return *static_cast<T*>(__cvta_shared_to_generic(place));
#else
  return item;
#endif
}

/// Waits briefly. Called in a loop that waits for another thread. Sleeps on a GPU; runs other
/// threads on the host, where waiting without any progress is an error.
#if defined(__CUDACC__)
SIMT_KERNEL inline void backoff() {
  constexpr unsigned kNanoseconds = 32;  // short compared with a round trip to L2
  __nanosleep(kNanoseconds);
}
#else
void backoff(std::source_location where = std::source_location::current());
#endif

/// Ends the launch with an error: a trap on a GPU, a KernelError on the host. For a violated
/// precondition that would otherwise cause a hang or wrong results.
#if defined(__CUDACC__)
SIMT_KERNEL inline void fail(const char*) {
  __trap();
}
#else
[[noreturn]] void fail(const char* reason,
                       std::source_location where = std::source_location::current());
#endif

/// Returns the number of groups of `size` items that hold `items` items.
template <class T>
SIMT_HOST_DEVICE constexpr T ceil_div(T items, std::type_identity_t<T> size) {
  return items / size + (items % size != 0);
}

/// Returns the least k for which 2^k >= `count`.
SIMT_HOST_DEVICE constexpr unsigned log2_of(unsigned count) {
  unsigned k = 0;
  while (1u << k < count) ++k;
  return k;
}

SIMT_HOST_DEVICE inline unsigned popcount(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return unsigned(__popc(bits));
#else
  return unsigned(__builtin_popcount(bits));
#endif
}

/// Returns whether bit `i` is set. On a GPU, one instruction tests a bit, whereas the compiler
/// would shift, mask and compare.
SIMT_HOST_DEVICE inline bool bit_is_set(uint32_t bits, unsigned i) {
#if defined(__CUDA_ARCH__)
  uint32_t masked;
  asm("and.b32 %0, %1, %2;" : "=r"(masked) : "r"(bits), "r"(1u << i));
  return masked != 0;
#else
  return bits >> i & 1;
#endif
}

/// Returns the position of the lowest set bit; 32 if none is set.
SIMT_HOST_DEVICE inline unsigned first_set(uint32_t bits) {
  if (bits == 0) return kWarpSize;
#if defined(__CUDA_ARCH__)
  return unsigned(__ffs(int(bits))) - 1;
#else
  return unsigned(__builtin_ctz(bits));
#endif
}

/// Returns the position of the highest set bit. At least one bit must be set.
SIMT_HOST_DEVICE inline unsigned last_set(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return kWarpSize - 1 - unsigned(__clz(int(bits)));
#else
  return kWarpSize - 1 - unsigned(__builtin_clz(bits));
#endif
}

/// Returns the mask of the lanes below `lane`; `lane` is in [0, 32), so nothing is shifted by 32.
SIMT_HOST_DEVICE inline uint32_t lanes_below(unsigned lane) {
  return (1u << lane) - 1;
}

}  // namespace simt
