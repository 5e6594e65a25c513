// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/shared_items.h"
#include "compaction/group/warp_scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Scan of a block's items, several consecutive ones per thread, in shared memory. Three phases:
/// each thread scans its own section; the block scans the sums of the sections; each thread adds
/// the prefix of its section.
///
///     3  1  7 | 0  4  1 | 6  3  1      sections of 3 threads
///     3  4 11 | 0  4  5 | 6  9 10      1: scan of each section
///           11        5        10      2: exclusive scan of the sums: 0, 11, 16
///     3  4 11 |11 15 16 |22 25 26      3: prefix added
///
/// 2 operations per item and few barriers: the parallel scan, which costs barriers and idle
/// threads, has one element per section rather than one per item.
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

  /// Replaces each item by the combination of all items up to it, in order. Returns the combination
  /// of all items to every thread.
  ///
  /// All threads of the block call it together. It begins and ends with a barrier: items may be
  /// written before the call and read after it, and written again after the block's next barrier. 3
  /// barriers.
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

  /// Replaces each item by the combination of all items before it, the identity for the first. As
  /// inclusive() otherwise.
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

  /// Scan of the threads' sums: by shuffles in each warp; then every warp scans the sums of all
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
