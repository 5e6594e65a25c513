// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Decides on the device which iterations cull. --cull auto appends (append.h) in the iterations
/// where that pays; every other mode culls in all iterations.
struct CullPolicy {
  bool is_auto;
  float cull_ns;  ///< cost of culling per entry of the queue

  /// Returns whether an iteration culls: whether the paths that terminate in it would cost more in
  /// the next iteration than culling does. Assumes that the next iteration takes as long as this
  /// one, and that as many paths terminate as in earlier waves. The first wave always culls.
  ///
  /// @param before  totals of this iteration in earlier waves
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
