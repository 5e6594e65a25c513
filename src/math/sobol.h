// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

// The Sobol' sequence without tables, and Owen scrambling. A coordinate is a binary fraction stored
// with its bits reversed: the first digit after the point is the lowest bit. The first coordinate
// is the index itself.

namespace winnow {

/// Returns the second Sobol' coordinate. With the first it forms a (0, 2)-sequence: 2^m points that
/// start at a multiple of 2^m have exactly one point in each dyadic rectangle of area 2^-m.
///
/// The digits are those of the index, read as a polynomial over GF(2), in base x + 1. They result
/// from division by (x + 1)^16 = x^16 + 1, then of both halves by x^8 + 1, and so on.
SIMT_HOST_DEVICE inline uint32_t sobol_second(uint32_t index) {
  index ^= index >> 16;
  index ^= index >> 8 & 0x00FF00FF;
  index ^= index >> 4 & 0x0F0F0F0F;
  index ^= index >> 2 & 0x33333333;
  index ^= index >> 1 & 0x55555555;
  return index;
}

/// Returns the third coordinate: the digits in base p = x^2 + x + 1, by division by p^8 = x^16 +
/// x^8 + 1, then by p^4, and so on. The higher bit of each two-bit digit is added to the lower one:
/// Joe and Kuo's direction numbers.
SIMT_HOST_DEVICE inline uint32_t sobol_third(uint32_t index) {
  index ^= index >> 8 & 0x00FFFF00;
  index ^= index >> 16 & 0x000000FF;
  index ^= index >> 4 & 0x0FF00FF0;
  index ^= index >> 8 & 0x000F000F;
  index ^= index >> 2 & 0x3C3C3C3C;
  index ^= index >> 4 & 0x03030303;
  index ^= index >> 1 & 0x66666666;
  index ^= index >> 2 & 0x11111111;
  return index ^ (index >> 1 & 0x55555555);
}

/// Returns the fourth coordinate: the digits in base p = x^3 + x + 1, by division by p^8 = x^24 +
/// x^8 + 1, then by p^4, and so on.
SIMT_HOST_DEVICE inline uint32_t sobol_fourth(uint32_t index) {
  index ^= index >> 24;
  index ^= index >> 16 & 0x0000FF00;
  index ^= index >> 8 & 0x0000F000;
  index ^= index >> 12 & 0x00000FFF;
  index ^= index >> 8 & 0x00000FF0;
  index ^= index >> 4 & 0x000C00C0;
  index ^= index >> 6 & 0x0303F03F;
  index ^= index >> 4 & 0x0C03C03C;
  index ^= index >> 2 & 0x08208208;
  index ^= index >> 3 & 0x071C71C7;
  index ^= index >> 2 & 0x06186186;
  return index ^ (index >> 1 & 0x49249249);
}

SIMT_HOST_DEVICE inline uint32_t reverse_bits(uint32_t v) {
#if defined(__CUDA_ARCH__)
  return __brev(v);
#else
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0F0F0F0F) | (v & 0x0F0F0F0F) << 4;
  return __builtin_bswap32(v);
#endif
}

/// Applies Owen's nested uniform scrambling: flips each bit or not, depending on a hash of the bits
/// below it. The lowest bit is the first digit.
///
/// Laine & Karras, "Stratified Sampling for Stochastic Transparency", 2011: a hash that carries
/// upwards only. Steps and multipliers of Vegdahl, "Building a Better LK Hash", 2021.
SIMT_HOST_DEVICE inline uint32_t owen_scramble(uint32_t digits, uint32_t seed) {
  digits ^= digits * 0x3D20ADEA;
  digits += seed;
  digits *= seed >> 16 | 1;
  digits ^= digits * 0x05526C56;
  digits ^= digits * 0x53A22864;
  return digits;
}

}  // namespace winnow
