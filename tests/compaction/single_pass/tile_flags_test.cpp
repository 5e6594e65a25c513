#include "compaction/single_pass/tile_flags.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"

namespace {

using compaction::TileFlags;
using simt::Span;

/// Ranks the flags of one warp.
template <unsigned kChunks, unsigned kChunkItems>
struct RankFlags {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  using Shared = simt::NoShared;

  Span<const uint8_t> flags;  ///< [chunk][lane][item]
  Span<uint32_t> ranks;       ///< [chunk][lane]
  Span<uint32_t> totals;      ///< [lane]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const unsigned lane = block.thread_rank();
    TileFlags<kChunks, kChunkItems> own;
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
void expect_ranks(double density) {
  SCOPED_TRACE(testing::Message() << kChunks << " chunks of " << kChunkItems << " items");
  constexpr unsigned kWarpChunks = kChunks * simt::kWarpSize;
  std::mt19937 random(4);
  std::bernoulli_distribution flag(density);
  std::vector<uint8_t> flags(kWarpChunks * kChunkItems);
  for (uint8_t& f : flags) f = flag(random);
  std::vector<uint32_t> ranks(kWarpChunks), totals(simt::kWarpSize);
  simt::host::Executor({simt::host::Order::kShuffled, 1})
      .launch(1, RankFlags<kChunks, kChunkItems>{{flags.data(), flags.size()},
                                                 {ranks.data(), ranks.size()},
                                                 {totals.data(), totals.size()}});
  uint32_t before = 0;
  for (unsigned chunk = 0; chunk < kWarpChunks; ++chunk) {
    ASSERT_EQ(ranks[chunk], before) << "chunk " << chunk;
    for (unsigned i = 0; i < kChunkItems; ++i) before += flags[chunk * kChunkItems + i];
  }
  for (uint32_t total : totals) ASSERT_EQ(total, before);
}

// A full chunk of a warp counts 512 items where each thread has 16 of it.
TEST(TileFlags, RankItemsByChunkThenLaneThenPlace) {
  for (double density : {0.0, 0.5, 1.0}) {
    expect_ranks<1, 1>(density);
    expect_ranks<16, 1>(density);
    expect_ranks<4, 2>(density);
    expect_ranks<4, 4>(density);
    expect_ranks<8, 4>(density);
    expect_ranks<4, 8>(density);
    expect_ranks<1, 16>(density);
    expect_ranks<2, 16>(density);
    expect_ranks<4, 16>(density);
  }
}

}  // namespace
