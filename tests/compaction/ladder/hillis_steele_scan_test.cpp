// SPDX-License-Identifier: MIT
#include "compaction/ladder/hillis_steele_scan.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/compaction/support/host_test.h"

namespace {

// The last numbers of items cross the edges of blocks.
TEST(ShiftToExclusive, PutsTheIdentityInFrontAndDropsTheLast) {
  for (size_t n : {0u, 1u, 4u, 256u, 257u, 600u}) {
    std::vector<int> inclusive(n), out(n), expected(n);
    std::iota(inclusive.begin(), inclusive.end(), 1);
    std::iota(expected.begin(), expected.end(), 0);
    Executor executor;
    compaction::shift_to_exclusive(executor, span_of(inclusive), compaction::ItemCount{n},
                                   span_of(out), compaction::Sum<int>());
    EXPECT_EQ(out, expected);
  }
}

}  // namespace
