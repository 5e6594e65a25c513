// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// The bytes that any algorithm must move through memory, read plus written. Every throughput is
// these bytes divided by the time. There are n items of s bytes, of which k are selected, counted
// in the data.

namespace compaction::bench {

constexpr uint64_t scan_traffic(uint64_t n, uint64_t s) {
  return 2 * n * s;
}

constexpr uint64_t reduce_traffic(uint64_t n, uint64_t s) {
  return n * s;
}

/// Reads every item and writes the selected ones. For a structure of arrays, s is the sum over the
/// columns. All columns count as read in full.
constexpr uint64_t select_traffic(uint64_t n, uint64_t k, uint64_t s) {
  return n * s + k * s;
}

/// Traffic of select_traffic(), plus one byte per flag.
constexpr uint64_t flagged_traffic(uint64_t n, uint64_t k, uint64_t s) {
  return n + select_traffic(n, k, s);
}

/// Traffic of select_traffic(), plus one bit per item, in words of 32.
constexpr uint64_t masked_traffic(uint64_t n, uint64_t k, uint64_t s) {
  constexpr uint64_t kWordBits = 32, kWordBytes = 4;
  return (n + kWordBits - 1) / kWordBits * kWordBytes + select_traffic(n, k, s);
}

/// Reads every item and writes it to one of two sides.
constexpr uint64_t partition_traffic(uint64_t n, uint64_t s) {
  return 2 * n * s;
}

/// Reads every item twice, once to count, and writes it.
constexpr uint64_t split_items_traffic(uint64_t n, uint64_t s) {
  return 3 * n * s;
}

/// Reads every key of one byte twice and writes an index of s bytes.
constexpr uint64_t split_indices_traffic(uint64_t n, uint64_t s) {
  return 2 * n + n * s;
}

/// Reads n keys and n values, writes k keys and k results of runs. Sizes in bytes.
constexpr uint64_t runs_traffic(uint64_t n, uint64_t k, uint64_t key, uint64_t value,
                                uint64_t result) {
  return n * (key + value) + k * (key + result);
}

}  // namespace compaction::bench
