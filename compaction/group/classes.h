// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "compaction/group/warp.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"

// The items of a split by class: how a block counts, ranks and writes them.

namespace compaction {

/// Returns a class, an integer or enumerator of any size, in 32 bits. A class that does not fit
/// becomes one that no split has.
template <class Class>
SIMT_HOST_DEVICE constexpr uint32_t narrow_class(const Class& item_class) {
  constexpr int kBits = 32;
  static_assert(!std::is_floating_point_v<Class>,
                "compaction: the class of an item must be an integer or an enumerator");
  if constexpr (std::is_enum_v<Class>)
    return narrow_class(static_cast<std::underlying_type_t<Class>>(item_class));
  else if constexpr (sizeof(Class) > sizeof(uint32_t))
    return item_class >> kBits == 0 ? uint32_t(item_class) : ~uint32_t(0);
  else
    return uint32_t(item_class);
}

/// Counts the items of a block by class, in shared memory.
///
/// Each lane has a word for each class, in a bank of its own. So the additions of a warp never
/// collide, whatever the classes of its items, and no lane waits for a result. With more than 64
/// classes, several lanes share a word.
template <unsigned kClasses>
struct ClassCounts {
  static constexpr unsigned kMaxWords = 2048;
  static constexpr unsigned kLanes =
      std::clamp(std::bit_floor(kMaxWords / kClasses), 1u, simt::kWarpSize);

  uint32_t words[kClasses * kLanes];  ///< [class][lane]

  /// Sets all counts to 0. One barrier.
  SIMT_KERNEL void clear(simt::Block auto& block) {
    for (unsigned i = block.thread_rank(); i < kClasses * kLanes; i += block.num_threads())
      words[i] = 0;
    block.sync();
  }

  /// Counts an item, unless its class is outside [0, kClasses). Any threads may call it.
  SIMT_KERNEL void add(unsigned lane, uint32_t item_class) {
    if (item_class < kClasses) simt::add_shared(words[item_class * kLanes + lane % kLanes], 1);
  }

  /// Returns the number of items of a class. Called after a barrier, by all lanes together.
  SIMT_KERNEL uint32_t sum(simt::Warp auto warp, unsigned item_class) const {
    const unsigned lane = warp.thread_rank();
    return warp_sum(warp, lane < kLanes ? words[item_class * kLanes + lane] : 0);
  }
};

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
/// holds the count of class c, and shuffles deliver it to the items of that class. Otherwise each
/// class has a mask in shared memory, in which the lanes of its items set their bits: a few
/// accesses instead of one ballot per bit. Lanes of one class wait for each other, so the masks of
/// items of few classes are found by a match of the warp, which takes time for each class. The
/// highest lane of each class adds for all its lanes. Items that are not counted also have a mask,
/// which avoids a branch. Whether a warp has few classes is tested in every kCallsPerTest-th call.
template <unsigned kClasses, bool kRegisters = (kClasses <= simt::kWarpSize),
          unsigned kCallsPerTest = 1>
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
      uint32_t same;
      if (calls_++ % kCallsPerTest == 0) few_classes_ = has_few_classes(warp, item_class);
      if (few_classes_) {
        same = lanes_with_same<simt::log2_of(kClasses + 1)>(warp, item_class);
      } else {
        simt::or_shared(shared_.lanes[item_class], 1u << lane);
        warp.sync();  // all have set their bits
        same = shared_.lanes[item_class];
      }
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

  /// Returns whether a quarter of the lanes have the class of a lane nearby, which random items of
  /// many classes do not.
  SIMT_KERNEL static bool has_few_classes(simt::Warp auto warp, uint32_t item_class) {
    constexpr unsigned kNearby = 4, kFew = simt::kWarpSize / 4;
    const uint32_t nearby = warp.shfl(item_class, warp.thread_rank() ^ kNearby);
    return simt::popcount(warp.ballot(nearby == item_class)) >= kFew;
  }

  Shared& shared_;
  uint32_t count_ = 0;        // count of class `lane`, if kInRegisters
  unsigned calls_ = 0;        // calls of rank(), if not kInRegisters
  bool few_classes_ = false;  // what the last test has found
};

/// Up to 32 runs of items, one for each class, that are consecutive in shared memory and begin
/// anywhere in the output. They are cut into lines of 32 items at the lines of the output, so that
/// one store of a warp writes into one line. It is in shared memory.
///
/// Lane c holds the index of the first line of class c, so one ballot finds the class of a line.
struct ClassLines {
  /// The item that a lane writes of a line.
  struct Output {
    uint64_t to;     ///< index in the output
    uint32_t place;  ///< place in shared memory
    bool written;    ///< whether the line has an item for this lane
  };

  struct alignas(16) Run {
    uint64_t offset;  ///< index in the output minus place; may wrap
    uint32_t start;   ///< place of lane 0 in line 0; may wrap
    uint16_t begin;   ///< place of the first item
    uint16_t items;
  };

  Run runs[simt::kWarpSize];              ///< [class]
  uint32_t first_lines[simt::kWarpSize];  ///< [class]
  uint32_t count;                         ///< number of lines

  /// Cuts the runs into lines. All lanes of one warp make the call together, lane c for class c.
  /// Lanes without a class pass no items.
  ///
  /// @param begin  place of the first item, less than 2^16
  /// @param items  number of items of the run, less than 2^16
  /// @param to     where the run begins in the output
  /// @param skip   places between the start of a line of the output and `to`
  SIMT_KERNEL void place(simt::Warp auto warp, uint32_t begin, uint32_t items, uint64_t to,
                         uint32_t skip) {
    const unsigned lane = warp.thread_rank();
    skip %= simt::kWarpSize;
    const uint32_t lines = items > 0 ? simt::ceil_div(skip + items, simt::kWarpSize) : 0;
    const uint32_t first = warp_exclusive_scan(warp, lines);
    first_lines[lane] = first;
    runs[lane] = {.offset = to - begin,
                  .start = begin - skip - first * simt::kWarpSize,
                  .begin = uint16_t(begin),
                  .items = uint16_t(items)};
    if (lane == simt::kWarpSize - 1) count = first + lines;
  }

  /// Called after a barrier.
  SIMT_KERNEL uint32_t first_of_lane(simt::Warp auto warp) const {
    return first_lines[warp.thread_rank()];
  }

  /// Returns what this lane writes of a line; nothing if the line is past the last one. All lanes
  /// of a warp make the call together.
  ///
  /// @param begun     whether first_of_lane() is at most the line
  /// @param position  32 times the line, plus the lane
  SIMT_KERNEL Output output(simt::Warp auto warp, bool begun, uint32_t position) const {
    // If several classes begin at the same line, all but the last are empty.
    const Run run = runs[simt::popcount(warp.ballot(begun)) - 1];
    const uint32_t place = run.start + position;
    return {.to = run.offset + place, .place = place, .written = place - run.begin < run.items};
  }
};

}  // namespace compaction
