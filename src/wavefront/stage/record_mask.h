// SPDX-License-Identifier: MIT
#pragma once

#include "wavefront/state/queue.h"

namespace winnow {

/// The alive masks of the first wave, one per bounce.
struct MaskRecord {
  Span<uint32_t> words;    ///< [bounce][words_per_bounce]; empty unless recorded
  Span<uint32_t> entries;  ///< [bounce], of the queue
  uint32_t words_per_bounce = 0;
};

/// Records one word of the alive mask of this iteration.
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
