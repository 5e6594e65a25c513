// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/group/shuffle_item.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

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
