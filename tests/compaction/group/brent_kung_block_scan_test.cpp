// SPDX-License-Identifier: MIT
#include "compaction/group/block_scan.h"
#include "tests/compaction/group/support/block_scan_test.h"

namespace {

template <class T>
using OneWarp = compaction::BrentKungBlockScan<T, 32>;
template <class T>
using ManyWarps = compaction::BrentKungBlockScan<T, 256>;
template <class T>
using LargestBlock = compaction::BrentKungBlockScan<T, 1024>;

TEST(BrentKungBlockScan, CombinesAllEarlierItemsOfTheBlock) {
  expect_block_scans<OneWarp>();
  expect_block_scans<ManyWarps>();
  expect_block_scans<LargestBlock>();
}

}  // namespace
