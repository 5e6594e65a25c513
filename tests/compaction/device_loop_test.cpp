// SPDX-License-Identifier: MIT
#include "compaction/device_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "compaction/single_pass/select.h"
#include "tests/compaction/support/host_test.h"

namespace {

using compaction::DeviceLoop;
using compaction::LoopIteration;
using compaction::LoopState;
using compaction::detail::BeginLoop;
using compaction::detail::EndIteration;

constexpr uint64_t kNoLimit = ~uint64_t{0};

DeviceLoop loop_of(LoopState& state, uint64_t capacity, compaction::ItemCount first,
                   uint64_t limit = kNoLimit) {
  return {.state = &state, .capacity = capacity, .first = first, .limit = limit};
}

/// Selects items whose bit `*bit` is clear.
struct BitIsClear {
  const uint64_t* bit;
  bool operator()(uint32_t item) const { return (item >> *bit & 1) == 0; }
};

TEST(DeviceLoopOnHost, SelectsUntilNoItemsAreLeftOrTheLimitIsReached) {
  using Source = compaction::ItemsIf<uint32_t, BitIsClear>;
  using Sink = compaction::WriteItems<uint32_t>;
  constexpr uint64_t kItems = 5000;
  std::mt19937 random(1);
  std::vector<uint32_t> numbers(kItems);
  for (uint32_t& number : numbers) number = uint32_t(random());
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled})
    for (uint64_t limit : {uint64_t(0), uint64_t(1), uint64_t(4), uint64_t(5), kNoLimit}) {
      SCOPED_TRACE(limit);
      std::vector<uint32_t> queue[2] = {numbers, std::vector<uint32_t>(kItems)};
      std::vector<std::byte> workspace(compaction::select_bytes<Source, Sink>(kItems));
      LoopState state{};
      Executor executor({.order = order, .seed = 1, .resident_blocks = 3});
      compaction::device_loop(
          executor, loop_of(state, kItems, kItems, limit),
          [&](Executor& launcher, const LoopIteration& i) {
            compaction::select(
                launcher, Source{queue[i.from].data(), BitIsClear{&i.state->iterations}},
                Sink{queue[i.to].data()}, i.n, i.count, {workspace.data(), workspace.size()});
          });
      std::vector<uint32_t> expected = numbers;
      uint64_t iterations = 0;
      for (; iterations < limit && !expected.empty(); ++iterations)
        std::erase_if(expected, [&](uint32_t number) { return (number >> iterations & 1) != 0; });
      EXPECT_EQ(state.iterations, iterations);
      EXPECT_EQ(state.overflowed, 0u);
      ASSERT_EQ(state.left, expected.size());
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), queue[iterations % 2].begin()));
    }
}

TEST(DeviceLoopOnHost, DoesNothingWithoutItems) {
  LoopState state{{7, 7}, 7, 7, 7};
  const uint32_t none = 0;
  Executor executor;
  compaction::device_loop(
      executor, loop_of(state, 100, {100, &none}),
      [](Executor&, const LoopIteration&) { FAIL() << "a body without items"; });
  EXPECT_EQ(state.iterations, 0u);
  EXPECT_EQ(state.left, 0u);
  EXPECT_EQ(state.overflowed, 0u);
}

TEST(LoopState, LimitsTheFirstItemsAndFlagsOthers) {
  struct Case {
    uint64_t count, capacity_of_first, left;
    uint32_t overflowed;
  };
  for (const Case& c : {Case{99, 100, 99, 0}, Case{100, 100, 100, 0}, Case{101, 100, 100, 1},
                        Case{40, 30, 30, 1}, Case{200, 300, 100, 1}, Case{0, 100, 0, 0}}) {
    SCOPED_TRACE(c.count);
    LoopState state{{9, 9}, 9, 9, 9};
    EXPECT_EQ((BeginLoop{loop_of(state, 100, {c.capacity_of_first, &c.count})}()), c.left > 0);
    EXPECT_EQ(state.left, c.left);
    EXPECT_EQ(state.counts[0], c.left);
    EXPECT_EQ(state.counts[1], 0u);  // kernels that append start from 0
    EXPECT_EQ(state.overflowed, c.overflowed);
  }
}

TEST(LoopState, TakesANegativeFirstCountAsNone) {
  const int32_t narrow = -1;
  const int64_t wide = -5;
  for (const compaction::DeviceCount count : {compaction::DeviceCount(&narrow), {&wide}}) {
    LoopState state{{9, 9}, 9, 9, 9};
    EXPECT_FALSE((BeginLoop{loop_of(state, 100, {100, count})}()));
    EXPECT_EQ(state.left, 0u);
    EXPECT_EQ(state.overflowed, 0u);
  }
}

TEST(LoopState, LimitsWhatAnIterationProducesAndKeepsTheFlag) {
  LoopState state{};
  const DeviceLoop loop = loop_of(state, 100, 10);
  EXPECT_TRUE(BeginLoop{loop}());
  state.counts[1] = 250;
  EXPECT_TRUE((EndIteration{loop, 0}()));
  EXPECT_EQ(state.counts[1], 100u);
  EXPECT_EQ(state.counts[0], 0u);
  EXPECT_EQ(state.overflowed, 1u);
  state.counts[0] = 5;
  EXPECT_TRUE((EndIteration{loop, 1}()));
  EXPECT_EQ(state.left, 5u);
  EXPECT_EQ(state.overflowed, 1u);
  EXPECT_EQ(state.iterations, 2u);
}

TEST(LoopState, KeepsTheItemsThatTheLimitLeaves) {
  LoopState state{};
  const DeviceLoop loop = loop_of(state, 100, 10, 1);
  EXPECT_TRUE(BeginLoop{loop}());
  state.counts[1] = 20;
  EXPECT_FALSE((EndIteration{loop, 0}()));
  EXPECT_EQ(state.left, 20u);
  EXPECT_EQ(state.counts[1], 0u);  // an iteration that still follows has no items
}

// The device decides after every second iteration, and an unrolled loop never does.
TEST(LoopState, IsNotChangedByAnIterationWithoutItems) {
  LoopState state{};
  const DeviceLoop loop = loop_of(state, 100, 10, 1);
  BeginLoop{loop}();
  state.counts[1] = 20;
  EndIteration{loop, 0}();
  const LoopState end = state;
  for (unsigned from : {1u, 0u, 1u}) {
    state.counts[1 - from] = 3;  // a body that breaks the rule
    EXPECT_FALSE((EndIteration{loop, from}()));
    EXPECT_EQ(state.iterations, end.iterations);
    EXPECT_EQ(state.left, end.left);
    EXPECT_EQ(state.overflowed, end.overflowed);
    EXPECT_EQ(state.counts[0] + state.counts[1], 0u);
  }
}

}  // namespace
