#include "compaction/group/warp_or.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "tests/compaction/group/support/group_test.h"

namespace {

struct OrWarps {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> bits;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    bits[block.thread_rank()] = compaction::warp_or(block.warp(), in[block.thread_rank()]);
  }
};

TEST(WarpOr, EveryLaneReceivesTheBitsOfItsWarp) {
  std::vector<uint32_t> in = random_words(64);
  for (uint32_t& word : in) word &= word >> 8 & word >> 16 & word << 8;  // so that few are set
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<uint32_t> bits(64);
    simt::host::Executor(schedule).launch(1, OrWarps{{in.data(), 64}, {bits.data(), 64}});
    for (unsigned i = 0; i < 64; ++i) {
      auto warp = in.begin() + i / 32 * 32;
      EXPECT_EQ(bits[i], std::accumulate(warp, warp + 32, 0u, std::bit_or<>())) << "thread " << i;
    }
  }
}

}  // namespace
