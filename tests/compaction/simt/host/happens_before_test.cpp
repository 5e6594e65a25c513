// SPDX-License-Identifier: MIT
#include "compaction/simt/host/happens_before.h"

#include <gtest/gtest.h>

namespace happens_before_test {

using simt::host::Access;
using simt::host::HappensBefore;
using simt::host::MemoryAccess;
using Order = simt::host::MemoryAccess::Order;

constexpr unsigned kBlockSize = 64;
constexpr uint32_t kFlag = 0;

class HappensBeforeOrder : public testing::Test {
 protected:
  HappensBeforeOrder() { order_.start_launch(2, kBlockSize); }

  void load(uint32_t thread, Order order) { access(thread, MemoryAccess::Kind::kLoad, order); }
  void store(uint32_t thread, Order order) { access(thread, MemoryAccess::Kind::kStore, order); }
  void update(uint32_t thread, Order order) { access(thread, MemoryAccess::Kind::kModify, order); }
  void access(uint32_t thread, MemoryAccess::Kind kind, Order order) {
    order_.atomic(thread, {&kFlag, sizeof(kFlag), kind, order});
  }

  HappensBefore order_;
};

TEST_F(HappensBeforeOrder, OfThreadsIsGivenByTheBarrierOfTheirBlock) {
  const Access write = order_.now(0);
  EXPECT_FALSE(order_.ordered(write, 40));
  order_.open_block_barrier(0);
  EXPECT_TRUE(order_.ordered(write, 40));
  EXPECT_FALSE(order_.ordered(write, kBlockSize));
}

TEST_F(HappensBeforeOrder, OfLanesIsGivenByTheBarrierOfTheirWarp) {
  const Access write = order_.now(0);
  order_.open_warp_barrier(0, 32);
  EXPECT_TRUE(order_.ordered(write, 31));
  EXPECT_FALSE(order_.ordered(write, 32));
}

TEST_F(HappensBeforeOrder, PassesThroughAReleaseThatIsAcquired) {
  const Access write = order_.now(0);
  store(0, Order::kRelease);
  const Access later = order_.now(0);
  load(kBlockSize, Order::kAcquire);
  EXPECT_TRUE(order_.ordered(write, kBlockSize));
  EXPECT_FALSE(order_.ordered(later, kBlockSize));
  EXPECT_FALSE(order_.ordered(write, kBlockSize + 1));
}

TEST_F(HappensBeforeOrder, OfABlockPassesThroughTheReleaseOfOneThreadAndABarrierOfTheOther) {
  const Access write = order_.now(7);
  order_.open_block_barrier(0);
  store(0, Order::kRelease);
  load(kBlockSize, Order::kAcquire);
  order_.open_block_barrier(1);
  EXPECT_TRUE(order_.ordered(write, kBlockSize + 9));
}

TEST_F(HappensBeforeOrder, OfAWarpPassesThroughTheReleaseOfALaneAndABarrierOfTheOtherWarp) {
  const Access write = order_.now(7), beside = order_.now(32);
  order_.open_warp_barrier(0, 32);
  store(0, Order::kRelease);
  load(kBlockSize, Order::kAcquire);
  order_.open_warp_barrier(kBlockSize, 32);
  EXPECT_TRUE(order_.ordered(write, kBlockSize + 31));
  EXPECT_FALSE(order_.ordered(write, kBlockSize + 32));
  EXPECT_FALSE(order_.ordered(beside, kBlockSize + 31));
}

TEST_F(HappensBeforeOrder, NeedsFencesOnBothSidesOfRelaxedFlags) {
  for (const Order flags : {Order::kRelaxed, Order::kVolatile})
    for (const bool fence_of_writer : {false, true})
      for (const bool fence_of_reader : {false, true}) {
        order_.start_launch(2, kBlockSize);
        const Access write = order_.now(0);
        if (fence_of_writer) order_.fence(0);
        store(0, flags);
        load(kBlockSize, flags);
        if (fence_of_reader) order_.fence(kBlockSize);
        EXPECT_EQ(order_.ordered(write, kBlockSize), fence_of_writer && fence_of_reader);
      }
}

TEST_F(HappensBeforeOrder, PassesThroughUpdatesOfOthersButNotThroughTheirStores) {
  const Access write = order_.now(0);
  update(0, Order::kAcquireRelease);
  update(5, Order::kRelaxed);
  update(kBlockSize, Order::kAcquireRelease);
  EXPECT_TRUE(order_.ordered(write, kBlockSize));
  store(5, Order::kRelaxed);
  load(kBlockSize + 1, Order::kAcquire);
  EXPECT_FALSE(order_.ordered(write, kBlockSize + 1));
}

TEST_F(HappensBeforeOrder, IsGivenByTheEndOfALaunch) {
  const Access write = order_.now(0);
  order_.start_launch(2, kBlockSize);
  EXPECT_TRUE(order_.ordered(write, kBlockSize));
}

}  // namespace happens_before_test
