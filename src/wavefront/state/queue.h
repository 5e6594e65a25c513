// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// The items of a stage, as a kernel reads them on the device.
struct Items {
  uint32_t count = 0;
  const uint32_t* indices = nullptr;  ///< [count], or null: item i has index i
  const uint32_t* alive = nullptr;    ///< bit i % 32 of word i / 32, or null: all are active

  SIMT_HOST_DEVICE uint32_t operator[](uint32_t i) const { return indices ? indices[i] : i; }
  SIMT_HOST_DEVICE bool is_alive(uint32_t i) const {
    return !alive || (alive[i / simt::kWarpSize] >> i % simt::kWarpSize & 1);
  }
};

/// A stage whose call returns whether to count the item; Stage::counter() is the counter.
template <class Stage>
concept Counts = requires(Iteration& iteration) {
  Stage::counter(iteration);
};

// Sources of items.

/// The slots of the paths that take part in the current iteration.
struct WorkQueue {
  Span<uint32_t> lists[2];  ///< [entry], slots
  Span<uint32_t> alive;     ///< bit i % 32 of word i / 32: whether the path of entry i stays active

  SIMT_HOST_DEVICE Span<uint32_t> list(SlotList list) const {
    return list == SlotList::kSecond ? lists[1] : lists[0];
  }

  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    const Iteration& iteration = state.iteration;
    return {.count = iteration.queued,
            .indices = iteration.list == SlotList::kAllSlots ? nullptr : list(iteration.list).data,
            .alive = iteration.all_alive ? nullptr : alive.data};
  }
};

struct AliveWords {
  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    return {.count = simt::ceil_div(state.iteration.queued, simt::kWarpSize)};
  }
};

struct AllShadowRays {
  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    return {.count = state.iteration.shadow_rays};
  }
};

/// The slots, paths or pixels of the wave.
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

// Ranges of the entries of a queue, for ForEachPush.

struct AllEntries {
  static constexpr bool kStampsStart = true;

  SIMT_KERNEL static uint32_t begin() { return 0; }
  SIMT_KERNEL static uint32_t end(const Items& entries) { return entries.count; }
};

/// The entries of some classes of a grouped queue: wavefront/cull/group.h. The ranges of a queue
/// are shaded in order; EndGrouping records when shading starts.
struct EntriesOfClasses {
  static constexpr bool kStampsStart = false;

  const uint32_t* offsets;  ///< [class]
  unsigned first_class, end_class;

  SIMT_KERNEL uint32_t begin() const { return offsets[first_class]; }
  SIMT_KERNEL uint32_t end(const Items&) const { return offsets[end_class]; }
};

/// The alive masks of the first wave, one per bounce.
struct MaskRecord {
  Span<uint32_t> words;    ///< [bounce][words_per_bounce]; empty unless recorded
  Span<uint32_t> entries;  ///< [bounce], of the queue
  uint32_t words_per_bounce = 0;
};

struct RecordMask {
  static constexpr Stage kStage = Stage::kCull;
  static constexpr bool kUniformCost = true;

  const WaveState* state;
  WorkQueue work;
  MaskRecord record;

  SIMT_HOST_DEVICE void operator()(uint32_t word) const {
    const uint32_t bounce = state->iteration.index;
    if (state->waves > 0 || bounce >= record.entries.size) return;
    record.words[size_t(bounce) * record.words_per_bounce + word] = work.alive[word];
    if (word == 0) record.entries[bounce] = state->iteration.queued;
  }
};

}  // namespace winnow
