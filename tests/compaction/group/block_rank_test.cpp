#include "compaction/group/block_rank.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/compaction/group/support/group_test.h"

namespace {

template <unsigned block_size>
struct RankFlags {
  static constexpr unsigned kBlockSize = block_size;
  using Shared = compaction::WarpTotals<kBlockSize>;
  simt::Span<const uint8_t> flags;
  simt::Span<uint32_t> ranks, totals;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    unsigned thread = block.thread_rank();
    compaction::Rank rank = compaction::block_rank(block, flags[thread] != 0, shared);
    ranks[thread] = rank.rank;
    totals[thread] = rank.total;
  }
};

template <unsigned kBlockSize>
void expect_ranks(const std::vector<uint8_t>& flags) {
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<uint32_t> ranks(kBlockSize), totals(kBlockSize);
    simt::host::Executor(schedule).launch(1, RankFlags<kBlockSize>{{flags.data(), kBlockSize},
                                                                   {ranks.data(), kBlockSize},
                                                                   {totals.data(), kBlockSize}});
    uint32_t total = uint32_t(std::count(flags.begin(), flags.begin() + kBlockSize, 1));
    uint32_t rank = 0;
    for (unsigned i = 0; i < kBlockSize; ++i) {
      EXPECT_EQ(totals[i], total);
      EXPECT_EQ(ranks[i], rank) << "thread " << i;
      rank += flags[i];
    }
  }
}

TEST(BlockRank, CountsSetFlagsBeforeEachThread) {
  std::vector<uint8_t> flags(1024);
  std::vector<uint32_t> words = random_words(1024);
  for (unsigned i = 0; i < 1024; ++i) flags[i] = words[i] % 2;
  expect_ranks<32>(flags);
  expect_ranks<256>(flags);
  expect_ranks<1024>(flags);
}

TEST(BlockRank, FullAndEmptyBlocks) {
  expect_ranks<256>(std::vector<uint8_t>(256, 1));
  expect_ranks<256>(std::vector<uint8_t>(256, 0));
}

TEST(BlockRank, FullWarpBeforePartialOne) {
  std::vector<uint8_t> flags(256, 0);
  std::fill_n(flags.begin(), 32, 1);
  flags[40] = flags[255] = 1;
  expect_ranks<256>(flags);
}

}  // namespace
