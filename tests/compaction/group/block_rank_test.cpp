// SPDX-License-Identifier: MIT
#include "compaction/group/block_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

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

/// Ranks the flags of one warp.
template <unsigned kChunks, unsigned kChunkItems>
struct RankWarpFlags {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  using Shared = simt::NoShared;

  simt::Span<const uint8_t> flags;  ///< [chunk][lane][item]
  simt::Span<uint32_t> ranks;       ///< [chunk][lane]
  simt::Span<uint32_t> totals;      ///< [lane]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const unsigned lane = block.thread_rank();
    compaction::WarpFlags<kChunks, kChunkItems> own;
    auto place = [&](unsigned c, unsigned i) {
      return (c * simt::kWarpSize + lane) * kChunkItems + i;
    };
    for (unsigned c = 0; c < kChunks; ++c)
      for (unsigned i = 0; i < kChunkItems; ++i) own.set(c, i, flags[place(c, i)] != 0);
    totals[lane] = own.rank(block.warp());
    for (unsigned c = 0; c < kChunks; ++c) {
      ranks[c * simt::kWarpSize + lane] = own.rank_of_chunk(c);
      uint32_t bits = 0;
      for (unsigned i = 0; i < kChunkItems; ++i) {
        if (own.get(c, i) != (flags[place(c, i)] != 0)) simt::fail("a flag changed");
        bits |= uint32_t(own.get(c, i)) << i;
      }
      if (own.of_chunk(c) != bits) simt::fail("a chunk's flags are not its items'");
    }
  }
};

template <unsigned kChunks, unsigned kChunkItems>
void expect_warp_ranks(double density) {
  SCOPED_TRACE(testing::Message() << kChunks << " chunks of " << kChunkItems << " items");
  constexpr unsigned kWarpChunks = kChunks * simt::kWarpSize;
  std::mt19937 random(4);
  std::bernoulli_distribution flag(density);
  std::vector<uint8_t> flags(kWarpChunks * kChunkItems);
  for (uint8_t& f : flags) f = flag(random);
  std::vector<uint32_t> ranks(kWarpChunks), totals(simt::kWarpSize);
  simt::host::Executor({simt::host::Order::kShuffled, 1})
      .launch(1, RankWarpFlags<kChunks, kChunkItems>{{flags.data(), flags.size()},
                                                     {ranks.data(), ranks.size()},
                                                     {totals.data(), totals.size()}});
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
