// SPDX-License-Identifier: MIT
#include <cub/device/device_reduce.cuh>

#include "tests/compaction/cub/support/compare_with_cub.cuh"

namespace {

class CubReduce : public OnGpu {};

TEST_P(CubReduce, Reduce) {
  EXPECT_SAME(DeviceReduce, B::Sum(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(DeviceReduce, B::Sum(temp, bytes, in.bytes.data(), o.wide.data(), n));
  EXPECT_SAME(DeviceReduce, B::Min(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(DeviceReduce, B::Max(temp, bytes, halved(in.in.data()), o.a.data(), n));
  EXPECT_SAME(DeviceReduce,
              B::ArgMin(temp, bytes, in.in.data(), o.a.data(), o.wide.data(), int64_t(n)));
  EXPECT_SAME(DeviceReduce, B::ArgMax(temp, bytes, halved(in.bytes.data()), o.a.data(),
                                      o.wide.data(), int64_t(n)));
  EXPECT_SAME(DeviceReduce, B::Reduce(temp, bytes, in.in.data(), o.a.data(), n, Largest(), 7u));
  EXPECT_SAME(DeviceReduce,
              B::Reduce(temp, bytes, in.in.data(), o.a.data(), n, ::cuda::std::plus<>(), 0u));
  EXPECT_SAME(DeviceReduce,
              B::Reduce(temp, bytes, in.in.data(), o.a.data(), n, ::cuda::std::plus<>(), 7u));
  EXPECT_SAME(DeviceReduce, B::Reduce(temp, bytes, in.in.data(), o.a.data(), 0 * n, Largest(), 7u));
  EXPECT_SAME(DeviceReduce, B::TransformReduce(temp, bytes, in.in.data(), o.a.data(), n, Largest(),
                                               Halved(), 0u));
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubReduce, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
