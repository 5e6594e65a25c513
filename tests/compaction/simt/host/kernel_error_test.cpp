// SPDX-License-Identifier: MIT
// Kernels with one mistake each, and the error that is reported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "compaction/simt/atomic.h"
#include "tests/compaction/simt/host/support/executor_fixture.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;

class KernelErrorTest : public WithSchedule {};

const auto kDivergentBarrier = kernel_of<64>([](auto& block) {
  if (block.thread_rank() < 40)
    block.sync();
  else
    block.sync();
});

TEST_P(KernelErrorTest, ReportsTwoPlacesAtOneBarrier) {
  EXPECT_THAT(error_of(2, kDivergentBarrier),
              AllOf(HasSubstr("kernel_error_test.cpp:"), HasSubstr("calls sync(), but thread "),
                    HasSubstr("waits in sync() at"), HasSubstr("of block ")));
}

TEST_P(KernelErrorTest, ReportsAThreadThatReturnsWhileItsBlockWaits) {
  for (unsigned leaver : {0u, 17u, 63u})
    EXPECT_THAT(error_of(3, skipped_barrier(leaver)),
                AllOf(HasSubstr("return"), HasSubstr("sync()"), HasSubstr("executor_fixture.h:")));
}

// The loop bound of a textbook's scan: threads reach the barrier different numbers of times.
const auto kBarrierInUnevenLoop = kernel_of<64>([](auto& block) {
  for (unsigned stride = 1; stride <= block.thread_rank(); stride *= 2) block.sync();
});

TEST_P(KernelErrorTest, ReportsABarrierInAnUnevenLoop) {
  EXPECT_THAT(error_of(1, kBarrierInUnevenLoop), HasSubstr("return"));
}

const auto kLostLane = kernel_of<64>([](auto& block) {
  if (block.thread_rank() == 37) return;
  block.warp().ballot(true);
});

TEST_P(KernelErrorTest, ReportsALaneThatReturnsWhileItsWarpWaits) {
  EXPECT_THAT(error_of(1, kLostLane), AllOf(HasSubstr("return"), HasSubstr("ballot()")));
}

const auto kDivergentLanes = kernel_of<32>([](auto& block) {
  unsigned lane = block.warp().thread_rank();
  if (lane < 16)
    block.warp().shfl(lane, 0);
  else
    block.warp().ballot(true);
});

TEST_P(KernelErrorTest, ReportsLanesInDifferentCalls) {
  EXPECT_THAT(error_of(1, kDivergentLanes), AllOf(HasSubstr("shfl()"), HasSubstr("ballot()")));
}

const auto kWarpAgainstBlock = kernel_of<64>([](auto& block) {
  if (block.thread_rank() % 2 == 0) block.warp().any(true);
  block.sync();
});

TEST_P(KernelErrorTest, ReportsThreadsThatWaitForEachOther) {
  EXPECT_THAT(error_of(2, kWarpAgainstBlock),
              AllOf(HasSubstr("wait for each other"), HasSubstr("any()"), HasSubstr("sync()")));
}

// Each block waits for the one after it, which may never become resident.
TEST_P(KernelErrorTest, ReportsWaitingWithoutProgress) {
  std::vector<uint32_t> ready(101, 0);  // [block + 1]
  const auto wait_for_next_block = kernel_of<32>([&](auto& block) {
    while (simt::load_acquire(ready.at(block.group_index() + 1)) == 0) simt::backoff();
    simt::store_release(ready.at(block.group_index()), 1);
  });
  EXPECT_THAT(error_of(100, wait_for_next_block),
              AllOf(HasSubstr("progress"), HasSubstr("kernel_error_test.cpp:")));
}

TEST_P(KernelErrorTest, ReportsAnIndexOutsideASpan) {
  std::vector<uint32_t> out(31);
  const auto write_outside = kernel_of<32>([out = span_of(out)](auto& block) {
    block.sync();
    out[block.thread_rank()] = 1;
  });
  EXPECT_THAT(error_of(1, write_outside),
              AllOf(HasSubstr("thread 31 of block 0"), HasSubstr("index 31 is outside"),
                    HasSubstr("kernel_error_test.cpp:")));
}

const auto kFail = kernel_of<32>([](auto& block) {
  if (block.thread_rank() == 9) simt::fail("too many cooks");
  block.sync();
});

TEST_P(KernelErrorTest, ReportsWhyAKernelFails) {
  EXPECT_THAT(error_of(1, kFail), AllOf(HasSubstr("thread 9 of block 0: too many cooks"),
                                        HasSubstr("kernel_error_test.cpp:")));
}

const auto kThrowUnknown = kernel_of<32>([](auto& block) {
  block.sync();
  throw 7;
});

TEST_P(KernelErrorTest, ReportsExceptionsOfAnyType) {
  EXPECT_THAT(error_of(1, kThrowUnknown), HasSubstr("exception"));
}

TEST_P(KernelErrorTest, RefusesALaunchFromAKernel) {
  const auto launch_again =
      kernel_of<32>([&](auto&) { executor_.launch(1, kernel_of<32>([](auto&) {})); });
  EXPECT_THAT(error_of(1, launch_again), HasSubstr("launches another"));
}

INSTANTIATE_TEST_SUITE_P(Schedules, KernelErrorTest, testing::ValuesIn(all_schedules()),
                         schedule_name);

}  // namespace
