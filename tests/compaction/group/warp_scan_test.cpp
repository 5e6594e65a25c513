#include "compaction/group/warp_scan.h"

#include <gtest/gtest.h>

#include "compaction/scan/sequential_scan.h"
#include "tests/compaction/group/group_test.h"

namespace {

struct ScanWarps {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> inclusive, exclusive;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    unsigned i = block.thread_rank();
    inclusive[i] = compaction::warp_inclusive_scan(block.warp(), in[i]);
    exclusive[i] = compaction::warp_exclusive_scan(block.warp(), in[i]);
  }
};

TEST(WarpScan, EachWarpScansItsOwnValues) {
  std::vector<uint32_t> in = random_words(64);
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<uint32_t> inclusive(64), exclusive(64), expected(64);
    simt::host::Executor(schedule).launch(
        1, ScanWarps{{in.data(), 64}, {inclusive.data(), 64}, {exclusive.data(), 64}});
    for (unsigned warp : {0u, 32u})
      compaction::sequential_exclusive_scan({in.data() + warp, 32}, {expected.data() + warp, 32});
    EXPECT_EQ(exclusive, expected);
    for (unsigned i = 0; i < 64; ++i) expected[i] += in[i];
    EXPECT_EQ(inclusive, expected);
  }
}

}  // namespace
