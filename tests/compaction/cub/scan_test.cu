// SPDX-License-Identifier: MIT
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "tests/compaction/cub/support/compare_with_cub.cuh"

namespace {

class CubScan : public OnGpu {};

template <class B>
using FutureValue = std::conditional_t<std::is_same_v<B, cub::DeviceScan>,
                                       cub::FutureValue<uint32_t>, ours::FutureValue<uint32_t>>;

TEST_P(CubScan, Scan) {
  EXPECT_SAME(DeviceScan, B::ExclusiveSum(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(DeviceScan, B::InclusiveSum(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(DeviceScan, B::InclusiveSum(temp, bytes, in.bytes.data(), o.wide.data(), n));
  EXPECT_SAME(DeviceScan, B::InclusiveSum(temp, bytes, counting(), o.a.data(), n));
  EXPECT_SAME(DeviceScan,
              B::ExclusiveScan(temp, bytes, in.in.data(), o.a.data(), Largest(), 9u, n));
  EXPECT_SAME(DeviceScan,
              B::ExclusiveScan(temp, bytes, in.in.data(), o.a.data(), ::cuda::maximum<>(), 9u, n));
  EXPECT_SAME(DeviceScan, B::ExclusiveScan(temp, bytes, in.in.data(), o.a.data(), Largest(),
                                           FutureValue<B>(in.in.data()), n));
  EXPECT_SAME(DeviceScan, B::InclusiveScan(temp, bytes, in.in.data(), o.a.data(), Largest(), n));
  EXPECT_SAME(DeviceScan, B::InclusiveScanInit(temp, bytes, in.in.data(), o.a.data(),
                                               ::cuda::std::plus<>(), 100u, n));
}

/// Expects the sums of ones and zeros, which are exact in any order.
template <class T>
void expect_sums_of_ones(size_t distance) {
  constexpr size_t kItems = 100'000;
  std::vector<T> items(kItems, T(0.f));
  for (size_t i = 0; i < kItems; i += distance) items[i] = T(1.f);
  const Array<T> in(items);
  Array<T> out(kItems);
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceScan::InclusiveScan(temp, bytes, in.data(), out.data(),
                                           ::cuda::std::plus<>(), int(kItems));
  });
  const std::vector<T> sums = out.read();
  for (size_t i = 0; i < kItems; ++i)
    ASSERT_EQ(float(sums[i]), float(i / distance + 1)) << "item " << i;
}

TEST_P(CubScan, SumsOfSmallFloatsAreOfTheirOwnType) {
  expect_sums_of_ones<__half>(64);
  expect_sums_of_ones<__nv_bfloat16>(512);
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubScan, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
