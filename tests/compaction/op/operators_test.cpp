// SPDX-License-Identifier: MIT
#include "compaction/op/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

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

/// Values of every kind: infinities, numbers, zeros, and NaNs that differ in their bits.
template <class T>
std::vector<T> special_values() {
  using Of = std::numeric_limits<T>;
  const T nan = Of::quiet_NaN();
  return {-Of::infinity(),    Of::lowest(), T(-1),     -Of::denorm_min(), -T(0), T(0),
          Of::denorm_min(),   T(0.5),       Of::max(), Of::infinity(),    nan,   -nan,
          Of::signaling_NaN()};
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Combines three values and the identity in any order. NaNs count as the identity.
template <class Op, class T>
void expect_any_order_gives_the_same_bits(Op op, const std::vector<T>& values) {
  const T identity = op.identity();
  for (T a : values) {
    const T known_a = std::isnan(a) ? identity : a;
    EXPECT_TRUE(same_bits(op(a, identity), known_a)) << a;
    EXPECT_TRUE(same_bits(op(identity, a), known_a)) << a;
    for (T b : values) {
      EXPECT_TRUE(same_bits(op(op(a, b), identity), op(identity, op(b, a)))) << a << ", " << b;
      for (T c : values)
        EXPECT_TRUE(same_bits(op(op(op(identity, a), b), c), op(op(a, op(b, c)), identity)))
            << a << ", " << b << ", " << c;
    }
  }
}

template <class T>
class OperatorsOnFloats : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(OperatorsOnFloats, Floats);

TYPED_TEST(OperatorsOnFloats, MinAndMaxGiveTheSameBitsInAnyOrder) {
  const std::vector<TypeParam> values = special_values<TypeParam>();
  expect_any_order_gives_the_same_bits(compaction::Min<TypeParam>(), values);
  expect_any_order_gives_the_same_bits(compaction::Max<TypeParam>(), values);
}

TYPED_TEST(OperatorsOnFloats, NaNNeverWinsOverANumber) {
  using T = TypeParam;
  constexpr compaction::Min<T> min;
  constexpr compaction::Max<T> max;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (T number : special_values<T>()) {
    if (std::isnan(number)) continue;
    EXPECT_TRUE(same_bits(min(nan, number), number));
    EXPECT_TRUE(same_bits(min(number, nan), number));
    EXPECT_TRUE(same_bits(max(nan, number), number));
    EXPECT_TRUE(same_bits(max(number, nan), number));
  }
}

TYPED_TEST(OperatorsOnFloats, ZerosAreOrdered) {
  using T = TypeParam;
  EXPECT_TRUE(std::signbit(compaction::Min<T>()(T(0), -T(0))));
  EXPECT_FALSE(std::signbit(compaction::Max<T>()(-T(0), T(0))));
}

TEST(Operators, NarrowNumbersWrapAround) {
  EXPECT_EQ(compaction::Sum<uint8_t>()(200, 100), 44);
  EXPECT_EQ(compaction::Product<uint8_t>()(16, 17), 16);
}

}  // namespace
