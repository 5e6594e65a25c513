#pragma once

#include "compaction/simt/simt.h"

namespace compaction {

/// Inclusive scan over the lanes of a warp: the sum of the values of this lane and those below it.
///
/// 5 shuffles. Kogge & Stone, "A Parallel Algorithm for the Efficient Solution of a General Class
/// of Recurrence Equations", 1973.
SIMT_KERNEL inline uint32_t warp_inclusive_scan(simt::Warp auto warp, uint32_t value) {
  for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2) {
    uint32_t below = warp.shfl_up(value, delta);
    if (warp.thread_rank() >= delta) value += below;
  }
  return value;
}

/// Exclusive scan over the lanes of a warp: the sum of the values of the lanes below this one.
SIMT_KERNEL inline uint32_t warp_exclusive_scan(simt::Warp auto warp, uint32_t value) {
  return warp_inclusive_scan(warp, value) - value;
}

}  // namespace compaction
