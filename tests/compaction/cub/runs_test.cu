// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>

#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <random>
#include <vector>

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

/// Sums of up to 2048 ones, which halves hold exactly.
TEST_P(CubRuns, SumsOfHalves) {
  constexpr int kItems = 1'000'000, kMaxRun = 2048;
  std::mt19937 random(8);
  std::vector<uint32_t> keys;
  std::vector<uint32_t> lengths;
  for (uint32_t run = 0; keys.size() < kItems; ++run) {
    const size_t length = std::min<size_t>(1 + random() % kMaxRun, kItems - keys.size());
    lengths.push_back(uint32_t(length));
    keys.insert(keys.end(), length, run);
  }
  const Array<uint32_t> in(keys);
  const Array<__half> ones(std::vector<__half>(kItems, __half(1)));
  Array<uint32_t> run_keys(kItems);
  Array<__half> sums(kItems);
  Array<int> count(1);
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceReduce::ReduceByKey(temp, bytes, in.data(), run_keys.data(), ones.data(),
                                           sums.data(), count.data(), ::cuda::std::plus<>(),
                                           kItems);
  });
  ASSERT_EQ(count.read()[0], int(lengths.size()));
  const std::vector<uint32_t> found = run_keys.read(lengths.size());
  const std::vector<__half> totals = sums.read(lengths.size());
  for (uint32_t run = 0; run < lengths.size(); ++run) {
    ASSERT_EQ(found[run], run);
    ASSERT_EQ(float(totals[run]), float(lengths[run]));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubRuns, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
