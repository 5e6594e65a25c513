// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "compaction/group/warp.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::ScanKind;

/// @param passed  `op`, or nothing for scans of counts
template <class Op, class T, class... Passed>
void expect_scanned(const std::vector<T>& in, Passed... op) {
  const std::vector<T> second(in.begin() + 32, in.end()), first(in.begin(), in.begin() + 32);
  auto inclusive = [=](auto warp, const T& item) {
    return compaction::warp_inclusive_scan(warp, item, op...);
  };
  auto exclusive = [=](auto warp, const T& item) {
    return compaction::warp_exclusive_scan(warp, item, op...);
  };
  for (ScanKind kind : kScanKinds) {
    std::vector<T> expected = reference_scan<T, Op>(kind, first).out;
    for (const T& item : reference_scan<T, Op>(kind, second).out) expected.push_back(item);
    for (const Schedule& schedule : schedules())
      EXPECT_TRUE((kind == ScanKind::kInclusive
                       ? in_two_warps(in, schedule, inclusive)
                       : in_two_warps(in, schedule, exclusive)) == expected)
          << name_of(kind);
  }
}

TEST(WarpScan, EachWarpScansItsOwnCounts) {
  expect_scanned<compaction::Sum<uint32_t>>(random_numbers(64, 17));
}

TEST(WarpScan, AnyItemAndOperatorInOrder) {
  expect_scanned<Compose>(ordered_items<Affine>(64), Compose());
  expect_scanned<Join>(ordered_items<Interval>(64), Join());
  expect_scanned<KeepLast>(ordered_items<Wide>(64), KeepLast());
}

}  // namespace
