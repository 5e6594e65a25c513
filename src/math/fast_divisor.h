// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// A divisor with a precomputed inverse: a division costs one or two multiplications.
///
/// Lemire, Kaser & Kurz, "Faster Remainder by Direct Computation", 2019: with M = ceil(2^64 / d)
/// the quotient of every 32-bit n is exactly floor(M n / 2^64).
class FastDivisor {
 public:
  FastDivisor() = default;
  SIMT_HOST_DEVICE constexpr FastDivisor(uint32_t divisor)
      : divisor_(divisor), inverse_(divisor > 1 ? ~uint64_t(0) / divisor + 1 : 0) {}

  SIMT_HOST_DEVICE constexpr operator uint32_t() const { return divisor_; }

  SIMT_HOST_DEVICE friend uint32_t operator/(uint32_t n, FastDivisor d) {
    if (d.divisor_ == 1) return n;  // the inverse would need 65 bits
#if defined(__CUDA_ARCH__)
    return uint32_t(__umul64hi(d.inverse_, n));
#else
    const uint64_t high = (d.inverse_ >> 32) * n, low = (d.inverse_ & 0xFFFFFFFF) * n;
    return uint32_t((high + (low >> 32)) >> 32);
#endif
  }
  SIMT_HOST_DEVICE friend uint32_t operator%(uint32_t n, FastDivisor d) {
    return n - n / d * d.divisor_;
  }

 private:
  uint32_t divisor_ = 0;
  uint64_t inverse_ = 0;
};

}  // namespace winnow
