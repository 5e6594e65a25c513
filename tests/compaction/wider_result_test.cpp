// SPDX-License-Identifier: MIT
// Reductions and scans whose results have another type than their items.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"

namespace {

using simt::host::Order;

/// x -> a x + b, which an item stands for. Composition does not commute.
struct Map {
  Map() = default;
  SIMT_HOST_DEVICE Map(uint32_t a, uint32_t b) : a(a), b(b) {}
  SIMT_HOST_DEVICE explicit Map(uint8_t item) : a(2 * uint32_t(item) + 1), b(item) {}
  bool operator==(const Map&) const = default;

  uint32_t a, b;
};
struct ComposeMaps {
  SIMT_HOST_DEVICE Map identity() const { return {1, 0}; }
  SIMT_HOST_DEVICE Map operator()(const Map& first, const Map& then) const {
    return {first.a * then.a, first.b * then.a + then.b};
  }
};

std::vector<uint8_t> bytes_of(uint32_t n) {
  std::vector<uint8_t> items(n);
  for (uint32_t i = 0; i < n; ++i) items[i] = uint8_t(255 - i % 101);
  return items;
}

/// Reduces and scans `items` from `offset` on as values of T, and compares with loops.
template <class T, class In, class Op>
void expect_combines(const std::vector<In>& items, uint32_t offset, Op op,
                     simt::host::Schedule on) {
  simt::host::Executor executor(on);
  const In* in = items.data() + offset;
  const uint32_t n = uint32_t(items.size()) - offset;
  std::vector<T> inclusive(n), exclusive(n), expected(n);
  T sum = op.identity(), reduced{}, total{};
  for (uint32_t i = 0; i < n; ++i) expected[i] = sum = op(sum, T(in[i]));

  std::vector<std::byte> memory(
      std::max(compaction::reduce_bytes<T>(), compaction::scan_bytes<T, Op, In>(n)));
  const simt::Span<std::byte> workspace(memory.data(), memory.size());
  compaction::reduce(executor, in, n, &reduced, op, workspace);
  EXPECT_EQ(reduced, sum);
  compaction::inclusive_scan(executor, in, n, inclusive.data(), op, T(op.identity()), &total,
                             workspace);
  EXPECT_EQ(inclusive, expected);
  EXPECT_EQ(total, sum);
  compaction::exclusive_scan(executor, in, n, exclusive.data(), op, T(op.identity()), &total,
                             workspace);
  for (uint32_t i = 1; i < n; ++i) ASSERT_EQ(exclusive[i], expected[i - 1]);
}

TEST(WiderResult, SumsOfBytesDoNotWrapAt256) {
  const compaction::Sum<uint64_t> sum;
  for (uint32_t n : {1u, 15u, 16u, 17u, 2049u, 16'385u, 70'001u})
    for (uint32_t offset : {0u, 1u})
      expect_combines<uint64_t>(bytes_of(n + offset), offset, sum,
                                {.order = Order::kShuffled, .seed = n, .resident_blocks = 4});
}

TEST(WiderResult, KeepsTheOrderOfItems) {
  for (uint32_t n : {3u, 4097u, 40'003u})
    for (unsigned blocks : {1u, 3u})
      expect_combines<Map>(bytes_of(n), 0, ComposeMaps(),
                           {.order = Order::kShuffled, .seed = n, .resident_blocks = blocks});
}

TEST(WiderResult, MayBeNarrower) {
  const std::vector<double> items(5000, 0.25);
  expect_combines<float>(items, 0, compaction::Sum<float>(), {.resident_blocks = 2});
}

}  // namespace
