// SPDX-License-Identifier: MIT
#include "compaction/bench/random_items.h"

#include <gtest/gtest.h>

namespace {

using namespace compaction::bench;

template <class T>
class RandomItems : public testing::Test {};
using Types = testing::Types<uint8_t, uint32_t, uint64_t, Item16, Record<uint8_t, 3>,
                             Record<uint64_t, 4, 16>>;
TYPED_TEST_SUITE(RandomItems, Types);

template <class T>
double share_kept(double percent) {
  constexpr int kItems = 100'000;
  int kept = 0;
  for (int i = 0; i < kItems; ++i) kept += keep_percent<T>(percent)(random_item<T>(uint64_t(i)));
  return 100.0 * kept / kItems;
}

TYPED_TEST(RandomItems, AreKeptInTheShareAskedFor) {
  double coarse = sizeof(Key<TypeParam>) == 1 ? 0.2 : 0;  // half of 1/256, in percent
  for (double percent : {1.0, 10.0, 50.0, 90.0, 99.0})
    EXPECT_NEAR(share_kept<TypeParam>(percent), percent, coarse + 0.6) << percent;
}

TYPED_TEST(RandomItems, AllOrNoneCanBeKept) {
  EXPECT_EQ(share_kept<TypeParam>(0), 0);
  EXPECT_EQ(share_kept<TypeParam>(100), 100);
}

}  // namespace
