#pragma once

#include <cstdint>

#include "compaction/simt/span.h"

namespace compaction {

/// Selects the indices of the flags that are not 0.
struct FlagSource {
  simt::Span<const uint8_t> flags;  ///< [item]

  SIMT_HOST_DEVICE bool selected(uint32_t item) const { return flags[item] != 0; }
  SIMT_HOST_DEVICE uint32_t value(uint32_t item) const { return item; }
};

}  // namespace compaction
