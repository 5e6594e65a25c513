// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "compaction/simt/host/executor.h"

// What the tests of the executor share: each runs with every one of all_schedules().

namespace simt::host {

/// A schedule as words, which also name the tests.
inline void PrintTo(const Schedule& schedule, std::ostream* out) {
  constexpr const char* kNames[] = {"forward", "reverse", "shuffled"};
  *out << kNames[int(schedule.order)] << "_" << schedule.resident_blocks;
}

}  // namespace simt::host

namespace {

using simt::NoShared;
using simt::Span;
using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;
using simt::host::Schedule;

class WithSchedule : public testing::TestWithParam<Schedule> {
 protected:
  /// The message of the KernelError of a launch; the executor must work afterwards.
  template <class Kernel>
  std::string error_of(uint32_t blocks, const Kernel& kernel) {
    try {
      executor_.launch(blocks, kernel);
    } catch (const KernelError& error) {
      expect_works();
      return error.what();
    }
    return "no error";
  }

  void expect_works();

  Executor executor_{GetParam()};
};

/// Reverses the ranks of each block through shared memory.
struct ReverseRanks {
  static constexpr unsigned kBlockSize = 64;
  struct Shared {
    uint32_t ranks[kBlockSize];
  };
  Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    shared.ranks[block.thread_rank()] = block.thread_rank();
    block.sync();
    out[block.group_index() * kBlockSize + block.thread_rank()] =
        shared.ranks[kBlockSize - 1 - block.thread_rank()];
  }
};

inline void WithSchedule::expect_works() {
  constexpr uint32_t kBlocks = 7, kThreads = kBlocks * ReverseRanks::kBlockSize;
  std::vector<uint32_t> out(kThreads, 12345);
  executor_.launch(kBlocks, ReverseRanks{{out.data(), out.size()}});
  for (uint32_t i = 0; i < kThreads; ++i) ASSERT_EQ(out[i], 63 - i % 64);
}

/// A mistake: one thread returns while the others wait.
struct SkippedBarrier {
  static constexpr unsigned kBlockSize = 64;
  using Shared = NoShared;
  unsigned leaver;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() == leaver) return;
    block.sync();
  }
};

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
