// SPDX-License-Identifier: MIT
#include "compaction/op/operators.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "tests/compaction/support/ordered_items.h"

namespace {

static_assert(compaction::Operator<compaction::Sum<int>, int>);
static_assert(compaction::Operator<Compose, Affine>);
static_assert(!compaction::Operator<Compose, int>);

template <class Op, class T>
void expect_identity(Op op, std::initializer_list<T> values) {
  for (T value : values) {
    EXPECT_EQ(op(op.identity(), value), value);
    EXPECT_EQ(op(value, op.identity()), value);
  }
}

TEST(Operators, IdentityChangesNothing) {
  using Byte = std::numeric_limits<uint8_t>;
  using Int = std::numeric_limits<int32_t>;
  using Float = std::numeric_limits<float>;
  expect_identity<compaction::Sum<int32_t>, int32_t>({}, {Int::min(), -1, 0, Int::max()});
  expect_identity<compaction::Product<int32_t>, int32_t>({}, {Int::min(), -1, 0, Int::max()});
  expect_identity<compaction::Min<int32_t>, int32_t>({}, {Int::min(), -1, 0, Int::max()});
  expect_identity<compaction::Max<int32_t>, int32_t>({}, {Int::min(), -1, 0, Int::max()});
  expect_identity<compaction::Min<uint8_t>, uint8_t>({}, {0, 1, Byte::max()});
  expect_identity<compaction::Max<uint8_t>, uint8_t>({}, {0, 1, Byte::max()});
  expect_identity<compaction::Min<float>, float>({}, {-Float::infinity(), 0, Float::infinity()});
  expect_identity<compaction::Max<float>, float>({}, {-Float::infinity(), 0, Float::infinity()});
}

TEST(Operators, NarrowNumbersWrapAround) {
  EXPECT_EQ(compaction::Sum<uint8_t>()(200, 100), 44);
  EXPECT_EQ(compaction::Product<uint8_t>()(16, 17), 16);
}

}  // namespace
