#pragma once

#include "compaction/simt/simt.h"

namespace compaction {

/// Sum of the values of all 32 lanes, in every lane. 5 shuffles (butterfly).
SIMT_KERNEL inline uint32_t warp_sum(simt::Warp auto warp, uint32_t value) {
  for (unsigned distance = simt::kWarpSize / 2; distance > 0; distance /= 2)
    value += warp.shfl(value, warp.thread_rank() ^ distance);
  return value;
}

}  // namespace compaction
