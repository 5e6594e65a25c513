// SPDX-License-Identifier: MIT
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include "tests/compaction/cub/support/compare_with_cub.cuh"

namespace {

class CubRuns : public OnGpu {};

TEST_P(CubRuns, Runs) {
  EXPECT_SAME(DeviceReduce, B::ReduceByKey(temp, bytes, in.keys.data(), o.a.data(), in.in.data(),
                                           o.b.data(), o.count.data(), ::cuda::std::plus<>(), n));
  EXPECT_SAME(DeviceReduce,
              B::ReduceByKey(temp, bytes, halved(in.keys.data()), o.a.data(), counting(),
                             o.wide.data(), o.count.data(), Largest(), n));
  EXPECT_SAME(DeviceRunLengthEncode,
              B::Encode(temp, bytes, in.keys.data(), o.a.data(), o.b.data(), o.count.data(), n));
  EXPECT_SAME(DeviceRunLengthEncode, B::Encode(temp, bytes, halved(in.keys.data()), o.a.data(),
                                               o.wide.data(), o.count.data(), n));
}

TEST_P(CubRuns, LongRuns) {
  EXPECT_SAME(DeviceRunLengthEncode, B::NonTrivialRuns(temp, bytes, in.keys.data(), o.a.data(),
                                                       o.b.data(), o.count.data(), n));
  EXPECT_SAME(DeviceRunLengthEncode,
              B::NonTrivialRuns(temp, bytes, halved(in.bytes.data()), o.a.data(), o.wide.data(),
                                o.count.data(), n));
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubRuns, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
