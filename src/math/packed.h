// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// A vector and a scalar in 16 bytes, loaded or stored by one memory access.
struct alignas(16) Packed {
  glm::vec3 xyz;
  float w;
};

// bfloat16 is the upper half of a float: the same range with 8 significant bits. Two of them fit 32
// bits.

/// Rounds to the nearest bfloat16.
///
/// @param x  finite, not negative
SIMT_HOST_DEVICE inline float round_to_bfloat16(float x) {
  constexpr uint32_t kHalf = 0x8000, kUpper = 0xffff0000;
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + kHalf) & kUpper);
}

/// Packs two results of round_to_bfloat16().
SIMT_HOST_DEVICE inline uint32_t pack_bfloat16(float a, float b) {
  return std::bit_cast<uint32_t>(a) | std::bit_cast<uint32_t>(b) >> 16;
}
SIMT_HOST_DEVICE inline float first_bfloat16(uint32_t packed) {
  constexpr uint32_t kUpper = 0xffff0000;
  return std::bit_cast<float>(packed & kUpper);
}
SIMT_HOST_DEVICE inline float second_bfloat16(uint32_t packed) {
  return std::bit_cast<float>(packed << 16);
}

}  // namespace winnow
