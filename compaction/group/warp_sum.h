#pragma once

#include "compaction/simt/simt.h"

namespace compaction {

/// Sum of the values of all 32 lanes, in every lane. One instruction from sm_80 on, else 5 shuffles
/// (butterfly).
SIMT_KERNEL inline uint32_t warp_sum(simt::Warp auto warp, uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
  for (unsigned distance = simt::kWarpSize / 2; distance > 0; distance /= 2)
    value += warp.shfl(value, warp.thread_rank() ^ distance);
  return value;
#endif
}

}  // namespace compaction
