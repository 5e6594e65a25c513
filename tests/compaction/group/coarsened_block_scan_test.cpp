// SPDX-License-Identifier: MIT
#include "compaction/group/block_scan.h"
#include "tests/compaction/group/support/block_scan_test.h"

namespace {

template <class T>
using OneWarp = compaction::CoarsenedBlockScan<T, 32, 1>;
template <class T>
using OddSections = compaction::CoarsenedBlockScan<T, 96, 3>;
template <class T>
using LargestBlock = compaction::CoarsenedBlockScan<T, 1024, 2>;

TEST(CoarsenedBlockScan, CombinesAllEarlierItemsOfTheBlock) {
  expect_block_scans<OneWarp>();
  expect_block_scans<OddSections>();
  expect_block_scans<LargestBlock>();
}

}  // namespace
