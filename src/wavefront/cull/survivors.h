// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/grid/item_count.h"
#include "wavefront/state/queue.h"

namespace winnow {

/// The work queue that a culling pass compacts, and where it writes.
struct CullJob {
  WorkQueue work;
  WaveState* state;
  Paths paths;
  uint32_t max_entries;       ///< upper bound of the queue's size, known to the host
  uint32_t ping_pong;         ///< survivors go to lists[ping_pong], or from columns[ping_pong] to
                              ///< columns[1 - ping_pong]
  Span<std::byte> workspace;  ///< cull_workspace_bytes(), zeroed before its first use

  compaction::ItemCount entries() const { return {max_entries, &state->iteration.cull_entries}; }
  Span<uint32_t> survivors() const { return work.lists[ping_pong]; }
  Span<uint32_t> survivor_count() const { return {&state->iteration.culled_to, 1}; }
};

/// The active entries of a queue and their slots, as the ladder's algorithms read them.
struct Survivors {
  WorkQueue work;
  const WaveState* state;

  SIMT_HOST_DEVICE bool selected(uint32_t i) const {
    return work.alive[i / simt::kWarpSize] >> i % simt::kWarpSize & 1;
  }
  SIMT_HOST_DEVICE uint32_t value(uint32_t i) const { return work.items(*state)[i]; }
};

}  // namespace winnow
