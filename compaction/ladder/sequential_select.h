#pragma once

#include <cstdint>

#include "compaction/ladder/source.h"
#include "compaction/simt/span.h"

namespace compaction {

/// Stable select, one item after the other: the reference. Returns how many are selected.
///
/// @param n         items of `source`
/// @param selected  [>= number of selected items], receives their values in order
/// On the host.
inline uint32_t sequential_select(const Source auto& source, uint32_t n,
                                  simt::Span<uint32_t> selected) {
  uint32_t count = 0;
  for (uint32_t item = 0; item < n; ++item)
    if (source.selected(item)) selected[count++] = source.value(item);
  return count;
}

}  // namespace compaction
