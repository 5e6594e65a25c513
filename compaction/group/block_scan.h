#pragma once

#include "compaction/simt/simt.h"

namespace compaction {

/// Shared memory of block_exclusive_scan(): two items for each thread.
template <unsigned kBlockSize>
struct BlockScanItems {
  static constexpr unsigned kItems = 2 * kBlockSize;
  static_assert((kItems & (kItems - 1)) == 0, "the tree is complete");

  /// One word in 33 stays unused, so that the strides of the tree, powers of two, do not all fall
  /// into one of the 32 banks.
  SIMT_HOST_DEVICE static constexpr unsigned slot(unsigned item) { return item + item / 32; }

  SIMT_HOST_DEVICE uint32_t& operator[](unsigned item) { return slots[slot(item)]; }

  uint32_t slots[kItems + kItems / 32];
};

/// Replaces each of the 2 * kBlockSize `items` by the sum of those before it; returns the sum of
/// all.
///
/// Work-efficient: 2 additions per item, in 2 log2(items) steps with a barrier each. The items must
/// be written before the call (it begins with a barrier) and may be read after it (it ends with
/// one). Blelloch, "Prefix Sums and Their Applications", 1990; the up-sweep is that of Brent &
/// Kung, "A Regular Layout for Parallel Adders", 1982.
///
///     up-sweep (sums)                down-sweep (prefixes)
///     3  1  7  0                     3  4  7  0    the total, 11, makes way for 0
///     3  4  7  7      stride 1       3  0  7  4    stride 2: left = parent, right = parent + left
///     3  4  7 11      stride 2       0  3  4 11    stride 1
template <unsigned kBlockSize>
SIMT_KERNEL uint32_t block_exclusive_scan(simt::Block auto& block,
                                          BlockScanItems<kBlockSize>& items) {
  constexpr unsigned kItems = BlockScanItems<kBlockSize>::kItems;
  unsigned thread = block.thread_rank();

  // Up-sweep: `right` receives the sum of its subtree of 2 * stride items.
  for (unsigned stride = 1; stride < kItems; stride *= 2) {
    block.sync();
    unsigned right = (thread + 1) * 2 * stride - 1;
    if (right < kItems) items[right] += items[right - stride];
  }
  block.sync();

  uint32_t total = items[kItems - 1];
  block.sync();  // all have read the total
  if (thread == 0) items[kItems - 1] = 0;

  // Down-sweep: `right` holds the prefix of its subtree, `left` the sum of the subtree's left half.
  for (unsigned stride = kItems / 2; stride > 0; stride /= 2) {
    block.sync();
    unsigned right = (thread + 1) * 2 * stride - 1;
    if (right < kItems) {
      uint32_t left_sum = items[right - stride];
      items[right - stride] = items[right];
      items[right] += left_sum;
    }
  }
  block.sync();
  return total;
}

}  // namespace compaction
