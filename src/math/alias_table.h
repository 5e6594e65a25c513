// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"

namespace winnow {

/// One of n equally likely entries: selects its own item with `probability`, otherwise `alias`.
struct AliasEntry {
  float probability = 1.0f;
  uint32_t alias = 0;
};

/// Builds a table that draws item i with a probability proportional to weights[i] in constant time.
///
/// @param weights  [item], finite and not negative
/// @return         [item]; empty if the weights sum to 0
/// Order n. Vose, "A Linear Algorithm for Generating Random Numbers with a Given Distribution",
/// 1991.
std::vector<AliasEntry> build_alias_table(const std::vector<float>& weights);

/// Draws an item.
///
/// @param table  [item], at least one
/// @param u      two independent uniforms in [0, 1), used as one of 48 bits: with 24 bits, some
///               items of a table of a million would be several percent too likely
SIMT_HOST_DEVICE inline uint32_t sample_alias_table(simt::Span<const AliasEntry> table,
                                                    glm::vec2 u) {
  assert(table.size > 0 && table.size <= UINT32_MAX);
  auto high = uint64_t(u.x * 0x1p24f), low = uint64_t(u.y * 0x1p24f);
  uint64_t position = high * table.size + (low * table.size >> 24);  // u * size, 24 fractional bits
  auto entry = uint32_t(position >> 24);
  float fraction = float(position & 0xFFFFFF) * 0x1p-24f;
  return fraction < table[entry].probability ? entry : table[entry].alias;
}

}  // namespace winnow
