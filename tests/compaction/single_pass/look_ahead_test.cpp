// SPDX-License-Identifier: MIT
#include "compaction/single_pass/look_ahead.h"

#include <gtest/gtest.h>

#include <vector>

#include "compaction/single_pass/scan.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::OrderedLookAhead;
using compaction::ScanKind;
using compaction::TileStates;
using compaction::TileStatus;

constexpr unsigned kReads = 2;
constexpr uint32_t kWindow = kReads * simt::kWarpSize, kEpoch = 9;

using Job = compaction::ScanJob<Affine, Compose, ScanKind::kInclusive>;
using Ahead = OrderedLookAhead<Job, kReads, 1>;

/// Published aggregates of some tiles.
struct Published {
  explicit Published(uint32_t tiles) : totals(ordered_items<Affine>(tiles)), words(2 * tiles) {
    for (uint32_t tile = 0; tile < tiles; ++tile)
      states().publish(tile, kEpoch, TileStatus::kAggregate, totals[tile]);
  }
  TileStates<Affine> states() { return {span_of(words)}; }

  /// The prefix of each tile of `own`, found by one block that has only these tiles; stops at an
  /// incomplete window.
  std::vector<Affine> find(const std::vector<uint32_t>& own) {
    std::vector<Affine> found(own.size(), Affine{0, 0});
    windows = 0;
    Executor({Order::kShuffled, 1})
        .launch(1, kernel_of<simt::kWarpSize>([&](auto& block) {
                  simt::Warp auto warp = block.warp();
                  const Job job{nullptr, nullptr, {}, init, nullptr};
                  const TileStates<Affine> published = states();
                  Ahead ahead(job, published, kEpoch, 0, job.initial_prefix());
                  for (size_t i = 0; i < own.size(); ++i) {
                    Affine before;
                    do {
                      ahead.read(warp, own[i]);
                      if (!ahead.complete(warp)) return;
                      if (warp.thread_rank() == 0) ++windows;
                      before = ahead.move(warp);
                    } while (!ahead.reaches_last());
                    if (warp.thread_rank() == 0) found[i] = before;
                    EXPECT_TRUE(compaction::shuffle_item(warp, before, 0) == before)
                        << "in all lanes";
                  }
                }));
    return found;
  }

  std::vector<Affine> expected(const std::vector<uint32_t>& own) {
    std::vector<Affine> all;
    for (uint32_t tile : own) {
      Affine sum = init;
      for (uint32_t i = 0; i < tile; ++i) sum = Compose()(sum, totals[i]);
      all.push_back(sum);
    }
    return all;
  }

  const Affine init{3, 5};
  std::vector<Affine> totals;
  std::vector<uint64_t> words;
  uint32_t windows = 0;
};

TEST(OrderedLookAhead, CombinesTheTilesBeforeInOrder) {
  Published published(5 * kWindow);
  for (const std::vector<uint32_t>& own : {std::vector<uint32_t>{0},
                                           {1},
                                           {0, 1, 2, 3},
                                           {31, 32, 33},
                                           {kWindow - 1, kWindow},
                                           {kWindow + 1},
                                           {5, kWindow + 5, 2 * kWindow + 4, 5 * kWindow - 1}}) {
    SCOPED_TRACE(testing::Message() << "from tile " << own.front());
    EXPECT_TRUE(published.find(own) == published.expected(own));
  }
}

// A window has kReads complete rows of 32 tiles, and the part of another row before the tile.
TEST(OrderedLookAhead, ReadsAWindowAtOnce) {
  Published published(5 * kWindow);
  auto windows = [&](uint32_t tile) {
    published.find({tile});
    return published.windows;
  };
  EXPECT_EQ(windows(kWindow), 1u);
  EXPECT_EQ(windows(kWindow + simt::kWarpSize - 1), 1u);
  EXPECT_EQ(windows(kWindow + simt::kWarpSize), 2u);
  EXPECT_EQ(windows(5 * kWindow - 1), 5u);
}

// Each word of each tile is checked: of another call, of another status, or not written yet.
TEST(OrderedLookAhead, WaitsForEveryWord) {
  constexpr uint32_t kTiles = kWindow, kLast = kTiles - 1;
  for (uint64_t word : {uint64_t(0), TileStates<Affine>::tag(TileStatus::kAggregate, kEpoch - 1),
                        TileStates<Affine>::tag(TileStatus::kInvalid, kEpoch)})
    for (uint32_t missing : {0u, 1u, 63u, 2 * kLast - 1}) {
      Published published(kTiles);
      published.words[missing] = word;
      EXPECT_TRUE(published.find({kLast})[0] == (Affine{0, 0})) << "word " << missing;
    }
}

// The states of the tile itself and of later ones are not read.
TEST(OrderedLookAhead, ReadsNothingOfTheTileItself) {
  Published published(20);
  for (size_t word = 2 * 10; word < published.words.size(); ++word) published.words[word] = 0;
  EXPECT_TRUE(published.find({10}) == published.expected({10}));
}

}  // namespace
