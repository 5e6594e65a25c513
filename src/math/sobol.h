#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

// The Sobol' sequence without tables. Coordinates are binary fractions whose first digit is the
// lowest bit. That of the first dimension is the index itself.

namespace winnow {

/// The second coordinate of Sobol's sequence: with the first, a (0, 2)-sequence. Any 2^m points
/// from a multiple of 2^m on put one into each dyadic rectangle of area 2^-m.
///
/// Its digits are those of the index, a polynomial over GF(2), to the base x + 1. They come from
/// dividing by (x + 1)^16 = x^16 + 1, both halves by x^8 + 1, and so on.
SIMT_HOST_DEVICE inline uint32_t sobol_second(uint32_t index) {
  index ^= index >> 16;
  index ^= index >> 8 & 0x00FF00FF;
  index ^= index >> 4 & 0x0F0F0F0F;
  index ^= index >> 2 & 0x33333333;
  index ^= index >> 1 & 0x55555555;
  return index;
}

/// The third coordinate: the digits to the base p = x^2 + x + 1, as p^8 = x^16 + x^8 + 1, p^4, ...;
/// of the two bits of a digit the lower one is added to by the other, as Joe and Kuo start it.
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

/// The fourth coordinate: the same to the base p = x^3 + x + 1, as p^8 = x^24 + x^8 + 1, ...
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

}  // namespace winnow
