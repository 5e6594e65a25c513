// SPDX-License-Identifier: MIT
#include "compaction/group/shuffle_item.h"

#include <gtest/gtest.h>

#include "tests/compaction/group/support/group_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

template <class T>
struct Shuffle {
  static constexpr unsigned kBlockSize = 32;
  using Shared = simt::NoShared;
  simt::Span<const T> in;
  simt::Span<T> from_7, up, down;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    simt::Warp auto warp = block.warp();
    unsigned lane = warp.thread_rank();
    from_7[lane] = compaction::shuffle_item(warp, in[lane], 7);
    up[lane] = compaction::shuffle_item_up(warp, in[lane], 3);
    down[lane] = compaction::shuffle_item_down(warp, in[lane], 5);
  }
};

template <class T>
void expect_shuffled() {
  std::vector<T> in = ordered_items<T>(32), from_7(32), up(32), down(32);
  simt::host::Executor().launch(
      1, Shuffle<T>{{in.data(), 32}, {from_7.data(), 32}, {up.data(), 32}, {down.data(), 32}});
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_TRUE(from_7[lane] == in[7]) << "lane " << lane;
    EXPECT_TRUE(up[lane] == in[lane >= 3 ? lane - 3 : lane]) << "lane " << lane;
    EXPECT_TRUE(down[lane] == in[lane + 5 < 32 ? lane + 5 : lane]) << "lane " << lane;
  }
}

/// A size that is no multiple of a word.
struct FiveBytes {
  uint8_t bytes[5] = {};
  bool operator==(const FiveBytes&) const = default;
};
void fill(FiveBytes& item, uint32_t index, std::mt19937&) {
  for (uint8_t i = 0; i < 5; ++i) item.bytes[i] = uint8_t(index * 5 + i);
}

TEST(ShuffleItem, CarriesItemsOfEverySize) {
  expect_shuffled<uint8_t>();
  expect_shuffled<float>();
  expect_shuffled<uint64_t>();
  expect_shuffled<FiveBytes>();
  expect_shuffled<Interval>();
  expect_shuffled<Wide>();
}

}  // namespace
