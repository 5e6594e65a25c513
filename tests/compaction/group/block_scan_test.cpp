// SPDX-License-Identifier: MIT
#include "compaction/group/block_scan.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::BrentKungBlockScan;
using compaction::CoarsenedBlockScan;
using compaction::KoggeStoneBlockScan;
using compaction::ScanKind;

/// Scans a block's items twice, so that a premature use of shared memory shows.
template <ScanKind kind, class BlockScan, class T, class Op>
void expect_block_scan(Op op) {
  constexpr unsigned kItems = BlockScan::kItems, kThreads = BlockScan::kBlockSize, kRounds = 2;
  SCOPED_TRACE(testing::Message() << name_of(kind) << ", " << sizeof(T) << " bytes");
  const std::vector<T> in = ordered_items<T>(kItems);
  const Scanned<T> expected = reference_scan(kind, in, op);
  for (const Schedule& schedule : schedules()) {
    std::vector<T> out[kRounds], totals[kRounds];
    for (unsigned round = 0; round < kRounds; ++round) {
      out[round].resize(kItems);
      totals[round].resize(kThreads);
    }
    Executor(schedule).launch(
        1, kernel_of<kThreads, typename BlockScan::Shared>([&](auto& block, auto& shared) {
          unsigned thread = block.thread_rank();
          for (unsigned round = 0; round < kRounds; ++round) {
            for (unsigned i = thread; i < kItems; i += kThreads) shared.items[i] = in.at(i);
            if constexpr (kind == ScanKind::kInclusive)
              totals[round].at(thread) = BlockScan::inclusive(block, shared, op);
            else
              totals[round].at(thread) = BlockScan::exclusive(block, shared, op);
            // Other threads' items: the result is visible to the whole block.
            for (unsigned i = thread; i < kItems; i += kThreads)
              out[round].at(kItems - 1 - i) = shared.items[kItems - 1 - i];
            block.sync();
          }
        }));
    for (unsigned round = 0; round < kRounds; ++round) {
      EXPECT_TRUE(out[round] == expected.out);
      EXPECT_TRUE(totals[round] == std::vector<T>(kThreads, expected.total));
    }
  }
}

/// One kind of block scan, of numbers and of items with an order.
template <class OfNumbers, class OfItems>
struct BlockScanCase {
  template <ScanKind kind>
  static void expect_right() {
    expect_block_scan<kind, OfNumbers, int32_t>(compaction::Sum<int32_t>());
    expect_block_scan<kind, OfItems, Affine>(Compose());
  }
};

template <class Case>
class BlockScans : public testing::Test {};

template <unsigned kThreads>
using KoggeStone =
    BlockScanCase<KoggeStoneBlockScan<int32_t, kThreads>, KoggeStoneBlockScan<Affine, kThreads>>;
template <unsigned kThreads>
using BrentKung =
    BlockScanCase<BrentKungBlockScan<int32_t, kThreads>, BrentKungBlockScan<Affine, kThreads>>;
template <unsigned kThreads, unsigned kItems>
using Coarsened = BlockScanCase<CoarsenedBlockScan<int32_t, kThreads, kItems>,
                                CoarsenedBlockScan<Affine, kThreads, kItems>>;
// Cases with one warp, many warps, the most warps of a block, and sections of odd length.
using Cases =
    testing::Types<KoggeStone<32>, KoggeStone<256>, KoggeStone<1024>, BrentKung<32>, BrentKung<256>,
                   BrentKung<1024>, Coarsened<32, 1>, Coarsened<96, 3>, Coarsened<1024, 2>>;
TYPED_TEST_SUITE(BlockScans, Cases);

TYPED_TEST(BlockScans, CombineAllEarlierItemsOfTheBlock) {
  TypeParam::template expect_right<ScanKind::kInclusive>();
  TypeParam::template expect_right<ScanKind::kExclusive>();
}

// In the published loop of Kogge & Stone, the number of iterations depends on the thread.
TEST(KoggeStoneBlockScan, BarrierInADivergentLoopIsReported) {
  const auto kernel = kernel_of<64, compaction::SharedItems<int, 64>>([](auto& block, auto& items) {
    unsigned thread = block.thread_rank();
    items[thread] = 1;
    for (unsigned stride = 1; stride <= thread; stride *= 2) {
      block.sync();
      int below = items[thread - stride];
      block.sync();
      items[thread] += below;
    }
    block.sync();
  });
  for (const Schedule& schedule : schedules())
    EXPECT_THROW(Executor(schedule).launch(1, kernel), KernelError);
}

}  // namespace
