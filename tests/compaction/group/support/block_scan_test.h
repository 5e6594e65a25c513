// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/sequential.h"
#include "compaction/op/operators.h"
#include "tests/compaction/group/support/group_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

/// Scans a block's items twice, so that a premature use of shared memory shows.
template <compaction::ScanKind kind, class BlockScan, class T, class Op>
struct ScanBlock {
  static constexpr unsigned kBlockSize = BlockScan::kBlockSize;
  static constexpr unsigned kItems = BlockScan::kItems;
  using Shared = typename BlockScan::Shared;
  simt::Span<const T> in;  ///< [kItems]
  simt::Span<T> out;       ///< [2][kItems]
  simt::Span<T> totals;    ///< [2][thread]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    unsigned thread = block.thread_rank();
    for (unsigned round = 0; round < 2; ++round) {
      for (unsigned item = thread; item < kItems; item += kBlockSize) shared.items[item] = in[item];
      if constexpr (kind == compaction::ScanKind::kInclusive)
        totals[round * kBlockSize + thread] = BlockScan::inclusive(block, shared, Op());
      else
        totals[round * kBlockSize + thread] = BlockScan::exclusive(block, shared, Op());
      // Other threads' items: the result is visible to the whole block.
      for (unsigned slot = thread; slot < kItems; slot += kBlockSize) {
        unsigned item = kItems - 1 - slot;
        out[round * kItems + item] = shared.items[item];
      }
      block.sync();
    }
  }
};

template <compaction::ScanKind kind, class BlockScan, class T, class Op>
void expect_block_scan() {
  constexpr unsigned kItems = BlockScan::kItems, kThreads = BlockScan::kBlockSize;
  SCOPED_TRACE(testing::Message() << kItems << " items of " << sizeof(T) << " bytes");
  std::vector<T> in = ordered_items<T>(kItems), expected(2 * kItems);
  T total;
  for (unsigned round = 0; round < 2; ++round) {
    simt::Span<T> to{expected.data() + round * kItems, kItems};
    total = kind == compaction::ScanKind::kInclusive
                ? compaction::sequential_inclusive_scan<T>({in.data(), kItems}, to, Op())
                : compaction::sequential_exclusive_scan<T>({in.data(), kItems}, to, Op());
  }
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<T> out(2 * kItems), totals(2 * kThreads);
    simt::host::Executor(schedule).launch(
        1, ScanBlock<kind, BlockScan, T, Op>{
               {in.data(), kItems}, {out.data(), out.size()}, {totals.data(), totals.size()}});
    EXPECT_TRUE(out == expected);
    EXPECT_TRUE(totals == std::vector<T>(2 * kThreads, total));
  }
}

/// Both kinds of scan, of numbers and of items with an order.
template <template <class> class BlockScan>
void expect_block_scans() {
  using compaction::ScanKind;
  using Sum = compaction::Sum<int32_t>;
  expect_block_scan<ScanKind::kInclusive, BlockScan<int32_t>, int32_t, Sum>();
  expect_block_scan<ScanKind::kExclusive, BlockScan<int32_t>, int32_t, Sum>();
  expect_block_scan<ScanKind::kInclusive, BlockScan<Affine>, Affine, Compose>();
  expect_block_scan<ScanKind::kExclusive, BlockScan<Affine>, Affine, Compose>();
}

}  // namespace
