#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// The place of (x, y), both below 2^16, on Morton's curve: their bits in turn, the lowest of x
/// first. Squares of 2^n by 2^n places at multiples of 2^n are pieces of the curve.
SIMT_HOST_DEVICE inline uint32_t morton_code(uint32_t x, uint32_t y) {
  auto spread = [](uint32_t v) {
    v = (v | v << 8) & 0x00FF00FF;
    v = (v | v << 4) & 0x0F0F0F0F;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
  };
  return spread(x) | spread(y) << 1;
}

}  // namespace winnow
