#pragma once

#include "compaction/group/shuffle_item.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Combines the values of the 32 lanes in order. Lane 0 receives the result; any other lane that of
/// the lanes from itself on.
///
/// 5 shuffles of T. The distances grow: a lane always holds neighbours, so the order is kept, where
/// the more common 16, 8, 4, 2, 1 would combine lane 0 with lane 16 first.
template <class T, Operator<T> Op>
SIMT_KERNEL T warp_reduce(simt::Warp auto warp, T value, const Op& op) {
  for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2) {
    T above = shuffle_item_down(warp, value, delta);
    if (warp.thread_rank() + delta < simt::kWarpSize) value = op(value, above);
  }
  return value;
}

}  // namespace compaction
