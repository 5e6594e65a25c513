// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace winnow {

/// Random choices of a soak test; all follow from a seed. Steele, Lea & Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014 (SplitMix64).
class Draw {
 public:
  explicit Draw(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, limit).
  template <class Unsigned>
  Unsigned below(Unsigned limit) {
    return Unsigned(next() % limit);
  }
  /// Uniform in [min, max].
  uint32_t from(uint32_t min, uint32_t max) { return min + below(max - min + 1); }
  bool one_in(uint64_t n) { return below(n) == 0; }

  /// Uniform in [0, 1).
  float uniform() { return float(next() >> 40) * 0x1p-24f; }
  /// Uniform in [min, max).
  float between(float min, float max) { return min + (max - min) * uniform(); }
  /// Log-uniform in [min, max), both above 0.
  float log_between(float min, float max) { return min * std::pow(max / min, uniform()); }
  /// In [0, 1], and often an end of it.
  float fraction() {
    const unsigned kind = below(6u);
    return kind == 0 ? 0.0f : kind == 1 ? 1.0f : uniform();
  }

  /// One of the items of a container that is not empty.
  template <class Items>
  const auto& of(const Items& items) {
    return items[below(items.size())];
  }

  void fill(void* memory, size_t bytes) {
    auto* to = static_cast<unsigned char*>(memory);
    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), to += sizeof(uint64_t)) {
      const uint64_t number = next();
      std::memcpy(to, &number, sizeof(number));
    }
    const uint64_t last = next();
    std::memcpy(to, &last, bytes);
  }

 private:
  uint64_t state_;
};

}  // namespace winnow
