#pragma once

#include "compaction/grid/item_count.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/sources.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/rounds.h"

namespace winnow {

/// What the culling modes share: the queue to cull.
struct CullJob {
  WorkQueue work;
  WaveState* state;
  Paths paths;
  uint32_t most_entries;  ///< as far as the host knows
  uint32_t parity;  ///< of the turn: which list or side the survivors go to, if each turn culls

  compaction::ItemCount entries() const {
    return {.capacity = most_entries, .on_device = &state->round.cull_entries};
  }
  Span<uint32_t> survivors() const { return work.lists[parity]; }
};

/// The living entries of a queue and their slots, as the ladder's algorithms ask for them.
struct Survivors {
  WorkQueue work;
  const WaveState* state;

  SIMT_HOST_DEVICE bool selected(uint32_t i) const {
    return work.alive[i / simt::kWarpSize] >> i % simt::kWarpSize & 1;
  }
  SIMT_HOST_DEVICE uint32_t value(uint32_t i) const { return work.items(*state)[i]; }
};

/// The same for the library's fast path: what it selects, and what it writes where.
inline compaction::Masked living_entries(const WorkQueue& work) {
  return {work.alive.data};
}
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
    return work.list(CloseRound::other_list(state->round.list));
  }
};

}  // namespace winnow
