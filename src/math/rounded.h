#pragma once

#include <cmath>

#include "compaction/simt/qualifiers.h"

// Correctly rounded on every device. Elsewhere a GPU may take quotients and roots that are off by
// two ulps and several times as fast; a ray's way needs the bounds on its errors.

namespace winnow {

SIMT_HOST_DEVICE inline float rounded_quotient(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}

/// 1 / x. On a GPU it is cheaper than a quotient.
SIMT_HOST_DEVICE inline float rounded_reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  return __frcp_rn(x);
#else
  return 1.0f / x;
#endif
}

SIMT_HOST_DEVICE inline float rounded_sqrt(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return std::sqrt(x);
#endif
}

}  // namespace winnow
