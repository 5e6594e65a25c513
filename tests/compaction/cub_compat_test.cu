// SPDX-License-Identifier: MIT
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "compaction/cub/cub_compat.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"

// Each function of cub_compat.cuh is called by one text, once with CUB's classes and once with
// ours, on the same data.

namespace {

struct OfCub {
  using FutureValue = cub::FutureValue<uint32_t>;
  using DeviceSelect = cub::DeviceSelect;
  using DevicePartition = cub::DevicePartition;
  using DeviceScan = cub::DeviceScan;
  using DeviceReduce = cub::DeviceReduce;
  using DeviceRunLengthEncode = cub::DeviceRunLengthEncode;
};
struct Ours {
  using FutureValue = compaction::cub_compat::FutureValue<uint32_t>;
  using DeviceSelect = compaction::cub_compat::DeviceSelect;
  using DevicePartition = compaction::cub_compat::DevicePartition;
  using DeviceScan = compaction::cub_compat::DeviceScan;
  using DeviceReduce = compaction::cub_compat::DeviceReduce;
  using DeviceRunLengthEncode = compaction::cub_compat::DeviceRunLengthEncode;
};

struct Halved {
  __host__ __device__ uint32_t operator()(uint32_t number) const { return number / 2; }
};
struct Same {
  template <class T>
  __host__ __device__ T operator()(const T& item) const {
    return item;
  }
};
/// Associative and without an identity.
struct Largest {
  __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};
struct IsSetFlag {
  __host__ __device__ bool operator()(uint32_t flag) const { return flag % 2 == 1; }
};

/// As IsSetFlag; its call operator is not const.
struct IsOdd {
  uint32_t divisor;
  __host__ __device__ bool operator()(uint32_t flag) { return flag % divisor == 1; }
};

/// The arrays that all calls use.
struct CompatArrays {
  explicit CompatArrays(size_t n)
      : numbers(random_numbers(n, 11)), in(numbers), flags(n), keys(n), bytes(n) {
    std::vector<uint8_t> set(n), small(n);
    std::vector<uint32_t> run(n);
    for (size_t i = 0; i < n; ++i) {
      set[i] = numbers[i] % 3 == 0;
      small[i] = uint8_t(numbers[i]);
      run[i] = uint32_t(i / 7 * (numbers[i / 7] % 2));
    }
    flags.write(set);
    keys.write(run);
    bytes.write(small);
  }

  std::vector<uint32_t> numbers;
  Array<uint32_t> in;
  Array<uint8_t> flags;
  Array<uint32_t> keys;
  Array<uint8_t> bytes;
};

/// What a call left in its outputs.
struct Outputs {
  explicit Outputs(size_t n) : a(n + 1), b(n + 1), wide(n + 1), count(1) {}
  bool operator==(const Outputs& other) const {
    return a.read() == other.a.read() && b.read() == other.b.read() &&
           wide.read() == other.wide.read() && count.read() == other.count.read();
  }
  Array<uint32_t> a, b;
  Array<unsigned long long> wide;
  Array<int> count;
};

/// Both phases of `call(temp, bytes)`.
template <class Call>
void in_two_phases(Call call) {
  size_t bytes = 0;
  check(call(nullptr, bytes));
  Array<std::byte> temp(std::max<size_t>(bytes, 1));
  check(call(temp.data(), bytes));
  check(cudaDeviceSynchronize());
}

class CubCompat : public OnGpu {};

/// Expects the same outputs of `Call<OfCub>` and `Call<Ours>`, which are given the arrays, outputs,
/// temporary storage and its size.
template <class Call>
void expect_same(const char* name, Call call) {
  for (size_t n : {1, 1000, 300'000}) {
    SCOPED_TRACE(testing::Message() << name << " of " << n << " items");
    const CompatArrays arrays(n);
    Outputs expected(n), got(n);
    const int items = int(n);
    in_two_phases([&](void* temp, size_t& bytes) {
      return call(OfCub(), arrays, expected, items, temp, bytes);
    });
    in_two_phases(
        [&](void* temp, size_t& bytes) { return call(Ours(), arrays, got, items, temp, bytes); });
    EXPECT_TRUE(got == expected);
  }
}

/// `expect_same` of an expression, in which B is CUB or ours and `o` are the outputs.
#define EXPECT_SAME(...)                                                                          \
  expect_same(#__VA_ARGS__, [](auto which, const CompatArrays& in, Outputs& o, int n, void* temp, \
                               size_t& bytes) {                                                   \
    using B = decltype(which);                                                                    \
    (void)in;                                                                                     \
    (void)o;                                                                                      \
    return __VA_ARGS__;                                                                           \
  })

auto counting() {
  return thrust::make_counting_iterator(5u);
}
template <class T>
auto halved(const T* items) {
  return thrust::make_transform_iterator(items, Halved());
}

TEST_P(CubCompat, Select) {
  EXPECT_SAME(
      B::DeviceSelect::If(temp, bytes, in.in.data(), o.a.data(), o.count.data(), n, kBelowHalf));
  EXPECT_SAME(
      B::DeviceSelect::If(temp, bytes, in.in.data(), o.a.data(), o.count.data(), n, IsOdd{2}));
  EXPECT_SAME(
      B::DeviceSelect::If(temp, bytes, counting(), o.a.data(), o.count.data(), n, IsOdd{2}));
  EXPECT_SAME(B::DeviceSelect::Flagged(temp, bytes, in.in.data(), in.flags.data(), o.a.data(),
                                       o.count.data(), n));
  EXPECT_SAME(B::DeviceSelect::Flagged(temp, bytes, halved(in.in.data()), in.flags.data(),
                                       o.a.data(), o.count.data(), n));
  EXPECT_SAME(B::DeviceSelect::FlaggedIf(temp, bytes, in.in.data(), in.keys.data(), o.a.data(),
                                         o.count.data(), n, IsSetFlag()));
  EXPECT_SAME(B::DeviceSelect::Unique(temp, bytes, in.keys.data(), o.a.data(), o.count.data(), n));
  EXPECT_SAME(
      B::DeviceSelect::Unique(temp, bytes, halved(in.keys.data()), o.a.data(), o.count.data(), n));
  EXPECT_SAME(B::DeviceSelect::UniqueByKey(temp, bytes, in.keys.data(), counting(), o.a.data(),
                                           o.wide.data(), o.count.data(), n));
  EXPECT_SAME(B::DeviceSelect::UniqueByKey(temp, bytes, halved(in.keys.data()), in.in.data(),
                                           o.a.data(), o.b.data(), o.count.data(), n));
}

TEST_P(CubCompat, SelectInPlace) {
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
        return B::DeviceSelect::If(temp, bytes, o.a.data(), o.count.data(), int(n), kBelowHalf);
      }));
      answers.push_back(expect_items([&](void* temp, size_t& bytes) {
        return B::DeviceSelect::Flagged(temp, bytes, o.a.data(), arrays.flags.data(),
                                        o.count.data(), int(n));
      }));
      return answers;
    };
    EXPECT_TRUE(run(Ours(), got) == run(OfCub(), expected)) << n;
  }
}

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
  const auto run = [&](auto which) {
    using B = decltype(which);
    Array<Item> data(n), out(n);
    Array<int> counts(2);
    data.write(items);
    in_two_phases([&](void* temp, size_t& bytes) {
      return B::DevicePartition::If(temp, bytes,
                                    thrust::make_transform_iterator(data.data(), Same()),
                                    out.data(), counts.data(), int(n), IsFirstWordSmall());
    });
    in_two_phases([&](void* temp, size_t& bytes) {
      return B::DeviceSelect::If(temp, bytes, data.data(), counts.data() + 1, int(n),
                                 IsFirstWordSmall());
    });
    return std::tuple(out.read(), data.read(size_t(counts.read()[1])), counts.read());
  };
  EXPECT_TRUE(run(Ours()) == run(OfCub())) << n << " items of " << sizeof(Item) << " bytes";
}

TEST_P(CubCompat, SelectsItemsOfMoreThan16BytesInPlaceAndFromIterators) {
  for (size_t n : {1, 1000, 300'000}) {
    expect_wide_items_selected<5>(n);
    expect_wide_items_selected<16>(n);
    expect_wide_items_selected<32>(n);
  }
}

TEST_P(CubCompat, SelectsItemsOfMoreThan128Bytes) {
  using Item = Wide<65>;
  for (size_t n : {1, 1000, 30'000}) {
    const std::vector<uint32_t> numbers = random_numbers(n, 11);
    std::vector<Item> items(n);
    for (size_t i = 0; i < n; ++i)
      for (uint32_t& word : items[i].words) word = numbers[i];
    Array<Item> in(items), out(n);
    Array<int> count(1);
    in_two_phases([&](void* temp, size_t& bytes) {
      return Ours::DeviceSelect::If(temp, bytes, in.data(), out.data(), count.data(), n,
                                    IsFirstWordSmall());
    });
    std::erase_if(items, [](const Item& item) { return !IsFirstWordSmall()(item); });
    ASSERT_EQ(count.read()[0], int(items.size()));
    EXPECT_TRUE(out.read(items.size()) == items) << n << " items";
  }
}

TEST_P(CubCompat, TakesIteratorsOfDeviceVectorsAsAddresses) {
  using compaction::cub_compat::detail::unwrap;
  thrust::device_vector<int> in(1000, 3), out(1000), count(1);
  static_assert(std::is_same_v<decltype(unwrap(in.begin())), int*>);
  static_assert(std::is_same_v<decltype(unwrap(count.data())), int*>);
  static_assert(std::is_same_v<decltype(unwrap(counting())), decltype(counting())>);
  in_two_phases([&](void* temp, size_t& bytes) {
    return Ours::DeviceSelect::If(temp, bytes, in.begin(), out.begin(), count.data(), 1000,
                                  IsSetFlag());
  });
  EXPECT_EQ(count[0], 1000);
  EXPECT_TRUE(out == in);
}

TEST_P(CubCompat, Partition) {
  EXPECT_SAME(
      B::DevicePartition::If(temp, bytes, in.in.data(), o.a.data(), o.count.data(), n, kBelowHalf));
  EXPECT_SAME(
      B::DevicePartition::If(temp, bytes, counting(), o.a.data(), o.count.data(), n, IsSetFlag()));
  EXPECT_SAME(B::DevicePartition::Flagged(temp, bytes, in.in.data(), in.flags.data(), o.a.data(),
                                          o.count.data(), n));
}

TEST_P(CubCompat, PartitionIntoThree) {
  for (size_t n : {1, 1000, 300'000}) {
    const CompatArrays arrays(n);
    const auto run = [&](auto which, auto items) {
      using B = decltype(which);
      Array<uint32_t> first(n), second(n), rest(n);
      Array<int> counts(2);
      in_two_phases([&](void* temp, size_t& bytes) {
        return B::DevicePartition::If(temp, bytes, items, first.data(), second.data(), rest.data(),
                                      counts.data(), int(n), kBelowHalf, IsOdd{2});
      });
      return std::tuple(first.read(), second.read(), rest.read(), counts.read());
    };
    EXPECT_TRUE(run(Ours(), arrays.in.data()) == run(OfCub(), arrays.in.data())) << n;
    EXPECT_TRUE(run(Ours(), halved(arrays.in.data())) == run(OfCub(), halved(arrays.in.data())))
        << n;
  }
}

TEST_P(CubCompat, Scan) {
  EXPECT_SAME(B::DeviceScan::ExclusiveSum(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(B::DeviceScan::InclusiveSum(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(B::DeviceScan::InclusiveSum(temp, bytes, in.bytes.data(), o.wide.data(), n));
  EXPECT_SAME(B::DeviceScan::InclusiveSum(temp, bytes, counting(), o.a.data(), n));
  EXPECT_SAME(
      B::DeviceScan::ExclusiveScan(temp, bytes, in.in.data(), o.a.data(), Largest(), 9u, n));
  EXPECT_SAME(B::DeviceScan::ExclusiveScan(temp, bytes, in.in.data(), o.a.data(),
                                           ::cuda::maximum<>(), 9u, n));
  EXPECT_SAME(B::DeviceScan::ExclusiveScan(temp, bytes, in.in.data(), o.a.data(), Largest(),
                                           typename B::FutureValue(in.in.data()), n));
  EXPECT_SAME(B::DeviceScan::InclusiveScan(temp, bytes, in.in.data(), o.a.data(), Largest(), n));
  EXPECT_SAME(B::DeviceScan::InclusiveScanInit(temp, bytes, in.in.data(), o.a.data(),
                                               ::cuda::std::plus<>(), 100u, n));
}

TEST_P(CubCompat, ScanByKey) {
  EXPECT_SAME(
      B::DeviceScan::ExclusiveSumByKey(temp, bytes, in.keys.data(), in.in.data(), o.a.data(), n));
  EXPECT_SAME(
      B::DeviceScan::InclusiveSumByKey(temp, bytes, in.keys.data(), in.in.data(), o.a.data(), n));
  EXPECT_SAME(B::DeviceScan::ExclusiveScanByKey(temp, bytes, in.keys.data(), in.in.data(),
                                                o.a.data(), Largest(), 1u << 20, n));
  EXPECT_SAME(B::DeviceScan::InclusiveScanByKey(temp, bytes, in.keys.data(), in.in.data(),
                                                o.a.data(), Largest(), n));
}

TEST_P(CubCompat, ScanByKeyOntoTheKeys) {
  const auto with_keys = [](const CompatArrays& in, Outputs& o, void* temp) {
    if (temp) o.a.write(in.keys.read());
    return o.a.data();
  };
  expect_same("ExclusiveSumByKey", [&](auto which, const CompatArrays& in, Outputs& o, int n,
                                       void* temp, size_t& bytes) {
    uint32_t* keys = with_keys(in, o, temp);
    return decltype(which)::DeviceScan::ExclusiveSumByKey(temp, bytes, keys, in.in.data(), keys, n);
  });
  expect_same("InclusiveScanByKey", [&](auto which, const CompatArrays& in, Outputs& o, int n,
                                        void* temp, size_t& bytes) {
    uint32_t* keys = with_keys(in, o, temp);
    return decltype(which)::DeviceScan::InclusiveScanByKey(temp, bytes, keys, in.in.data(), keys,
                                                           Largest(), n);
  });
}

TEST_P(CubCompat, Reduce) {
  EXPECT_SAME(B::DeviceReduce::Sum(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(B::DeviceReduce::Sum(temp, bytes, in.bytes.data(), o.wide.data(), n));
  EXPECT_SAME(B::DeviceReduce::Min(temp, bytes, in.in.data(), o.a.data(), n));
  EXPECT_SAME(B::DeviceReduce::Max(temp, bytes, halved(in.in.data()), o.a.data(), n));
  EXPECT_SAME(
      B::DeviceReduce::ArgMin(temp, bytes, in.in.data(), o.a.data(), o.wide.data(), int64_t(n)));
  EXPECT_SAME(B::DeviceReduce::ArgMax(temp, bytes, halved(in.bytes.data()), o.a.data(),
                                      o.wide.data(), int64_t(n)));
  EXPECT_SAME(B::DeviceReduce::Reduce(temp, bytes, in.in.data(), o.a.data(), n, Largest(), 7u));
  EXPECT_SAME(
      B::DeviceReduce::Reduce(temp, bytes, in.in.data(), o.a.data(), n, ::cuda::std::plus<>(), 0u));
  EXPECT_SAME(
      B::DeviceReduce::Reduce(temp, bytes, in.in.data(), o.a.data(), n, ::cuda::std::plus<>(), 7u));
  EXPECT_SAME(B::DeviceReduce::Reduce(temp, bytes, in.in.data(), o.a.data(), 0 * n, Largest(), 7u));
  EXPECT_SAME(B::DeviceReduce::TransformReduce(temp, bytes, in.in.data(), o.a.data(), n, Largest(),
                                               Halved(), 0u));
}

TEST_P(CubCompat, Runs) {
  EXPECT_SAME(B::DeviceReduce::ReduceByKey(temp, bytes, in.keys.data(), o.a.data(), in.in.data(),
                                           o.b.data(), o.count.data(), ::cuda::std::plus<>(), n));
  EXPECT_SAME(B::DeviceReduce::ReduceByKey(temp, bytes, halved(in.keys.data()), o.a.data(),
                                           counting(), o.wide.data(), o.count.data(), Largest(),
                                           n));
  EXPECT_SAME(B::DeviceRunLengthEncode::Encode(temp, bytes, in.keys.data(), o.a.data(), o.b.data(),
                                               o.count.data(), n));
  EXPECT_SAME(B::DeviceRunLengthEncode::Encode(temp, bytes, halved(in.keys.data()), o.a.data(),
                                               o.wide.data(), o.count.data(), n));
}

TEST_P(CubCompat, LongRuns) {
  EXPECT_SAME(B::DeviceRunLengthEncode::NonTrivialRuns(temp, bytes, in.keys.data(), o.a.data(),
                                                       o.b.data(), o.count.data(), n));
  EXPECT_SAME(B::DeviceRunLengthEncode::NonTrivialRuns(
      temp, bytes, halved(in.bytes.data()), o.a.data(), o.wide.data(), o.count.data(), n));
}

/// A type without limits: the smallest item is found without the identity of Min.
TEST_P(CubCompat, ReducesTypesWithoutLimits) {
  static_assert(!std::numeric_limits<Wide<2>>::is_specialized);
  for (size_t n : {1, 1000, 300'000}) {
    std::vector<Wide<2>> items(n);
    const std::vector<uint32_t> numbers = random_numbers(2 * n, 5);
    for (size_t i = 0; i < n; ++i) items[i] = {{numbers[2 * i] | 1, numbers[2 * i + 1]}};
    Array<Wide<2>> in(n), out(2);
    in.write(items);
    in_two_phases([&](void* temp, size_t& bytes) {
      return Ours::DeviceReduce::Min(temp, bytes, in.data(), out.data(), n);
    });
    in_two_phases([&](void* temp, size_t& bytes) {
      return Ours::DeviceReduce::Max(temp, bytes, in.data(), out.data() + 1, n);
    });
    const auto [least, greatest] = std::minmax_element(items.begin(), items.end());
    EXPECT_TRUE(out.read() == (std::vector<Wide<2>>{*least, *greatest})) << n << " items";
  }
}

/// A count of 16 bits, which the library's own kernels do not write.
TEST_P(CubCompat, CountsRunsInAnyType) {
  const std::vector<uint32_t> items{3, 3, 1, 1, 1, 2};
  Array<uint32_t> in(items), runs(3), lengths(3);
  Array<int16_t> count(1);
  in_two_phases([&](void* temp, size_t& bytes) {
    return Ours::DeviceRunLengthEncode::Encode(temp, bytes, in.data(), runs.data(), lengths.data(),
                                               count.data(), items.size());
  });
  EXPECT_EQ(runs.read(), (std::vector<uint32_t>{3, 1, 2}));
  EXPECT_EQ(lengths.read(), (std::vector<uint32_t>{2, 3, 1}));
  EXPECT_EQ(count.read()[0], 3);
}

#undef EXPECT_SAME

INSTANTIATE_TEST_SUITE_P(Gpu, CubCompat, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
