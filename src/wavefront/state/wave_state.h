#pragma once

#include <cstdint>

#include "wavefront/state/render_stats.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Where the entries of a work queue name their slots.
enum class SlotList : uint32_t {
  kAllSlots,  ///< nowhere: entry i is slot i
  kFirst,     ///< in WorkQueue::lists[0]
  kSecond,    ///< in WorkQueue::lists[1]
};

/// One turn of the loop over bounces: what its stages work on, and what they count on the way.
struct Round {
  uint32_t turn = 0;    ///< turns before this one
  uint32_t queued = 0;  ///< entries of the work queue; 0 ends the loop
  SlotList list = SlotList::kAllSlots;
  uint32_t side = 0;          ///< which of Paths::columns holds the state
  bool all_alive = true;      ///< no entry of the queue is dead
  uint32_t cull_entries = 0;  ///< that the culling looks at: all of the queue, or none

  // In lines of their own, as all threads add to them.
  alignas(128) uint32_t survivors = 0;  ///< entries that live on
  uint32_t shadow_rays = 0;             ///< that were pushed
  uint32_t unoccluded = 0;              ///< shadow rays that reached their light
  uint32_t busy_warps = 0;              ///< see BounceStats::busy_warps
  uint32_t culled_to = 0;               ///< entries that the culling left
  alignas(
      128) uint32_t next_item[kStageCount] = {};  ///< [Stage], first item that no warp has taken
  alignas(128) uint64_t start[kStageCount] = {};  ///< [Stage], ns; 0: has not started

  SIMT_HOST_DEVICE uint64_t start_of(Stage stage) const { return start[uint32_t(stage)]; }
};

/// Everything about the wave under way that changes. Lies on the device; the host sets it at the
/// start of a wave and reads nothing of it before the end.
struct WaveState {
  Wave wave = {};
  uint32_t slot_count = 0;              ///< paths in flight
  uint32_t waves = 0;                   ///< before this one
  alignas(128) uint32_t next_path = 0;  ///< the first path that has not started
  Round round;
};

/// What a render has counted at one bounce.
struct BounceTotals {
  uint64_t queued = 0, survivors = 0, busy_warps = 0, waves = 0, culls = 0, shadow_rays = 0,
           unoccluded = 0;
  uint64_t deaths[kDeathCount] = {};       ///< [Death]
  uint64_t nanoseconds[kStageCount] = {};  ///< [Stage]
};

}  // namespace winnow
