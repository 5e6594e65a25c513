// SPDX-License-Identifier: MIT
#include <thrust/device_vector.h>

#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include "tests/compaction/cub/support/compare_with_cub.cuh"

namespace {

class CubItemTypes : public OnGpu {};

struct Same {
  template <class T>
  __host__ __device__ T operator()(const T& item) const {
    return item;
  }
};

/// An item that no vector access moves.
template <unsigned kWords>
struct Wide {
  uint32_t words[kWords];
  bool operator==(const Wide&) const = default;
  __host__ __device__ bool operator<(const Wide& other) const { return words[0] < other.words[0]; }
};
struct IsFirstWordSmall {
  template <unsigned kWords>
  __host__ __device__ bool operator()(const Wide<kWords>& item) const {
    return item.words[0] < uint32_t(1) << 31;
  }
};

template <unsigned kWords>
void expect_wide_items_selected(size_t n) {
  using Item = Wide<kWords>;
  const std::vector<uint32_t> numbers = random_numbers(n, 11);
  std::vector<Item> items(n);
  for (size_t i = 0; i < n; ++i)
    for (unsigned w = 0; w < kWords; ++w) items[i].words[w] = numbers[i] + w;
  const auto run = [&](auto partition, auto select) {
    Array<Item> data(n), out(n);
    Array<int> counts(2);
    data.write(items);
    in_two_phases([&](void* temp, size_t& bytes) {
      return decltype(partition)::If(temp, bytes,
                                     thrust::make_transform_iterator(data.data(), Same()),
                                     out.data(), counts.data(), int(n), IsFirstWordSmall());
    });
    in_two_phases([&](void* temp, size_t& bytes) {
      return decltype(select)::If(temp, bytes, data.data(), counts.data() + 1, int(n),
                                  IsFirstWordSmall());
    });
    return std::tuple(out.read(), data.read(size_t(counts.read()[1])), counts.read());
  };
  EXPECT_TRUE(run(ours::DevicePartition(), ours::DeviceSelect()) ==
              run(cub::DevicePartition(), cub::DeviceSelect()))
      << n << " items of " << sizeof(Item) << " bytes";
}

TEST_P(CubItemTypes, SelectsItemsOfMoreThan16BytesInPlaceAndFromIterators) {
  for (size_t n : {1, 1000, 300'000}) {
    expect_wide_items_selected<5>(n);
    expect_wide_items_selected<32>(n);
  }
}

TEST_P(CubItemTypes, SelectsItemsOfMoreThan128Bytes) {
  using Item = Wide<65>;
  for (size_t n : {1, 1000, 30'000}) {
    const std::vector<uint32_t> numbers = random_numbers(n, 11);
    std::vector<Item> items(n);
    for (size_t i = 0; i < n; ++i)
      for (uint32_t& word : items[i].words) word = numbers[i];
    Array<Item> in(items), out(n);
    Array<int> count(1);
    in_two_phases([&](void* temp, size_t& bytes) {
      return ours::DeviceSelect::If(temp, bytes, in.data(), out.data(), count.data(), n,
                                    IsFirstWordSmall());
    });
    std::erase_if(items, [](const Item& item) { return !IsFirstWordSmall()(item); });
    ASSERT_EQ(count.read()[0], int(items.size()));
    EXPECT_TRUE(out.read(items.size()) == items) << n << " items";
  }
}

TEST_P(CubItemTypes, TakesIteratorsOfDeviceVectorsAsAddresses) {
  using compaction::cub_compat::detail::unwrap;
  thrust::device_vector<int> in(1000, 3), out(1000), count(1);
  static_assert(std::is_same_v<decltype(unwrap(in.begin())), int*>);
  static_assert(std::is_same_v<decltype(unwrap(count.data())), int*>);
  static_assert(std::is_same_v<decltype(unwrap(counting())), decltype(counting())>);
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceSelect::If(temp, bytes, in.begin(), out.begin(), count.data(), 1000,
                                  IsSetFlag());
  });
  EXPECT_EQ(count[0], 1000);
  EXPECT_TRUE(out == in);
}

/// A type without limits: the smallest item is found without the identity of Min.
TEST_P(CubItemTypes, ReducesTypesWithoutLimits) {
  static_assert(!std::numeric_limits<Wide<2>>::is_specialized);
  for (size_t n : {1, 1000, 300'000}) {
    std::vector<Wide<2>> items(n);
    const std::vector<uint32_t> numbers = random_numbers(2 * n, 5);
    for (size_t i = 0; i < n; ++i) items[i] = {{numbers[2 * i] | 1, numbers[2 * i + 1]}};
    Array<Wide<2>> in(n), out(2);
    in.write(items);
    in_two_phases([&](void* temp, size_t& bytes) {
      return ours::DeviceReduce::Min(temp, bytes, in.data(), out.data(), n);
    });
    in_two_phases([&](void* temp, size_t& bytes) {
      return ours::DeviceReduce::Max(temp, bytes, in.data(), out.data() + 1, n);
    });
    const auto [least, greatest] = std::minmax_element(items.begin(), items.end());
    EXPECT_TRUE(out.read() == (std::vector<Wide<2>>{*least, *greatest})) << n << " items";
  }
}

/// A count of 16 bits, which the library's own kernels do not write.
TEST_P(CubItemTypes, CountsRunsInAnyType) {
  const std::vector<uint32_t> items{3, 3, 1, 1, 1, 2};
  Array<uint32_t> in(items), runs(3), lengths(3);
  Array<int16_t> count(1);
  in_two_phases([&](void* temp, size_t& bytes) {
    return ours::DeviceRunLengthEncode::Encode(temp, bytes, in.data(), runs.data(), lengths.data(),
                                               count.data(), items.size());
  });
  EXPECT_EQ(runs.read(), (std::vector<uint32_t>{3, 1, 2}));
  EXPECT_EQ(lengths.read(), (std::vector<uint32_t>{2, 3, 1}));
  EXPECT_EQ(count.read()[0], 3);
}

INSTANTIATE_TEST_SUITE_P(Gpu, CubItemTypes, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
