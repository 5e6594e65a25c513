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

struct Identify {
  static constexpr unsigned kBlockSize = 96;
  using Shared = NoShared;
  Span<uint32_t> visits;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    EXPECT_EQ(block.num_threads(), kBlockSize);
    EXPECT_EQ(block.num_groups(), visits.size / kBlockSize);
    EXPECT_EQ(block.warp_rank(), block.thread_rank() / 32);
    EXPECT_EQ(block.warp().thread_rank(), block.thread_rank() % 32);
    ++visits[block.group_index() * kBlockSize + block.thread_rank()];
  }
};

TEST_P(ExecutorTest, RunsEveryThreadOnce) {
  std::vector<uint32_t> visits(11 * Identify::kBlockSize, 0);
  executor_.launch(11, Identify{{visits.data(), visits.size()}});
  EXPECT_EQ(visits, std::vector<uint32_t>(visits.size(), 1));
}

TEST_P(ExecutorTest, NoBlocksIsNothingToDo) {
  executor_.launch(0, Identify{});
}

/// Each block waits for the next one, and the last for the first.
struct WaitInACircle {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;
  Span<uint32_t> here;  ///< [block], 0

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() > 0) return;
    simt::store_relaxed(here[block.group_index()], 1);
    while (simt::load_relaxed(here[(block.group_index() + 1) % here.size]) == 0) simt::backoff();
  }
};

TEST_P(ExecutorTest, BlocksOfACooperativeLaunchMayWaitForEachOther) {
  const uint32_t blocks = executor_.max_cooperative_blocks<WaitInACircle>();
  EXPECT_EQ(blocks, std::max(GetParam().resident_blocks, 1u));
  std::vector<uint32_t> here(blocks);
  executor_.launch_cooperative(blocks, WaitInACircle{{here.data(), here.size()}});
  EXPECT_EQ(here, std::vector<uint32_t>(blocks, 1));
  EXPECT_THROW(executor_.launch_cooperative(blocks + 1, WaitInACircle{}), std::logic_error);
  expect_works();
}

struct WarpCalls {
  static constexpr unsigned kBlockSize = 64;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    simt::Warp auto warp = block.warp();
    unsigned lane = warp.thread_rank(), rank = block.thread_rank(), base = rank - lane;
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
  }
};

TEST_P(ExecutorTest, WarpAndBlockCallsReturnWhatCudaReturns) {
  executor_.launch(3, WarpCalls{});
}

/// Each lane reads what its neighbour has written.
struct WarpsThatShare {
  static constexpr unsigned kBlockSize = 64;
  struct Shared {
    unsigned ranks[kBlockSize];
  };

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    unsigned(&ranks)[kBlockSize] = simt::in_register(shared.ranks);
    const unsigned rank = block.thread_rank();
    for (unsigned delta = 1; delta < simt::kWarpSize; ++delta) {
      ranks[rank] = rank * delta;
      warp.sync();
      const unsigned neighbour =
          rank / simt::kWarpSize * simt::kWarpSize + (rank + delta) % simt::kWarpSize;
      EXPECT_EQ(ranks[neighbour], neighbour * delta);
      warp.sync();
    }
  }
};

TEST_P(ExecutorTest, SyncOrdersMemoryInAWarp) {
  executor_.launch(2, WarpsThatShare{});
}

/// Warps that make different numbers of collective calls do not affect each other.
struct UnevenWarps {
  static constexpr unsigned kBlockSize = 128;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    for (unsigned i = 0; i < block.warp_rank() * 5; ++i)
      EXPECT_EQ(block.warp().shfl(i * 100 + block.warp().thread_rank(), i % 32), i * 100 + i % 32);
    block.sync();
  }
};

TEST_P(ExecutorTest, WarpCallsSynchronizeOneWarp) {
  executor_.launch(4, UnevenWarps{});
}

struct SeePoison {
  static constexpr unsigned kBlockSize = 32;
  struct Shared {
    unsigned char bytes[100];
  };

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    for (unsigned char byte : shared.bytes) EXPECT_EQ(byte, 0xCD);
    block.sync();
    shared.bytes[block.thread_rank()] = 1;  // the next block must not see it
  }
};

TEST_P(ExecutorTest, SharedMemoryStartsPoisoned) {
  executor_.launch(9, SeePoison{});
}

TEST_P(ExecutorTest, ErrorsCostNoStacks) {
  for (int i = 0; i < 300; ++i) EXPECT_THROW(executor_.launch(4, SkippedBarrier{5}), KernelError);
  expect_works();
}

TEST_P(ExecutorTest, ExecutorsOnDifferentThreadsAreIndependent) {
  Schedule schedule = GetParam();
  auto work = [schedule] {
    Executor executor(schedule);
    std::vector<uint32_t> out(5 * ReverseRanks::kBlockSize);
    for (int i = 0; i < 20; ++i) {
      executor.launch(5, ReverseRanks{{out.data(), out.size()}});
      EXPECT_THROW(executor.launch(2, SkippedBarrier{1}), KernelError);
    }
    EXPECT_EQ(out[64], 63u);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Schedules, ExecutorTest, testing::ValuesIn(all_schedules()),
                         schedule_name);

}  // namespace
