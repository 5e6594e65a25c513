#pragma once

#include "wavefront/state/queue.h"

namespace winnow {

/// The marks of the first wave, bounce by bounce.
struct MaskRecord {
  Span<uint32_t> words;    ///< [bounce][words_per_bounce]; empty where none is kept
  Span<uint32_t> entries;  ///< [bounce], of the queue
  uint32_t words_per_bounce = 0;
};

/// Keeps one word of the marks of this round.
struct RecordMask {
  static constexpr Stage kStage = Stage::kCull;
  static constexpr bool kUniformCost = true;

  const WaveState* state;
  WorkQueue work;
  MaskRecord record;

  SIMT_HOST_DEVICE void operator()(uint32_t word) const {
    const uint32_t turn = state->round.turn;
    if (state->waves > 0 || turn >= record.entries.size) return;
    record.words[size_t(turn) * record.words_per_bounce + word] = work.alive[word];
    if (word == 0) record.entries[turn] = state->round.queued;
  }
};

}  // namespace winnow
