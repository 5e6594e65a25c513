// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/simt/simt.h"

// The shuffles of simt::Warp for items of any size: one shuffle for a number, otherwise one per 4
// bytes. All 32 lanes make each call together.

namespace compaction {

/// Applies `shuffle`, which takes numbers, to all words of `value`.
template <class T, class Shuffle>
SIMT_KERNEL T shuffle_words(const T& value, const Shuffle& shuffle) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= sizeof(uint64_t)) {
    return T(shuffle(value));
  } else {
    uint32_t words[(sizeof(T) + sizeof(uint32_t) - 1) / sizeof(uint32_t)] = {};
    std::memcpy(words, &value, sizeof(T));
    for (uint32_t& word : words) word = shuffle(word);
    T result = value;
    std::memcpy(&result, words, sizeof(T));
    return result;
  }
}

/// Returns the value of `lane`.
template <class T>
SIMT_KERNEL T shuffle_item(simt::Warp auto warp, const T& value, unsigned lane) {
  return shuffle_words(value, [&](auto number) { return warp.shfl(number, lane); });
}

/// Returns the value of the lane `delta` below, or the lane's own value if there is none.
template <class T>
SIMT_KERNEL T shuffle_item_up(simt::Warp auto warp, const T& value, unsigned delta) {
  return shuffle_words(value, [&](auto number) { return warp.shfl_up(number, delta); });
}

/// Returns the value of the lane `delta` above, or the lane's own value if there is none.
template <class T>
SIMT_KERNEL T shuffle_item_down(simt::Warp auto warp, const T& value, unsigned delta) {
  return shuffle_words(value, [&](auto number) { return warp.shfl_down(number, delta); });
}

}  // namespace compaction
