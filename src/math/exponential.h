// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

// On a CPU, std::exp() and std::log() are calls, and their results depend on the instruction set.
// The functions below have no branches, so that loops over paths are vectorized. The polynomials
// are from Moshier's Cephes library, 1992.

/// Returns e^x to within 2 ulps, or 0 where it is below the smallest normal float.
///
/// @param x  at most 88
SIMT_HOST_DEVICE inline float exponential(float x) {
#if defined(__CUDA_ARCH__)
  return std::exp(x);
#else
  constexpr float kLeast = -87.3f, kInvLn2 = 1.442695f;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;  // sum: ln 2
  const float bounded = x > kLeast ? x : kLeast;
  const float power = std::floor(bounded * kInvLn2 + 0.5f);
  const float r = (bounded - power * kLn2High) - power * kLn2Low;  // [-ln(2) / 2, ln(2) / 2]
  float series = 8.3334519073e-3f + r * (1.3981999507e-3f + r * 1.9875691500e-4f);
  series = 5.0000001201e-1f + r * (1.6666665459e-1f + r * (4.1665795894e-2f + r * series));
  const float scale = std::bit_cast<float>((int32_t(power) + 127) << 23);
  return x > kLeast ? ((series * r * r + r) + 1.0f) * scale : 0.0f;
#endif
}

/// Returns the natural logarithm to within 2 ulps.
///
/// @param x  normal and positive
SIMT_HOST_DEVICE inline float logarithm(float x) {
#if defined(__CUDA_ARCH__)
  return std::log(x);
#else
  constexpr int32_t kRootOfHalf = 0x3f3504f3;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  const auto bits = std::bit_cast<int32_t>(x);
  const int32_t power = (bits - kRootOfHalf) >> 23;
  const float p = float(power);
  const float r = std::bit_cast<float>(bits - (power << 23)) - 1.0f;  // [sqrt(1/2), sqrt(2)) - 1
  const float r2 = r * r;
  float series = 1.1676998740e-1f + r * (-1.1514610310e-1f + r * 7.0376836292e-2f);
  series = -1.6668057665e-1f + r * (1.4249322787e-1f + r * (-1.2420140846e-1f + r * series));
  series = 3.3333331174e-1f + r * (-2.4999993993e-1f + r * (2.0000714765e-1f + r * series));
  return (r + (r * r2 * series + p * kLn2Low - 0.5f * r2)) + p * kLn2High;
#endif
}

}  // namespace winnow
