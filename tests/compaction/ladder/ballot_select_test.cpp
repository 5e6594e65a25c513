// SPDX-License-Identifier: MIT
#include "compaction/ladder/ballot_select.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

TEST(BallotExclusiveScan, SumsCountsOfLanesUpTo32) {
  std::vector<uint32_t> counts(64);
  for (uint32_t lane = 0; lane < 32; ++lane) counts[lane] = lane % 3 == 0 ? 32 : lane;
  std::vector<uint32_t> sums = in_two_warps(counts, {}, [](auto warp, uint32_t count) {
    return compaction::ballot_exclusive_scan(warp, count);
  });
  counts.resize(32);
  sums.resize(32);
  EXPECT_EQ(sums, (reference_scan<uint32_t, compaction::Sum<uint32_t>>(
                       compaction::ScanKind::kExclusive, counts)
                       .out));
}

}  // namespace
