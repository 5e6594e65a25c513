// SPDX-License-Identifier: MIT
#include <numeric>

#include "tests/compaction/support/cuda_arrays.cuh"
#include "tests/compaction/support/split_on.h"

namespace {

using compaction::SplitOffsets;
using fast::Bytes;

struct Low5Bits {
  __host__ __device__ uint32_t operator()(uint32_t item) const { return item % 32; }
};

/// Splits numbers by their lower five bits.
std::vector<uint32_t> reference_by_low_bits(const std::vector<uint32_t>& in) {
  std::vector<uint32_t> out = in;
  std::stable_sort(out.begin(), out.end(), [](uint32_t a, uint32_t b) { return a % 32 < b % 32; });
  return out;
}

template <unsigned kClasses>
void expect_split_of_indices(size_t n) {
  SCOPED_TRACE(testing::Message() << n << " items, " << kClasses << " classes");
  Bytes keys(n);
  std::mt19937 random{uint32_t(n)};
  for (uint8_t& key : keys) key = uint8_t(random() % (kClasses < 250 ? kClasses + 3 : kClasses));
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  const fast::SplitAnswer expected = fast::reference_split(kClasses, keys, fast::to_bytes(all));

  Array<uint8_t> on_device(keys);
  Array<uint32_t> indices(n + 1), offsets(kClasses + 1);
  Workspace workspace;
  check(workspace.reserve(compaction::split_bytes<kClasses, compaction::IndicesByKey<uint8_t>,
                                                  compaction::WriteIndices<uint32_t>>(n)));
  for (int call = 0; call < 3; ++call)
    check(compaction::split_indices<kClasses>(on_device.data(), indices.data(),
                                              SplitOffsets(offsets.data()), {n}, workspace));
  const std::vector<uint32_t> got = offsets.read();
  EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.offsets.begin()));
  EXPECT_TRUE(fast::to_bytes(indices.read(expected.offsets.back())) == expected.items);
}

class CudaSplit : public OnGpu {};

TEST_P(CudaSplit, SizesAroundTilesAndRanges) {
  for (size_t n : {0, 1, 33, 4095, 4096, 4097, 4608, 4609, 100'000, 304'127, 304'129, 2'000'003}) {
    expect_split_of_indices<1>(n);
    expect_split_of_indices<8>(n);
    expect_split_of_indices<32>(n);
    expect_split_of_indices<256>(n);
  }
}

/// The class of a number as 64 bits: small, or with the lower bits of a small one, or negative.
struct WideClass {
  __host__ __device__ int64_t operator()(uint32_t item) const {
    const int64_t small = item % 8, kind = item / 8 % 3;
    return kind == 0 ? small : kind == 1 ? small + (int64_t(1) << 32) : small - 8;
  }
};

TEST_P(CudaSplit, ClassesBeyond32BitsAreDropped) {
  for (size_t n : {5000, 300'000}) {
    const std::vector<uint32_t> numbers = random_numbers(n, 9);
    std::vector<int64_t> classes(n);
    std::vector<uint32_t> expected_items, expected_indices;
    for (size_t i = 0; i < n; ++i) classes[i] = WideClass()(numbers[i]);
    for (int64_t c = 0; c < 8; ++c)
      for (size_t i = 0; i < n; ++i)
        if (classes[i] == c) {
          expected_items.push_back(numbers[i]);
          expected_indices.push_back(uint32_t(i));
        }
    Array<uint32_t> in(numbers), out(n);
    Array<int64_t> keys(classes);
    Array<int> offsets(9);
    check(compaction::split_by<8>(in.data(), out.data(), offsets.data(), n, WideClass(),
                                  compaction::stream_ordered));
    EXPECT_EQ(offsets.read()[8], int(expected_items.size()));
    EXPECT_TRUE(out.read(expected_items.size()) == expected_items);
    check(compaction::split_indices<8>(keys.data(), out.data(), offsets.data(), n,
                                       compaction::stream_ordered));
    EXPECT_EQ(offsets.read()[8], int(expected_items.size()));
    EXPECT_TRUE(out.read(expected_items.size()) == expected_indices);
  }
}

TEST_P(CudaSplit, GraphReplaysWithTheCountOnTheDevice) {
  constexpr size_t kItems = 1'000'000;
  const std::vector<uint32_t> numbers = random_numbers(kItems, 4);
  Array<uint32_t> in(numbers), out(kItems), offsets(33), count(1);
  Workspace workspace;
  check(workspace.reserve(compaction::split_by_bytes<32, uint32_t, Low5Bits>(kItems)));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaDeviceSynchronize());  // the workspace is zeroed on another stream
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  check(compaction::split_by<32>(in.data(), out.data(), SplitOffsets(offsets.data()),
                                 {kItems, count.data()}, Low5Bits(), workspace, stream));
  check(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  check(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(nodes, 1u);
  check(cudaGraphInstantiate(&replay, graph, 0));
  for (uint32_t n : {0u, 1u, 7000u, 500'001u, uint32_t(kItems)}) {
    count.write({n});
    check(cudaDeviceSynchronize());
    check(cudaGraphLaunch(replay, stream));
    check(cudaStreamSynchronize(stream));
    const std::vector<uint32_t> expected =
        reference_by_low_bits({numbers.begin(), numbers.begin() + n});
    EXPECT_EQ(offsets.read()[32], n);
    EXPECT_TRUE(out.read(n) == expected) << n;
  }
  check(cudaGraphExecDestroy(replay));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
}

TEST_P(CudaSplit, TwoPhaseFormNeedsNoWorkspace) {
  const std::vector<uint32_t> numbers = random_numbers(300'000, 5);
  Array<uint32_t> in(numbers), out(numbers.size()), offsets(33);
  size_t bytes = 0;
  const SplitOffsets to(offsets.data());
  check(compaction::split_by<32>(nullptr, bytes, in.data(), out.data(), to, {numbers.size()},
                                 Low5Bits()));
  Array<std::byte> temp(bytes);
  check(compaction::split_by<32>(temp.data(), bytes, in.data(), out.data(), to, {numbers.size()},
                                 Low5Bits()));
  EXPECT_TRUE(out.read() == reference_by_low_bits(numbers));
}

TEST_P(CudaSplit, TakesAnyIntegersAndStorage) {
  const std::vector<uint32_t> numbers = random_numbers(300'000, 8);
  const int n = int(numbers.size());
  Array<uint32_t> in(numbers), out(n);
  Array<long long> wide(33);
  Array<int> narrow(33);
  check(compaction::split_by<32>(in.data(), out.data(), wide.data(), n, Low5Bits(),
                                 compaction::stream_ordered));
  EXPECT_EQ(wide.read()[32], n);
  EXPECT_TRUE(out.read() == reference_by_low_bits(numbers));
  out.write(std::vector<uint32_t>(n, 0));
  Workspace workspace;
  check(workspace.reserve(compaction::bytes_for<uint32_t>(n)));
  check(compaction::split_by<32>(in.data(), out.data(), narrow.data(), n, Low5Bits(), workspace));
  EXPECT_EQ(narrow.read()[32], n);
  EXPECT_TRUE(out.read() == reference_by_low_bits(numbers));
}

/// Holds a multiprocessor per block until `released` is set, or for kMaxHeld cycles.
__global__ void hold_multiprocessors(volatile uint32_t* released, uint32_t* given_up) {
  constexpr long long kMaxHeld = 10'000'000'000;  // about 5 s
  const long long start = clock64();
  while (*released == 0)
    if (clock64() - start > kMaxHeld) {
      *given_up = 1;
      return;
    }
}

TEST_P(CudaSplit, EndsBesideAKernelThatWaitsForIt) {
  int sms = 0, shared = 0;
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  check(cudaFuncSetAttribute(hold_multiprocessors, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shared));
  cudaStream_t holder, stream;
  check(cudaStreamCreateWithFlags(&holder, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  uint32_t *released = nullptr, *given_up = nullptr;  // in host memory
  check(cudaMallocHost(&released, sizeof(uint32_t)));
  check(cudaMallocHost(&given_up, sizeof(uint32_t)));
  for (int held : {sms / 2, sms - 1})
    for (size_t n : {5000, 300'000, 10'000'000}) {
      const std::vector<uint32_t> numbers = random_numbers(n, 6);
      Array<uint32_t> in(numbers), out(n), offsets(33);
      Workspace workspace;
      check(workspace.reserve(compaction::split_by_bytes<32, uint32_t, Low5Bits>(n)));
      check(cudaDeviceSynchronize());
      // The first call loads the kernel, which waits for the device.
      check(compaction::split_by<32>(in.data(), out.data(), SplitOffsets(offsets.data()), {n},
                                     Low5Bits(), workspace, stream));
      check(cudaStreamSynchronize(stream));
      *released = *given_up = 0;
      hold_multiprocessors<<<held, 1, shared, holder>>>(released, given_up);
      check(cudaGetLastError());
      check(compaction::split_by<32>(in.data(), out.data(), SplitOffsets(offsets.data()), {n},
                                     Low5Bits(), workspace, stream));
      check(cudaStreamSynchronize(stream));
      *released = 1;
      check(cudaStreamSynchronize(holder));
      EXPECT_EQ(*given_up, 0u) << held << " multiprocessors held, " << n << " items";
      EXPECT_TRUE(out.read() == reference_by_low_bits(numbers));
    }
  check(cudaFreeHost(released));
  check(cudaFreeHost(given_up));
  check(cudaStreamDestroy(holder));
  check(cudaStreamDestroy(stream));
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaSplit, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
