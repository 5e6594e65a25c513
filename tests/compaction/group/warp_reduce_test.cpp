// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "compaction/group/warp.h"
#include "compaction/ladder/sequential.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

template <class T, class Op>
void expect_reduced() {
  const std::vector<T> in = ordered_items<T>(64);
  for (const Schedule& schedule : schedules()) {
    const std::vector<T> results = in_two_warps(in, schedule, [](auto warp, const T& item) {
      return compaction::warp_reduce(warp, item, Op());
    });
    for (unsigned i = 0; i < 64; ++i) {
      Span<const T> from_here{in.data() + i, 32 - i % 32};
      EXPECT_TRUE(results[i] == compaction::sequential_reduce(from_here, Op())) << "thread " << i;
    }
  }
}

TEST(WarpReduce, EachLaneReceivesTheLanesFromItselfOnInOrder) {
  expect_reduced<int32_t, compaction::Max<int32_t>>();
  expect_reduced<uint64_t, compaction::Sum<uint64_t>>();
  expect_reduced<Affine, Compose>();
  expect_reduced<Wide, KeepLast>();
}

/// Expects `reduce` to return to each lane the words of its warp combined by `op`.
template <class Reduce, class Op>
void expect_combined(const std::vector<uint32_t>& in, Reduce reduce, Op op) {
  for (const Schedule& schedule : schedules()) {
    const std::vector<uint32_t> results = in_two_warps(in, schedule, reduce);
    for (unsigned i = 0; i < 64; ++i) {
      auto warp = in.begin() + i / 32 * 32;
      EXPECT_EQ(results[i], std::accumulate(warp, warp + 32, 0u, op)) << "thread " << i;
    }
  }
}

TEST(WarpReduce, EveryLaneReceivesTheSumOfSmallIntegers) {
  const auto expect_sums = [](auto zero) {
    using T = decltype(zero);
    std::vector<T> in;
    for (uint32_t word : random_numbers(64, 5)) in.push_back(T(word));
    for (const Schedule& schedule : schedules()) {
      const std::vector<T> results = in_two_warps(in, schedule, [](auto warp, T item) {
        return compaction::warp_reduce(warp, item, compaction::Sum<T>());
      });
      for (unsigned i = 0; i < 64; ++i) {
        Span<const T> of_warp{in.data() + i / 32 * 32, 32};
        EXPECT_EQ(results[i], compaction::sequential_reduce(of_warp, compaction::Sum<T>()));
      }
    }
  };
  expect_sums(int8_t());
  expect_sums(uint16_t());
  expect_sums(int32_t());
}

TEST(WarpSum, EveryLaneReceivesTheSumOfItsWarp) {
  auto sum = [](auto warp, uint32_t word) { return compaction::warp_sum(warp, word); };
  expect_combined(random_numbers(64, 17), sum, std::plus<>());
}

TEST(WarpOr, EveryLaneReceivesTheBitsOfItsWarp) {
  std::vector<uint32_t> in = random_numbers(64, 17);
  for (uint32_t& word : in) word &= word >> 8 & word >> 16 & word << 8;  // leaves few bits set
  auto bits = [](auto warp, uint32_t word) { return compaction::warp_or(warp, word); };
  expect_combined(in, bits, std::bit_or<>());
}

}  // namespace
