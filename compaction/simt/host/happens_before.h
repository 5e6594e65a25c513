// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compaction/simt/host/access_listener.h"

namespace simt::host {

/// The accesses of other threads that precede the next access of a thread: for each thread, warp or
/// block, the time up to which all its accesses precede. Sorted by key, without entries of time 0.
class Clock {
 public:
  uint32_t operator[](uint32_t key) const;
  void raise(uint32_t key, uint32_t time);
  void join(const Clock& other);

 private:
  std::vector<std::pair<uint32_t, uint32_t>> times_;  // key, time
};

/// Immutable clock shared by all threads that left the same barrier; null is the zero clock.
using SharedClock = std::shared_ptr<const Clock>;

SharedClock join(const SharedClock& a, const SharedClock& b);

/// When a thread accessed memory, and where in the code.
struct Access {
  uint32_t launch = 0;  ///< 0: none
  uint32_t thread = 0;  ///< index in the grid
  uint32_t block_time = 0, warp_time = 0, thread_time = 0;
  uint32_t event = 0;          ///< index of the event in the recording, if there is one
  const void* code = nullptr;  ///< address of the instruction after it
};

/// The happens-before relation of a launch as defined by the memory models of CUDA and C++: by
/// barriers of blocks and warps, and by releases that are acquired. Other calls of a warp do not
/// order accesses.
///
/// A thread has three clocks. The time of a block advances at its barriers, the time of a warp at
/// its barriers, and the time of a thread when it releases. So barriers, the most frequent events,
/// cost no clock: what precedes a barrier of a thread's own block follows from the block's time
/// (Lamport 1978; compression by levels after Eizenberg et al., "BARRACUDA", PLDI 2017).
class HappensBefore {
 public:
  void start_launch(uint32_t blocks, unsigned block_size);

  /// Returns an access that `thread` of the grid makes now.
  Access now(uint32_t thread) const;
  bool ordered(const Access& before, uint32_t thread) const {
    return before.launch != launch_ || before.thread == thread || is_known(before, thread);
  }

  void open_block_barrier(uint32_t block);
  /// Opens the barrier of a warp: threads [first, first + size) of the grid.
  void open_warp_barrier(uint32_t first, unsigned size);

  /// Updates the clocks for an access that is_atomic().
  void atomic(uint32_t thread, const MemoryAccess& access);
  void fence(uint32_t thread);

  /// Merges the clock of `thread`, with its own accesses, into `to`.
  void release(uint32_t thread, SharedClock& to);
  void acquire(uint32_t thread, const SharedClock& from);

  uint32_t block_of(uint32_t thread) const { return thread / block_size_; }
  unsigned rank_of(uint32_t thread) const { return thread % block_size_; }
  uint32_t warp_of(uint32_t thread) const;
  unsigned block_size() const { return block_size_; }

 private:
  struct State {
    SharedClock known;    // precedes the next access
    SharedClock fenced;   // published by a relaxed store: `known` at the last fence
    SharedClock pending;  // acquired by the next fence: read by relaxed loads
    uint32_t time = 0;
  };

  bool is_known(const Access& before, uint32_t thread) const;
  /// Joins the clocks of threads [first, first + size), which have met at a barrier.
  void share_knowledge(uint32_t first, unsigned size);

  uint32_t launch_ = 0;
  unsigned block_size_ = 1, warps_ = 1;
  std::vector<State> threads_;          // [thread]
  std::vector<uint32_t> block_times_;   // [block]
  std::vector<uint32_t> warp_times_;    // [warp of the grid]
  std::vector<uint8_t> has_knowledge_;  // [block], whether any thread of it acquired
  std::unordered_map<const void*, SharedClock> released_;  // by address of the atomic
};

}  // namespace simt::host
