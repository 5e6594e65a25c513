// SPDX-License-Identifier: MIT
#include "compaction/group/block_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/select_items.h"

namespace {

template <unsigned kBlockSize>
void expect_ranks(const std::vector<uint8_t>& flags) {
  for (const Schedule& schedule : schedules()) {
    std::vector<compaction::Rank> ranks(kBlockSize);
    Executor(schedule).launch(
        1,
        kernel_of<kBlockSize, compaction::WarpTotals<kBlockSize>>([&](auto& block, auto& shared) {
          unsigned thread = block.thread_rank();
          ranks.at(thread) = compaction::block_rank(block, flags.at(thread) != 0, shared);
        }));
    uint32_t total = uint32_t(std::count(flags.begin(), flags.begin() + kBlockSize, 1));
    uint32_t rank = 0;
    for (unsigned i = 0; i < kBlockSize; ++i) {
      EXPECT_EQ(ranks[i].total, total);
      EXPECT_EQ(ranks[i].rank, rank) << "thread " << i;
      rank += flags[i];
    }
  }
}

TEST(BlockRank, CountsSetFlagsBeforeEachThread) {
  std::vector<uint8_t> flags(1024);
  std::vector<uint32_t> words = random_numbers(1024, 17);
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

template <unsigned kChunks, unsigned kChunkItems>
void expect_warp_ranks(double density) {
  SCOPED_TRACE(testing::Message() << kChunks << " chunks of " << kChunkItems << " items");
  constexpr unsigned kWarpChunks = kChunks * simt::kWarpSize;
  const std::vector<uint8_t> flags = fast::random_keep(kWarpChunks * kChunkItems, density, 4);
  std::vector<uint32_t> ranks(kWarpChunks), totals(simt::kWarpSize);
  Executor({Order::kShuffled, 1}).launch(1, kernel_of<simt::kWarpSize>([&](auto& block) {
                                           const unsigned lane = block.thread_rank();
                                           compaction::WarpFlags<kChunks, kChunkItems> own;
                                           auto flag_of = [&](unsigned c, unsigned i) {
                                             return flags.at((c * simt::kWarpSize + lane) *
                                                                 kChunkItems +
                                                             i) != 0;
                                           };
                                           for (unsigned c = 0; c < kChunks; ++c)
                                             for (unsigned i = 0; i < kChunkItems; ++i)
                                               own.set(c, i, flag_of(c, i));
                                           totals.at(lane) = own.rank(block.warp());
                                           for (unsigned c = 0; c < kChunks; ++c) {
                                             ranks.at(c * simt::kWarpSize + lane) =
                                                 own.rank_of_chunk(c);
                                             uint32_t bits = 0;
                                             for (unsigned i = 0; i < kChunkItems; ++i) {
                                               EXPECT_EQ(own.get(c, i), flag_of(c, i));
                                               bits |= uint32_t(own.get(c, i)) << i;
                                             }
                                             EXPECT_EQ(own.of_chunk(c), bits);
                                           }
                                         }));
  uint32_t before = 0;
  for (unsigned chunk = 0; chunk < kWarpChunks; ++chunk) {
    ASSERT_EQ(ranks[chunk], before) << "chunk " << chunk;
    for (unsigned i = 0; i < kChunkItems; ++i) before += flags[chunk * kChunkItems + i];
  }
  for (uint32_t total : totals) ASSERT_EQ(total, before);
}

// A chunk of 16 items per thread has 512 items in a warp.
TEST(WarpFlags, RankItemsByChunkThenLaneThenPlace) {
  for (double density : {0.0, 0.5, 1.0}) {
    expect_warp_ranks<1, 1>(density);
    expect_warp_ranks<16, 1>(density);
    expect_warp_ranks<4, 2>(density);
    expect_warp_ranks<4, 4>(density);
    expect_warp_ranks<8, 4>(density);
    expect_warp_ranks<4, 8>(density);
    expect_warp_ranks<1, 16>(density);
    expect_warp_ranks<2, 16>(density);
    expect_warp_ranks<4, 16>(density);
  }
}

}  // namespace
