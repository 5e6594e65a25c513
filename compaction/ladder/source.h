// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>

#include "compaction/simt/span.h"

namespace compaction {

/// The items of a select: which of them are selected, and the value that is written for each. Both
/// functions are called only for items in [0, n), any number of times, and must return the same
/// result each time.
template <class S>
concept Source = requires(const S& source, uint32_t item) {
  { source.selected(item) } -> std::same_as<bool>;
  { source.value(item) } -> std::same_as<uint32_t>;
};

/// Selects the indices of the flags that are not 0.
struct FlagSource {
  simt::Span<const uint8_t> flags;  ///< [item]

  SIMT_HOST_DEVICE bool selected(uint32_t item) const { return flags[item] != 0; }
  SIMT_HOST_DEVICE uint32_t value(uint32_t item) const { return item; }
};

}  // namespace compaction
