// SPDX-License-Identifier: MIT
#include "compaction/ladder/multi_block_scan.h"

#include <gtest/gtest.h>

#include <vector>

#include "compaction/group/block_scan.h"
#include "compaction/ladder/sequential.h"
#include "tests/compaction/support/launchers.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::ScanKind;
using simt::Span;

// Tiles of one warp, so that few items need many levels.
template <class BlockScan>
class MultiBlockScan : public testing::Test {};

using BlockScans = testing::Types<compaction::KoggeStoneBlockScan<Affine, 32>,
                                  compaction::BrentKungBlockScan<Affine, 32>,
                                  compaction::CoarsenedBlockScan<Affine, 32, 3>>;
TYPED_TEST_SUITE(MultiBlockScan, BlockScans);

template <ScanKind kind, class BlockScan>
void expect_right(size_t n, unsigned launches) {
  SCOPED_TRACE(testing::Message() << n << " items");
  std::vector<Affine> items = ordered_items<Affine>(n), expected(n), total(1);
  Span<Affine> out{expected.data(), n};
  Affine expected_total =
      kind == ScanKind::kInclusive
          ? compaction::sequential_inclusive_scan({items.data(), n}, out, Compose())
          : compaction::sequential_exclusive_scan({items.data(), n}, out, Compose());

  CountingLauncher launcher({simt::host::Order::kShuffled, 5, 3});
  std::vector<std::byte> workspace(compaction::multi_block_scan_bytes<BlockScan, Affine>(n));
  Span<Affine> in_place{items.data(), n};
  compaction::multi_block_scan<kind, BlockScan>(
      launcher, in_place, compaction::ItemCount{n}, in_place,
      Span<std::byte>{workspace.data(), workspace.size()}, Compose(), Span<Affine>{&total[0], 1});
  EXPECT_TRUE(items == expected);
  EXPECT_TRUE(total[0] == expected_total);
  EXPECT_EQ(launcher.launches(), launches);
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
