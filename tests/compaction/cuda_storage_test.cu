// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"

// Tests the memory that calls use: workspaces, and memory that a call allocates itself.

namespace {

class CudaStorage : public OnGpu {};

/// Items, their number below the half, and their sum.
struct SelectAndReduce {
  explicit SelectAndReduce(size_t n)
      : numbers(random_numbers(n, 1)), in(numbers), out(n), count(1), sum(1) {
    check(cudaDeviceSynchronize());  // the streams of these tests do not wait for the null stream
  }

  template <class Storage>
  void run(const Storage& storage, cudaStream_t stream) {
    const uint64_t n = numbers.size();
    check(
        compaction::select_if(in.data(), out.data(), count.data(), n, kBelowHalf, storage, stream));
    check(compaction::reduce(in.data(), sum.data(), n, Sum<uint32_t>(), storage, stream));
  }
  void expect_right() {
    const std::vector<uint32_t> selected = reference_select(numbers, numbers.size(), kBelowHalf);
    ASSERT_EQ(count.read()[0], int(selected.size()));
    EXPECT_EQ(out.read(selected.size()), selected);
    EXPECT_EQ(sum.read()[0], std::accumulate(numbers.begin(), numbers.end(), 0u));
    count.write({0});
    sum.write({0});
    check(cudaDeviceSynchronize());
  }

  std::vector<uint32_t> numbers;
  Array<uint32_t> in, out;
  Array<int> count;
  Array<uint32_t> sum;
};

TEST_P(CudaStorage, OneSizeSuitsAllFunctionsAtAnyNumberOfItems) {
  for (uint64_t n : {1u, 1000u, 100'000u, 5'000'000u}) {
    SelectAndReduce calls(n);
    Workspace workspace;
    check(workspace.reserve(compaction::bytes_for<uint32_t>(n)));
    calls.run(workspace, nullptr);
    calls.expect_right();
    check(compaction::partition_in_one_if(calls.in.data(), calls.out.data(), calls.count.data(), n,
                                          kBelowHalf, workspace));
    check(compaction::inclusive_scan(calls.in.data(), calls.out.data(), n, Sum<uint32_t>(),
                                     workspace));
  }
}

TEST_P(CudaStorage, ReserveZeroesOnTheStreamThatUsesIt) {
  SelectAndReduce calls(300'000);
  Stream on;
  for (int repetition = 0; repetition < 20; ++repetition) {
    // Memory that was freed with other contents is likely to be allocated again.
    { Array<std::byte> poison(4 << 20); }
    Workspace workspace;
    check(workspace.reserve(4 << 20, on.stream));
    calls.run(workspace, on.stream);
    check(cudaStreamSynchronize(on.stream));
    calls.expect_right();
  }
}

TEST_P(CudaStorage, ReserveWithoutAStreamSuitsAnyStream) {
  SelectAndReduce calls(300'000);
  Stream on;
  for (int repetition = 0; repetition < 20; ++repetition) {
    { Array<std::byte> poison(4 << 20); }
    Workspace workspace;
    check(workspace.reserve(4 << 20));
    calls.run(workspace, on.stream);
    check(cudaStreamSynchronize(on.stream));
    calls.expect_right();
  }
}

TEST_P(CudaStorage, WorkspaceMoves) {
  SelectAndReduce calls(10'000);
  Workspace first;
  check(first.reserve(compaction::bytes_for<uint32_t>(10'000)));
  const std::byte* memory = first.span().data;
  Workspace second(std::move(first));
  EXPECT_EQ(first.bytes(), 0u);
  EXPECT_EQ(first.span().data, nullptr);
  first = std::move(second);
  EXPECT_EQ(first.span().data, memory);
  calls.run(first, nullptr);
  calls.expect_right();
}

TEST_P(CudaStorage, CapturedGraphOutlivesTheGrowthOfItsWorkspace) {
  SelectAndReduce calls(50'000);
  Stream on;
  Workspace workspace;
  check(workspace.reserve(compaction::bytes_for<uint32_t>(50'000), on.stream));
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal));
  calls.run(workspace, on.stream);
  check(cudaStreamEndCapture(on.stream, &graph));
  check(cudaGraphInstantiate(&replay, graph, 0));

  check(workspace.reserve(8 << 20, on.stream));
  { Array<std::byte> poison(1 << 20); }
  for (int repetition = 0; repetition < 3; ++repetition) {
    check(cudaGraphLaunch(replay, on.stream));
    check(cudaStreamSynchronize(on.stream));
    calls.expect_right();
  }
  check(cudaGraphExecDestroy(replay));
  check(cudaGraphDestroy(graph));
}

TEST_P(CudaStorage, WorkspaceDoesNotGrowDuringACapture) {
  Stream on;
  Workspace workspace;
  check(workspace.reserve(1000, on.stream));
  cudaGraph_t graph;
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal));
  EXPECT_EQ(workspace.reserve(2000, on.stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(workspace.reserve(1000, on.stream), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(on.stream, &graph), cudaSuccess) << "the capture goes on";
  EXPECT_EQ(workspace.bytes(), 1000u);
  check(cudaGraphDestroy(graph));
}

TEST_P(CudaStorage, CallsAllocateOnTheirStream) {
  SelectAndReduce calls(300'000);
  Stream on;
  for (int repetition = 0; repetition < 10; ++repetition) {
    calls.run(compaction::stream_ordered, on.stream);
    check(cudaStreamSynchronize(on.stream));
    calls.expect_right();
  }
  check(compaction::partition_in_one_if(calls.in.data(), calls.out.data(), calls.count.data(),
                                        300'000, kBelowHalf, compaction::stream_ordered,
                                        on.stream));
  check(cudaStreamSynchronize(on.stream));
  std::vector<uint32_t> parted = calls.numbers;
  std::stable_partition(parted.begin(), parted.end(), kBelowHalf);
  EXPECT_EQ(calls.out.read(), parted);
}

TEST_P(CudaStorage, CallsThatAllocateCanBeCaptured) {
  SelectAndReduce calls(100'000);
  Stream on;
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal));
  calls.run(compaction::stream_ordered, on.stream);
  check(cudaStreamEndCapture(on.stream, &graph));
  check(cudaGraphInstantiate(&replay, graph, 0));
  for (int repetition = 0; repetition < 3; ++repetition) {
    check(cudaGraphLaunch(replay, on.stream));
    check(cudaStreamSynchronize(on.stream));
    calls.expect_right();
  }
  check(cudaGraphExecDestroy(replay));
  check(cudaGraphDestroy(graph));
}

TEST_P(CudaStorage, ANegativeCountOnTheDeviceIsTakenAsZero) {
  SelectAndReduce calls(10'000);
  const auto expect_none = [&](auto negative) {
    Array<decltype(negative)> n(std::vector<decltype(negative)>{negative});
    check(compaction::select_if(calls.in.data(), calls.out.data(), calls.count.data(),
                                {10'000, n.data()}, kBelowHalf, compaction::stream_ordered));
    check(compaction::reduce(calls.in.data(), calls.sum.data(), {10'000, n.data()}, Sum<uint32_t>(),
                             compaction::stream_ordered));
    EXPECT_EQ(calls.count.read()[0], 0);
    EXPECT_EQ(calls.sum.read()[0], 0u);
  };
  expect_none(int32_t(-1));
  expect_none(std::numeric_limits<int32_t>::min());
  expect_none(int64_t(-1));
  expect_none(std::numeric_limits<int64_t>::min());
}

/// A query needs no GPU.
TEST(StorageSize, OfANegativeNumberOfItemsIsRefused) {
  uint32_t* numbers = nullptr;
  size_t bytes = 7;
  const auto expect_refused = [&](cudaError_t status) {
    EXPECT_EQ(status, cudaErrorInvalidValue);
    EXPECT_EQ(bytes, 7u);
  };
  for (int64_t n : {int64_t(-1), std::numeric_limits<int64_t>::min(), (int64_t(1) << 40) + 1}) {
    expect_refused(compaction::select_if(nullptr, bytes, numbers, numbers, numbers, n, kBelowHalf));
    expect_refused(compaction::partition_if(nullptr, bytes, numbers, numbers, numbers, numbers, n,
                                            kBelowHalf));
    expect_refused(
        compaction::partition_in_one_if(nullptr, bytes, numbers, numbers, numbers, n, kBelowHalf));
    expect_refused(
        compaction::inclusive_scan(nullptr, bytes, numbers, numbers, n, Sum<uint32_t>()));
    expect_refused(compaction::reduce(nullptr, bytes, numbers, numbers, n, Sum<uint32_t>()));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaStorage, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
