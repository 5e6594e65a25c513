#include "compaction/select/look_back.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "compaction/select/flag_source.h"
#include "compaction/select/look_back_select.h"
#include "compaction/simt/host/executor.h"

namespace {

using compaction::LookBackHeader;
using compaction::LookBackState;
using compaction::TileState;
using simt::Span;
using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;
using simt::host::Schedule;

TEST(TileState, BelongsToOneEpoch) {
  for (uint32_t epoch : {0u, 1u, TileState::kEpochs - 1}) {
    uint64_t word = TileState{TileState::kInclusivePrefix, ~0u}.pack(epoch);
    EXPECT_EQ(TileState::unpack(word, epoch).status, TileState::kInclusivePrefix);
    EXPECT_EQ(TileState::unpack(word, epoch).value, ~0u);
    EXPECT_EQ(TileState::unpack(word, (epoch + 1) % TileState::kEpochs).status,
              TileState::kInvalid);
  }
}

TEST(TileState, ZeroIsInvalidInEveryEpoch) {
  EXPECT_EQ(TileState::unpack(0, 0).status, TileState::kInvalid);
  EXPECT_EQ(TileState::unpack(0, 5).status, TileState::kInvalid);
}

/// One warp per tile; the sum of a tile is its number plus one.
struct SumEarlierTiles {
  static constexpr unsigned kBlockSize = 32;
  struct Shared {
    uint32_t tile;
  };
  LookBackState state;
  Span<uint32_t> prefixes;  ///< [tile]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    if (block.thread_rank() == 0) shared.tile = state.take_tile(block.num_groups());
    block.sync();
    uint32_t tile = shared.tile;
    uint32_t prefix =
        compaction::look_back(block.warp(), state.tiles, state.epoch(), tile, tile + 1);
    if (block.thread_rank() == 31) prefixes[tile] = prefix;
    block.sync();
    if (block.thread_rank() == 0) state.end_block(block.num_groups());
  }
};

// Many blocks at once, so that a tile finds aggregates only and needs several windows of 32 tiles.
TEST(LookBack, SumsAllEarlierTilesInEverySchedule) {
  constexpr uint32_t kTiles = 150;
  for (Schedule schedule : {Schedule{Order::kForward, 0, 1}, Schedule{Order::kForward, 0, 100},
                            Schedule{Order::kReverse, 0, 100}, Schedule{Order::kShuffled, 1, 100},
                            Schedule{Order::kShuffled, 2, 100}, Schedule{Order::kShuffled, 3, 7}}) {
    std::vector<std::byte> workspace(LookBackState::bytes(kTiles));
    LookBackState state(Span<std::byte>{workspace.data(), workspace.size()});
    Executor executor(schedule);
    for (int call = 0; call < 3; ++call) {
      std::vector<uint32_t> prefixes(kTiles, 0);
      executor.launch(kTiles, SumEarlierTiles{state, {prefixes.data(), kTiles}});
      for (uint32_t tile = 0; tile < kTiles; ++tile)
        ASSERT_EQ(prefixes[tile], tile * (tile + 1) / 2)
            << "tile " << tile << ", call " << call << ", order " << int(schedule.order);
    }
  }
}

/// A workspace, and a select of every item with it.
struct SelectAll {
  static constexpr uint32_t kItems = 3 * compaction::LookBackTile::kSize;
  std::vector<std::byte> workspace =
      std::vector<std::byte>(compaction::look_back_select_bytes(kItems));
  Executor executor{Schedule{Order::kShuffled, 1, 3}};

  LookBackHeader& header() { return *reinterpret_cast<LookBackHeader*>(workspace.data()); }

  void run(uint32_t n) {
    std::vector<uint8_t> flags(n, 1);
    std::vector<uint32_t> selected(n), count(1, 99);
    compaction::look_back_select(executor, compaction::FlagSource{{flags.data(), n}},
                                 compaction::ItemCount{n}, {selected.data(), n}, {count.data(), 1},
                                 {workspace.data(), workspace.size()});
    ASSERT_EQ(count[0], n);
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(selected[i], i);
  }
};

TEST(LookBackSelect, EachCallHasItsOwnEpoch) {
  SelectAll select;
  for (uint32_t call = 0; call < 5; ++call) {
    EXPECT_EQ(select.header().epoch, call);
    select.run(SelectAll::kItems);
    EXPECT_EQ(select.header().next_tile, 0u);
    EXPECT_EQ(select.header().ended_blocks, 0u);
  }
}

TEST(LookBackSelect, EpochsBeginAnewWithoutOldStates) {
  SelectAll select;
  select.run(SelectAll::kItems);  // all tiles bear epoch 0
  select.header().epoch = TileState::kEpochs - 1;
  select.run(1);  // the last epoch; rewrites one tile only
  EXPECT_EQ(select.header().epoch, 0u);
  size_t header_bytes = LookBackState::bytes(0);
  EXPECT_THAT(
      std::vector<std::byte>(select.workspace.begin() + header_bytes, select.workspace.end()),
      testing::Each(std::byte{0}));
  select.run(SelectAll::kItems);
}

TEST(LookBackSelect, ReportsAWorkspaceThatWasNotZeroed) {
  SelectAll select;
  select.header().next_tile = 0xA5A5A5A5;
  try {
    select.run(100);
    FAIL() << "no error";
  } catch (const KernelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("not zeroed"));
  }
}

}  // namespace
