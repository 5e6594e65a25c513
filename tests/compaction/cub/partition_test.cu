// SPDX-License-Identifier: MIT
#include <cub/device/device_partition.cuh>

#include "tests/compaction/cub/support/compare_with_cub.cuh"

namespace {

class CubPartition : public OnGpu {};

TEST_P(CubPartition, Partition) {
  EXPECT_SAME(DevicePartition,
              B::If(temp, bytes, in.in.data(), o.a.data(), o.count.data(), n, kBelowHalf));
  EXPECT_SAME(DevicePartition,
              B::If(temp, bytes, counting(), o.a.data(), o.count.data(), n, IsSetFlag()));
  EXPECT_SAME(DevicePartition, B::Flagged(temp, bytes, in.in.data(), in.flags.data(), o.a.data(),
                                          o.count.data(), n));
}

TEST_P(CubPartition, PartitionIntoThree) {
  for (size_t n : {1, 1000, 300'000}) {
    const CompatArrays arrays(n);
    const auto run = [&](auto which, auto items) {
      using B = decltype(which);
      Array<uint32_t> first(n), second(n), rest(n);
      Array<int> counts(2);
      in_two_phases([&](void* temp, size_t& bytes) {
        return B::If(temp, bytes, items, first.data(), second.data(), rest.data(), counts.data(),
                     int(n), kBelowHalf, IsOdd{2});
      });
      return std::tuple(first.read(), second.read(), rest.read(), counts.read());
    };
    EXPECT_TRUE(run(ours::DevicePartition(), arrays.in.data()) ==
                run(cub::DevicePartition(), arrays.in.data()))
        << n;
    EXPECT_TRUE(run(ours::DevicePartition(), halved(arrays.in.data())) ==
                run(cub::DevicePartition(), halved(arrays.in.data())))
        << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubPartition, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
