#pragma once

#include <concepts>
#include <cstdint>

namespace compaction {

/// The items of a select: which are selected, and what is written for those. Both are called for
/// items [0, n) only, any number of times, and return the same each time.
template <class S>
concept Source = requires(const S& source, uint32_t item) {
  { source.selected(item) } -> std::same_as<bool>;
  { source.value(item) } -> std::same_as<uint32_t>;
};

}  // namespace compaction
