// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <glm/vec3.hpp>
#include <type_traits>

#include "base/instruction_set.h"
#include "base/lanes.h"

namespace winnow {

// On the CPU the stages run over batches of paths, whose values are stored in columns. The loops
// over a batch call the functions that the stages call for one path; as a part of the loop, they
// run for 8 or 16 paths at a time in vector lanes, with the same bits.

/// Paths of a batch: enough to fill vectors of 16 lanes, few enough for columns in an L1 cache.
inline constexpr uint32_t kBatchSize = 64;

/// A number for each path of a batch, or for each of `kSize` items.
template <class T, uint32_t kSize = kBatchSize>
struct alignas(64) Column {
  T values[kSize];
  T& operator[](uint32_t i) { return values[i]; }
  const T& operator[](uint32_t i) const { return values[i]; }
};

/// A struct for each path of a batch, in one column for each of its 32-bit words.
template <class T>
struct alignas(64) Columns {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint32_t) == 0);
  static constexpr size_t kWords = sizeof(T) / sizeof(uint32_t);
  uint32_t words[kWords][kBatchSize];

  [[gnu::always_inline]] T operator[](uint32_t i) const {
    T value;
    WINNOW_UNROLL
    for (size_t k = 0; k < kWords; ++k)
      std::memcpy(reinterpret_cast<std::byte*>(&value) + 4 * k, &words[k][i], 4);
    return value;
  }
  [[gnu::always_inline]] void set(uint32_t i, const T& value) {
    WINNOW_UNROLL
    for (size_t k = 0; k < kWords; ++k)
      std::memcpy(&words[k][i], reinterpret_cast<const std::byte*>(&value) + 4 * k, 4);
  }
  /// Sets the values of all paths.
  void fill(const T& value) {
    for (size_t k = 0; k < kWords; ++k) {
      uint32_t word;
      std::memcpy(&word, reinterpret_cast<const std::byte*>(&value) + 4 * k, 4);
      std::ranges::fill(words[k], word);
    }
  }
  /// Sets the value of a path if a condition holds, without a branch.
  [[gnu::always_inline]] void set_if(bool condition, uint32_t i, const T& value) {
    WINNOW_UNROLL
    for (size_t k = 0; k < kWords; ++k) {
      uint32_t word;
      std::memcpy(&word, reinterpret_cast<const std::byte*>(&value) + 4 * k, 4);
      const uint32_t other = words[k][i];
      words[k][i] = condition ? word : other;
    }
  }
};
using VectorColumn = Columns<glm::vec3>;

/// Lanes of the widest vectors.
inline constexpr uint32_t kLanes = 16;

/// Rounds up to a multiple of the vector width, so that loops over a batch need no remainder loop.
/// The results of the additional items are not used.
inline uint32_t full_vectors(uint32_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

/// Calls step(i) for the first `count` paths of a batch, in the lanes of vectors.
///
/// @param step  a lambda that captures numbers by value and columns by reference
template <class Step>
void in_lanes(InstructionSet set, uint32_t count, const Step& step) {
  run_with(set, [&] {
    const Step local = step;  // so that captured numbers stay in registers
    const uint32_t end = full_vectors(count);
    WINNOW_LANES
    for (uint32_t i = 0; i < end; ++i) local(i);
  });
}

}  // namespace winnow
