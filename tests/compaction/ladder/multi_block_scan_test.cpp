// SPDX-License-Identifier: MIT
#include "compaction/ladder/multi_block_scan.h"

#include <gtest/gtest.h>

#include <vector>

#include "compaction/group/block_scan.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/launchers.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::ScanKind;

// With tiles of one warp, few items need many levels.
template <class BlockScan>
class MultiBlockScan : public testing::Test {};

using AffineBlockScans = testing::Types<compaction::KoggeStoneBlockScan<Affine, 32>,
                                        compaction::BrentKungBlockScan<Affine, 32>,
                                        compaction::CoarsenedBlockScan<Affine, 32, 3>>;
TYPED_TEST_SUITE(MultiBlockScan, AffineBlockScans);

template <ScanKind kind, class BlockScan>
void expect_right(size_t n, unsigned launches) {
  SCOPED_TRACE(testing::Message() << n << " items");
  std::vector<Affine> items = ordered_items<Affine>(n), total(1);
  const Scanned<Affine> expected = reference_scan<Affine, Compose>(kind, items);
  CountingLauncher launcher({Order::kShuffled, 5, 3});
  Memory workspace(compaction::multi_block_scan_bytes<BlockScan, Affine>(n));
  compaction::multi_block_scan<kind, BlockScan>(launcher, span_of(items), compaction::ItemCount{n},
                                                span_of(items), workspace.span(), Compose(),
                                                span_of(total));
  EXPECT_TRUE(items == expected.out);
  EXPECT_TRUE(total[0] == expected.total);
  EXPECT_EQ(launcher.launches, launches);
}

TYPED_TEST(MultiBlockScan, ScansTheSumsOfTheSumsAtEveryLevel) {
  size_t tile = TypeParam::kItems;
  expect_right<ScanKind::kInclusive, TypeParam>(tile, 1);
  expect_right<ScanKind::kInclusive, TypeParam>(tile + 1, 3);
  expect_right<ScanKind::kInclusive, TypeParam>(tile * tile, 3);
  expect_right<ScanKind::kInclusive, TypeParam>(tile * tile + 1, 5);
  expect_right<ScanKind::kExclusive, TypeParam>(tile * tile + tile + 1, 5);
}

TEST(MultiBlockScanLevels, FourLevels) {
  expect_right<ScanKind::kExclusive, compaction::KoggeStoneBlockScan<Affine, 32>>(32 * 32 * 32 + 1,
                                                                                  7);
}

}  // namespace
