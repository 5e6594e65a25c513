// SPDX-License-Identifier: MIT
#include "compaction/grid/item_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace {

TEST(ItemCount, IsTheCapacityWhereNoCountIsOnTheDevice) {
  EXPECT_EQ(compaction::ItemCount{7}(), 7u);
}

TEST(ItemCount, CountOnTheDeviceIsLimitedByTheCapacity) {
  uint32_t count = 3;
  compaction::ItemCount items{5, &count};
  EXPECT_EQ(items(), 3u);
  count = 0;
  EXPECT_EQ(items(), 0u);
  count = 9;
  EXPECT_EQ(items(), 5u);
}

TEST(ItemCount, ReadsAllOfAWideCount) {
  uint64_t count = (uint64_t(1) << 32) + 3;
  compaction::ItemCount items{uint64_t(1) << 40, &count};
  EXPECT_EQ(items(), count);
}

TEST(ItemCount, IsMadeOfAnyInteger) {
  const int n = 7;
  const auto count = [](compaction::ItemCount items) { return items(); };
  EXPECT_EQ(count(n), 7u);
  EXPECT_EQ(count({n}), 7u);
  EXPECT_EQ(count({size_t(1) << 33}), uint64_t(1) << 33);
  EXPECT_GT(count(-1), uint64_t(1) << 40) << "more than any function accepts";
}

template <class T>
class CountOf : public testing::Test {};
using CountIntegers =
    testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(CountOf, CountIntegers);

TYPED_TEST(CountOf, AnyIntegerIsReadAndWritten) {
  TypeParam count = 0;
  compaction::SelectedCount{&count}.count.store(5);
  EXPECT_EQ(count, TypeParam(5));
  EXPECT_EQ((compaction::ItemCount{9, &count}()), 5u);
  const compaction::DeviceCount in(&count);
  EXPECT_EQ(in.address(), &count);
  EXPECT_EQ(in.bytes(), sizeof(TypeParam));
}

TYPED_TEST(CountOf, ANegativeOneOnTheDeviceIsTakenAsZero) {
  using Of = std::numeric_limits<TypeParam>;
  constexpr uint64_t kMost = uint64_t(1) << 40;
  const TypeParam minus_one = TypeParam(-1), least = Of::min(), most = Of::max(), five = 5;
  for (uint64_t capacity : {uint64_t(9), uint64_t(1) << 31, (uint64_t(1) << 33) + 1, kMost}) {
    const uint64_t limited = std::min(capacity, uint64_t(most));
    EXPECT_EQ((compaction::ItemCount{capacity, &minus_one}()),
              std::is_signed_v<TypeParam> ? 0 : limited);
    EXPECT_EQ((compaction::ItemCount{capacity, &least}()), 0u);
    EXPECT_EQ((compaction::ItemCount{capacity, &most}()), limited);
    EXPECT_EQ((compaction::ItemCount{capacity, &five}()), 5u);
  }
  EXPECT_GT((compaction::ItemCount{-1, &five}.capacity), kMost) << "refused";
}

TEST(DeviceCountOut, WritesItsWidthOnly) {
  uint32_t narrow[2] = {7, 7};
  compaction::DeviceCountOut(narrow).store((uint64_t(5) << 32) + 1);
  EXPECT_EQ(narrow[0], 1u);
  EXPECT_EQ(narrow[1], 7u);
  uint64_t wide = 7;
  compaction::DeviceCountOut(&wide).store((uint64_t(5) << 32) + 1);
  EXPECT_EQ(wide, (uint64_t(5) << 32) + 1);
}

TEST(GridSize, CoversEveryItem) {
  EXPECT_EQ(compaction::grid_size(0, 256), 0u);
  EXPECT_EQ(compaction::grid_size(1, 256), 1u);
  EXPECT_EQ(compaction::grid_size(256, 256), 1u);
  EXPECT_EQ(compaction::grid_size(257, 256), 2u);
  EXPECT_EQ(compaction::grid_size((uint64_t(1) << 39) - 256, 256), (1u << 31) - 1);
}

}  // namespace
