// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

// Encodes integers in traces. The recorder writes them; trace.cpp describes and reads them.

namespace simt::host {

constexpr unsigned kVarintBits = 7;                 // bits of a byte
constexpr uint8_t kVarintMore = 1u << kVarintBits;  // another byte follows

inline void put_varint(std::vector<uint8_t>& bytes, uint64_t value) {
  for (; value >= kVarintMore; value >>= kVarintBits) bytes.push_back(uint8_t(value) | kVarintMore);
  bytes.push_back(uint8_t(value));
}

/// Reads an integer at `at` and moves `at` past it.
inline uint64_t get_varint(const uint8_t*& at, const uint8_t* end) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += kVarintBits) {
    if (at == end) throw std::runtime_error("a trace ends too early");
    const uint8_t byte = *at++;
    value |= uint64_t(byte & (kVarintMore - 1)) << shift;
    if (byte < kVarintMore) return value;
  }
  throw std::runtime_error("a number of a trace has more than 64 bits");
}

/// Maps small numbers of either sign to small ones: 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
constexpr uint64_t fold(int64_t value) {
  return uint64_t(value) << 1 ^ uint64_t(value >> 63);
}
constexpr int64_t unfold(uint64_t value) {
  return int64_t(value >> 1) ^ -int64_t(value & 1);
}

/// Predicts the next event of an operation from the last ones.
struct Prediction {
  uint32_t offset = 0, stride = 0;  // bytes
  uint32_t low = 0, high = 0;       // words of the value

  /// Returns the difference of `actual` from the expected offset.
  int32_t difference_to(uint32_t actual) {
    const int32_t difference = int32_t(actual - (offset + stride));
    offset_after(uint32_t(difference));
    return difference;
  }
  /// Returns the offset at `difference` from the expected one.
  uint32_t offset_after(uint32_t difference) {
    const uint32_t actual = offset + stride + difference;
    stride = actual - offset;
    return offset = actual;
  }
};

}  // namespace simt::host
