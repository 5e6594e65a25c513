#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

// Which random numbers a path uses where. Each dimension gives four; none is used twice, and none
// depends on what other paths do.

inline constexpr uint32_t kCameraDimension = 0;  ///< film x y, lens u v

/// BSDF sampling (three) and Russian roulette.
SIMT_HOST_DEVICE constexpr uint32_t scatter_dimension(uint32_t bounce) {
  return 1 + 2 * bounce;
}

/// Light sampling.
SIMT_HOST_DEVICE constexpr uint32_t light_dimension(uint32_t bounce) {
  return 2 + 2 * bounce;
}

}  // namespace winnow
