// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/simt/qualifiers.h"
#include "compaction/version.h"

namespace compaction {

/// What a loop over two queues keeps in device memory. The loop initializes it at each launch. The
/// items that are left are in array `iterations % 2`.
struct LoopState {
  uint64_t counts[2];   ///< items in each array, or items that an iteration has produced so far
  uint64_t iterations;  ///< finished iterations that had items
  uint64_t left;        ///< items for the next iteration; 0 unless the limit was reached
  uint32_t overflowed;  ///< 1 if an iteration produced more than the capacity, else 0
};

/// A loop over two arrays (*ping-pong queues*): each iteration reads the items of one and writes
/// the items of the next iteration to the other, until none are left or `limit` iterations have
/// run.
struct DeviceLoop {
  LoopState* state = nullptr;     ///< [1], device memory; one for each loop
  uint64_t capacity = 0;          ///< size of each array
  ItemCount first = {};           ///< items in array 0 when the loop begins; may be on the device
  uint64_t limit = ~uint64_t{0};  ///< maximum number of iterations
  unsigned iterations_per_decision = 1;  ///< 1 or even; after how many the device decides to go on
};

/// What the body of a loop reads and writes in one iteration.
struct LoopIteration {
  unsigned from, to;    ///< array that is read, array that is written: 0 and 1, or 1 and 0
  ItemCount n;          ///< number of items in array `from`, on the device
  SelectedCount count;  ///< receives the number of items in array `to`; 0 before the body
  LoopState* state;     ///< state.iterations is the number of finished iterations
};

/// Returns what the body of `loop` reads and writes in an iteration that reads array `from`, 0
/// or 1.
inline LoopIteration iteration_of(const DeviceLoop& loop, unsigned from) {
  const uint64_t* n = &loop.state->counts[from];
  return {from,
          1 - from,
          {loop.capacity, n},
          {&loop.state->counts[1 - from], loop.capacity},
          loop.state};
}

namespace detail {

/// Begins a loop. Returns whether it has an iteration.
struct BeginLoop {
  DeviceLoop loop;

  SIMT_HOST_DEVICE bool operator()() const {
    const DeviceCount& count = loop.first.on_device;
    uint64_t items = count ? count.load() : loop.first.capacity;
    if (count && count.is_negative(items)) items = 0;  // as for an ItemCount
    const uint64_t room = loop.first.capacity < loop.capacity ? loop.first.capacity : loop.capacity;
    LoopState state{};
    state.left = items < room ? items : room;
    state.overflowed = items > room;
    state.counts[0] = loop.limit > 0 ? state.left : 0;
    *loop.state = state;
    return state.counts[0] > 0;
  }
};

/// Ends an iteration, and limits the number of items that it produced. Returns whether another one
/// follows. Changes nothing after an iteration without items.
struct EndIteration {
  DeviceLoop loop;
  unsigned from;

  SIMT_HOST_DEVICE bool operator()() const {
    LoopState& state = *loop.state;
    const unsigned to = 1 - from;
    const bool had_items = state.counts[from] > 0;
    const uint64_t produced = had_items ? state.counts[to] : 0;
    const uint64_t kept = produced < loop.capacity ? produced : loop.capacity;
    if (had_items) {
      ++state.iterations;
      state.left = kept;
      if (produced > loop.capacity) state.overflowed = 1;
    }
    state.counts[from] = 0;
    state.counts[to] = state.iterations < loop.limit ? kept : 0;
    return state.counts[to] > 0;
  }
};

}  // namespace detail

/// Runs a loop on the host: `body(launcher, iteration)` for each iteration, with the launcher of
/// any machine whose memory the host can read, such as simt::host::Executor. See device_loop.cuh.
template <class Launcher, class Body>
requires(!std::is_pointer_v<Launcher>) void device_loop(Launcher& launcher, const DeviceLoop& loop,
                                                        Body body) {
  unsigned from = 0;
  for (bool goes_on = detail::BeginLoop{loop}(); goes_on; from = 1 - from) {
    body(launcher, iteration_of(loop, from));
    goes_on = detail::EndIteration{loop, from}();
  }
}

}  // namespace compaction
