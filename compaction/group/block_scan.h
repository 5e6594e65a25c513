// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/shared_items.h"
#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

// Scans of the items of a block in shared memory. Each type has two functions:
//
//   inclusive(block, shared, op)  replaces each item by the combination of all items up to it, in
//                                 order
//   exclusive(block, shared, op)  replaces each item by the combination of all items before it, the
//                                 first item by the identity
//
// They return the combination of all items to every thread. All threads of the block make the call
// together. It begins and ends with a barrier: items may be written before the call and read after
// it, and written again after the block's next barrier.

namespace compaction {

/// Scan of a block's items, one per thread, in shared memory: log2(items) steps. Each step doubles
/// the number of items that a result covers.
///
///     3  1  7  0  4        stride 1: item i is combined with item i - 1
///     3  4  8  7  4        stride 2: ... item i - 2
///     3  4 11 11 12        stride 4: ... item i - 4
///     3  4 11 11 15
///
/// Few steps, but n log2(n) - (n - 1) operations, where a sequential scan needs n - 1. Every
/// thread executes every step, so that all reach the same number of barriers.
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

  /// 2 barriers per step.
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
  /// Returns the last item of this thread's subtree of 2 * stride items; kItems or more if it has
  /// none. The first threads have a subtree each, so whole warps are idle.
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

/// Scan of a block's items, several consecutive items per thread, in shared memory. Three phases:
/// each thread scans its own section; the block scans the sums of the sections; each thread adds
/// the prefix of its section.
///
///     3  1  7 | 0  4  1 | 6  3  1      sections of 3 threads
///     3  4 11 | 0  4  5 | 6  9 10      1: scan of each section
///           11        5        10      2: exclusive scan of the sums: 0, 11, 16
///     3  4 11 |11 15 16 |22 25 26      3: prefix added
///
/// 2 operations per item and few barriers: the parallel scan has one element per section.
///
/// Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007; Kirk & Hwu,
/// "Programming Massively Parallel Processors", 2010.
template <class T, unsigned block_size, unsigned items_per_thread>
struct CoarsenedBlockScan {
  static constexpr unsigned kBlockSize = block_size;
  static constexpr unsigned kItemsPerThread = items_per_thread;
  static constexpr unsigned kItems = kBlockSize * kItemsPerThread;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static_assert(kWarps <= simt::kWarpSize, "one warp scans the sums of all warps");
  struct Shared {
    SharedItems<T, kItems> items;
    SharedItems<T, kWarps> warp_sums;
  };

  /// 3 barriers.
  template <Operator<T> Op>
  SIMT_KERNEL static T inclusive(simt::Block auto& block, Shared& shared, const Op& op) {
    block.sync();
    unsigned first = block.thread_rank() * kItemsPerThread;
    T sum = shared.items[first];
    for (unsigned i = 1; i < kItemsPerThread; ++i)
      shared.items[first + i] = sum = op(sum, shared.items[first + i]);

    Prefix prefix = scan_sums(block, shared, sum, op);
    for (unsigned i = 0; i < kItemsPerThread; ++i)
      shared.items[first + i] = op(prefix.before, shared.items[first + i]);
    block.sync();
    return prefix.total;
  }

  template <Operator<T> Op>
  SIMT_KERNEL static T exclusive(simt::Block auto& block, Shared& shared, const Op& op) {
    block.sync();
    unsigned first = block.thread_rank() * kItemsPerThread;
    T sum = shared.items[first];
    for (unsigned i = 1; i < kItemsPerThread; ++i) sum = op(sum, shared.items[first + i]);

    Prefix prefix = scan_sums(block, shared, sum, op);
    T before = prefix.before;
    for (unsigned i = 0; i < kItemsPerThread; ++i) {
      T item = shared.items[first + i];
      shared.items[first + i] = before;
      before = op(before, item);
    }
    block.sync();
    return prefix.total;
  }

 private:
  struct Prefix {
    T before;  ///< combined sums of the threads before this one
    T total;   ///< combined sums of all threads
  };

  /// Scans the threads' sums, by shuffles in each warp. Then every warp scans the sums of all
  /// warps, which is cheaper than one warp and a second barrier.
  template <Operator<T> Op>
  SIMT_KERNEL static Prefix scan_sums(simt::Block auto& block, Shared& shared, T sum,
                                      const Op& op) {
    simt::Warp auto warp = block.warp();
    unsigned lane = warp.thread_rank();
    T inclusive = warp_inclusive_scan(warp, sum, op);
    if (lane == simt::kWarpSize - 1) shared.warp_sums[block.warp_rank()] = inclusive;
    block.sync();

    T warp_sum = lane < kWarps ? shared.warp_sums[lane] : T(op.identity());
    T warps = warp_inclusive_scan(warp, warp_sum, op);
    T total = shuffle_item(warp, warps, simt::kWarpSize - 1);
    T warps_before = shuffle_item(warp, warps, (block.warp_rank() - 1) % simt::kWarpSize);
    T lanes_before = shuffle_item_up(warp, inclusive, 1);
    if (lane == 0) lanes_before = op.identity();
    if (block.warp_rank() > 0) lanes_before = op(warps_before, lanes_before);
    return {.before = lanes_before, .total = total};
  }
};

}  // namespace compaction
