// SPDX-License-Identifier: MIT
#include "compaction/op/equality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <type_traits>

namespace {

using compaction::differing_items, compaction::Equals;

/// An equality that is not known to compare bits.
struct SameBits {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};

template <class T, unsigned kItems>
void expect_differing(unsigned different) {
  std::mt19937 random(different);
  for (int round = 0; round < 500; ++round) {
    T items[kItems];
    // The values differ in their highest, middle and lowest bits.
    const auto next = [&] { return T(random() % different * 0x8181u >> random() % 2); };
    const T before = next();
    std::generate_n(items, kItems, next);
    uint32_t expected = items[0] != before;
    for (unsigned i = 1; i < kItems; ++i) expected |= uint32_t(items[i] != items[i - 1]) << i;
    EXPECT_EQ(differing_items(items, before, Equals()), expected);
    EXPECT_EQ(differing_items(items, before, SameBits()), expected);
  }
}

TEST(DifferingItems, AreThoseThatDifferFromTheItemBefore) {
  static_assert(compaction::kComparesWords<uint8_t, Equals> &&
                !compaction::kComparesWords<uint8_t, SameBits> &&
                !compaction::kComparesWords<float, Equals>);
  for (unsigned different : {1u, 2u, 3u, 65536u}) {
    expect_differing<uint8_t, 4>(different);
    expect_differing<uint8_t, 16>(different);
    expect_differing<int8_t, 28>(different);
    expect_differing<uint8_t, 3>(different);  // no whole words
    expect_differing<int16_t, 8>(different);
    expect_differing<uint16_t, 22>(different);
    expect_differing<uint16_t, 1>(different);
    expect_differing<uint32_t, 8>(different);
  }
}

}  // namespace
