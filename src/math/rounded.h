// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

// Operations that are correctly rounded on every device, as error bounds of ray intersections
// require. Elsewhere the compiler may use quotients and roots on a GPU that are off by two ulps and
// several times as fast.

SIMT_HOST_DEVICE inline float rounded_quotient(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}

/// Returns 1 / x. Cheaper than a quotient on a GPU.
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

/// Returns the smaller of two numbers; on a CPU, `b` if either is NaN. One instruction, also in
/// vector code, where fmin() would be a call.
SIMT_HOST_DEVICE inline float smaller(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}

/// Returns the larger of two numbers; on a CPU, `b` if either is NaN.
SIMT_HOST_DEVICE inline float larger(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}

/// Returns the next float below `x`, which is above 0.
SIMT_HOST_DEVICE inline float float_before(float x) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(x) - 1);
}

/// Returns the largest float that is not above `x`.
SIMT_HOST_DEVICE inline float float_at_most(double x) {
  const auto f = float(x);
  return double(f) <= x ? f : std::nextafter(f, -INFINITY);
}

/// Returns the smallest float that is not below `x`.
SIMT_HOST_DEVICE inline float float_at_least(double x) {
  const auto f = float(x);
  return double(f) >= x ? f : std::nextafter(f, INFINITY);
}

}  // namespace winnow
