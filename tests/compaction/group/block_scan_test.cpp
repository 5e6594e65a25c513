#include "compaction/group/block_scan.h"

#include <gtest/gtest.h>

#include "compaction/scan/sequential_scan.h"
#include "tests/compaction/group/group_test.h"

namespace {

template <unsigned block_size>
struct ScanBlock {
  static constexpr unsigned kBlockSize = block_size;
  using Shared = compaction::BlockScanItems<kBlockSize>;
  simt::Span<uint32_t> items;
  simt::Span<uint32_t> totals;  ///< [thread]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    unsigned thread = block.thread_rank();
    shared[thread] = items[thread];
    shared[kBlockSize + thread] = items[kBlockSize + thread];
    totals[thread] = compaction::block_exclusive_scan(block, shared);
    // Another thread's items: the result is visible to the whole block.
    unsigned item = Shared::kItems - 1 - thread;
    items[item] = shared[item];
    items[thread] = shared[thread];
  }
};

template <unsigned kBlockSize>
void expect_scan() {
  constexpr unsigned kItems = 2 * kBlockSize;
  std::vector<uint32_t> in = random_words(kItems), expected(kItems);
  uint32_t total =
      compaction::sequential_exclusive_scan({in.data(), kItems}, {expected.data(), kItems});
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<uint32_t> items = in, totals(kBlockSize);
    simt::host::Executor(schedule).launch(
        1, ScanBlock<kBlockSize>{{items.data(), kItems}, {totals.data(), kBlockSize}});
    EXPECT_EQ(items, expected);
    EXPECT_EQ(totals, std::vector<uint32_t>(kBlockSize, total));
  }
}

TEST(BlockScan, SumsAllEarlierItemsOfTheBlock) {
  expect_scan<32>();
  expect_scan<256>();
  expect_scan<512>();
}

TEST(BlockScan, SlotsAreDistinctAndFitTheMemory) {
  using Items = compaction::BlockScanItems<256>;
  for (unsigned item = 1; item < Items::kItems; ++item)
    EXPECT_GT(Items::slot(item), Items::slot(item - 1));
  EXPECT_LT(Items::slot(Items::kItems - 1), sizeof(Items) / sizeof(uint32_t));
}

}  // namespace
