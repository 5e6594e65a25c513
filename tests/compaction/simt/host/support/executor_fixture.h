// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/compaction/support/host_test.h"

// Common parts of the tests of the executor. Each test runs with every one of all_schedules().

namespace simt::host {

/// A schedule as words, which also name the tests.
inline void PrintTo(const Schedule& schedule, std::ostream* out) {
  constexpr const char* kNames[] = {"forward", "reverse", "shuffled"};
  *out << kNames[int(schedule.order)] << "_" << schedule.resident_blocks;
}

}  // namespace simt::host

namespace {

/// Reverses the ranks of each block of 64 threads through shared memory.
inline void expect_reversed_ranks(Executor& executor) {
  constexpr unsigned kBlocks = 7, kBlockSize = 64;
  struct Shared {
    uint32_t ranks[kBlockSize];
  };
  std::vector<uint32_t> out(kBlocks * kBlockSize, 12345);
  executor.launch(kBlocks, kernel_of<kBlockSize, Shared>([&](auto& block, auto& shared) {
                    shared.ranks[block.thread_rank()] = block.thread_rank();
                    block.sync();
                    out.at(block.group_index() * kBlockSize + block.thread_rank()) =
                        shared.ranks[kBlockSize - 1 - block.thread_rank()];
                  }));
  for (uint32_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], kBlockSize - 1 - i % kBlockSize);
}

class WithSchedule : public testing::TestWithParam<Schedule> {
 protected:
  /// The message of the KernelError of a launch; the executor must work afterwards.
  template <class Kernel>
  std::string error_of(uint32_t blocks, const Kernel& kernel) {
    std::string error = kernel_error_of([&] { executor_.launch(blocks, kernel); });
    expect_works();
    return error;
  }
  void expect_works() { expect_reversed_ranks(executor_); }

  Executor executor_{GetParam()};
};

/// A mistake: one thread returns while the others wait.
inline auto skipped_barrier(unsigned leaver) {
  return kernel_of<64>([=](auto& block) {
    if (block.thread_rank() != leaver) block.sync();
  });
}

inline std::vector<Schedule> all_schedules() {
  return {{Order::kForward, 0, 1},
          {Order::kForward, 0, 3},
          {Order::kReverse, 0, 3},
          {Order::kShuffled, 1, 1},
          {Order::kShuffled, 2, 3}};
}

inline std::string schedule_name(const testing::TestParamInfo<Schedule>& info) {
  return testing::PrintToString(info.param);
}

}  // namespace
