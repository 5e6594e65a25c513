// SPDX-License-Identifier: MIT
#include "compaction/ladder/look_back_select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/source.h"
#include "compaction/simt/host/executor.h"

namespace {

using compaction::ItemCount;
using compaction::TileQueue;
using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;

/// A workspace, and a select of every item with it.
struct SelectAll {
  static constexpr uint32_t kItems = 3 * compaction::LookBackTile::kSize;
  std::vector<std::byte> workspace =
      std::vector<std::byte>(compaction::look_back_select_bytes(kItems));
  Executor executor{{Order::kShuffled, 1, 3}};

  uint64_t& next() { return reinterpret_cast<TileQueue::State*>(workspace.data())->next; }
  void set_epoch(uint32_t epoch) { next() = uint64_t(epoch) << TileQueue::kEpochShift; }

  void run(uint32_t n) {
    std::vector<uint8_t> flags(n, 1);
    std::vector<uint32_t> selected(n), count(1, 99);
    compaction::look_back_select(executor, compaction::FlagSource{{flags.data(), n}}, ItemCount{n},
                                 {selected.data(), n}, {count.data(), 1},
                                 {workspace.data(), workspace.size()});
    ASSERT_EQ(count[0], n);
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(selected[i], i);
  }
};

TEST(LookBackSelect, EachCallHasItsOwnEpoch) {
  SelectAll select;
  for (uint32_t call = 0; call < 5; ++call) {
    EXPECT_EQ(select.next(), uint64_t(call) << TileQueue::kEpochShift);
    select.run(call % 2 == 0 ? SelectAll::kItems : 0);
  }
}

TEST(LookBackSelect, EpochsRestartWithoutOldStates) {
  for (uint32_t n : {0u, 1u, 5000u}) {
    SelectAll select;
    select.run(SelectAll::kItems);  // all tiles have epoch 0
    select.set_epoch(TileQueue::kLastEpoch);
    select.run(n);  // rewrites some tiles only
    EXPECT_THAT(select.workspace, testing::Each(std::byte{0}));
    select.run(SelectAll::kItems);
  }
}

TEST(LookBackSelect, ReportsAWorkspaceThatWasNotZeroed) {
  SelectAll select;
  select.workspace.assign(select.workspace.size(), std::byte{0xA5});
  try {
    select.run(100);
    FAIL() << "no error";
  } catch (const KernelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("not zeroed"));
  }
}

}  // namespace
