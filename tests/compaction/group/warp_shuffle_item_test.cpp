// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "compaction/group/warp.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

/// A warp that shuffles numbers only, as that of a GPU.
struct WarpOfNumbers : simt::host::Warp {
  template <class T>
  static constexpr bool kIsNumber = std::is_arithmetic_v<T>;

  auto shfl(auto value, unsigned lane) const requires(kIsNumber<decltype(value)>) {
    return Warp::shfl(value, lane);
  }
  auto shfl_up(auto value, unsigned delta) const requires(kIsNumber<decltype(value)>) {
    return Warp::shfl_up(value, delta);
  }
  auto shfl_down(auto value, unsigned delta) const requires(kIsNumber<decltype(value)>) {
    return Warp::shfl_down(value, delta);
  }
};

template <class T>
void expect_shuffled() {
  const std::vector<T> in = ordered_items<T>(32);
  Executor().launch(1, kernel_of<32>([&](auto& block) {
                      const auto expect_of = [&](simt::Warp auto warp) {
                        unsigned lane = warp.thread_rank();
                        const T& item = in.at(lane);
                        EXPECT_TRUE(compaction::shuffle_item(warp, item, 7) == in[7]);
                        EXPECT_TRUE(compaction::shuffle_item_up(warp, item, 3) ==
                                    in[lane >= 3 ? lane - 3 : lane]);
                        EXPECT_TRUE(compaction::shuffle_item_down(warp, item, 5) ==
                                    in[lane + 5 < 32 ? lane + 5 : lane]);
                      };
                      expect_of(block.warp());
                      expect_of(WarpOfNumbers{block.warp()});
                    }));
}

/// An item whose size is no multiple of a word.
struct FiveBytes {
  uint8_t bytes[5] = {};
  bool operator==(const FiveBytes&) const = default;
};
void fill(FiveBytes& item, uint32_t index, std::mt19937&) {
  for (uint8_t i = 0; i < 5; ++i) item.bytes[i] = uint8_t(index * 5 + i);
}

/// An item that no single exchange of the host executor holds.
struct Large {
  uint32_t words[81] = {};
  bool operator==(const Large&) const = default;
};
void fill(Large& item, uint32_t index, std::mt19937&) {
  for (uint32_t i = 0; i < 81; ++i) item.words[i] = index * 81 + i;
}

TEST(ShuffleItem, CarriesItemsOfEverySize) {
  expect_shuffled<uint8_t>();
  expect_shuffled<float>();
  expect_shuffled<uint64_t>();
  expect_shuffled<FiveBytes>();
  expect_shuffled<Interval>();
  expect_shuffled<Wide>();
  expect_shuffled<Large>();
}

}  // namespace
