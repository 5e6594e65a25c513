// SPDX-License-Identifier: MIT
#include <cub/device/device_scan.cuh>

#include "tests/compaction/cub/support/compare_with_cub.cuh"

namespace {

class CubScanByKey : public OnGpu {};

TEST_P(CubScanByKey, ScanByKey) {
  EXPECT_SAME(DeviceScan,
              B::ExclusiveSumByKey(temp, bytes, in.keys.data(), in.in.data(), o.a.data(), n));
  EXPECT_SAME(DeviceScan,
              B::InclusiveSumByKey(temp, bytes, in.keys.data(), in.in.data(), o.a.data(), n));
  EXPECT_SAME(DeviceScan, B::ExclusiveScanByKey(temp, bytes, in.keys.data(), in.in.data(),
                                                o.a.data(), Largest(), 1u << 20, n));
  EXPECT_SAME(DeviceScan, B::InclusiveScanByKey(temp, bytes, in.keys.data(), in.in.data(),
                                                o.a.data(), Largest(), n));
}

TEST_P(CubScanByKey, ScanByKeyOntoTheValues) {
  const auto with_values = [](const CompatArrays& in, Outputs& o, void* temp) {
    if (temp) o.a.write(in.numbers);
    return o.a.data();
  };
  expect_same<cub::DeviceScan, ours::DeviceScan>(
      "InclusiveSumByKey",
      [&](auto which, const CompatArrays& in, Outputs& o, int n, void* temp, size_t& bytes) {
        uint32_t* values = with_values(in, o, temp);
        return decltype(which)::InclusiveSumByKey(temp, bytes, in.keys.data(), values, values, n);
      });
  expect_same<cub::DeviceScan, ours::DeviceScan>(
      "ExclusiveSumByKey",
      [&](auto which, const CompatArrays& in, Outputs& o, int n, void* temp, size_t& bytes) {
        uint32_t* values = with_values(in, o, temp);
        return decltype(which)::ExclusiveSumByKey(temp, bytes, in.keys.data(), values, values, n);
      });
}

TEST_P(CubScanByKey, ScanByKeyOntoTheKeys) {
  const auto with_keys = [](const CompatArrays& in, Outputs& o, void* temp) {
    if (temp) o.a.write(in.keys.read());
    return o.a.data();
  };
  expect_same<cub::DeviceScan, ours::DeviceScan>(
      "ExclusiveSumByKey",
      [&](auto which, const CompatArrays& in, Outputs& o, int n, void* temp, size_t& bytes) {
        uint32_t* keys = with_keys(in, o, temp);
        return decltype(which)::ExclusiveSumByKey(temp, bytes, keys, in.in.data(), keys, n);
      });
  expect_same<cub::DeviceScan, ours::DeviceScan>(
      "InclusiveScanByKey",
      [&](auto which, const CompatArrays& in, Outputs& o, int n, void* temp, size_t& bytes) {
        uint32_t* keys = with_keys(in, o, temp);
        return decltype(which)::InclusiveScanByKey(temp, bytes, keys, in.in.data(), keys, Largest(),
                                                   n);
      });
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubScanByKey, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
