// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/simt/host/executor.h"

namespace {

TEST(ShiftToExclusive, PutsTheIdentityInFrontAndDropsTheLast) {
  std::vector<int> inclusive = {3, 4, 11, 11}, out(4);
  simt::host::Executor executor;
  compaction::shift_to_exclusive(executor, {inclusive.data(), 4}, compaction::ItemCount{4},
                                 simt::Span<int>{out.data(), 4}, compaction::Sum<int>());
  EXPECT_EQ(out, (std::vector<int>{0, 3, 4, 11}));
}

TEST(ShiftToExclusive, CrossesTheEdgesOfBlocks) {
  constexpr size_t kItems = 600;
  std::vector<int> inclusive(kItems), out(kItems), expected(kItems);
  for (size_t i = 0; i < kItems; ++i) inclusive[i] = expected[i] = int(i) + 1;
  for (size_t i = 0; i < kItems; ++i) expected[i] = int(i);
  simt::host::Executor executor;
  compaction::shift_to_exclusive(executor, {inclusive.data(), kItems},
                                 compaction::ItemCount{kItems}, simt::Span<int>{out.data(), kItems},
                                 compaction::Sum<int>());
  EXPECT_EQ(out, expected);
}

TEST(ShiftToExclusive, NothingIsNothing) {
  simt::host::Executor executor;
  compaction::shift_to_exclusive(executor, {}, compaction::ItemCount{0}, simt::Span<int>{},
                                 compaction::Sum<int>());
}

}  // namespace
