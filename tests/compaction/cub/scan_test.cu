// SPDX-License-Identifier: MIT
#include <cub/device/device_scan.cuh>

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

INSTANTIATE_TEST_SUITE_P(Gpu, CubScan, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
