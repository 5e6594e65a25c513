// SPDX-License-Identifier: MIT
#include "compaction/simt/simt.h"

#include <gtest/gtest.h>

#include "compaction/simt/host/block.h"
#include "compaction/simt/host/executor.h"

namespace {

static_assert(simt::Warp<simt::host::Warp>);
static_assert(simt::Block<simt::host::Block>);

TEST(Simt, CeilDivRoundsUpWithoutOverflow) {
  EXPECT_EQ(simt::ceil_div(0u, 5), 0u);
  EXPECT_EQ(simt::ceil_div(1u, 5), 1u);
  EXPECT_EQ(simt::ceil_div(5u, 5), 1u);
  EXPECT_EQ(simt::ceil_div(6u, 5), 2u);
  EXPECT_EQ(simt::ceil_div(~0u, 2), 1u << 31);
}

TEST(Simt, BitsOfAWord) {
  EXPECT_TRUE(simt::bit_is_set(0x80000001u, 31) && simt::bit_is_set(0x80000001u, 0));
  EXPECT_FALSE(simt::bit_is_set(0x80000001u, 1) || simt::bit_is_set(0, 31));
  EXPECT_EQ(simt::popcount(0), 0u);
  EXPECT_EQ(simt::popcount(~0u), 32u);
  EXPECT_EQ(simt::first_set(0), 32u);
  EXPECT_EQ(simt::first_set(1), 0u);
  EXPECT_EQ(simt::first_set(1u << 31), 31u);
  EXPECT_EQ(simt::first_set(0b101000), 3u);
  EXPECT_EQ(simt::lanes_below(0), 0u);
  EXPECT_EQ(simt::lanes_below(1), 1u);
  EXPECT_EQ(simt::lanes_below(31), 0x7FFFFFFFu);
}

TEST(Simt, RunOnceRunsOnOneThread) {
  struct AddOne {
    uint32_t* sum;
    SIMT_HOST_DEVICE void operator()() const { ++*sum; }
  };
  uint32_t sum = 0;
  simt::host::Executor().launch(1, simt::RunOnce<AddOne>{{&sum}});
  EXPECT_EQ(sum, 1u);
}

}  // namespace
