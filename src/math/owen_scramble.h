#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

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

/// Flips each bit or not, at random by the bits below it: Owen's nested uniform scrambling of a
/// number whose first digit is its lowest bit.
///
/// Laine & Karras, "Stratified Sampling for Stochastic Transparency", 2011, as a hash that carries
/// upwards only; Vegdahl, "Building a Better LK Hash", 2021, has these steps and multipliers.
SIMT_HOST_DEVICE inline uint32_t owen_scramble(uint32_t digits, uint32_t seed) {
  digits ^= digits * 0x3D20ADEA;
  digits += seed;
  digits *= seed >> 16 | 1;
  digits ^= digits * 0x05526C56;
  digits ^= digits * 0x53A22864;
  return digits;
}

}  // namespace winnow
