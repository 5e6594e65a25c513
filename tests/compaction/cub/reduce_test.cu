// SPDX-License-Identifier: MIT
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <limits>
#include <random>
#include <vector>

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

TEST_P(CubReduce, SumsAddInTheWiderTypeOfItemsAndResult) {
  const Array<float> in(std::vector<float>(1000, 0.5f));
  const Array<double> wide(std::vector<double>{1, 1e-9, 1e-9, -1});
  Array<int> whole(1);
  Array<float> narrow(1);
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceReduce::Sum(temp, bytes, in.data(), whole.data(), 1000);
  });
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceReduce::Sum(temp, bytes, wide.data(), narrow.data(), 4);
  });
  EXPECT_EQ(whole.read()[0], 500);
  EXPECT_NEAR(narrow.read()[0], 2e-9, 1e-14);
}

struct HasSmallerRemainder {
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a % 1000 < b % 1000; }
};

/// CUB has these forms since version 3.4.
TEST_P(CubReduce, ArgMinAndArgMaxTakeAComparison) {
  for (size_t n : {1, 1000, 300'000}) {
    const CompatArrays arrays(n);
    const auto begin = arrays.numbers.begin(), end = arrays.numbers.end();
    Outputs o(n);
    in_two_phases([&](void* temp, size_t& bytes) {
      return ours::DeviceReduce::ArgMin(temp, bytes, arrays.in.data(), o.a.data(), o.wide.data(), n,
                                        HasSmallerRemainder());
    });
    const auto least = std::min_element(begin, end, HasSmallerRemainder());
    EXPECT_EQ(o.a.read()[0], *least);
    EXPECT_EQ(o.wide.read()[0], uint64_t(least - begin));
    in_two_phases([&](void* temp, size_t& bytes) {
      return ours::DeviceReduce::ArgMax(temp, bytes, arrays.in.data(), o.a.data(), o.wide.data(), n,
                                        HasSmallerRemainder());
    });
    const auto greatest = std::max_element(begin, end, HasSmallerRemainder());
    EXPECT_EQ(o.a.read()[0], *greatest);
    EXPECT_EQ(o.wide.read()[0], uint64_t(greatest - begin));
  }
}

/// Floats that are compared as integers are equal if they differ by less than 1 only.
TEST_P(CubReduce, ArgMinConvertsToTheTypeOfItsComparison) {
  const Array<float> in(std::vector<float>{1.9f, 1.5f, 2.5f, 1.1f});
  Array<float> least(1);
  Array<int> index(1);
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceReduce::ArgMin(temp, bytes, in.data(), least.data(), index.data(), 4,
                                      cuda::std::less<int>());
  });
  EXPECT_EQ(least.read()[0], 1.9f);
  EXPECT_EQ(index.read()[0], 0);
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceReduce::ArgMax(temp, bytes, in.data(), least.data(), index.data(), 4,
                                      cuda::std::less<int>());
  });
  EXPECT_EQ(least.read()[0], 2.5f);
  EXPECT_EQ(index.read()[0], 2);
}

/// Items of which one is the least, beside NaN.
template <class T>
std::vector<T> with_nan(size_t n, size_t least, bool nan_first) {
  std::vector<T> items(n, T(1.f));
  items[least + nan_first] = T(0.5f);
  items[least + !nan_first] = T(std::numeric_limits<float>::quiet_NaN());
  return items;
}

TEST_P(CubReduce, NaNNeverWinsOverANumber) {
  constexpr int kItems = 300'000;
  Array<float> least(1);
  Array<__half> least_half(1);
  Array<int> index(1);
  Array<std::byte> temp(1 << 20);
  size_t bytes = 1 << 20;
  std::mt19937 random(4);
  for (int repetition = 0; repetition < 40; ++repetition) {
    const size_t at = random() % (kItems - 1), nan_first = repetition % 2;
    const Array<float> in(with_nan<float>(kItems, at, nan_first));
    check(ours::DeviceReduce::Min(temp.data(), bytes, in.data(), least.data(), kItems));
    EXPECT_EQ(least.read()[0], 0.5f);
    check(ours::DeviceReduce::ArgMin(temp.data(), bytes, in.data(), least.data(), index.data(),
                                     kItems));
    EXPECT_EQ(least.read()[0], 0.5f);
    EXPECT_EQ(index.read()[0], int(at + nan_first));
    const Array<__half> halves(with_nan<__half>(kItems, at, nan_first));
    check(ours::DeviceReduce::Min(temp.data(), bytes, halves.data(), least_half.data(), kItems));
    EXPECT_EQ(float(least_half.read()[0]), 0.5f);
  }
}

TEST_P(CubReduce, ThePairOfTheFirstOfEqualItemsWins) {
  constexpr int kItems = 3'000'000;
  std::mt19937 random(6);
  std::vector<uint8_t> bytes(kItems);
  for (uint8_t& byte : bytes) byte = uint8_t(1 + random() % 253);
  for (int i : {kItems - 5, 1'777'777, 1'777'779}) bytes[i] = 0;
  for (int i : {kItems - 1, kItems - 3, 99'999}) bytes[i] = 255;
  const Array<uint8_t> in(bytes);
  Array<ours::KeyValuePair<int, uint8_t>> pair(1);
  for (int offset : {0, 1, 15}) {
    const uint8_t* first = in.data() + offset;
    in_two_phases([&](void* temp, size_t& size) {
      return ours::DeviceReduce::ArgMin(temp, size, first, pair.data(), kItems - offset);
    });
    EXPECT_EQ(pair.read()[0].key, 1'777'777 - offset);
    in_two_phases([&](void* temp, size_t& size) {
      return ours::DeviceReduce::ArgMax(temp, size, first, pair.data(), kItems - offset);
    });
    EXPECT_EQ(pair.read()[0].key, 99'999 - offset);
  }
}

/// Needs no GPU.
TEST(SelectPair, SelectsTheSamePairInAnyOrder) {
  using Pair = ours::KeyValuePair<int, float>;
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kValues[] = {kNaN, -1, 0, -0.f, 1, std::numeric_limits<float>::infinity()};
  const auto expect = [&](auto better, bool orders_nan = true) {
    const ours::detail::SelectPair<Pair, decltype(better)> op{better};
    for (float a : kValues)
      for (float b : kValues)
        for (float c : kValues) {
          if (!orders_nan && std::isnan(a + b + c)) continue;
          const Pair x{0, a}, y{1, b}, z{2, c};
          const int key = op(op(x, y), z).key;
          for (const Pair& same : {op(x, op(y, z)), op(op(z, x), y), op(z, op(y, x)),
                                   op(op(op.identity(), x), op(op(y, op.identity()), z))})
            EXPECT_EQ(same.key, key) << a << ", " << b << ", " << c;
          EXPECT_EQ(std::isnan(op(x, y).value), std::isnan(a) && std::isnan(b));
        }
  };
  expect(ours::detail::IsBetter<ours::detail::Extreme::kMin>());
  expect(ours::detail::IsBetter<ours::detail::Extreme::kMax>());
  expect(ours::detail::IsBetterBy<ours::detail::Extreme::kMin, ::cuda::std::less<>>(), false);
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubReduce, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
