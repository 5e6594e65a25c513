// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/single_pass/select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

// --cull look-ahead: the library's single-pass select. Its blocks find the prefix of a tile by
// look-ahead (compaction/single_pass/look_ahead.h): each block keeps a running sum and adds to it
// the aggregates of all tiles between two tiles of its own. Unlike with --cull look-back, no tile
// waits for the inclusive prefix of another one.

/// Returns the active entries of a queue, as the source of a select.
inline compaction::Masked active_entries(const WorkQueue& work) {
  return {work.alive.data};
}

/// Writes the slots of selected entries to the queue's other list.
struct WriteSlots : compaction::StageSlots {
  using Fetched = uint32_t;
  static constexpr unsigned kFetchedBytes = sizeof(uint32_t);

  WorkQueue work;
  const WaveState* state;

  SIMT_HOST_DEVICE WriteSlots(const WorkQueue& work, const WaveState* state)
      : work(work), state(state) {}

  SIMT_HOST_DEVICE Fetched fetch(compaction::Staging staged, unsigned place, uint64_t first) const {
    return work.items(*state)[uint32_t(index(staged, place, first))];
  }
  SIMT_HOST_DEVICE void put(uint64_t place, uint32_t slot) const { survivors()[place] = slot; }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const {
    return compaction::places_since_line(survivors().data + place);
  }

 private:
  SIMT_HOST_DEVICE Span<uint32_t> survivors() const {
    return work.list(other_list(state->iteration.list));
  }
};

/// --cull look-ahead: one pass over the alive mask; reads and writes the slots of survivors only.
/// Stable.
///
/// 1 kernel. compaction/single_pass/select.h
template <class Launcher>
void cull_look_ahead(Launcher& launcher, const CullJob& job) {
  compaction::select(launcher, active_entries(job.work), WriteSlots(job.work, job.state),
                     job.entries(), {.count = job.survivor_count().data}, job.workspace);
}

/// Returns the bytes of workspace of cull_look_ahead() for queues of up to `capacity` entries. The
/// workspace is zeroed before its first use.
inline size_t look_ahead_workspace_bytes(uint32_t capacity) {
  return compaction::select_bytes<compaction::Masked, WriteSlots>(capacity);
}

}  // namespace winnow
