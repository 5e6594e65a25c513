#include "compaction/group/warp_sum.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/compaction/group/support/group_test.h"

namespace {

struct SumWarps {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> sums;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    sums[block.thread_rank()] = compaction::warp_sum(block.warp(), in[block.thread_rank()]);
  }
};

TEST(WarpSum, EveryLaneReceivesTheSumOfItsWarp) {
  std::vector<uint32_t> in = random_words(64);
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<uint32_t> sums(64);
    simt::host::Executor(schedule).launch(1, SumWarps{{in.data(), 64}, {sums.data(), 64}});
    for (unsigned i = 0; i < 64; ++i) {
      auto warp = in.begin() + i / 32 * 32;
      EXPECT_EQ(sums[i], std::accumulate(warp, warp + 32, 0u)) << "thread " << i;
    }
  }
}

}  // namespace
