#pragma once

#include <bit>
#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

// The upper half of a float: its range with 8 binary digits, where two numbers share a word.

/// The nearest float that has no more digits; x >= 0 and finite.
SIMT_HOST_DEVICE inline float round_to_bfloat16(float x) {
  constexpr uint32_t kHalf = 0x8000, kUpper = 0xffff0000;
  return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + kHalf) & kUpper);
}

/// @param a, b  of round_to_bfloat16
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
