// SPDX-License-Identifier: MIT
#include "tests/compaction/support/order_of_runs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "tests/support/rounds.h"

// Reductions of runs have the bits that the order of combination gives, whatever the schedule, the
// device, the capacity and the address.

namespace {

using compaction::ItemCount;
using compaction::Items;
using compaction::Sum;
using simt::host::Order;

/// The executor, as a device with any number of multiprocessors and any shared memory.
struct AnyDevice : simt::host::Executor {
  AnyDevice(unsigned seed)
      : Executor({Order(seed % 3), seed, 1 + seed % 5}),
        reported(seed % 2 == 0 ? 132 : 1 + seed % 30) {
    constexpr size_t kKib = 1 << 10;
    constexpr size_t kShared[][2] = {{227 * kKib, 228 * kKib},
                                     {227 * kKib, 0},
                                     {64 * kKib, 0},
                                     {163 * kKib, 164 * kKib},
                                     {64 * kKib, 64 * kKib}};
    shared_of_block = kShared[seed % 5][0];
    shared_of_multiprocessor = kShared[seed % 5][1];
  }
  unsigned multiprocessors() const { return reported; }
  size_t max_shared_bytes() const { return shared_of_block; }
  size_t shared_bytes_per_multiprocessor() const { return shared_of_multiprocessor; }

  unsigned reported;
  size_t shared_of_block, shared_of_multiprocessor;
};

template <class T>
std::vector<T> random_numbers(size_t n) {
  std::mt19937 random(7);
  std::vector<T> numbers(n);
  for (T& number : numbers)
    number = random() % 16 == 0 ? -T(0) : std::ldexp(T(int32_t(random())), int(random() % 24) - 40);
  return numbers;
}

template <class Key, class T, class Op>
void expect_order(size_t n, unsigned mean, unsigned seeds, const Op& op) {
  SCOPED_TRACE(testing::Message() << n << " items, runs of " << mean);
  std::mt19937 random(3);
  std::vector<Key> keys(n);
  for (size_t i = 1; i < n; ++i) keys[i] = Key(keys[i - 1] + (random() % mean == 0));
  const std::vector<T> values = random_numbers<T>(n);
  const ordered::Runs<Key, T> expected = ordered::reduce_by_key(keys, values, op);
  for (unsigned seed = 0; seed < seeds; ++seed) {
    AnyDevice device(seed);
    const uint64_t capacity = seed % 4 == 1 ? n * (1 + seed % 40) : n;
    const ItemCount count = seed % 4 == 1 ? ItemCount{capacity, &n} : ItemCount{n};
    const size_t offset = seed % 3, value_offset = seed / 3 % 4;
    std::vector<Key> in(offset + n);
    std::copy(keys.begin(), keys.end(), in.begin() + ptrdiff_t(offset));
    std::vector<T> in_values(value_offset + n);
    std::copy(values.begin(), values.end(), in_values.begin() + ptrdiff_t(value_offset));
    std::vector<Key> out(expected.keys.size());
    std::vector<T> out_values(expected.keys.size());
    std::vector<std::byte> zeros(compaction::reduce_by_key_bytes<Key, Items<T>, Op>(capacity));
    uint64_t runs = 0;
    compaction::reduce_by_key(device, in.data() + offset, Items<T>{in_values.data() + value_offset},
                              out.data(), out_values.data(), count, {&runs}, op,
                              {zeros.data(), zeros.size()});
    ASSERT_EQ(runs, expected.keys.size());
    ASSERT_EQ(out, expected.keys);
    ASSERT_EQ(std::memcmp(out_values.data(), expected.values.data(), runs * sizeof(T)), 0)
        << "seed " << seed;
  }
}

TEST(OrderOfRuns, SumsHaveTheBitsOfTheOrder) {
  for (unsigned mean : {1u, 3u, 60u, 5000u, 1u << 30}) {
    expect_order<uint32_t, float>(70'000, mean, winnow::rounds(5), Sum<float>());
    expect_order<uint64_t, double>(20'011, mean, winnow::rounds(5), Sum<double>());
    expect_order<uint8_t, float>(30'000, mean, winnow::rounds(5), Sum<float>());
  }
  for (size_t n : {0, 1, 255, 256, 257, 4096, 4097})
    expect_order<uint32_t, float>(n, 50, 5, Sum<float>());
}

TEST(OrderOfRuns, SumsInManyRowsOfTiles) {
  for (unsigned mean : {100u, 1u << 20}) {
    expect_order<uint32_t, float>(600'000, mean, 2, Sum<float>());
    expect_order<uint16_t, double>(400'000, mean, 2, Sum<double>());
  }
}

TEST(OrderOfRuns, SegmentsHaveOneResultUnderAllSchedules) {
  constexpr size_t kItems = 30'000;
  const std::vector<float> values = random_numbers<float>(kItems);
  std::vector<uint8_t> begins(kItems);
  std::mt19937 random(5);
  for (uint8_t& begin : begins) begin = random() % 700 == 0;
  std::vector<float> first;
  for (unsigned seed = 0; seed < winnow::rounds(40); ++seed) {
    AnyDevice device(seed);
    std::vector<float> out(kItems);
    std::vector<std::byte> zeros(
        compaction::segmented_reduce_bytes<Items<float>, Sum<float>>(kItems));
    compaction::segmented_reduce(device, begins.data(), Items<float>{values.data()}, out.data(),
                                 ItemCount{kItems}, {}, Sum<float>(), {zeros.data(), zeros.size()});
    if (seed == 0) first = out;
    ASSERT_EQ(std::memcmp(out.data(), first.data(), kItems * sizeof(float)), 0) << "seed " << seed;
  }
}

}  // namespace
