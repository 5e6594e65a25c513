// SPDX-License-Identifier: MIT
// The behaviour that differs between CUB 3.0, CUB 3.5 and this library: each test is a row of the
// table in compaction/MIGRATION.md. It runs with the CUB of the toolkit; with another one if the
// folder of its headers comes first.

#include <cmath>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <limits>
#if CCCL_VERSION >= 3005000
#include <cuda/std/execution>
#endif

#include "compaction/cub/cub_compat.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"

namespace {

constexpr bool kIsCub35 = CCCL_VERSION >= 3005000;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kGreatest = std::numeric_limits<float>::max();

namespace ours = compaction::cub_compat;

class CubDifferences : public OnGpu {};

/// Calls call(temp, temp_bytes) in temporary storage.
template <class Call>
void in_temp(Call call) {
  size_t bytes = 0;
  check(call(nullptr, bytes));
  Array<std::byte> temp(bytes);
  check(call(temp.data(), bytes));
}

template <class Library>
float minimum(const std::vector<float>& items) {
  Array<float> in(items), out(1);
  in_temp([&](void* temp, size_t& bytes) {
    return Library::Min(temp, bytes, in.data(), out.data(), int64_t(items.size()));
  });
  return out.read()[0];
}
float min_of_ours(const std::vector<float>& items) {
  return minimum<ours::DeviceReduce>(items);
}
float min_of_cub(const std::vector<float>& items) {
  return minimum<cub::DeviceReduce>(items);
}

TEST_P(CubDifferences, NaNBesideTheLeastNumber) {
  int lost_by_cub = 0;
  std::mt19937 random(3);
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::vector<float> items(1 << 17, 1.f);
    const size_t at = random() % (items.size() - 1);
    items[at] = 0.5f;
    items[at + 1] = kNaN;
    ASSERT_EQ(min_of_ours(items), 0.5f) << at;
    lost_by_cub += min_of_cub(items) != 0.5f;
  }
  RecordProperty("lost_by_cub", lost_by_cub);
  std::printf("CUB lost the least number in %d of 200 cases\n", lost_by_cub);
  if (kIsCub35) {
    EXPECT_EQ(lost_by_cub, 0);
  }
}

TEST_P(CubDifferences, MinimumOfNaNAlone) {
  EXPECT_EQ(min_of_ours(std::vector<float>(1000, kNaN)), kInfinity);
  const float of_cub = min_of_cub(std::vector<float>(1000, kNaN));
  std::printf("CUB: %g\n", double(of_cub));
  if (kIsCub35) {
    EXPECT_EQ(of_cub, kGreatest);
  }
}

TEST_P(CubDifferences, MinimumOfInfinitiesAndOfNothing) {
  EXPECT_EQ(min_of_ours(std::vector<float>(1000, kInfinity)), kInfinity);
  EXPECT_EQ(min_of_cub(std::vector<float>(1000, kInfinity)), kGreatest);
  EXPECT_EQ(min_of_ours({}), kInfinity);
  EXPECT_EQ(min_of_cub({}), kGreatest);
}

TEST_P(CubDifferences, MinimumOfZeros) {
  int negative = 0;
  for (size_t at = 0; at < 200; ++at) {
    std::vector<float> items(1000, 0.f);
    items[at] = -0.f;
    EXPECT_TRUE(std::signbit(min_of_ours(items)));
    negative += std::signbit(min_of_cub(items));
  }
  std::printf("CUB: the minimum of 0 and -0 is -0 in %d of 200 cases\n", negative);
}

/// The sum of 2^20 equal numbers.
struct SumOf {
  explicit SumOf(float item) : in(std::vector<float>(kItems, item)), out(1) {}
  static constexpr int kItems = 1 << 20;
  Array<float> in, out;
};

TEST_P(CubDifferences, SumsOfInfinitiesAndSubnormals) {
  SumOf infinite(kInfinity), tiny(1e-40f);
  const auto expect_exact = [&]<class Library>(Library) {
    for (SumOf* sum : {&infinite, &tiny})
      in_temp([&](void* temp, size_t& bytes) {
        return Library::Sum(temp, bytes, sum->in.data(), sum->out.data(), SumOf::kItems);
      });
    EXPECT_EQ(infinite.out.read()[0], kInfinity);
    EXPECT_NEAR(tiny.out.read()[0], 1.048576e-34f, 1e-39f);
  };
  expect_exact(ours::DeviceReduce());
  expect_exact(cub::DeviceReduce());
#if CCCL_VERSION >= 3005000
  const auto env = cuda::execution::require(cuda::execution::determinism::gpu_to_gpu);
  for (SumOf* sum : {&infinite, &tiny}) {
    check(cub::DeviceReduce::Sum(sum->in.data(), sum->out.data(), SumOf::kItems, env));
    std::printf("CUB, gpu_to_gpu: %g\n", double(sum->out.read()[0]));
  }
  EXPECT_TRUE(std::isnan(infinite.out.read()[0]));
#endif
}

TEST_P(CubDifferences, SumsOf32BitsInto64) {
  constexpr int kItems = 4;
  Array<int> in(std::vector<int>(kItems, std::numeric_limits<int>::max()));
  Array<int64_t> out(kItems);
  const auto last_of_scan = [&]<class Library>(Library) {
    in_temp([&](void* temp, size_t& bytes) {
      return Library::InclusiveSum(temp, bytes, in.data(), out.data(), kItems);
    });
    return out.read()[kItems - 1];
  };
  const auto sum = [&]<class Library>(Library) {
    in_temp([&](void* temp, size_t& bytes) {
      return Library::Sum(temp, bytes, in.data(), out.data(), kItems);
    });
    return out.read()[0];
  };
  EXPECT_EQ(last_of_scan(ours::DeviceScan()), -4);
  EXPECT_EQ(last_of_scan(cub::DeviceScan()), -4);
  EXPECT_EQ(sum(ours::DeviceReduce()), 4 * int64_t(std::numeric_limits<int>::max()));
  std::printf("CUB: the sum is %lld\n", static_cast<long long>(sum(cub::DeviceReduce())));
}

/// Returns the number of kernels of a call, which is captured and not run.
template <class Call>
size_t kernels_of(Call call) {
  size_t bytes = 0, nodes = 0, kernels = 0;
  check(call(nullptr, bytes, nullptr));
  cudaStream_t stream;
  cudaGraph_t graph;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Array<std::byte> temp(bytes);
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  check(call(temp.data(), bytes, stream));
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::vector<cudaGraphNode_t> all(nodes);
  check(cudaGraphGetNodes(graph, all.data(), &nodes));
  for (cudaGraphNode_t node : all) {
    cudaGraphNodeType type;
    check(cudaGraphNodeGetType(node, &type));
    kernels += type == cudaGraphNodeTypeKernel;
  }
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  return kernels;
}

TEST_P(CubDifferences, KernelsOfASelect) {
  Array<uint32_t> place(1);
  const auto kernels = [&]<class Library>(Library, int64_t n) {
    return kernels_of([&](void* temp, size_t& bytes, cudaStream_t stream) {
      return Library::If(temp, bytes, place.data(), place.data() + 1, place.data(), n, kBelowHalf,
                         stream);
    });
  };
  for (int64_t n : {int64_t(1000), int64_t(1) << 20, (int64_t(1) << 31) - 1, int64_t(1) << 32}) {
    EXPECT_LE(kernels(ours::DeviceSelect(), n), 2u);
    std::printf("CUB: a select of %lld items is %zu kernels\n", static_cast<long long>(n),
                kernels(cub::DeviceSelect(), n));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubDifferences, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
