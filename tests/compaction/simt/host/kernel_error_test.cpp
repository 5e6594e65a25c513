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

struct DivergentBarrier {
  static constexpr unsigned kBlockSize = 64;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() < 40)
      block.sync();
    else
      block.sync();
  }
};

TEST_P(KernelErrorTest, ReportsTwoPlacesAtOneBarrier) {
  EXPECT_THAT(error_of(2, DivergentBarrier{}),
              AllOf(HasSubstr("kernel_error_test.cpp:"), HasSubstr("calls sync(), but thread "),
                    HasSubstr("waits in sync() at"), HasSubstr("of block ")));
}

TEST_P(KernelErrorTest, ReportsAThreadThatReturnsWhileItsBlockWaits) {
  for (unsigned leaver : {0u, 17u, 63u})
    EXPECT_THAT(error_of(3, SkippedBarrier{leaver}),
                AllOf(HasSubstr("return"), HasSubstr("sync()"), HasSubstr("executor_fixture.h:")));
}

// The loop bound of a textbook's scan: threads reach the barrier different numbers of times.
struct BarrierInUnevenLoop {
  static constexpr unsigned kBlockSize = 64;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    for (unsigned stride = 1; stride <= block.thread_rank(); stride *= 2) block.sync();
  }
};

TEST_P(KernelErrorTest, ReportsABarrierInAnUnevenLoop) {
  EXPECT_THAT(error_of(1, BarrierInUnevenLoop{}), HasSubstr("return"));
}

struct LostLane {
  static constexpr unsigned kBlockSize = 64;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() == 37) return;
    block.warp().ballot(true);
  }
};

TEST_P(KernelErrorTest, ReportsALaneThatReturnsWhileItsWarpWaits) {
  EXPECT_THAT(error_of(1, LostLane{}), AllOf(HasSubstr("return"), HasSubstr("ballot()")));
}

struct DivergentLanes {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    unsigned lane = block.warp().thread_rank();
    if (lane < 16)
      block.warp().shfl(lane, 0);
    else
      block.warp().ballot(true);
  }
};

TEST_P(KernelErrorTest, ReportsLanesInDifferentCalls) {
  EXPECT_THAT(error_of(1, DivergentLanes{}), AllOf(HasSubstr("shfl()"), HasSubstr("ballot()")));
}

struct WarpAgainstBlock {
  static constexpr unsigned kBlockSize = 64;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() % 2 == 0) block.warp().any(true);
    block.sync();
  }
};

TEST_P(KernelErrorTest, ReportsThreadsThatWaitForEachOther) {
  EXPECT_THAT(error_of(2, WarpAgainstBlock{}),
              AllOf(HasSubstr("wait for each other"), HasSubstr("any()"), HasSubstr("sync()")));
}

/// Each block waits for the one after it, which may never become resident.
struct WaitForNextBlock {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;
  Span<uint32_t> ready;  ///< [block + 1]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    while (simt::load_acquire(ready[block.group_index() + 1]) == 0) simt::backoff();
    simt::store_release(ready[block.group_index()], 1);
  }
};

TEST_P(KernelErrorTest, ReportsWaitingWithoutProgress) {
  std::vector<uint32_t> ready(101, 0);
  EXPECT_THAT(error_of(100, WaitForNextBlock{{ready.data(), ready.size()}}),
              AllOf(HasSubstr("progress"), HasSubstr("kernel_error_test.cpp:")));
}

struct WriteOutside {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;
  Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    block.sync();
    out[block.thread_rank()] = 1;
  }
};

TEST_P(KernelErrorTest, ReportsAnIndexOutsideASpan) {
  std::vector<uint32_t> out(31);
  EXPECT_THAT(error_of(1, WriteOutside{{out.data(), out.size()}}),
              AllOf(HasSubstr("thread 31 of block 0"), HasSubstr("index 31 is outside"),
                    HasSubstr("kernel_error_test.cpp:")));
}

struct Fail {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() == 9) simt::fail("too many cooks");
    block.sync();
  }
};

TEST_P(KernelErrorTest, ReportsWhyAKernelFails) {
  EXPECT_THAT(error_of(1, Fail{}), AllOf(HasSubstr("thread 9 of block 0: too many cooks"),
                                         HasSubstr("kernel_error_test.cpp:")));
}

struct ThrowUnknown {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    block.sync();
    throw 7;
  }
};

TEST_P(KernelErrorTest, ReportsExceptionsOfAnyType) {
  EXPECT_THAT(error_of(1, ThrowUnknown{}), HasSubstr("exception"));
}

struct LaunchAgain {
  static constexpr unsigned kBlockSize = 32;
  using Shared = NoShared;
  Executor* executor;

  SIMT_KERNEL void operator()(simt::Block auto&, Shared&) const {
    executor->launch(1, LaunchAgain{executor});
  }
};

TEST_P(KernelErrorTest, RefusesALaunchFromAKernel) {
  EXPECT_THAT(error_of(1, LaunchAgain{&executor_}), HasSubstr("launches another"));
}

INSTANTIATE_TEST_SUITE_P(Schedules, KernelErrorTest, testing::ValuesIn(all_schedules()),
                         schedule_name);

}  // namespace
