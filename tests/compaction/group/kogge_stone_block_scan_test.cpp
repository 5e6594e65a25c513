// SPDX-License-Identifier: MIT
#include "compaction/group/block_scan.h"
#include "tests/compaction/group/support/block_scan_test.h"

namespace {

template <class T>
using OneWarp = compaction::KoggeStoneBlockScan<T, 32>;
template <class T>
using ManyWarps = compaction::KoggeStoneBlockScan<T, 256>;
template <class T>
using LargestBlock = compaction::KoggeStoneBlockScan<T, 1024>;

TEST(KoggeStoneBlockScan, CombinesAllEarlierItemsOfTheBlock) {
  expect_block_scans<OneWarp>();
  expect_block_scans<ManyWarps>();
  expect_block_scans<LargestBlock>();
}

/// The loop as it has been published: the number of iterations depends on the thread.
struct DivergentLoop {
  static constexpr unsigned kBlockSize = 64;
  using Shared = compaction::SharedItems<int, kBlockSize>;
  simt::Span<int> items;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    unsigned thread = block.thread_rank();
    shared[thread] = items[thread];
    for (unsigned stride = 1; stride <= thread; stride *= 2) {
      block.sync();
      int below = shared[thread - stride];
      block.sync();
      shared[thread] += below;
    }
    block.sync();
    items[thread] = shared[thread];
  }
};

TEST(KoggeStoneBlockScan, BarrierInADivergentLoopIsReported) {
  std::vector<int> items(64, 1);
  for (const simt::host::Schedule& schedule : schedules())
    EXPECT_THROW(simt::host::Executor(schedule).launch(1, DivergentLoop{{items.data(), 64}}),
                 simt::host::KernelError);
}

}  // namespace
