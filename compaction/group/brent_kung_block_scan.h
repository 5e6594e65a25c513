// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/shared_items.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Work-efficient scan of a block's items, two per thread, in shared memory: the up-sweep builds a
/// tree of sums, the down-sweep turns them into prefixes.
///
///     up-sweep                    down-sweep, inclusive       down-sweep, exclusive
///     3  1  7  0  4  1  6  3
///     3  4  7  7  4  5  6  9      3  4  7 11  4  5  6 25      3  4  7 11  4  5  6  0
///     3  4  7 11  4  5  6 14      3  4  7 11  4 16  6 25      3  4  7  0  4  5  6 11
///     3  4  7 11  4  5  6 25      3  4 11 11 15 16 22 25      3  0  7  4  4 11  6 16
///                                                             0  3  4 11 11 15 16 22
///
/// At most 2 operations per item, in about 2 log2(items) steps with a barrier each.
///
/// Brent & Kung, "A Regular Layout for Parallel Adders", 1982 (inclusive); Blelloch, "Prefix Sums
/// and Their Applications", 1990 (exclusive).
template <class T, unsigned block_size>
struct BrentKungBlockScan {
  static constexpr unsigned kBlockSize = block_size;
  static constexpr unsigned kItems = 2 * kBlockSize;
  static_assert((kItems & (kItems - 1)) == 0, "the tree is complete");
  struct Shared {
    SharedItems<T, kItems> items;
  };

  /// Replaces each item by the combination of all items up to it, in order. Returns the combination
  /// of all items to every thread.
  ///
  /// All threads of the block call it together. It begins and ends with a barrier: items may be
  /// written before the call and read after it, and written again after the block's next barrier.
  template <Operator<T> Op>
  SIMT_KERNEL static T inclusive(simt::Block auto& block, Shared& shared, const Op& op) {
    auto& items = shared.items;
    up_sweep(block, shared, op);
    // The prefix at `last` is final; the item `stride` after it is the sum of the left half of the
    // next 2 * stride items and lacks only that prefix.
    for (unsigned stride = kItems / 4; stride > 0; stride /= 2) {
      block.sync();
      unsigned last = right_end(block, stride);
      if (last + stride < kItems) items[last + stride] = op(items[last], items[last + stride]);
    }
    block.sync();
    return items[kItems - 1];
  }

  /// Replaces each item by the combination of all items before it, the identity for the first. As
  /// inclusive() otherwise.
  template <Operator<T> Op>
  SIMT_KERNEL static T exclusive(simt::Block auto& block, Shared& shared, const Op& op) {
    auto& items = shared.items;
    up_sweep(block, shared, op);
    block.sync();
    T total = items[kItems - 1];
    block.sync();  // all have read the total
    if (block.thread_rank() == 0) items[kItems - 1] = op.identity();

    // items[right] is the prefix of its subtree, items[right - stride] the sum of its left half.
    for (unsigned stride = kItems / 2; stride > 0; stride /= 2) {
      block.sync();
      unsigned right = right_end(block, stride);
      if (right < kItems) {
        T left_sum = items[right - stride];
        items[right - stride] = items[right];
        items[right] = op(items[right], left_sum);
      }
    }
    block.sync();
    return total;
  }

 private:
  /// Last item of this thread's subtree of 2 * stride items; kItems or more where it has none. The
  /// first threads have one, so whole warps are idle rather than some lanes of each.
  SIMT_KERNEL static unsigned right_end(simt::Block auto& block, unsigned stride) {
    return (block.thread_rank() + 1) * 2 * stride - 1;
  }

  /// Writes the sum of each subtree to its last item.
  template <Operator<T> Op>
  SIMT_KERNEL static void up_sweep(simt::Block auto& block, Shared& shared, const Op& op) {
    auto& items = shared.items;
    for (unsigned stride = 1; stride < kItems; stride *= 2) {
      block.sync();
      unsigned right = right_end(block, stride);
      if (right < kItems) items[right] = op(items[right - stride], items[right]);
    }
  }
};

}  // namespace compaction
