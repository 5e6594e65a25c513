// SPDX-License-Identifier: MIT
#include "compaction/judge/happens_before.h"

#include <gtest/gtest.h>

namespace {

using compaction::judge::Access;
using compaction::judge::HappensBefore;

constexpr unsigned kBlockSize = 64;
constexpr uintptr_t kFlag = 4096;

class Order : public testing::Test {
 protected:
  Order() { order_.start_launch(2, kBlockSize); }
  HappensBefore order_;
};

TEST_F(Order, OfThreadsIsGivenByTheBarrierOfTheirBlock) {
  const Access write = order_.now(0, 1);
  EXPECT_FALSE(order_.ordered(write, 40));
  order_.open_block_barrier(0);
  EXPECT_TRUE(order_.ordered(write, 40));
  EXPECT_FALSE(order_.ordered(write, kBlockSize));
}

TEST_F(Order, OfLanesIsGivenByTheBarrierOfTheirWarp) {
  const Access write = order_.now(0, 1);
  order_.open_warp_barrier(0, 32);
  EXPECT_TRUE(order_.ordered(write, 31));
  EXPECT_FALSE(order_.ordered(write, 32));
}

TEST_F(Order, PassesThroughAReleaseThatIsAcquired) {
  const Access write = order_.now(0, 1);
  order_.atomic_store(0, kFlag, __ATOMIC_RELEASE);
  const Access later = order_.now(0, 1);
  order_.atomic_load(kBlockSize, kFlag, __ATOMIC_ACQUIRE);
  EXPECT_TRUE(order_.ordered(write, kBlockSize));
  EXPECT_FALSE(order_.ordered(later, kBlockSize));
  EXPECT_FALSE(order_.ordered(write, kBlockSize + 1));
}

TEST_F(Order, OfABlockPassesThroughTheReleaseOfOneThreadAndABarrierOfTheOther) {
  const Access write = order_.now(7, 1);
  order_.open_block_barrier(0);
  order_.atomic_store(0, kFlag, __ATOMIC_RELEASE);
  order_.atomic_load(kBlockSize, kFlag, __ATOMIC_ACQUIRE);
  order_.open_block_barrier(1);
  EXPECT_TRUE(order_.ordered(write, kBlockSize + 9));
}

TEST_F(Order, NeedsFencesOnBothSidesOfRelaxedFlags) {
  for (const bool fence_of_writer : {false, true})
    for (const bool fence_of_reader : {false, true}) {
      order_.start_launch(2, kBlockSize);
      const Access write = order_.now(0, 1);
      if (fence_of_writer) order_.fence(0);
      order_.atomic_store(0, kFlag, __ATOMIC_RELAXED);
      order_.atomic_load(kBlockSize, kFlag, __ATOMIC_RELAXED);
      if (fence_of_reader) order_.fence(kBlockSize);
      EXPECT_EQ(order_.ordered(write, kBlockSize), fence_of_writer && fence_of_reader);
    }
}

TEST_F(Order, PassesThroughUpdatesOfOthers) {
  const Access write = order_.now(0, 1);
  order_.atomic_update(0, kFlag, __ATOMIC_ACQ_REL);
  order_.atomic_update(5, kFlag, __ATOMIC_RELAXED);
  order_.atomic_update(kBlockSize, kFlag, __ATOMIC_ACQ_REL);
  EXPECT_TRUE(order_.ordered(write, kBlockSize));
}

TEST_F(Order, IsGivenByTheEndOfALaunch) {
  const Access write = order_.now(0, 1);
  order_.start_launch(2, kBlockSize);
  EXPECT_TRUE(order_.ordered(write, kBlockSize));
}

}  // namespace
