// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/grid/tile_states.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Number of items of one class in the ranges up to and including some range, and in all ranges.
struct RangeSums {
  uint64_t up_to, all;
};

/// Number of items of each class in each range of a split.
template <unsigned kClasses>
struct RangeCounts {
  TileStates<uint32_t> states;  ///< [range][class]

  /// Called by one thread.
  SIMT_KERNEL void publish(uint32_t range, unsigned item_class, uint32_t epoch,
                           uint32_t items) const {
    states.publish(range * kClasses + item_class, epoch, TileStatus::kAggregate, items);
  }

  /// Adds the numbers of items of a class in every `readers`-th range from range `reader` on. Waits
  /// until they are published.
  ///
  /// @param ranges  number of ranges
  /// @param range   the last range that `up_to` includes
  SIMT_KERNEL RangeSums add(uint32_t ranges, unsigned item_class, uint32_t range, uint32_t epoch,
                            unsigned reader, unsigned readers) const {
    constexpr unsigned kBatch = 8;
    using States = TileStates<uint32_t>;
    const uint64_t valid = States::tag(TileStatus::kAggregate, epoch);
    RangeSums sums{};
    for (uint32_t first = reader; first < ranges; first += kBatch * readers) {
      uint64_t words[kBatch];
      for (uint32_t spin = 0;; ++spin) {
        bool complete = true;
        for (unsigned b = 0; b < kBatch; ++b) {
          const uint32_t other = first + b * readers;
          words[b] = other < ranges
                         ? simt::load_relaxed(states.words[size_t(other) * kClasses + item_class])
                         : valid;
        }
        for (uint64_t word : words) complete &= States::has_tag(word, valid);
        if (complete) break;
        check_progress(spin);
        simt::backoff();
      }
      for (unsigned b = 0; b < kBatch; ++b) {
        sums.all += uint32_t(words[b]);
        if (first + b * readers <= range) sums.up_to += uint32_t(words[b]);
      }
    }
    return sums;
  }
};

}  // namespace compaction
