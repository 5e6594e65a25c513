// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "compaction/simt/atomic.h"
#include "tests/compaction/simt/host/support/executor_fixture.h"

namespace {

/// The order in which threads start.
std::vector<uint32_t> order_of(Schedule schedule) {
  std::vector<uint32_t> order;
  Executor(schedule).launch(3, kernel_of<32>([&](auto& block) {
                              order.push_back(block.group_index() * 32 + block.thread_rank());
                            }));
  return order;
}

TEST(ScheduleTest, ForwardAndReverseOrderBlocksAndThreads) {
  std::vector<uint32_t> forward = order_of({Order::kForward});
  EXPECT_TRUE(std::is_sorted(forward.begin(), forward.end()));
  std::vector<uint32_t> reverse = order_of({Order::kReverse});
  EXPECT_EQ(reverse, std::vector<uint32_t>(forward.rbegin(), forward.rend()));
}

TEST(ScheduleTest, SeedDecidesAShuffledOrder) {
  EXPECT_EQ(order_of({Order::kShuffled, 1}), order_of({Order::kShuffled, 1}));
  EXPECT_NE(order_of({Order::kShuffled, 1}), order_of({Order::kShuffled, 2}));
  std::vector<uint32_t> order = order_of({Order::kShuffled, 1});
  EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), 96u);
}

// Each thread reads what its neighbour writes, without a barrier between.
TEST(ScheduleTest, MissingBarrierHidesFromForwardOrderAlone) {
  constexpr unsigned kBlockSize = 64;
  struct Shared {
    uint32_t ranks[kBlockSize];
  };
  auto is_right = [](Order order) {
    unsigned wrong = 0;
    Executor(Schedule{order, 1})
        .launch(1, kernel_of<kBlockSize, Shared>([&](auto& block, auto& shared) {
                  unsigned rank = block.thread_rank();
                  shared.ranks[rank] = rank;
                  if (rank > 0) wrong += shared.ranks[rank - 1] != rank - 1;
                }));
    return wrong == 0;
  };
  EXPECT_TRUE(is_right(Order::kForward));
  EXPECT_FALSE(is_right(Order::kReverse));
  EXPECT_FALSE(is_right(Order::kShuffled));
}

// Each block waits until all blocks have started, so all of them must be resident.
TEST(ScheduleTest, ResidentBlocksInterleave) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
    uint32_t arrived = 0;
    const auto wait_for_each_block = kernel_of<32>([&](auto& block) {
      if (block.thread_rank() == 0) simt::fetch_add_acq_rel(arrived, 1);
      while (simt::load_acquire(arrived) < block.num_groups()) simt::backoff();
    });
    Executor(Schedule{order, 1, 6}).launch(6, wait_for_each_block);
    EXPECT_EQ(arrived, 6u);
    arrived = 0;
    EXPECT_THROW(Executor(Schedule{order, 1, 5}).launch(6, wait_for_each_block), KernelError);
  }
}

// One warp waits while the other makes many calls.
TEST(ScheduleTest, WaitingForLongIsNoMistakeWhileOthersWork) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
    uint32_t done = 0;
    const auto wait_for_work = kernel_of<64>([&](auto& block) {
      if (block.warp_rank() == 0) {
        while (simt::load_acquire(done) == 0) simt::backoff();
      } else {
        for (unsigned step = 0; step < 4000; ++step) block.warp().any(true);
        if (block.warp().thread_rank() == 0) simt::store_release(done, 1);
      }
    });
    EXPECT_NO_THROW(Executor(Schedule{order, 1}).launch(1, wait_for_work));
  }
}

}  // namespace
