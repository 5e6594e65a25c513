#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave_state.h"

namespace winnow {

/// Items that a stage works on, as a kernel finds them on the device.
struct Items {
  uint32_t count = 0;
  const uint32_t* numbers = nullptr;  ///< [count], or null: item i is number i
  const uint32_t* alive = nullptr;    ///< bit i % 32 of word i / 32, or null: all are alive

  SIMT_HOST_DEVICE uint32_t operator[](uint32_t i) const { return numbers ? numbers[i] : i; }
  SIMT_HOST_DEVICE bool is_alive(uint32_t i) const {
    return !alive || (alive[i / simt::kWarpSize] >> i % simt::kWarpSize & 1);
  }
};

/// A stage that says of each item whether it is to be counted, and where.
template <class Stage>
concept Counts = requires(Round& round) {
  Stage::counter(round);
};

/// A stage that takes about as long for every item.
template <class Stage>
concept HasUniformCost = requires {
  requires Stage::kUniformCost;
};

/// A stage whose rays may stop at the first hit that is found.
template <class Stage>
concept HasAnyHit = requires {
  requires Stage::kAnyHit;
};

/// The slots whose paths take part in the present round.
struct WorkQueue {
  Span<uint32_t> lists[2];  ///< [entry], slots
  Span<uint32_t> alive;     ///< bit i % 32 of word i / 32: whether entry i lives on

  SIMT_HOST_DEVICE Span<uint32_t> list(SlotList list) const {
    return list == SlotList::kSecond ? lists[1] : lists[0];
  }

  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    const Round& round = state.round;
    return {.count = round.queued,
            .numbers = round.list == SlotList::kAllSlots ? nullptr : list(round.list).data,
            .alive = round.all_alive ? nullptr : alive.data};
  }
};

/// The same entries in words of 32, as `alive` has them.
struct AliveWords {
  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    return {.count = simt::ceil_div(state.round.queued, simt::kWarpSize)};
  }
};

/// Every shadow ray of the round; every slot, path or pixel of the wave.
struct AllShadowRays {
  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    return {.count = state.round.shadow_rays};
  }
};
struct AllSlots {
  SIMT_HOST_DEVICE Items items(const WaveState& state) const { return {.count = state.slot_count}; }
};
struct AllPaths {
  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    return {.count = state.wave.path_count()};
  }
};
struct AllPixels {
  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    return {.count = state.wave.pixel_count};
  }
};

}  // namespace winnow
