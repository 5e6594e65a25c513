// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tests/support/draw.h"

// Sizes and patterns of a case of the soak test. Both follow from its seed.

namespace soak {

using winnow::Draw;

/// Returns a number of items in [0, 2^26]: log-uniform, or next to a power of two. Most are small,
/// which gives many cases.
inline uint64_t draw_size(Draw& draw) {
  const uint64_t per_thousand = draw.below(1000u);
  const unsigned max_log = per_thousand < 800   ? 13
                           : per_thousand < 980 ? 18
                           : per_thousand < 999 ? 22
                                                : 26;
  const uint64_t power = uint64_t(1) << draw.below(max_log);
  if (draw.one_in(4)) return power + draw.below(3u) - 1;
  return draw.one_in(50) ? 0 : power + draw.below(power + 1);
}

/// Random pattern of the items that are selected, or that begin a run; next() goes from item to
/// item.
class Pattern {
 public:
  explicit Pattern(Draw& draw) : draw_(&draw) {
    kind_ = Kind(draw.below(kKinds));
    max_run_ = uint64_t(1) << draw.below(14u);
    threshold_ = uint32_t(draw.next()) >> draw.below(16u);
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
