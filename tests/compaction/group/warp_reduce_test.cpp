// SPDX-License-Identifier: MIT
#include "compaction/group/warp_reduce.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "compaction/ladder/sequential.h"
#include "tests/compaction/group/support/group_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

template <class T, class Op>
struct ReduceWarps {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const T> in;
  simt::Span<T> results;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    unsigned thread = block.thread_rank();
    results[thread] = compaction::warp_reduce(block.warp(), in[thread], Op());
  }
};

template <class T, class Op>
void expect_reduced() {
  std::vector<T> in = ordered_items<T>(64);
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<T> results(64);
    simt::host::Executor(schedule).launch(
        1, ReduceWarps<T, Op>{{in.data(), 64}, {results.data(), 64}});
    for (unsigned i = 0; i < 64; ++i) {
      simt::Span<const T> from_here{in.data() + i, 32 - i % 32};
      EXPECT_TRUE(results[i] == compaction::sequential_reduce(from_here, Op())) << "thread " << i;
    }
  }
}

TEST(WarpReduce, EachLaneReceivesTheLanesFromItselfOnInOrder) {
  expect_reduced<int32_t, compaction::Sum<int32_t>>();
  expect_reduced<Affine, Compose>();
  expect_reduced<Wide, KeepLast>();
}

struct SumWarps {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> sums;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    sums[block.thread_rank()] = compaction::warp_sum(block.warp(), in[block.thread_rank()]);
  }
};

TEST(WarpSum, EveryLaneReceivesTheSumOfItsWarp) {
  std::vector<uint32_t> in = random_words(64);
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<uint32_t> sums(64);
    simt::host::Executor(schedule).launch(1, SumWarps{{in.data(), 64}, {sums.data(), 64}});
    for (unsigned i = 0; i < 64; ++i) {
      auto warp = in.begin() + i / 32 * 32;
      EXPECT_EQ(sums[i], std::accumulate(warp, warp + 32, 0u)) << "thread " << i;
    }
  }
}

struct OrWarps {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> bits;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    bits[block.thread_rank()] = compaction::warp_or(block.warp(), in[block.thread_rank()]);
  }
};

TEST(WarpOr, EveryLaneReceivesTheBitsOfItsWarp) {
  std::vector<uint32_t> in = random_words(64);
  for (uint32_t& word : in) word &= word >> 8 & word >> 16 & word << 8;  // so that few are set
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<uint32_t> bits(64);
    simt::host::Executor(schedule).launch(1, OrWarps{{in.data(), 64}, {bits.data(), 64}});
    for (unsigned i = 0; i < 64; ++i) {
      auto warp = in.begin() + i / 32 * 32;
      EXPECT_EQ(bits[i], std::accumulate(warp, warp + 32, 0u, std::bit_or<>())) << "thread " << i;
    }
  }
}

}  // namespace
