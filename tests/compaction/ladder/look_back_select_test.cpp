// SPDX-License-Identifier: MIT
#include "compaction/ladder/look_back_select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/source.h"
#include "tests/compaction/support/host_test.h"

namespace {

/// A workspace, and a select of every item with it.
struct SelectAll : Memory {
  static constexpr uint32_t kItems = 3 * compaction::LookBackTile::kSize;
  SelectAll() : Memory(compaction::look_back_select_bytes(kItems)) {}

  void run(uint32_t n) {
    std::vector<uint8_t> flags(n, 1);
    std::vector<uint32_t> selected(n), count(1, 99);
    compaction::look_back_select(executor, compaction::FlagSource{span_of(flags)},
                                 compaction::ItemCount{n}, span_of(selected), span_of(count),
                                 span());
    ASSERT_EQ(count[0], n);
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(selected[i], i);
  }

  Executor executor{{Order::kShuffled, 1, 3}};
};

TEST(LookBackSelect, EachCallHasItsOwnEpoch) {
  SelectAll select;
  for (uint32_t call = 0; call < 5; ++call) {
    EXPECT_EQ(select.state().next, uint64_t(call) << TileQueue::kEpochShift);
    select.run(call % 2 == 0 ? SelectAll::kItems : 0);
  }
}

TEST(LookBackSelect, EpochsRestartWithoutOldStates) {
  for (uint32_t n : {0u, 1u, 5000u}) {
    SelectAll select;
    select.run(SelectAll::kItems);  // all tiles have epoch 0
    select.begin_epoch(TileQueue::kLastEpoch);
    select.run(n);  // rewrites some tiles only
    EXPECT_THAT(select.bytes, testing::Each(std::byte{0}));
    select.run(SelectAll::kItems);
  }
}

TEST(LookBackSelect, ReportsAWorkspaceThatWasNotZeroed) {
  SelectAll select;
  select.bytes.assign(select.bytes.size(), std::byte{0xA5});
  EXPECT_THAT(kernel_error_of([&] { select.run(100); }), testing::HasSubstr("not zeroed"));
}

}  // namespace
