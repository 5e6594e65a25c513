// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "tests/compaction/ladder/support/ladder_test.h"

namespace {

using compaction::ScanKind;

bool in_place_allowed(ScanRung rung) {
  return rung != ScanRung::kNaive && rung != ScanRung::kHillisSteele;
}

/// Items of one tile of numbers.
uint32_t tile_size(ScanRung rung) {
  switch (rung) {
    case ScanRung::kBrentKung:
      return 512;
    case ScanRung::kCoarsened:
    case ScanRung::kChained:
    case ScanRung::kLookBack:
      return 2048;
    default:
      return 256;
  }
}

class Scan : public OnRung<ScanRung> {
 protected:
  template <class T, class Op>
  void expect_right(ScanKind kind, const fast::ScanProblem<T>& problem) {
    size_t n = problem.in.size();
    SCOPED_TRACE(testing::Message()
                 << n << " of at most " << problem.capacity << " items of " << sizeof(T)
                 << " bytes, " << name_of(kind) << (problem.in_place ? ", in place" : ""));
    const Scanned<T> expected = reference_scan<T, Op>(kind, problem.in);
    const Scanned<T> result = ladder<T, Op>().scan(rung(), kind, problem);
    // Only the first difference: a wide item prints many lines.
    for (size_t i = 0; i < n; ++i) ASSERT_TRUE(result.out[i] == expected.out[i]) << "item " << i;
    EXPECT_TRUE(result.total == expected.total);
  }

  /// Both kinds of scan, into another buffer and in place.
  template <class T, class Op>
  void expect_right(uint32_t n) {
    for (ScanKind kind : kScanKinds)
      for (bool in_place : {false, true})
        if (!in_place || in_place_allowed(rung()))
          expect_right<T, Op>(kind,
                              {.in = ordered_items<T>(n), .capacity = n, .in_place = in_place});
  }
};

// Edges of warps and of the tiles of 256, 512 and 2048 items; numbers that are no power of two.
TEST_P(Scan, CombinesAllEarlierItemsInOrder) {
  for (uint32_t n : {0u, 1u, 2u, 3u, 5u, 31u, 32u, 33u, 255u, 256u, 257u, 511u, 512u, 513u, 1000u,
                     2047u, 2048u, 2049u})
    expect_right<Affine, Compose>(n);
  for (uint32_t n : {0u, 1u, 33u, 257u, 513u, 2049u})
    expect_right<int32_t, compaction::Sum<int32_t>>(n);
}

// From the second tile on, every item depends on the start of its tile and on all earlier tiles.
TEST_P(Scan, TilesFollowEachOther) {
  uint32_t tile = tile_size(rung());
  for (uint32_t n : {2 * tile, 2 * tile + 1, 3 * tile - 1, 5 * tile + 7})
    if (rung() != ScanRung::kNaive || n < 1000) expect_right<Affine, Compose>(n);
}

TEST_P(Scan, AnyTypeOfItem) {
  for (uint32_t n : {1u, 33u, 300u, 513u}) {
    expect_right<uint8_t, compaction::Max<uint8_t>>(n);
    expect_right<uint64_t, compaction::Product<uint64_t>>(n);
    expect_right<float, compaction::Sum<float>>(n);
    expect_right<Interval, Join>(n);
    expect_right<Wide, KeepLast>(n);
  }
}

TEST_P(Scan, CountOnTheDeviceLimitsTheItems) {
  for (uint32_t capacity : {1u, 512u, 1500u})
    for (uint32_t n : {0u, 1u, 256u, 511u, 512u, 1499u})
      for (ScanKind kind : kScanKinds)
        if (n <= capacity)
          expect_right<Affine, Compose>(
              kind,
              {.in = ordered_items<Affine>(n), .capacity = capacity, .count_on_device = true});
}

/// Scans with tiles small enough for three levels.
class SmallTileScan : public Scan {};

TEST_P(SmallTileScan, ScansTheSumsOfTheTilesSums) {
  uint32_t n = tile_size(rung()) * tile_size(rung()) + 1;
  expect_right<Affine, Compose>(ScanKind::kInclusive,
                                {.in = ordered_items<Affine>(n), .capacity = n, .in_place = true});
}

const auto kSmallTileRungs = testing::Values(ScanRung::kKoggeStone, ScanRung::kBrentKung);

INSTANTIATE_TEST_SUITE_P(Host, Scan, testing::Combine(kHostLadders, testing::ValuesIn(kScanRungs)),
                         name_of_rung);
INSTANTIATE_TEST_SUITE_P(Host, SmallTileScan, testing::Combine(kHostLadders, kSmallTileRungs),
                         name_of_rung);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, Scan, testing::Combine(kCudaLadders, testing::ValuesIn(kScanRungs)),
                         name_of_rung);
INSTANTIATE_TEST_SUITE_P(Gpu, SmallTileScan, testing::Combine(kCudaLadders, kSmallTileRungs),
                         name_of_rung);
#endif

}  // namespace
