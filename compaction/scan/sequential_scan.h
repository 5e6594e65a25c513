#pragma once

#include <cstdint>

#include "compaction/simt/span.h"

namespace compaction {

/// Exclusive scan, one item after the other: the reference. Returns the sum of all items.
///
/// @param in   [n]
/// @param out  [n], out[i] receives in[0] + ... + in[i - 1] modulo 2^32; may be `in`
/// On the host. n additions.
inline uint32_t sequential_exclusive_scan(simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  uint32_t sum = 0;
  for (size_t i = 0; i < in.size; ++i) {
    uint32_t value = in[i];
    out[i] = sum;
    sum += value;
  }
  return sum;
}

}  // namespace compaction
