// SPDX-License-Identifier: MIT
#include "compaction/group/warp_scan.h"

#include <gtest/gtest.h>

#include "compaction/ladder/sequential.h"
#include "tests/compaction/group/support/group_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

struct ScanCounts {
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

template <class T, class Op>
struct ScanItems {
  static constexpr unsigned kBlockSize = 64;
  using Shared = simt::NoShared;
  simt::Span<const T> in;
  simt::Span<T> inclusive, exclusive;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    unsigned i = block.thread_rank();
    inclusive[i] = compaction::warp_inclusive_scan(block.warp(), in[i], Op());
    exclusive[i] = compaction::warp_exclusive_scan(block.warp(), in[i], Op());
  }
};

template <class Kernel, class T, class Op>
void expect_scanned(const std::vector<T>& in) {
  for (const simt::host::Schedule& schedule : schedules()) {
    std::vector<T> inclusive(64), exclusive(64), expected(64);
    simt::host::Executor(schedule).launch(
        1, Kernel{{in.data(), 64}, {inclusive.data(), 64}, {exclusive.data(), 64}});
    for (unsigned warp : {0u, 32u})
      compaction::sequential_exclusive_scan<T>({in.data() + warp, 32}, {expected.data() + warp, 32},
                                               Op());
    EXPECT_TRUE(exclusive == expected);
    for (unsigned warp : {0u, 32u})
      compaction::sequential_inclusive_scan<T>({in.data() + warp, 32}, {expected.data() + warp, 32},
                                               Op());
    EXPECT_TRUE(inclusive == expected);
  }
}

TEST(WarpScan, EachWarpScansItsOwnCounts) {
  expect_scanned<ScanCounts, uint32_t, compaction::Sum<uint32_t>>(random_words(64));
}

TEST(WarpScan, AnyItemAndOperatorInOrder) {
  expect_scanned<ScanItems<Affine, Compose>, Affine, Compose>(ordered_items<Affine>(64));
  expect_scanned<ScanItems<Interval, Join>, Interval, Join>(ordered_items<Interval>(64));
  expect_scanned<ScanItems<Wide, KeepLast>, Wide, KeepLast>(ordered_items<Wide>(64));
}

}  // namespace
