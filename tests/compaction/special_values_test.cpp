// SPDX-License-Identifier: MIT
// Minima and maxima of NaNs, infinities and zeros: the order of combination changes no bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"
#include "tests/compaction/support/same_bits.h"

namespace {

using compaction::Max;
using compaction::Min;
using simt::host::Order;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class Op, class T>
T reduce(simt::host::Executor& executor, const std::vector<T>& items) {
  std::vector<std::byte> memory(compaction::reduce_bytes<T>());
  T result{};
  compaction::reduce(executor, items.data(), compaction::ItemCount{items.size()}, &result, Op(),
                     {memory.data(), memory.size()});
  return result;
}

TEST(SpecialValues, NaNBesideTheLeastNumberIsNotTheMinimum) {
  std::mt19937 random(1);
  for (size_t n : {2u, 33u, 100u}) {
    std::vector<float> items(n);
    for (float& item : items) item = 1 + float(random() % 100);
    for (size_t least = 0; least < n; ++least)
      for (size_t nan : {least - 1, least + 1, (least + n / 2) % n}) {
        if (nan >= n || nan == least) continue;
        std::vector<float> with_nan = items;
        with_nan[least] = 0.5f, with_nan[nan] = kNaN;
        simt::host::Executor executor(
            {.order = Order::kShuffled, .seed = uint32_t(least), .resident_blocks = 3});
        ASSERT_EQ((reduce<Min<float>>(executor, with_nan)), 0.5f) << n << ", " << least;
        for (float& item : with_nan) item = -item;
        ASSERT_EQ((reduce<Max<float>>(executor, with_nan)), -0.5f) << n << ", " << least;
      }
  }
}

/// Reduces and scans values in any schedule, and compares their bits with those of a loop.
template <class Op, class T>
void expect_bits_of_a_loop(const std::vector<T>& items, uint32_t seed) {
  std::vector<T> expected(items.size()), got(items.size());
  T total = Op::identity(), device_total{};
  for (size_t i = 0; i < items.size(); ++i) expected[i] = total = Op()(total, items[i]);
  simt::host::Executor executor(
      {.order = Order::kShuffled, .seed = seed, .resident_blocks = 1 + seed % 4});
  EXPECT_TRUE(same_bits<T>({reduce<Op>(executor, items)}, {total}));
  std::vector<std::byte> memory(compaction::scan_bytes<T, Op>(items.size()));
  compaction::inclusive_scan(executor, items.data(), compaction::ItemCount{items.size()},
                             got.data(), Op(), Op::identity(), &device_total,
                             {memory.data(), memory.size()});
  EXPECT_TRUE(same_bits(got, expected));
  EXPECT_TRUE(same_bits<T>({device_total}, {total}));
}

template <class T>
void expect_bits_of_loops() {
  const T values[] = {T(kNaN), T(-kNaN), T(kInfinity), T(-kInfinity), T(0), T(-0.0f), T(1)};
  for (uint32_t seed = 0; seed < 16; ++seed) {
    std::mt19937 random(seed);
    std::vector<T> items(1 + random() % 9000);
    const unsigned kinds = 1 + random() % std::size(values);  // the first ones: NaNs alone, ...
    for (T& item : items) item = values[random() % kinds];
    expect_bits_of_a_loop<Min<T>>(items, seed);
    expect_bits_of_a_loop<Max<T>>(items, seed);
  }
}

TEST(SpecialValues, MinAndMaxOfFloatsHaveTheBitsOfALoop) {
  expect_bits_of_loops<float>();
}
TEST(SpecialValues, MinAndMaxOfDoublesHaveTheBitsOfALoop) {
  expect_bits_of_loops<double>();
}

}  // namespace
