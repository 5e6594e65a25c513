// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Which iterations cull. --cull auto is append (append.h) in the iterations where that pays, which
/// the device decides; every other mode culls in all iterations.
struct CullPolicy {
  bool is_auto;
  float cull_ns;  ///< cost of culling, for each entry of the queue

  /// Whether an iteration culls: if the paths that end in it would cost more in the next iteration
  /// than culling does. The next one is assumed to take as long as this one, and as many paths to
  /// end as in earlier waves; the first wave always culls.
  ///
  /// @param before  the totals of earlier waves at this iteration
  SIMT_HOST_DEVICE bool culls(const BounceTotals& before) const {
    if (!is_auto || before.queued == 0) return true;
    uint64_t iteration_ns = 0;
    for (Stage stage : {Stage::kIntersect, Stage::kShade, Stage::kShadow})
      iteration_ns += before.nanoseconds[uint32_t(stage)];
    const float dead_share = 1.0f - float(before.survivors) / float(before.queued);
    return dead_share * float(iteration_ns) > cull_ns * float(before.queued);
  }
};

}  // namespace winnow
