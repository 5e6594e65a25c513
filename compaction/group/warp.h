// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

// Shuffles of items of any size, and reductions and scans over the 32 lanes of a warp. All lanes
// make each call together.

namespace compaction {

/// Returns the mask of the lanes with the same `number`, which has at most kBits bits. All lanes of
/// a warp make the call together.
template <unsigned kBits>
SIMT_KERNEL uint32_t lanes_with_same([[maybe_unused]] simt::Warp auto warp, uint32_t number) {
#if defined(__CUDA_ARCH__)
  return __match_any_sync(~0u, number);
#else
  uint32_t same = ~0u;
  for (unsigned bit = 0; bit < kBits; ++bit) {
    const bool one = simt::bit_is_set(number, bit);
    const uint32_t ones = warp.ballot(one);
    same &= one ? ones : ~ones;
  }
  return same;
#endif
}

/// Applies `shuffle`, which takes numbers, to all words of `value`; by value.shuffled(shuffle) if
/// that exists, which omits padding. A `shuffle` that takes items, as on the host, is called once.
template <class T, class Shuffle>
SIMT_KERNEL T shuffle_words(const T& value, const Shuffle& shuffle) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= sizeof(uint64_t)) {
    return T(shuffle(value));
  } else if constexpr (requires { value.shuffled(shuffle); }) {
    return value.shuffled(shuffle);
  } else if constexpr (requires { shuffle(value); }) {
    return shuffle(value);
  } else {
    uint32_t words[(sizeof(T) + sizeof(uint32_t) - 1) / sizeof(uint32_t)] = {};
    std::memcpy(words, &value, sizeof(T));
    for (uint32_t& word : words) word = shuffle(word);
    T result = value;
    std::memcpy(&result, words, sizeof(T));
    return result;
  }
}

template <class T>
SIMT_KERNEL T shuffle_item(simt::Warp auto warp, const T& value, unsigned lane) {
  return shuffle_words(value, [&](auto number) -> decltype(warp.shfl(number, lane)) {
    return warp.shfl(number, lane);
  });
}

/// Returns the value of the lane `delta` below, or the lane's own value if there is none.
template <class T>
SIMT_KERNEL T shuffle_item_up(simt::Warp auto warp, const T& value, unsigned delta) {
  return shuffle_words(value, [&](auto number) -> decltype(warp.shfl_up(number, delta)) {
    return warp.shfl_up(number, delta);
  });
}

/// Returns the value of the lane `delta` above, or the lane's own value if there is none.
template <class T>
SIMT_KERNEL T shuffle_item_down(simt::Warp auto warp, const T& value, unsigned delta) {
  return shuffle_words(value, [&](auto number) -> decltype(warp.shfl_down(number, delta)) {
    return warp.shfl_down(number, delta);
  });
}

/// Returns the sum of the values of all lanes to every lane. One instruction from sm_80 on,
/// otherwise 5 shuffles (butterfly).
SIMT_KERNEL inline uint32_t warp_sum(simt::Warp auto warp, uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
  for (unsigned distance = simt::kWarpSize / 2; distance > 0; distance /= 2)
    value += warp.shfl(value, warp.thread_rank() ^ distance);
  return value;
#endif
}

/// Combines the values of the lanes in order. Lane 0 receives the result; any other lane receives
/// the combination of its own value and the values of the lanes above it, or the result as well.
///
/// 5 shuffles of T. The shuffle distance doubles from 1, so that each lane holds a contiguous range
/// and the order is kept. A sum of integers of up to 32 bits is a warp_sum().
template <class T, Operator<T> Op>
SIMT_KERNEL T warp_reduce(simt::Warp auto warp, T value, const Op& op) {
  if constexpr (std::is_same_v<Op, Sum<T>> && std::is_integral_v<T> &&
                sizeof(T) <= sizeof(uint32_t)) {
    return T(warp_sum(warp, uint32_t(value)));
  } else {
    for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2) {
      T above = shuffle_item_down(warp, value, delta);
      if (warp.thread_rank() + delta < simt::kWarpSize) value = op(value, above);
    }
    return value;
  }
}

/// Returns the bitwise or of the values of all lanes to every lane. One instruction from sm_80 on,
/// otherwise 5 shuffles (butterfly).
SIMT_KERNEL inline uint32_t warp_or(simt::Warp auto warp, uint32_t bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0u, bits);
#else
  for (unsigned distance = simt::kWarpSize / 2; distance > 0; distance /= 2)
    bits |= warp.shfl(bits, warp.thread_rank() ^ distance);
  return bits;
#endif
}

/// Inclusive scan over the lanes of a warp: combines the values of the lanes up to this one, in
/// order. All lanes call it together.
///
/// 5 shuffles of T. Kogge & Stone, "A Parallel Algorithm for the Efficient Solution of a General
/// Class of Recurrence Equations", 1973.
template <class T, Operator<T> Op>
SIMT_KERNEL T warp_inclusive_scan(simt::Warp auto warp, T value, const Op& op) {
  for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2) {
    T below = shuffle_item_up(warp, value, delta);
    if (warp.thread_rank() >= delta) value = op(below, value);
  }
  return value;
}

/// Exclusive scan over the lanes of a warp: combines the values of the lanes below this one, in
/// order. All lanes call it together.
///
/// 6 shuffles of T: the inclusive scan shifted by one lane, because an operator need not have an
/// inverse.
template <class T, Operator<T> Op>
SIMT_KERNEL T warp_exclusive_scan(simt::Warp auto warp, T value, const Op& op) {
  T below = shuffle_item_up(warp, warp_inclusive_scan(warp, value, op), 1);
  return warp.thread_rank() == 0 ? T(op.identity()) : below;
}

/// Combines each of kValues values over the lanes of a warp, as a balanced tree: lane 0 receives
/// the results. 5 shuffles of T for each value, of which those of different values overlap.
template <unsigned kValues, class T, class Op>
SIMT_KERNEL void warp_reduce_each(simt::Warp auto warp, T (&values)[kValues], const Op& op) {
  for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2)
    for (T& value : values) value = op(value, shuffle_item_down(warp, value, delta));
}

/// The sums of a tree over the first kLanes lanes of a warp, a power of two: of pairs of lanes, of
/// pairs of pairs, and so on. From them follows the combination of the lanes before any lane. All
/// lanes make each call together.
///
/// The order of combination depends only on the indices of the lanes, so a tree may be continued in
/// a larger tree without a change. Blelloch, "Prefix Sums and Their Applications", 1990 (up-sweep
/// and down-sweep).
template <class T, unsigned kLanes = simt::kWarpSize>
class WarpTree {
  static constexpr unsigned kLevels = simt::log2_of(kLanes);

 public:
  /// Up-sweep: kLevels shuffles of T.
  template <class Op>
  SIMT_KERNEL WarpTree(simt::Warp auto warp, T value, const Op& op) {
    for (unsigned level = 0; level < kLevels; ++level) {
      sums_[level] = value;
      value = op(value, shuffle_item_down(warp, value, 1u << level));
    }
    sums_[kLevels] = value;
  }

  /// Returns all lanes combined, in lane 0.
  SIMT_KERNEL const T& total() const { return sums_[kLevels]; }

  /// Calls `visit(sum, is_part)` for each level, from the top: `sum` is that of a subtree, and
  /// is_part says whether it is one of those that make up the lanes below `lane`, which may differ
  /// between lanes. The parts come in the order of their lanes. kLevels shuffles of T.
  template <class Visit>
  SIMT_KERNEL void visit_parts(simt::Warp auto warp, unsigned lane, Visit visit) const {
    for (unsigned level = kLevels; level-- > 0;) {
      const unsigned node = lane >> (level + 1) << (level + 1);
      visit(shuffle_item(warp, sums_[level], node % simt::kWarpSize), (lane >> level & 1) != 0);
    }
  }

  /// Stores the parts that visit_parts() visits, one after another. `lane` is the same for all
  /// lanes. Without shuffles: each part is stored by a lane that has it.
  SIMT_KERNEL void store_parts(simt::Warp auto warp, unsigned lane, T* parts) const {
    for (unsigned level = kLevels; level-- > 0;) {
      const unsigned node = lane >> (level + 1) << (level + 1);
      if ((lane >> level & 1) != 0 && warp.thread_rank() == node)
        parts[simt::popcount(lane >> (level + 1))] = sums_[level];
    }
  }

 private:
  T sums_[kLevels + 1];  ///< [level]: of 2^level lanes, in the first of them
};

/// Inclusive scan of counts: returns the sum of the values of this lane and the lanes below it. 5
/// shuffles; on a GPU, the shuffles predicate 5 additions.
SIMT_KERNEL inline uint32_t warp_inclusive_scan(simt::Warp auto warp, uint32_t value) {
#if defined(__CUDA_ARCH__)
  for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2)
    asm volatile(
        "{ .reg .u32 below; .reg .pred exists;"
        " shfl.sync.up.b32 below|exists, %0, %1, 0, 0xffffffff;"
        " @exists add.u32 %0, %0, below; }"
        : "+r"(value)
        : "r"(delta));
  return value;
#else
  return warp_inclusive_scan(warp, value, Sum<uint32_t>());
#endif
}

/// Exclusive scan of counts: returns the sum of the values of the lanes below this one. 5 shuffles.
SIMT_KERNEL inline uint32_t warp_exclusive_scan(simt::Warp auto warp, uint32_t value) {
  return warp_inclusive_scan(warp, value) - value;
}

}  // namespace compaction
