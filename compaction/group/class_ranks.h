// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Shared memory of ClassRanks, for one warp.
template <unsigned kClasses, bool kInRegisters>
struct WarpClasses {
  /// [class], items so far. The last element is for items that are not counted.
  uint32_t counts[kClasses + 1];
  uint32_t lanes[kInRegisters ? 1 : kClasses + 1];  ///< [class], mask of the lanes with an item
};

/// Ranks and counts the items of one warp by class, one item per lane and call. The items of a call
/// are ordered by lane and precede the items of the next call. All lanes make each call together.
/// Classes are [0, kClasses); an item of another class is not counted.
///
/// Counts of up to 32 classes may be in registers: each bit of the classes takes one ballot, lane c
/// holds the count of class c, and shuffles deliver it to the items of that class. Nothing waits
/// for shared memory, and a class that all lanes share costs no more than 32 different classes.
/// Otherwise each class has a mask in shared memory, in which the lanes of its items set their
/// bits: a few accesses instead of one ballot per bit. The highest lane of each class adds for all
/// its lanes. Items that are not counted also have a mask, which avoids a branch.
template <unsigned kClasses, bool kRegisters = (kClasses <= simt::kWarpSize)>
class ClassRanks {
 public:
  static constexpr unsigned kBits = unsigned(std::bit_width(kClasses - 1));
  static constexpr bool kInRegisters = kRegisters;
  static_assert(kClasses >= 1 && (!kInRegisters || kClasses <= simt::kWarpSize));
  using Shared = WarpClasses<kClasses, kInRegisters>;

  /// @param shared memory of this warp, uninitialized. If kInRegisters, only store() writes it.
  SIMT_KERNEL ClassRanks(simt::Warp auto warp, Shared& shared) : shared_(shared) {
    if constexpr (!kInRegisters) {
      for (unsigned c = warp.thread_rank(); c <= kClasses; c += simt::kWarpSize)
        shared_.counts[c] = shared_.lanes[c] = 0;
      warp.sync();
    }
  }

  /// Counts an item of each lane. Returns the number of earlier items of its class, or any number
  /// for an item that is not counted.
  SIMT_KERNEL uint32_t rank(simt::Warp auto warp, uint32_t item_class) {
    const unsigned lane = warp.thread_rank();
    const uint32_t below = simt::lanes_below(lane);
    if constexpr (kInRegisters) {
      const uint32_t of_lane = lanes_equal(warp, item_class, lane);
      const uint32_t same = warp.shfl(of_lane, item_class % simt::kWarpSize);
      const uint32_t before = warp.shfl(count_, item_class % simt::kWarpSize);
      count_ += simt::popcount(of_lane);
      return before + simt::popcount(same & below);
    } else {
      if (item_class > kClasses) item_class = kClasses;
      simt::or_shared(shared_.lanes[item_class], 1u << lane);
      warp.sync();  // all have set their bits
      const uint32_t same = shared_.lanes[item_class];
      const uint32_t before = shared_.counts[item_class];
      warp.sync();  // all have read
      if (same >> lane == 1) {
        shared_.counts[item_class] = before + simt::popcount(same);
        shared_.lanes[item_class] = 0;
      }
      warp.sync();  // the next call may set bits
      return before + simt::popcount(same & below);
    }
  }

  /// Counts an item of each lane.
  SIMT_KERNEL void count(simt::Warp auto warp, uint32_t item_class) {
    if constexpr (kInRegisters) {
      count_ += simt::popcount(lanes_equal(warp, item_class, warp.thread_rank()));
    } else {
      rank(warp, item_class);
    }
  }

  /// Stores the counts. Other warps may read them after a barrier.
  SIMT_KERNEL void store(simt::Warp auto warp) const {
    if constexpr (kInRegisters) {
      if (warp.thread_rank() < kClasses) shared_.counts[warp.thread_rank()] = count_;
      if (warp.thread_rank() == 0) shared_.counts[kClasses] = 0;
    }
  }

 private:
  /// Returns the mask of the lanes whose item is counted and has class `wanted`.
  SIMT_KERNEL static uint32_t lanes_equal(simt::Warp auto warp, uint32_t item_class,
                                          uint32_t wanted) {
    uint32_t equal = warp.ballot(item_class < kClasses);
    for (unsigned bit = 0; bit != kBits; ++bit) {
      const uint32_t ones = warp.ballot(simt::bit_is_set(item_class, bit));
      equal &= ones ^ ((wanted >> bit & 1) - 1);  // the same as `wanted`, or its complement
    }
    return equal;
  }

  Shared& shared_;
  uint32_t count_ = 0;  // count of class `lane`, if kInRegisters
};

}  // namespace compaction
