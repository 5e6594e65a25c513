#pragma once

#include "compaction/simt/simt.h"

namespace compaction {

/// The bits that are set in the values of any of the 32 lanes, in every lane. One instruction from
/// sm_80 on, else 5 shuffles (butterfly).
SIMT_KERNEL inline uint32_t warp_or(simt::Warp auto warp, uint32_t bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0u, bits);
#else
  for (unsigned distance = simt::kWarpSize / 2; distance > 0; distance /= 2)
    bits |= warp.shfl(bits, warp.thread_rank() ^ distance);
  return bits;
#endif
}

}  // namespace compaction
