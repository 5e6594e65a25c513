// SPDX-License-Identifier: MIT
#include "compaction/ladder/ballot_select.h"

#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/sequential.h"
#include "compaction/simt/host/executor.h"

namespace {

struct ScanByBallots {
  static constexpr unsigned kBlockSize = 32;
  using Shared = simt::NoShared;
  simt::Span<uint32_t> values;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint32_t& value = values[block.thread_rank()];
    value = compaction::ballot_exclusive_scan(block.warp(), value);
  }
};

TEST(BallotExclusiveScan, SumsCountsOfLanesUpTo32) {
  std::vector<uint32_t> values(32), expected(32);
  for (uint32_t lane = 0; lane < 32; ++lane) values[lane] = lane % 3 == 0 ? 32 : lane;
  compaction::sequential_exclusive_scan({values.data(), 32}, {expected.data(), 32});
  simt::host::Executor().launch(1, ScanByBallots{{values.data(), 32}});
  EXPECT_EQ(values, expected);
}

}  // namespace
