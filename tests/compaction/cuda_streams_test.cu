// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"
#include "tests/compaction/support/small_tests.h"

// Tests streams, graphs, one workspace for very many calls, and more items than fit a host test.

namespace {

using compaction::TileQueue;

class CudaStreams : public OnGpu {};

uint64_t size(uint64_t full, uint64_t small) {
  return full_or_small(full, small);
}

/// Kernels of calls that follow one another are launched to overlap: each must wait for the results
/// of the one before it, and for the last reads of what it overwrites.
TEST_P(CudaStreams, EachCallSeesTheResultsOfTheOneBefore) {
  constexpr int kScans = 20;
  Stream on;
  for (uint64_t n : {uint64_t(300), uint64_t(5000), size(70'000, 7000), size(1'000'000, 10'000),
                     size(20'000'000, 20'000)}) {
    SCOPED_TRACE(n);
    std::vector<uint32_t> expected(n);
    for (uint64_t i = 0; i < n; ++i) expected[i] = uint32_t(i * 2654435761u) >> 28;
    Array<uint32_t> a(n), b(n);
    a.write(expected);
    Workspace workspace;
    check(workspace.reserve(compaction::scan_bytes<uint32_t>(n)));
    check(cudaDeviceSynchronize());
    for (int i = 0; i < kScans; ++i) {
      const auto [from, to] =
          i % 2 == 0 ? std::pair(a.data(), b.data()) : std::pair(b.data(), a.data());
      check(compaction::exclusive_scan(static_cast<const uint32_t*>(from), to, n, Sum<uint32_t>(),
                                       workspace, on.stream));
      std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), 0u);
    }
    check(cudaStreamSynchronize(on.stream));
    EXPECT_EQ(a.read(), expected);
  }
}

TEST_P(CudaStreams, GraphReplaysWithOtherItemsAndCounts) {
  constexpr uint64_t kCapacity = 100'000;
  Array<uint32_t> in(kCapacity), kept(kCapacity), scanned(kCapacity), sum(1);
  Array<uint64_t> n(1), kept_count(1);
  Workspace workspace;
  check(workspace.reserve(std::max({compaction::select_if_bytes<uint32_t, Below>(kCapacity),
                                    compaction::scan_bytes<uint32_t>(kCapacity),
                                    compaction::reduce_bytes<uint32_t>()})));
  check(cudaDeviceSynchronize());

  Stream on;
  const uint64_t *n_data = n.data(), *kept_data = kept_count.data();
  const ItemCount items{kCapacity, n_data}, selected{kCapacity, kept_data};
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal));
  check(compaction::select_if(std::as_const(in).data(), kept.data(), {kept_count.data()}, items,
                              kBelowHalf, workspace, on.stream));
  check(compaction::exclusive_scan(static_cast<const uint32_t*>(kept.data()), scanned.data(),
                                   selected, Sum<uint32_t>(), workspace, on.stream));
  check(compaction::reduce(static_cast<const uint32_t*>(kept.data()), sum.data(), selected,
                           Sum<uint32_t>(), workspace, on.stream));
  check(cudaStreamEndCapture(on.stream, &graph));
  check(cudaGraphInstantiate(&replay, graph, 0));

  constexpr uint64_t kTile = 2048;
  uint32_t seed = 0;
  for (uint64_t count : {uint64_t(0), uint64_t(1), kTile - 1, kTile, kTile + 1, kCapacity,
                         uint64_t(0), kCapacity - 3, kCapacity + 5}) {
    SCOPED_TRACE(testing::Message() << count << " items");
    std::vector<uint32_t> numbers = random_numbers(kCapacity, ++seed);
    in.write(numbers);
    n.write({count});
    check(cudaGraphLaunch(replay, on.stream));
    check(cudaStreamSynchronize(on.stream));

    std::vector<uint32_t> expected =
        reference_select(numbers, std::min(count, kCapacity), kBelowHalf);
    ASSERT_EQ(kept_count.read()[0], expected.size());
    EXPECT_EQ(kept.read(expected.size()), expected);
    std::vector<uint32_t> sums(expected.size());
    std::exclusive_scan(expected.begin(), expected.end(), sums.begin(), 0u);
    EXPECT_EQ(scanned.read(sums.size()), sums);
    EXPECT_EQ(sum.read()[0], std::accumulate(expected.begin(), expected.end(), 0u));
  }
  check(cudaGraphExecDestroy(replay));
  check(cudaGraphDestroy(graph));
}

TEST_P(CudaStreams, TwoStreamsAtOnce) {
  const uint64_t n = size(300'000, 30'000);
  const uint32_t calls = uint32_t(size(300, 20));
  std::vector<uint32_t> numbers = random_numbers(n, 1);
  Array<uint32_t> in(numbers);
  struct Side {
    Stream on;
    Workspace workspace;
    Array<uint32_t> out;
    Array<uint64_t> counts;
    Side(uint64_t items, uint32_t calls) : out(items), counts(calls) {}
  } sides[2] = {{n, calls}, {n, calls}};
  for (Side& side : sides) {
    check(side.workspace.reserve(compaction::select_if_bytes<uint32_t, Below>(n), side.on.stream));
  }
  check(cudaDeviceSynchronize());
  auto limit = [](uint32_t call, unsigned side) {
    return Below(call * 14'000'000u + side * 77'777u);
  };
  for (uint32_t call = 0; call < calls; ++call)
    for (unsigned i = 0; i < 2; ++i) {
      Side& side = sides[i];
      check(compaction::select_if(static_cast<const uint32_t*>(in.data()), side.out.data(),
                                  {side.counts.data() + call}, {n - call}, limit(call, i),
                                  side.workspace, side.on.stream));
    }
  check(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 2; ++i) {
    std::vector<uint64_t> counts = sides[i].counts.read();
    for (uint32_t call = 0; call < calls; ++call) {
      Below keep = limit(call, i);
      ASSERT_EQ(counts[call], uint64_t(std::count_if(numbers.begin(), numbers.end() - call, keep)))
          << "call " << call;
    }
    std::vector<uint32_t> last = reference_select(numbers, n - calls + 1, limit(calls - 1, i));
    EXPECT_EQ(sides[i].out.read(last.size()), last);
  }
}

// On an H200: a wave of small tiles, a wave of larger ones, and more tiles than a wave holds.
TEST_P(CudaStreams, NumbersOfItemsThatFillTheDevice) {
  for (uint64_t n : {1'000'003u, 3'999'999u, 6'000'001u}) {
    SCOPED_TRACE(testing::Message() << n << " items");
    const std::vector<uint32_t> numbers = random_numbers(n, 5);
    Array<uint32_t> in(numbers), kept(n), rejected(n), scanned(n);
    Array<uint64_t> count(2);
    Workspace workspace;
    check(workspace.reserve(std::max(compaction::partition_if_bytes<uint32_t, Below>(n),
                                     compaction::scan_bytes<uint32_t>(n))));
    const uint32_t* items = in.data();
    const std::vector<uint32_t> expected = reference_select(numbers, n, kBelowHalf);
    check(compaction::select_if(items, kept.data(), {count.data()}, {n}, kBelowHalf, workspace));
    EXPECT_EQ(count.read()[0], expected.size());
    EXPECT_TRUE(kept.read(expected.size()) == expected);

    check(compaction::partition_if(items, kept.data(), rejected.data(), {count.data() + 1}, {n},
                                   kBelowHalf, workspace));
    EXPECT_EQ(count.read()[1], expected.size());
    EXPECT_TRUE(kept.read(expected.size()) == expected);
    std::vector<uint32_t> others;
    std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(others),
                 [](uint32_t number) { return !kBelowHalf(number); });
    EXPECT_TRUE(rejected.read(others.size()) == others);

    check(compaction::exclusive_scan(items, scanned.data(), {n}, Sum<uint32_t>(), workspace));
    std::vector<uint32_t> sums(n);
    std::exclusive_scan(numbers.begin(), numbers.end(), sums.begin(), 0u);
    EXPECT_TRUE(scanned.read() == sums);
  }
}

/// One in 2^20 indices.
struct OneOf {
  static constexpr uint64_t kStride = uint64_t(1) << 20, kFirst = 5;
  __host__ __device__ bool operator()(uint64_t index) const { return index % kStride == kFirst; }
};

TEST_P(CudaStreams, MoreItemsThan32BitsCount) {
  const uint64_t n = (uint64_t(1) << size(33, 22)) + 17;
  const uint64_t kept = n / OneOf::kStride + 1;
  using Source = compaction::IndicesIf<OneOf>;
  using Sink = compaction::WriteIndices<uint64_t>;
  Workspace workspace;
  check(workspace.reserve(compaction::select_bytes<Source, Sink>(n)));
  Array<uint64_t> out(kept + 1), count(1);
  check(compaction::select(Source{}, Sink(out.data()), ItemCount{n}, {count.data(), kept},
                           workspace));
  ASSERT_EQ(count.read()[0], kept);
  std::vector<uint64_t> indices = out.read();
  for (uint64_t i = 0; i < kept; ++i) ASSERT_EQ(indices[i], i * OneOf::kStride + OneOf::kFirst);
  EXPECT_EQ(indices[kept], 0xA5A5A5A5A5A5A5A5u);
}

struct AnyIndex {
  __host__ __device__ bool operator()(uint64_t) const { return true; }
};

TEST_P(CudaStreams, MoreSelectedItemsThan32BitsCount) {
  const uint64_t n = (uint64_t(1) << size(33, 22)) + 17;
  constexpr uint64_t kRoom = 100;
  using Source = compaction::IndicesIf<AnyIndex>;
  using Sink = compaction::WriteIndices<uint64_t>;
  Workspace workspace;
  check(workspace.reserve(compaction::select_bytes<Source, Sink>(n)));
  Array<uint64_t> out(kRoom + 1), count(1);
  Array<uint32_t> overflowed(1);
  check(compaction::select(Source{}, Sink(out.data()), ItemCount{n},
                           {count.data(), kRoom, overflowed.data()}, workspace));
  EXPECT_EQ(count.read()[0], n);
  EXPECT_EQ(overflowed.read()[0], 1u);
  const std::vector<uint64_t> indices = out.read();
  for (uint64_t i = 0; i < kRoom; ++i) ASSERT_EQ(indices[i], i);
  EXPECT_EQ(indices[kRoom], 0xA5A5A5A5A5A5A5A5u);
}

TEST_P(CudaStreams, WorkspaceServesManyCallsAndNewEpochs) {
  const uint32_t calls = uint32_t(size(100'000, 300));
  constexpr uint32_t kFunctions = 3, kCounts = 7;
  constexpr uint64_t kItems = 9'000;  // several blocks
  std::vector<uint32_t> numbers = random_numbers(kItems, 1);
  Array<uint32_t> in(numbers), out(kItems), results(calls);
  Workspace workspace;
  check(workspace.reserve(
      std::max({compaction::select_if_bytes<uint32_t, Below>(kItems),
                compaction::scan_bytes<uint32_t>(kItems), compaction::reduce_bytes<uint32_t>()})));
  const uint64_t next = uint64_t(TileQueue::kLastEpoch - calls / 2) << TileQueue::kEpochShift;
  check(cudaMemcpy(workspace.span().data, &next, sizeof(next), cudaMemcpyHostToDevice));

  const uint32_t* items = in.data();
  auto count_of = [](uint32_t call) { return kItems - call % kCounts * 1000; };
  for (uint32_t call = 0; call < calls; ++call) {
    const ItemCount n{count_of(call)};
    uint32_t* result = results.data() + call;
    switch (call % kFunctions) {
      case 0:
        check(compaction::select_if(items, out.data(), {result}, n, kBelowHalf, workspace));
        break;
      case 1:
        check(compaction::inclusive_scan(items, out.data(), n, Sum<uint32_t>(), workspace, nullptr,
                                         0u, result));
        break;
      case 2:
        check(compaction::reduce(items, result, n, Sum<uint32_t>(), workspace));
        break;
    }
  }
  std::vector<uint32_t> got = results.read();
  for (uint32_t first = 0; first < kCounts; ++first) {
    auto end = numbers.begin() + ptrdiff_t(count_of(first));
    const uint32_t kept = uint32_t(std::count_if(numbers.begin(), end, kBelowHalf));
    const uint32_t sum = std::accumulate(numbers.begin(), end, 0u);
    for (uint32_t call = first; call < calls; call += kCounts)
      ASSERT_EQ(got[call], call % kFunctions == 0 ? kept : sum) << "call " << call;
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaStreams, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
