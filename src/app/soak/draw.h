// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace winnow {

/// Random choices of the soak test, which all follow from a seed. Steele, Lea & Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014 (SplitMix64).
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
  uint32_t below(size_t limit) { return uint32_t(next() % limit); }
  /// Uniform in [min, max].
  uint32_t from(uint32_t min, uint32_t max) { return min + below(max - min + 1); }
  bool one_in(uint32_t n) { return below(n) == 0; }

  /// Uniform in [0, 1).
  float uniform() { return float(next() >> 40) * 0x1p-24f; }
  /// Uniform in [min, max).
  float between(float min, float max) { return min + (max - min) * uniform(); }
  /// Log-uniform in [min, max), both above 0.
  float log_between(float min, float max) { return min * std::pow(max / min, uniform()); }
  /// In [0, 1], and often an end of it.
  float fraction() {
    const uint32_t kind = below(6);
    return kind == 0 ? 0.0f : kind == 1 ? 1.0f : uniform();
  }

  /// Each coordinate uniform in [-1, 1).
  glm::vec3 point() {
    const float x = between(-1, 1), y = between(-1, 1);
    return {x, y, between(-1, 1)};
  }
  /// Unit length.
  glm::vec3 direction() {
    constexpr float kMinLength = 0.1f;
    glm::vec3 v = point();
    while (glm::length(v) < kMinLength) v = point();
    return glm::normalize(v);
  }

  /// One of the items of a container that is not empty.
  template <class Items>
  const auto& of(const Items& items) {
    return items[below(items.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace winnow
