// SPDX-License-Identifier: MIT
// The forms of CUB 3.5 without temporary storage. Environments are tested with a CUB that has them.

#include <numeric>

#include "compaction/cub/cub_compat.cuh"
#include "compaction/cuda/graph.h"
#include "tests/compaction/support/cuda_arrays.cuh"
#if COMPACTION_HAS_ENVIRONMENTS
#include <cuda/std/execution>
#endif

namespace {

namespace ours = compaction::cub_compat;

class CubEnvironment : public OnGpu {
 protected:
  static constexpr int kItems = 100'000;

  /// Selects, scans and reduces with the further arguments.
  template <class... Environment>
  void expect_right(const Environment&... environment) {
    using ours::DeviceReduce, ours::DeviceScan, ours::DeviceSelect;
    const std::vector<uint32_t> numbers = random_numbers(kItems, 5);
    Array<uint32_t> in(numbers), out(kItems), sum(1);
    Array<int> count(1);
    check(cudaDeviceSynchronize());
    check(
        DeviceSelect::If(in.data(), out.data(), count.data(), kItems, kBelowHalf, environment...));
    check(cudaDeviceSynchronize());
    const std::vector<uint32_t> selected = reference_select(numbers, kItems, kBelowHalf);
    EXPECT_EQ(count.read()[0], int(selected.size()));
    EXPECT_EQ(out.read(selected.size()), selected);
    check(DeviceScan::InclusiveSum(in.data(), out.data(), size_t(kItems), environment...));
    check(DeviceScan::InclusiveSum(in.data(), size_t(kItems), environment...));
    check(DeviceReduce::Max(out.data(), sum.data(), kItems, environment...));
    check(cudaDeviceSynchronize());
    std::vector<uint32_t> expected(kItems);
    std::partial_sum(numbers.begin(), numbers.end(), expected.begin());
    EXPECT_EQ(out.read(), expected);
    EXPECT_EQ(in.read(), expected);
    EXPECT_EQ(sum.read()[0], *std::max_element(expected.begin(), expected.end()));
  }
};

TEST_P(CubEnvironment, CallsNeedNoTemporaryStorage) {
  expect_right();
}
TEST_P(CubEnvironment, ScansByKeyNeedNoEquality) {
  Array<int> keys(std::vector<int>{1, 1, 2}), in(std::vector<int>{3, 4, 5}), out(3);
  check(ours::DeviceScan::InclusiveSumByKey(keys.data(), in.data(), out.data(), 3));
  check(cudaDeviceSynchronize());
  EXPECT_EQ(out.read(), (std::vector<int>{3, 7, 5}));
}
TEST_P(CubEnvironment, MayBeAStream) {
  const Stream stream;
  expect_right(stream.stream);
}

TEST_P(CubEnvironment, RefusesANegativeNumberOfItems) {
  Array<int> in(1), out(1);
  EXPECT_EQ(ours::DeviceReduce::Sum(in.data(), out.data(), -1), cudaErrorInvalidValue);
}

#if COMPACTION_HAS_ENVIRONMENTS
TEST_P(CubEnvironment, HasAStreamAMemoryResourceAndRequirements) {
  using cuda::std::execution::env;
  const Stream own;
  const cuda::stream_ref stream(own.stream);
  const auto requirement = cuda::execution::require(cuda::execution::determinism::run_to_run);
  expect_right(stream);
  expect_right(requirement);
  expect_right(env{stream, requirement});
  expect_right(env{stream, cuda::device_default_memory_pool(cuda::device_ref{0}), requirement});
}

TEST_P(CubEnvironment, MayFollowTemporaryStorage) {
  Array<uint32_t> in(std::vector<uint32_t>{3, 3, 4}), out(3);
  Array<int> count(std::vector<int>{0});
  const auto unique = [&](void* temp, size_t& bytes, cudaStream_t stream) {
    return ours::DeviceSelect::Unique(temp, bytes, in.data(), out.data(), count.data(), 3,
                                      cuda::std::execution::env{cuda::stream_ref(stream)});
  };
  size_t bytes = 0;
  const Stream own;
  check(unique(nullptr, bytes, own.stream));
  Array<std::byte> temp(bytes);
  check(cudaDeviceSynchronize());
  // A call that ignores its stream is not in the graph, and has then run already.
  compaction::Graph graph;
  check(graph.record([&](cudaStream_t stream) { return unique(temp.data(), bytes, stream); }));
  check(cudaDeviceSynchronize());
  EXPECT_EQ(count.read()[0], 0);
  check(graph.launch(own.stream));
  check(cudaDeviceSynchronize());
  EXPECT_EQ(count.read()[0], 2);
  EXPECT_EQ(out.read(2), (std::vector<uint32_t>{3, 4}));
}
#endif

INSTANTIATE_TEST_SUITE_P(Gpu, CubEnvironment, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
