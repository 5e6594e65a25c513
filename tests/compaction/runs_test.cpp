// SPDX-License-Identifier: MIT
#include "compaction/single_pass/runs.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::Constant;
using compaction::Equals;
using compaction::ItemCount;
using compaction::Items;
using compaction::SelectedCount;

/// Keys in runs of random lengths from 1 to about 2 * `mean`.
template <class Key>
std::vector<Key> keys_in_runs(size_t n, unsigned mean, uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<Key> keys;
  for (Key key{}; keys.size() < n; key = Key(key + 1 + random() % 3))
    for (unsigned i = 1 + random() % (2 * mean); i > 0 && keys.size() < n; --i) keys.push_back(key);
  return keys;
}

/// Runs and the combinations of their values.
template <class Key, class Value>
struct Runs {
  std::vector<Key> keys;
  std::vector<Value> values;
  bool operator==(const Runs&) const = default;
};

template <class Key, class Value, class Op>
Runs<Key, Value> reference_runs(const std::vector<Key>& keys, const std::vector<Value>& values,
                                Op op) {
  Runs<Key, Value> runs;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      runs.keys.push_back(keys[i]);
      runs.values.push_back(values[i]);
    } else {
      runs.values.back() = op(runs.values.back(), values[i]);
    }
  }
  return runs;
}

class RunsOfKeys : public testing::TestWithParam<NamedSchedule> {
 protected:
  /// reduce_by_key() in the library's tiles, or in tiny ones.
  template <class Key, class Value, class Op>
  void expect_reduced(const std::vector<Key>& keys, const std::vector<Value>& values, Op op,
                      uint64_t capacity = 0) {
    SCOPED_TRACE(testing::Message() << keys.size() << " items");
    using Job = compaction::ReduceRunsJob<Key, Items<Value>, Op, Equals>;
    const Runs<Key, Value> expected = reference_runs(keys, values, op);
    for (bool tiny : {true, false}) {
      Runs<Key, Value> runs{std::vector<Key>(expected.keys.size()),
                            std::vector<Value>(expected.keys.size())};
      uint64_t count = ~uint64_t(0);
      const uint64_t n = keys.size();
      const ItemCount items = capacity > 0 ? ItemCount{capacity, &n} : ItemCount{n};
      if (tiny)
        fast::TinyCalls::run(device_,
                             Job{keys.data(),
                                 {values.data()},
                                 op,
                                 {},
                                 runs.keys.data(),
                                 runs.values.data(),
                                 {&count}},
                             items, memory_.span());
      else
        compaction::reduce_by_key(device_.launcher(), keys.data(), Items<Value>{values.data()},
                                  runs.keys.data(), runs.values.data(), items, {&count}, op,
                                  memory_.span());
      EXPECT_EQ(count, expected.keys.size());
      EXPECT_TRUE(runs == expected) << (tiny ? "in tiny tiles" : "in the library's tiles");
    }
  }

  HostDevice device_{GetParam().schedule};
  Memory memory_{1 << 18};
};

TEST_P(RunsOfKeys, ReducesSizesAroundTiles) {
  for (size_t n : {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 2047, 2049, 5001})
    expect_reduced(keys_in_runs<uint32_t>(n, 5), ordered_items<Affine>(n), Compose());
}

TEST_P(RunsOfKeys, ReducesRunsOfAnyLength) {
  constexpr size_t kItems = 5000;
  for (unsigned mean : {1u, 16u, 33u, 128u, 2000u, 100'000u})
    expect_reduced(keys_in_runs<uint32_t>(kItems, mean, mean), ordered_items<Affine>(kItems),
                   Compose());
}

TEST_P(RunsOfKeys, CombinesOnlyWhatIsGiven) {
  for (size_t n : {1, 33, 700})
    expect_reduced(keys_in_runs<uint8_t>(n, 3), ordered_items<Marked>(n), MarkedSum());
}

TEST_P(RunsOfKeys, MisalignedKeysAndLargeValues) {
  std::vector<uint32_t> all = keys_in_runs<uint32_t>(2000, 7);
  const std::vector<Affine> values = ordered_items<Affine>(2000);
  for (unsigned offset : {1u, 2u, 3u}) {
    const size_t n = all.size() - offset;
    const Runs<uint32_t, Affine> expected = reference_runs<uint32_t, Affine>(
        {all.begin() + offset, all.end()}, {values.begin(), values.begin() + ptrdiff_t(n)},
        Compose());
    Runs<uint32_t, Affine> runs{std::vector<uint32_t>(expected.keys.size()),
                                std::vector<Affine>(expected.keys.size())};
    uint64_t count = 0;
    compaction::reduce_by_key(device_.launcher(), all.data() + offset, Items<Affine>{values.data()},
                              runs.keys.data(), runs.values.data(), ItemCount{n}, {&count},
                              Compose(), memory_.span());
    EXPECT_TRUE(runs == expected) << "offset " << offset;
  }
}

TEST_P(RunsOfKeys, CountOnTheDeviceLimitsTheItems) {
  for (size_t n : {0, 1, 300, 2049})
    expect_reduced(keys_in_runs<uint32_t>(n, 4), ordered_items<Affine>(n), Compose(), 5000);
}

TEST_P(RunsOfKeys, CapacityLimitsTheOutput) {
  const std::vector<uint32_t> keys = keys_in_runs<uint32_t>(3000, 4);
  const std::vector<Affine> values = ordered_items<Affine>(keys.size());
  Runs<uint32_t, Affine> expected = reference_runs(keys, values, Compose());
  const uint64_t all = expected.keys.size();
  for (uint64_t capacity : {uint64_t(0), uint64_t(1), all / 2, all - 1, all}) {
    Runs<uint32_t, Affine> runs{std::vector<uint32_t>(capacity), std::vector<Affine>(capacity)};
    uint64_t count = 0;
    uint32_t overflowed = 7;
    compaction::reduce_by_key(device_.launcher(), keys.data(), Items<Affine>{values.data()},
                              runs.keys.data(), runs.values.data(), ItemCount{keys.size()},
                              {.count = &count, .capacity = capacity, .overflowed = &overflowed},
                              Compose(), memory_.span());
    EXPECT_EQ(count, all);
    EXPECT_EQ(overflowed, capacity < all);
    EXPECT_TRUE(std::equal(runs.keys.begin(), runs.keys.end(), expected.keys.begin()));
    EXPECT_TRUE(std::equal(runs.values.begin(), runs.values.end(), expected.values.begin()));
  }
}

/// Run-length encoding of the items from index `offset` on, in the library's tiles and in tiny
/// ones.
template <class T, class Length>
void expect_encoded(HostDevice& device, Span<std::byte> workspace, const std::vector<T>& all,
                    unsigned offset = 0, uint64_t capacity = ~uint64_t(0)) {
  const std::vector<T> items(all.begin() + offset, all.end());
  SCOPED_TRACE(testing::Message() << items.size() << " items, offset " << offset);
  const auto expected =
      reference_runs(items, std::vector<Length>(items.size(), 1), compaction::Sum<Length>());
  const size_t runs = size_t(std::min<uint64_t>(expected.keys.size(), capacity));
  for (bool tiny : {true, false}) {
    std::vector<T> firsts(runs);
    std::vector<Length> lengths(runs);
    uint64_t count = 0;
    const SelectedCount result{.count = &count, .capacity = capacity, .overflowed = nullptr};
    const ItemCount n{items.size()};
    if (tiny)
      fast::TinyCalls::run(device,
                           compaction::RunLengthsJob<T, Length, Equals>{
                               all.data() + offset, {}, firsts.data(), lengths.data(), result},
                           n, workspace);
    else
      compaction::run_length_encode(device.launcher(), all.data() + offset, firsts.data(),
                                    lengths.data(), n, result, workspace);
    EXPECT_EQ(count, expected.keys.size());
    EXPECT_TRUE(std::equal(firsts.begin(), firsts.end(), expected.keys.begin()));
    EXPECT_TRUE(std::equal(lengths.begin(), lengths.end(), expected.values.begin()));
  }
}

TEST_P(RunsOfKeys, LengthsOfRuns) {
  for (unsigned mean : {1u, 40u, 3000u})
    expect_encoded<uint8_t, uint32_t>(device_, memory_.span(), keys_in_runs<uint8_t>(9000, mean));
  for (size_t n : {0, 1, 2, 127, 128, 129, 2047, 2049, 5001})
    expect_encoded<uint32_t, uint64_t>(device_, memory_.span(), keys_in_runs<uint32_t>(n, 3));
  for (unsigned offset : {1u, 2u, 3u})
    expect_encoded<uint32_t, uint32_t>(device_, memory_.span(), keys_in_runs<uint32_t>(4100, 20),
                                       offset);
  for (unsigned mean : {1u, 500u})
    expect_encoded<uint64_t, uint16_t>(device_, memory_.span(), keys_in_runs<uint64_t>(5000, mean));
}

TEST_P(RunsOfKeys, LengthsOfRunsOfOneItem) {
  std::vector<uint32_t> words(4100);
  std::iota(words.begin(), words.end(), 7u);
  expect_encoded<uint32_t, uint32_t>(device_, memory_.span(), words);
  expect_encoded<uint32_t, uint32_t>(device_, memory_.span(), words, 3);
  expect_encoded<uint64_t, uint16_t>(device_, memory_.span(), {words.begin(), words.end()});
}

/// An item that is aligned to more than a vector.
struct alignas(32) Aligned32 {
  uint64_t number, rest[3] = {1, 2, 3};
  Aligned32(uint64_t number = 0) : number(number) {}
  bool operator==(const Aligned32& other) const { return number == other.number; }
};
struct AddAligned {
  static Aligned32 identity() { return 0; }
  Aligned32 operator()(const Aligned32& a, const Aligned32& b) const { return a.number + b.number; }
};

TEST_P(RunsOfKeys, ItemsAlignedToMoreThanAVector) {
  std::vector<Aligned32> keys, values;
  for (uint32_t key : keys_in_runs<uint32_t>(3000, 6)) keys.push_back(key);
  for (size_t i = 0; i < keys.size(); ++i) values.push_back(i);
  expect_reduced(keys, values, AddAligned());
  expect_encoded<Aligned32, uint32_t>(device_, memory_.span(), keys);
}

TEST_P(RunsOfKeys, ItemsOfAnySize) {
  auto expect = [&]<size_t size>(std::integral_constant<size_t, size>) {
    using Bytes = std::array<uint8_t, size>;
    std::vector<Bytes> items;
    for (uint32_t key : keys_in_runs<uint32_t>(2500, 5)) {
      Bytes bytes{};
      bytes.back() = uint8_t(key);
      items.push_back(bytes);
    }
    for (unsigned offset : {0u, 1u, 5u})
      expect_encoded<Bytes, uint32_t>(device_, memory_.span(), items, offset);
  };
  expect(std::integral_constant<size_t, 3>());
  expect(std::integral_constant<size_t, 12>());
  expect(std::integral_constant<size_t, 33>());
  expect(std::integral_constant<size_t, 128>());
}

TEST_P(RunsOfKeys, CapacityLimitsTheLengths) {
  for (uint64_t capacity : {0, 1, 300})
    expect_encoded<uint32_t, uint32_t>(device_, memory_.span(), keys_in_runs<uint32_t>(3000, 3), 0,
                                       capacity);
}

TEST_P(RunsOfKeys, ReducesFlaggedSegments) {
  std::mt19937 random(4);
  for (size_t n : {0, 1, 700, 3000}) {
    std::vector<uint8_t> begins(n);
    for (uint8_t& begin : begins) begin = random() % 6 == 0 ? 255 : 0;
    const std::vector<Affine> values = ordered_items<Affine>(n);
    std::vector<Affine> expected;
    for (size_t i = 0; i < n; ++i) {
      if (i == 0 || begins[i])
        expected.push_back(values[i]);
      else
        expected.back() = Compose()(expected.back(), values[i]);
    }
    std::vector<Affine> out(expected.size());
    uint64_t count = 1;
    compaction::segmented_reduce(device_.launcher(), begins.data(), Items<Affine>{values.data()},
                                 out.data(), ItemCount{n}, {&count}, Compose(), memory_.span());
    EXPECT_EQ(count, expected.size());
    EXPECT_TRUE(out == expected) << n << " items";
  }
}

/// A key of `kWords` words, which `Key(number)` sets.
template <class Word, unsigned kWords>
struct WideKey {
  Word words[kWords];

  WideKey() = default;
  explicit WideKey(uint32_t number) : words{} { words[kWords - 1] = Word(number); }
  friend uint32_t operator+(const WideKey& key, uint32_t add) {
    return uint32_t(key.words[kWords - 1]) + add;
  }
  bool operator==(const WideKey&) const = default;
};

TEST_P(RunsOfKeys, UniqueKeepsTheFirstOfEachRun) {
  auto expect_unique = [&]<class T>(const std::vector<T>& items, unsigned offset) {
    SCOPED_TRACE(testing::Message()
                 << items.size() << " items of " << sizeof(T) << " bytes, offset " << offset);
    std::vector<T> expected(items.begin() + offset, items.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    const ItemCount n{items.size() - offset};
    for (bool tiny : {true, false}) {
      std::vector<T> out(expected.size());
      uint64_t count = 0;
      if (tiny)
        fast::TinyCalls::run(device_,
                             compaction::unique_job(items.data() + offset, Equals(), out.data(),
                                                    SelectedCount{&count}),
                             n, memory_.span());
      else
        compaction::unique(device_.launcher(), items.data() + offset, out.data(), n, {&count},
                           memory_.span());
      EXPECT_EQ(count, expected.size());
      EXPECT_TRUE(out == expected) << (tiny ? "in tiny tiles" : "in the library's tiles");
    }
  };
  for (size_t n : {1, 2, 5, 31, 33, 1023, 1025, 4097, 9000})
    for (unsigned offset : {0u, 1u, 3u}) {
      if (offset >= n) continue;
      expect_unique(keys_in_runs<uint32_t>(n, 3), offset);
      expect_unique(keys_in_runs<uint8_t>(n, 1), offset);
    }
  for (size_t n : {1, 63, 700, 3001}) {
    expect_unique(keys_in_runs<uint16_t>(n, 40), 1);
    expect_unique(keys_in_runs<uint64_t>(n, 2), 0);
    expect_unique(keys_in_runs<WideKey<uint8_t, 11>>(n, 2), 0);
    expect_unique(keys_in_runs<WideKey<uint32_t, 25>>(n, 2), 0);
  }
}

TEST_P(RunsOfKeys, UniqueComparesNeighboursOnly) {
  /// Fails for items that are no neighbours.
  struct Neighbours {
    bool operator()(uint32_t a, uint32_t b) const {
      if (a + 1 != b) throw std::invalid_argument("these are no neighbours");
      return b % 3 != 0;
    }
  };
  std::vector<uint32_t> items(3000), out(items.size());
  for (uint32_t i = 0; i < items.size(); ++i) items[i] = i + 1;
  uint64_t count = 0;
  compaction::unique(device_.launcher(), items.data(), out.data(), ItemCount{items.size()},
                     {&count}, memory_.span(), Neighbours());
  EXPECT_EQ(count, 1001u);
  for (uint32_t run = 0; run < count; ++run) ASSERT_EQ(out[run], std::max(1u, 3 * run));
}

/// Whether the sum of both is odd.
struct OddSum {
  template <class Item>
  bool operator()(const Item& item) const {
    return (item.first + item.second) % 2;
  }
};
struct Doubled {
  uint32_t operator()(uint32_t item) const { return 2 * item; }
};

TEST_P(RunsOfKeys, SelectOfLoadedItems) {
  using compaction::Counting;
  using compaction::Strided;
  using compaction::Transformed;
  const std::vector<uint32_t> numbers = random_numbers(3000, 2);
  using Load = compaction::Zipped<Transformed<Counting<uint32_t>, Doubled>, Strided<uint32_t>>;
  using Item = compaction::Loaded<Load>;
  const Load load{{{5}, {}}, {numbers.data(), 3}};
  const compaction::LoadedIf<Load, OddSum> source{load, {}};
  std::vector<Item> out(1000);
  uint64_t count = 0;
  compaction::select(device_.launcher(), source, compaction::WriteItems<Item>{out.data()},
                     ItemCount{1000}, {&count}, memory_.span());
  uint64_t kept = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    if (numbers[3 * i] % 2 == 0) continue;
    ASSERT_EQ(out[kept].first, 2 * (5 + i));
    ASSERT_EQ(out[kept].second, numbers[3 * i]);
    ++kept;
  }
  EXPECT_EQ(count, kept);
}

/// An item that fits no vector access, whose words follow from the first.
template <unsigned kWords>
struct Wide {
  uint32_t words[kWords];
};
struct IsFirstWordOdd {
  template <unsigned kWords>
  bool operator()(const Wide<kWords>& item) const {
    return item.words[0] % 2;
  }
};

template <unsigned kWords>
void expect_wide_items_selected_in_place(auto& launcher, Span<std::byte> workspace) {
  using Item = Wide<kWords>;
  using Load = compaction::Items<Item>;
  const std::vector<uint32_t> numbers = random_numbers(3000, 2);
  std::vector<Item> items(numbers.size());
  for (size_t i = 0; i < items.size(); ++i)
    for (unsigned w = 0; w < kWords; ++w) items[i].words[w] = numbers[i] + w;
  uint64_t count = 0, kept = 0;
  compaction::SelectedCount result{&count};
  result.in_place = true;
  compaction::select(launcher, compaction::LoadedIf<Load, IsFirstWordOdd>{{items.data()}, {}},
                     compaction::WriteItems<Item>{items.data()}, ItemCount{items.size()}, result,
                     workspace);
  for (uint32_t number : numbers) {
    if (number % 2 == 0) continue;
    for (unsigned w = 0; w < kWords; ++w) ASSERT_EQ(items[kept].words[w], number + w);
    ++kept;
  }
  EXPECT_EQ(count, kept);
}

TEST_P(RunsOfKeys, SelectOfLoadedItemsOfManyBytes) {
  expect_wide_items_selected_in_place<5>(device_.launcher(), memory_.span());
  expect_wide_items_selected_in_place<32>(device_.launcher(), memory_.span());
}

struct HaveSameFirstWord {
  template <unsigned kWords>
  bool operator()(const Wide<kWords>& a, const Wide<kWords>& b) const {
    return a.words[0] == b.words[0];
  }
};

template <unsigned kWords>
void expect_firsts_selected_in_place(auto& launcher, Span<std::byte> workspace, unsigned run) {
  using Item = Wide<kWords>;
  std::vector<Item> items(20'000);
  for (uint32_t i = 0; i < items.size(); ++i)
    for (unsigned w = 0; w < kWords; ++w) items[i].words[w] = i / run + w;
  const uint32_t runs = simt::ceil_div(uint32_t(items.size()), run);
  uint64_t count = 0;
  compaction::SelectedCount result{&count};
  result.in_place = true;
  const compaction::FirstsOfLoad<compaction::Items<Item>, HaveSameFirstWord> source{
      {{items.data()}, {}}};
  compaction::select(launcher, source, compaction::WriteItems<Item>{items.data()},
                     ItemCount{items.size()}, result, workspace);
  ASSERT_EQ(count, runs);
  for (uint32_t i = 0; i < runs; ++i)
    for (unsigned w = 0; w < kWords; ++w) ASSERT_EQ(items[i].words[w], i + w);
}

TEST_P(RunsOfKeys, SelectOfFirstItemsInPlace) {
  for (unsigned run : {1, 2, 7, 300}) {
    expect_firsts_selected_in_place<1>(device_.launcher(), memory_.span(), run);
    expect_firsts_selected_in_place<5>(device_.launcher(), memory_.span(), run);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, RunsOfKeys, testing::ValuesIn(host_schedules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
