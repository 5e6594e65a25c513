// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/sequential.h"
#include "tests/compaction/ladder/support/ladder_test.h"

namespace {

class Reduce : public OnRung<ReduceRung> {
 protected:
  template <class T, class Op>
  void expect_right(const fast::ScanProblem<T>& problem) {
    SCOPED_TRACE(testing::Message() << problem.in.size() << " of at most " << problem.capacity
                                    << " items of " << sizeof(T) << " bytes");
    T expected = compaction::sequential_reduce(
        simt::Span<const T>{problem.in.data(), problem.in.size()}, Op());
    EXPECT_TRUE((ladder<T, Op>().reduce(rung(), problem)) == expected);
  }

  template <class T, class Op>
  void expect_right(uint32_t n) {
    expect_right<T, Op>({.in = ordered_items<T>(n), .capacity = n});
  }
};

// Sizes at the edges of warps and of tiles of 256, 512 and 2048 items.
TEST_P(Reduce, CombinesAllItemsInOrder) {
  for (uint32_t n : {0u,   1u,   2u,   3u,   7u,   8u,    9u,    31u,   32u,   33u,  255u,
                     256u, 257u, 511u, 512u, 513u, 1000u, 2047u, 2048u, 2049u, 5000u}) {
    expect_right<int32_t, compaction::Sum<int32_t>>(n);
    expect_right<Affine, Compose>(n);
  }
}

TEST_P(Reduce, ReducesTheResultsOfTheResults) {
  expect_right<Affine, Compose>(256 * 256 + 1);
}

TEST_P(Reduce, AnyTypeOfItem) {
  for (uint32_t n : {1u, 33u, 255u, 300u, 513u, 2100u}) {
    expect_right<uint8_t, compaction::Max<uint8_t>>(n);
    expect_right<uint64_t, compaction::Product<uint64_t>>(n);
    expect_right<float, compaction::Sum<float>>(n);
    expect_right<Interval, Join>(n);
    expect_right<Wide, KeepLast>(n);
  }
}

TEST_P(Reduce, CountOnTheDeviceLimitsTheItems) {
  for (uint32_t capacity : {1u, 512u, 5000u})
    for (uint32_t n : {0u, 1u, 256u, 511u, 512u, 4999u})
      if (n <= capacity)
        expect_right<Affine, Compose>(
            {.in = ordered_items<Affine>(n), .capacity = capacity, .count_on_device = true});
}

class ShuffleReduce : public Reduce {};

// 1024 blocks of 8 warps take 128 items of 8 bytes each before any warp takes a second step.
TEST_P(ShuffleReduce, LargestGridSharesTheItems) {
  expect_right<Affine, Compose>(1024 * 8 * 128 + 1);
}

const auto kShuffle = testing::Values(ReduceRung::kShuffle);

INSTANTIATE_TEST_SUITE_P(Host, Reduce,
                         testing::Combine(kHostLadders, testing::ValuesIn(kReduceRungs)),
                         name_of_rung);
INSTANTIATE_TEST_SUITE_P(Host, ShuffleReduce, testing::Combine(kHostLadders, kShuffle),
                         name_of_rung);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, Reduce,
                         testing::Combine(kCudaLadders, testing::ValuesIn(kReduceRungs)),
                         name_of_rung);
INSTANTIATE_TEST_SUITE_P(Gpu, ShuffleReduce, testing::Combine(kCudaLadders, kShuffle),
                         name_of_rung);
#endif

}  // namespace
