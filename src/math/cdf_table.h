// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"

namespace winnow {

// Samples items with given probabilities by inverting their cumulative distribution. Unlike an
// alias table, the inverse is monotonic: evenly distributed uniforms choose items that are evenly
// distributed over the list, and the remainder of a uniform can be reused. A guide table makes a
// draw take constant time on average.
//
// Chen & Asau, "On Generating Random Variates from an Empirical Distribution", 1974.

/// Entry of the table. n items have n + 1 entries; the last one ends the list.
struct CdfEntry {
  uint32_t begin = 0;  ///< start of the item's interval, in units of 2^-32
  uint32_t first = 0;  ///< guide: item whose interval contains entry / n
};

/// Appends the table of one distribution: item i has a probability proportional to weights[i], to
/// within 2^-32, and at least 2^-32 if its weight is positive. If the weights sum to 0, all items
/// are equally likely.
///
/// @param weights  [item], finite and not negative; at least one, fewer than 2^31
/// Takes O(n).
void append_cdf_table(std::span<const float> weights, std::vector<CdfEntry>& table);

struct CdfSample {
  uint32_t item = 0;
  float rest = 0.0f;  ///< position of the uniform in the interval of the item, uniform in [0, 1)
};

/// Returns the position of a uniform in the interval of an item, in [0, 1).
///
/// @param begin, last  first and last value of the interval, in units of 2^-32
SIMT_HOST_DEVICE inline float cdf_rest(uint32_t begin, uint32_t last, uint32_t u) {
  const float width = float(last - begin) + 1.0f;  // up to 2^32
  const float rest = float(u - begin) / width;
  return rest < 1.0f ? rest : 0x1.fffffep-1f;
}

/// Returns the index of the first entry that sample_cdf_table() reads; it reads the next one, too.
SIMT_HOST_DEVICE inline uint32_t cdf_guide(simt::Span<const CdfEntry> table, uint32_t u) {
  return uint32_t(uint64_t(u) * uint32_t(table.size - 1) >> 32);
}

/// Draws an item.
///
/// @param table  [item + 1], of at least one item
/// @param u      uniform, in units of 2^-32: the 24 bits of a float would make some items of a
///               table of a million several percent too likely
SIMT_HOST_DEVICE inline CdfSample sample_cdf_table(simt::Span<const CdfEntry> table, uint32_t u) {
  assert(table.size > 1 && table.size <= uint32_t(1) << 31);
  const uint32_t guide = cdf_guide(table, u);
  uint32_t item = table[guide].first;
  uint32_t count = table[guide + 1].first - item + 1;  // the item is one of these
  while (count > 1) {
    const uint32_t half = count / 2;
    const bool later = table[item + half].begin <= u;
    item += later ? half : 0;
    count = later ? count - half : half;
  }
  return {item, cdf_rest(table[item].begin, table[item + 1].begin - 1, u)};
}

/// Inverts sample_cdf_table(): returns the uniform of a sample, in units of 2^-32.
SIMT_HOST_DEVICE inline uint32_t invert_cdf_table(simt::Span<const CdfEntry> table,
                                                  CdfSample sample) {
  const uint32_t begin = table[sample.item].begin, last = table[sample.item + 1].begin - 1;
  const auto offset = uint64_t(double(sample.rest) * (double(last - begin) + 1.0));
  return offset < last - begin ? begin + uint32_t(offset) : last;
}

/// Returns the probability of an item. The table has other items of positive probability.
SIMT_HOST_DEVICE inline float cdf_probability(simt::Span<const CdfEntry> table, uint32_t item) {
  return float(table[item + 1].begin - table[item].begin) * 0x1p-32f;
}

}  // namespace winnow
