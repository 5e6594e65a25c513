// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/names.h"
#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Cause of the end of a path; `kAlive` for a path that has not ended.
enum class Termination : uint32_t {
  kAlive,
  kEscaped,         ///< left the scene
  kHitLight,        ///< hit a surface that emits and does not reflect
  kRoulette,        ///< terminated by Russian roulette
  kZeroThroughput,  ///< the BSDF is zero in the sampled direction
  kMaxDepth,        ///< reached the maximum number of bounces
  kNotFinite,       ///< computed a NaN or an infinity; the sample keeps the light gathered before
};
inline constexpr uint32_t kTerminationCount = 7;
template <>
inline constexpr std::array<const char*, kTerminationCount> kEnumNames<Termination> = {
    "alive", "escaped", "hit_light", "roulette", "zero_throughput", "max_depth", "not_finite"};

/// Cause and bounce of the end of a path, in one word.
struct TerminationRecord {
  static constexpr uint32_t kCauseBits = 3;
  uint32_t bits = 0;  ///< 0 while the path is active

  SIMT_HOST_DEVICE static TerminationRecord of(Termination cause, uint32_t bounce) {
    return {bounce << kCauseBits | uint32_t(cause)};
  }
  SIMT_HOST_DEVICE bool alive() const { return bits == 0; }
  SIMT_HOST_DEVICE Termination cause() const { return Termination(bits % (1u << kCauseBits)); }
  SIMT_HOST_DEVICE uint32_t bounce() const { return bits >> kCauseBits; }
};

}  // namespace winnow
