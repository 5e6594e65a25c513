#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "compaction/simt/simt.h"

namespace winnow {

// What the traversal of a WideBvh asks of the hardware: instructions that the language has no words
// for, and the same on the host. Both give the same bits.

/// 16 bytes that one access moves.
struct Words {
  uint32_t x, y, z, w;
};

/// The 16 bytes at `address`, a multiple of 16. Nothing may write them while the kernel runs.
SIMT_HOST_DEVICE inline Words load_words(const void* address) {
#if defined(__CUDA_ARCH__)
  const uint4 words = __ldg(static_cast<const uint4*>(address));
  return {words.x, words.y, words.z, words.w};
#else
  Words words;
  std::memcpy(&words, address, sizeof words);
  return words;
#endif
}

/// Position of the highest set bit. There is one.
SIMT_HOST_DEVICE inline uint32_t highest_set(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return 31 - uint32_t(__clz(int(bits)));
#else
  return uint32_t(std::bit_width(bits)) - 1;
#endif
}

/// Position of the set bit that has `rank` others below it. There is one.
SIMT_HOST_DEVICE inline uint32_t nth_set(uint32_t bits, uint32_t rank) {
  uint32_t position = 0;
  for (uint32_t half = simt::kWarpSize / 2; half > 0; half /= 2)
    if (simt::popcount(bits & simt::lanes_below(position + half)) <= rank) position += half;
  return position;
}

/// The bits of 128.0f; their third byte counts 256ths. On a GPU the compiler does not know them: it
/// would make them part of each byte permutation, whose pattern then costs an instruction.
SIMT_HOST_DEVICE inline uint32_t bits_of_128() {
  constexpr uint32_t kBits = 0x43000000;
#if defined(__CUDA_ARCH__)
  uint32_t lanes_below;  // of which lane 31 never is one
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_below));
  return kBits | lanes_below >> 31;
#else
  return kBits;
#endif
}

/// 128 + b / 256, where b is byte `i` of `word`: exact, and one byte permutation instead of a
/// conversion, of which a multiprocessor does few at a time.
SIMT_HOST_DEVICE inline float byte_above_128(uint32_t word, unsigned i, uint32_t bits_of_128) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(__byte_perm(word, bits_of_128, 0x7604 | i << 4));
#else
  return std::bit_cast<float>(bits_of_128 | (word >> (8 * i) & 0xff) << 8);
#endif
}

/// max(a, b, c, 0). What is not a number counts as 0 on the host and as large on a GPU.
SIMT_HOST_DEVICE inline float max3_or_0(float a, float b, float c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  // Floats that are not negative are in the order of their bits, and bits below 0 are floats below.
  return __int_as_float(__vimax3_s32_relu(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
#else
  return std::fmax(std::fmax(a, b), std::fmax(c, 0.0f));
#endif
}

/// min(a, b, c), or some negative number where that is negative.
SIMT_HOST_DEVICE inline float min3_or_negative(float a, float b, float c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __int_as_float(__vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
#else
  return std::fmin(std::fmin(a, b), c);
#endif
}

/// How many threads of this warp run here now; 1 on the host. Good for guesses only.
SIMT_HOST_DEVICE inline uint32_t running_lanes() {
#if defined(__CUDA_ARCH__)
  return uint32_t(__popc(__activemask()));
#else
  return 1;
#endif
}

}  // namespace winnow
