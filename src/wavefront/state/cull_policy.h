#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"
#include "wavefront/state/wave_state.h"

namespace winnow {

/// When the rounds of a render cull.
struct CullPolicy {
  bool decides;   ///< else they always do
  float cull_ns;  ///< that culling costs for each entry of the queue

  /// Whether a round is to cull: where the paths that end in it would cost the next one more, which
  /// lasts about as long. The waves before tell how many end; the first one culls.
  ///
  /// @param before  what earlier waves counted in this round
  SIMT_HOST_DEVICE bool culls(const BounceTotals& before) const {
    if (!decides || before.queued == 0) return true;
    uint64_t round_ns = 0;
    for (Stage stage : {Stage::kIntersect, Stage::kShade, Stage::kShadow})
      round_ns += before.nanoseconds[uint32_t(stage)];
    const float dead_share = 1.0f - float(before.survivors) / float(before.queued);
    return dead_share * float(round_ns) > cull_ns * float(before.queued);
  }
};

}  // namespace winnow
