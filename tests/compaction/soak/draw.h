// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// Random numbers, sizes and patterns of a case of the soak test. All follow from its seed.

namespace soak {

/// Random numbers. Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", 2014
/// (SplitMix64).
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
  uint64_t below(uint64_t limit) { return next() % limit; }
  bool one_in(uint64_t n) { return below(n) == 0; }

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

/// A number of items in [0, 2^26]: log-uniform, or one beside a power of two. Most are small, so
/// that there are many cases.
inline uint64_t draw_size(Draw& draw) {
  const uint64_t of_thousand = draw.below(1000);
  const unsigned max_log = of_thousand < 800   ? 13
                           : of_thousand < 980 ? 18
                           : of_thousand < 999 ? 22
                                               : 26;
  const uint64_t power = uint64_t(1) << draw.below(max_log);
  if (draw.one_in(4)) return power + draw.below(3) - 1;
  return draw.one_in(50) ? 0 : power + draw.below(power + 1);
}

/// Which items are selected, or begin a run: one after the other.
class Pattern {
 public:
  explicit Pattern(Draw& draw) : draw_(&draw) {
    kind_ = Kind(draw.below(kKinds));
    max_run_ = uint64_t(1) << draw.below(14);
    threshold_ = uint32_t(draw.next()) >> draw.below(16);
  }

  bool next() {
    switch (kind_) {
      case Kind::kAll:
        return true;
      case Kind::kNone:
        return false;
      case Kind::kAlternating:
        return (odd_ = !odd_);
      case Kind::kRuns:
        if (left_ == 0) {
          left_ = 1 + draw_->below(max_run_);
          odd_ = !odd_;
        }
        --left_;
        return odd_;
      default:
        return uint32_t(draw_->next()) < threshold_;
    }
  }

 private:
  enum class Kind { kAll, kNone, kAlternating, kRuns, kRandom };
  static constexpr unsigned kKinds = 5;

  Draw* draw_;
  Kind kind_;
  uint64_t max_run_, left_ = 0;
  uint32_t threshold_;
  bool odd_ = false;
};

}  // namespace soak
