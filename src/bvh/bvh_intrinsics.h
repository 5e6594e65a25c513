// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "compaction/simt/simt.h"

namespace winnow {

// Hardware instructions for the traversal of a WideBvh that C++ does not expose, with equivalents
// on the host that give the same bits.

/// Loads 16 bytes through the read-only cache, as four words.
///
/// @param address  a multiple of 16; must not be written while the kernel runs
SIMT_HOST_DEVICE inline glm::uvec4 load_16_bytes(const void* address) {
#if defined(__CUDA_ARCH__)
  const uint4 words = __ldg(static_cast<const uint4*>(address));
  return {words.x, words.y, words.z, words.w};
#else
  glm::uvec4 words;
  std::memcpy(&words, address, sizeof words);
  return words;
#endif
}

SIMT_HOST_DEVICE inline glm::vec3 xyz_as_floats(const glm::uvec4& words) {
  return {std::bit_cast<float>(words.x), std::bit_cast<float>(words.y),
          std::bit_cast<float>(words.z)};
}

/// Returns the index of the highest set bit of `bits`, which must not be 0.
SIMT_HOST_DEVICE inline uint32_t highest_set(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return 31 - uint32_t(__clz(int(bits)));
#else
  return uint32_t(std::bit_width(bits)) - 1;
#endif
}

/// Returns the index of the set bit that has `rank` set bits below it, which must exist.
SIMT_HOST_DEVICE inline uint32_t nth_set(uint32_t bits, uint32_t rank) {
  uint32_t position = 0;
  for (uint32_t half = simt::kWarpSize / 2; half > 0; half /= 2)
    if (simt::popcount(bits & simt::lanes_below(position + half)) <= rank) position += half;
  return position;
}

/// Returns 128 + b / 512, where b is byte `i` of `word`. Exact; one dot product of bytes in place
/// of an integer conversion, whose throughput is low. A byte permutation would do, but occupies the
/// pipe of minima and comparisons, of which a box test has as many.
SIMT_HOST_DEVICE inline float byte_above_128(uint32_t word, unsigned i) {
  constexpr uint32_t k128 = 0x43000000, kUnit = 0x80;  // bits of 128.0f, and of 1 / 512 above it
#if defined(__CUDA_ARCH__)
  return __uint_as_float(__dp4a(word, kUnit << (8 * i), k128));
#else
  return std::bit_cast<float>(k128 + (word >> (8 * i) & 0xff) * kUnit);
#endif
}

/// Returns max(a, b, c, 0). NaN counts as 0 on the host and as a large value on a GPU.
SIMT_HOST_DEVICE inline float max3_or_0(float a, float b, float c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  // Non-negative floats have the order of their bits; negative floats have negative bits.
  return __int_as_float(__vimax3_s32_relu(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
#else
  return std::fmax(std::fmax(a, b), std::fmax(c, 0.0f));
#endif
}

/// Returns min(a, b, c) if that is not negative, otherwise any negative value.
SIMT_HOST_DEVICE inline float min3_or_negative(float a, float b, float c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __int_as_float(__vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
#else
  return std::fmin(std::fmin(a, b), c);
#endif
}

/// Returns the number of threads of this warp that execute this instruction together; 1 on the
/// host. Only a hint: it depends on scheduling.
SIMT_HOST_DEVICE inline uint32_t converged_lanes() {
#if defined(__CUDA_ARCH__)
  return uint32_t(__popc(__activemask()));
#else
  return 1;
#endif
}

}  // namespace winnow
