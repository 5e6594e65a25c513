// SPDX-License-Identifier: MIT
#include "compaction/simt/host/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <vector>

#include "compaction/simt/atomic.h"
#include "tests/compaction/simt/host/support/executor_fixture.h"

namespace {

class ExecutorTest : public WithSchedule {};

TEST_P(ExecutorTest, BarrierMakesSharedMemoryVisible) {
  expect_works();
}

TEST_P(ExecutorTest, RunsEveryThreadOnce) {
  constexpr unsigned kBlocks = 11, kBlockSize = 96;
  std::vector<uint32_t> visits(kBlocks * kBlockSize, 0);
  executor_.launch(kBlocks, kernel_of<kBlockSize>([&](auto& block) {
                     EXPECT_EQ(block.num_threads(), kBlockSize);
                     EXPECT_EQ(block.num_groups(), kBlocks);
                     EXPECT_EQ(block.warp_rank(), block.thread_rank() / 32);
                     EXPECT_EQ(block.warp().thread_rank(), block.thread_rank() % 32);
                     ++visits.at(block.group_index() * kBlockSize + block.thread_rank());
                   }));
  EXPECT_EQ(visits, std::vector<uint32_t>(visits.size(), 1));
}

TEST_P(ExecutorTest, NoBlocksIsNothingToDo) {
  executor_.launch(0, kernel_of<32>([](auto&) { FAIL(); }));
}

TEST_P(ExecutorTest, WarpAndBlockCallsReturnWhatCudaReturns) {
  executor_.launch(3, kernel_of<64>([](auto& block) {
                     simt::Warp auto warp = block.warp();
                     unsigned lane = warp.thread_rank(), rank = block.thread_rank();
                     unsigned base = rank - lane;
                     EXPECT_EQ(warp.ballot(lane % 2 == 1), 0xAAAAAAAAu);
                     EXPECT_EQ(warp.ballot(true), 0xFFFFFFFFu);
                     EXPECT_TRUE(warp.any(lane == 31));
                     EXPECT_FALSE(warp.any(false));
                     EXPECT_FALSE(warp.all(lane != 5));
                     EXPECT_TRUE(warp.all(true));
                     EXPECT_EQ(warp.shfl(rank, lane ^ 1), rank ^ 1);
                     EXPECT_EQ(warp.shfl(rank, 32 + 3), base + 3);
                     EXPECT_EQ(warp.shfl_up(rank, 4), lane >= 4 ? rank - 4 : rank);
                     EXPECT_EQ(warp.shfl_down(rank, 4), lane + 4 < 32 ? rank + 4 : rank);
                     EXPECT_EQ(warp.shfl_down(rank, 40), rank);
                     EXPECT_EQ(warp.shfl(0.5 + rank, 7), 0.5 + base + 7);
                     EXPECT_EQ(block.sync_count(rank % 3 == 0), 22u);
                     EXPECT_EQ(block.sync_count(false), 0u);
                   }));
}

// Each lane reads what its neighbour has written.
TEST_P(ExecutorTest, SyncOrdersMemoryInAWarp) {
  struct Shared {
    unsigned ranks[64];
  };
  executor_.launch(2, kernel_of<64, Shared>([](auto& block, auto& shared) {
                     simt::Warp auto warp = block.warp();
                     unsigned(&ranks)[64] = simt::in_register(shared.ranks);
                     const unsigned rank = block.thread_rank();
                     for (unsigned delta = 1; delta < simt::kWarpSize; ++delta) {
                       ranks[rank] = rank * delta;
                       warp.sync();
                       const unsigned neighbour = rank / simt::kWarpSize * simt::kWarpSize +
                                                  (rank + delta) % simt::kWarpSize;
                       EXPECT_EQ(ranks[neighbour], neighbour * delta);
                       warp.sync();
                     }
                   }));
}

// Warps that make different numbers of collective calls do not affect each other.
TEST_P(ExecutorTest, WarpCallsSynchronizeOneWarp) {
  executor_.launch(4, kernel_of<128>([](auto& block) {
                     simt::Warp auto warp = block.warp();
                     for (unsigned i = 0; i < block.warp_rank() * 5; ++i)
                       EXPECT_EQ(warp.shfl(i * 100 + warp.thread_rank(), i % 32), i * 100 + i % 32);
                     block.sync();
                   }));
}

TEST_P(ExecutorTest, SharedMemoryStartsPoisoned) {
  struct Shared {
    unsigned char bytes[100];
  };
  executor_.launch(9, kernel_of<32, Shared>([](auto& block, auto& shared) {
                     for (unsigned char byte : shared.bytes) EXPECT_EQ(byte, 0xCD);
                     block.sync();
                     shared.bytes[block.thread_rank()] = 1;  // the next block must not see it
                   }));
}

TEST_P(ExecutorTest, ErrorsCostNoStacks) {
  for (int i = 0; i < 300; ++i) EXPECT_THROW(executor_.launch(4, skipped_barrier(5)), KernelError);
  expect_works();
}

TEST_P(ExecutorTest, ExecutorsOnDifferentThreadsAreIndependent) {
  Schedule schedule = GetParam();
  auto work = [schedule] {
    Executor executor(schedule);
    for (int i = 0; i < 20; ++i) {
      expect_reversed_ranks(executor);
      EXPECT_THROW(executor.launch(2, skipped_barrier(1)), KernelError);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Schedules, ExecutorTest, testing::ValuesIn(all_schedules()),
                         schedule_name);

}  // namespace
