// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cub/device/device_select.cuh>

#include "tests/compaction/cub/support/compare_with_cub.cuh"

namespace {

class CubSelect : public OnGpu {};

TEST_P(CubSelect, Select) {
  EXPECT_SAME(DeviceSelect,
              B::If(temp, bytes, in.in.data(), o.a.data(), o.count.data(), n, kBelowHalf));
  EXPECT_SAME(DeviceSelect,
              B::If(temp, bytes, counting(), o.a.data(), o.count.data(), n, IsOdd{2}));
  EXPECT_SAME(DeviceSelect, B::Flagged(temp, bytes, in.in.data(), in.flags.data(), o.a.data(),
                                       o.count.data(), n));
  EXPECT_SAME(DeviceSelect, B::Flagged(temp, bytes, halved(in.in.data()), in.flags.data(),
                                       o.a.data(), o.count.data(), n));
  EXPECT_SAME(DeviceSelect, B::FlaggedIf(temp, bytes, in.in.data(), in.keys.data(), o.a.data(),
                                         o.count.data(), n, IsSetFlag()));
  EXPECT_SAME(DeviceSelect, B::Unique(temp, bytes, in.keys.data(), o.a.data(), o.count.data(), n));
  EXPECT_SAME(DeviceSelect,
              B::Unique(temp, bytes, halved(in.keys.data()), o.a.data(), o.count.data(), n));
  EXPECT_SAME(DeviceSelect, B::UniqueByKey(temp, bytes, in.keys.data(), counting(), o.a.data(),
                                           o.wide.data(), o.count.data(), n));
  EXPECT_SAME(DeviceSelect, B::UniqueByKey(temp, bytes, halved(in.keys.data()), in.in.data(),
                                           o.a.data(), o.b.data(), o.count.data(), n));
}

TEST_P(CubSelect, SelectInPlace) {
  for (size_t n : {1, 1000, 300'000}) {
    const CompatArrays arrays(n);
    Outputs expected(n), got(n);
    const auto run = [&](auto which, Outputs& o) {
      using B = decltype(which);
      const auto expect_items = [&](auto call) {
        o.a.write(arrays.numbers);
        in_two_phases(call);
        return o.a.read(size_t(o.count.read()[0]));
      };
      std::vector<std::vector<uint32_t>> answers;
      answers.push_back(expect_items([&](void* temp, size_t& bytes) {
        return B::If(temp, bytes, o.a.data(), o.count.data(), int(n), kBelowHalf);
      }));
      answers.push_back(expect_items([&](void* temp, size_t& bytes) {
        return B::Flagged(temp, bytes, o.a.data(), arrays.flags.data(), o.count.data(), int(n));
      }));
      return answers;
    };
    EXPECT_TRUE(run(ours::DeviceSelect(), got) == run(cub::DeviceSelect(), expected)) << n;
  }
}

struct HaveSameHalf {
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a / 2 == b / 2; }
};

/// CUB has these forms since version 3.4.
TEST_P(CubSelect, UniqueTakesAnEqualityAndSelectsInPlace) {
  using ours::DeviceSelect;
  for (int n : {1, 1000, 300'000}) {
    const CompatArrays arrays{size_t(n)};
    std::vector<uint32_t> numbers = arrays.keys.read(), halves = numbers;
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    halves.erase(std::unique(halves.begin(), halves.end(), HaveSameHalf()), halves.end());
    Outputs o(n);
    const auto expect = [&](const std::vector<uint32_t>& expected, auto call) {
      in_two_phases(call);
      EXPECT_EQ(o.a.read(expected.size()), expected);
      EXPECT_EQ(o.count.read()[0], int(expected.size()));
    };
    expect(halves, [&](void* temp, size_t& bytes) {
      return DeviceSelect::Unique(temp, bytes, arrays.keys.data(), o.a.data(), o.count.data(), n,
                                  HaveSameHalf());
    });
    o.a.write(arrays.keys.read());
    expect(numbers, [&](void* temp, size_t& bytes) {
      return DeviceSelect::Unique(temp, bytes, o.a.data(), o.count.data(), n);
    });
    o.a.write(arrays.keys.read());
    expect(halves, [&](void* temp, size_t& bytes) {
      return DeviceSelect::Unique(temp, bytes, o.a.data(), o.count.data(), n, HaveSameHalf());
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubSelect, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
