// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace winnow {

/// Returns a hash of a hash and a further word.
///
/// This is one step of SplitMix64. Steele, Lea & Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014.
constexpr uint64_t mix_hash(uint64_t hash, uint32_t word) {
  hash += word + 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

}  // namespace winnow
