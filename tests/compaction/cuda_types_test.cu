// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cuda/std/functional>
#include <functional>
#include <numeric>
#include <vector>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"

// Tests users' types of counts, items, results and operators.

namespace {

class CudaTypes : public OnGpu {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (!IsSkipped()) check(workspace_.reserve(8 << 20));
  }
  Workspace workspace_;
};

TEST_P(CudaTypes, CountsAreOfAnyInteger) {
  const std::vector<uint32_t> numbers = random_numbers(20'000, 1);
  const size_t expected = reference_select(numbers, numbers.size(), kBelowHalf).size();
  Array<uint32_t> in(numbers), out(numbers.size());
  auto expect_counts = [&]<class Integer>(Integer n) {
    Array<Integer> count(1), all(std::vector<Integer>{n});
    check(compaction::select_if(in.data(), out.data(), count.data(), n, kBelowHalf, workspace_));
    EXPECT_EQ(count.read()[0], Integer(expected));
    check(
        compaction::select_if(in.data(), out.data(), {count.data()}, {n}, kBelowHalf, workspace_));
    EXPECT_EQ(count.read()[0], Integer(expected));
    check(compaction::select_if(in.data(), out.data(), count.data(), {n + 5, all.data()},
                                kBelowHalf, workspace_));
    EXPECT_EQ(count.read()[0], Integer(expected));
  };
  const int n = int(numbers.size());
  expect_counts(n);
  expect_counts(unsigned(n));
  expect_counts(long(n));
  expect_counts(static_cast<long long>(n));
  expect_counts(static_cast<unsigned long long>(n));
  EXPECT_EQ(compaction::reduce(in.data(), out.data(), -1, Sum<uint32_t>(), workspace_),
            cudaErrorInvalidValue);
}

TEST_P(CudaTypes, BytesAreAddedInWiderIntegers) {
  constexpr int kItems = 3'000'001;
  std::vector<uint8_t> bytes(kItems);
  for (int i = 0; i < kItems; ++i) bytes[i] = uint8_t(255 - i % 101);
  Array<uint8_t> in(bytes);
  Array<uint64_t> sum(1);
  Array<uint32_t> sums(kItems);
  for (int n : {1, 1000, 70'000, kItems - 1})
    for (int offset : {0, 1}) {
      const uint8_t* items = in.data() + offset;
      const auto first = bytes.begin() + offset;
      check(compaction::reduce(items, sum.data(), n, std::plus<>(), workspace_));
      EXPECT_EQ(sum.read()[0], std::accumulate(first, first + n, uint64_t(0)));
      std::vector<uint32_t> expected(n);
      std::inclusive_scan(first, first + n, expected.begin(), std::plus<>(), 7u);
      check(
          compaction::inclusive_scan(items, sums.data(), n, std::plus<>(), workspace_, nullptr, 7));
      EXPECT_EQ(sums.read(size_t(n)), expected);
    }
}

TEST_P(CudaTypes, OperatorsOfOtherLibrariesAreKnown) {
  const std::vector<uint32_t> numbers = random_numbers(20'000, 1);
  Array<uint32_t> in(numbers), result(1);
  auto reduced = [&](auto op) {
    check(compaction::reduce(in.data(), result.data(), int(numbers.size()), op, workspace_));
    return result.read()[0];
  };
  const uint32_t sum = std::accumulate(numbers.begin(), numbers.end(), 0u);
  EXPECT_EQ(reduced(std::plus<>()), sum);
  EXPECT_EQ(reduced(std::plus<uint32_t>()), sum);
  EXPECT_EQ(reduced(::cuda::std::plus<>()), sum);
  EXPECT_EQ(reduced(::cuda::std::bit_or<>()),
            std::accumulate(numbers.begin(), numbers.end(), 0u, std::bit_or<>()));
}

/// An operator whose identity is known when the program runs.
struct LargerAbove {
  uint32_t least;
  __host__ __device__ explicit LargerAbove(uint32_t least) : least(least) {}
  __host__ __device__ uint32_t identity() const { return least; }
  __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};

TEST_P(CudaTypes, ScansBeginWithTheIdentityOfTheOperatorThatIsPassed) {
  Array<uint32_t> in(std::vector<uint32_t>{40, 60, 50, 70}), out(4);
  check(compaction::exclusive_scan(in.data(), out.data(), 4, LargerAbove(45), workspace_));
  EXPECT_EQ(out.read(), (std::vector<uint32_t>{45, 45, 60, 60}));
  check(compaction::inclusive_scan(in.data(), out.data(), 4, LargerAbove(45), workspace_));
  EXPECT_EQ(out.read(), (std::vector<uint32_t>{45, 60, 60, 70}));
}

struct Larger {
  __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};

TEST_P(CudaTypes, ScansTakeAnInitialValueAndReturnTheTotal) {
  Array<uint32_t> in(std::vector<uint32_t>{40, 60, 50, 70}), out(4), total(1);
  const compaction::WithIdentity larger{Larger(), 0u};
  check(compaction::inclusive_scan(in.data(), out.data(), 4, larger, workspace_, nullptr, 55u,
                                   total.data()));
  EXPECT_EQ(out.read(), (std::vector<uint32_t>{55, 60, 60, 70}));
  EXPECT_EQ(total.read()[0], 70u);
  check(compaction::exclusive_scan(in.data(), out.data(), 4, larger, workspace_, nullptr, 99u,
                                   total.data()));
  EXPECT_EQ(out.read(), (std::vector<uint32_t>{99, 99, 99, 99}));
  EXPECT_EQ(total.read()[0], 99u);
}

TEST_P(CudaTypes, PartitionsAnySourceIntoAnySink) {
  const std::vector<uint32_t> numbers = random_numbers(20'000, 1);
  Array<uint32_t> in(numbers), selected(numbers.size()), rejected(numbers.size());
  Array<int> count(1);
  using compaction::WriteIndices;
  check(compaction::partition(compaction::ItemsIf<uint32_t, Below>{in.data(), kBelowHalf},
                              WriteIndices<uint32_t>(selected.data()),
                              WriteIndices<uint32_t>(rejected.data()), numbers.size(), count.data(),
                              workspace_));
  std::vector<uint32_t> below, others;
  for (uint32_t i = 0; i < numbers.size(); ++i)
    (kBelowHalf(numbers[i]) ? below : others).push_back(i);
  ASSERT_EQ(count.read()[0], int(below.size()));
  EXPECT_EQ(selected.read(below.size()), below);
  EXPECT_EQ(rejected.read(others.size()), others);
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaTypes, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
