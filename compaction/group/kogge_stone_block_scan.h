// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/shared_items.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Scan of a block's items, one per thread, in shared memory: log2(items) steps, each of which
/// doubles the number of items that a result covers.
///
///     3  1  7  0  4        stride 1: item i is combined with item i - 1
///     3  4  8  7  4        stride 2: ... item i - 2
///     3  4 11 11 12        stride 4: ... item i - 4
///     3  4 11 11 15
///
/// Few steps, but n log2(n) - (n - 1) operations, where a sequential scan needs n - 1.
///
/// Every thread executes every step. Published versions end the loop at `stride <= threadIdx.x`
/// with the barriers inside it, so that the threads of a block reach different numbers of barriers,
/// which is undefined behaviour.
///
/// Kogge & Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
/// Equations", 1973.
template <class T, unsigned block_size>
struct KoggeStoneBlockScan {
  static constexpr unsigned kBlockSize = block_size;
  static constexpr unsigned kItems = kBlockSize;
  struct Shared {
    SharedItems<T, kItems> items;
  };

  /// Replaces each item by the combination of all items up to it, in order. Returns the combination
  /// of all items to every thread.
  ///
  /// All threads of the block call it together. It begins and ends with a barrier: items may be
  /// written before the call and read after it, and written again after the block's next barrier. 2
  /// barriers a step.
  template <Operator<T> Op>
  SIMT_KERNEL static T inclusive(simt::Block auto& block, Shared& shared, const Op& op) {
    unsigned thread = block.thread_rank();
    for (unsigned stride = 1; stride < kItems; stride *= 2) {
      block.sync();  // all have written
      T below = thread >= stride ? shared.items[thread - stride] : T(op.identity());
      block.sync();  // all have read
      if (thread >= stride) shared.items[thread] = op(below, shared.items[thread]);
    }
    block.sync();
    return shared.items[kItems - 1];
  }

  /// Replaces each item by the combination of all before it, the identity for the first: the
  /// inclusive scan, shifted by one. Otherwise as inclusive().
  template <Operator<T> Op>
  SIMT_KERNEL static T exclusive(simt::Block auto& block, Shared& shared, const Op& op) {
    T total = inclusive(block, shared, op);
    unsigned thread = block.thread_rank();
    T before = thread > 0 ? shared.items[thread - 1] : T(op.identity());
    block.sync();  // all have read
    shared.items[thread] = before;
    block.sync();
    return total;
  }
};

}  // namespace compaction
