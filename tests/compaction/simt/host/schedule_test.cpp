// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "compaction/simt/atomic.h"
#include "tests/compaction/simt/host/support/executor_fixture.h"

namespace {

/// Records the order in which threads start.
struct NoteOrder {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;
  std::vector<uint32_t>* order;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    order->push_back(block.group_index() * kBlockSize + block.thread_rank());
  }
};

std::vector<uint32_t> order_of(Schedule schedule) {
  std::vector<uint32_t> order;
  Executor(schedule).launch(3, NoteOrder{&order});
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

/// Reads what a neighbour writes, without a barrier between.
struct MissingBarrier {
  static constexpr unsigned kBlockSize = 64;
  struct Shared {
    uint32_t ranks[kBlockSize];
  };
  Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    unsigned rank = block.thread_rank();
    shared.ranks[rank] = rank;
    out[rank] = rank > 0 ? shared.ranks[rank - 1] : 0;
  }
};

TEST(ScheduleTest, MissingBarrierHidesFromForwardOrderAlone) {
  auto is_right = [](Order order) {
    std::vector<uint32_t> out(64);
    Executor(Schedule{order, 1}).launch(1, MissingBarrier{{out.data(), out.size()}});
    for (uint32_t i = 1; i < 64; ++i)
      if (out[i] != i - 1) return false;
    return true;
  };
  EXPECT_TRUE(is_right(Order::kForward));
  EXPECT_FALSE(is_right(Order::kReverse));
  EXPECT_FALSE(is_right(Order::kShuffled));
}

/// Each block waits until all blocks have started, so all of them must be resident.
struct WaitForEachBlock {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;
  uint32_t* arrived;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() == 0) simt::fetch_add_acq_rel(*arrived, 1);
    while (simt::load_acquire(*arrived) < block.num_groups()) simt::backoff();
  }
};

TEST(ScheduleTest, ResidentBlocksInterleave) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
    uint32_t arrived = 0;
    Executor(Schedule{order, 1, 6}).launch(6, WaitForEachBlock{&arrived});
    EXPECT_EQ(arrived, 6u);
    arrived = 0;
    EXPECT_THROW(Executor(Schedule{order, 1, 5}).launch(6, WaitForEachBlock{&arrived}),
                 KernelError);
  }
}

/// One warp waits while the other makes many calls.
struct WaitForWork {
  static constexpr unsigned kBlockSize = 64;
  static constexpr unsigned kSteps = 4000;
  using Shared = NoShared;
  uint32_t* done;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.warp_rank() == 0) {
      while (simt::load_acquire(*done) == 0) simt::backoff();
    } else {
      for (unsigned step = 0; step < kSteps; ++step) block.warp().any(true);
      if (block.warp().thread_rank() == 0) simt::store_release(*done, 1);
    }
  }
};

TEST(ScheduleTest, WaitingForLongIsNoMistakeWhileOthersWork) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
    uint32_t done = 0;
    EXPECT_NO_THROW(Executor(Schedule{order, 1}).launch(1, WaitForWork{&done}));
  }
}

}  // namespace
