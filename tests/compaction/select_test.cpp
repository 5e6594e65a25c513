// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "tests/compaction/support/selects_test.h"
#include "tests/compaction/support/small_tests.h"

namespace {

class FastSelect : public OnSelects {};

TEST_P(FastSelect, WritesSelectedItemsInOrder) {
  const uint64_t tile = selects_->tile_items(4);
  for (uint64_t n : edge_sizes(*selects_, tile)) expect_right({.keep = fast::random_keep(n, 0.5)});
}

TEST_P(FastSelect, AnyPattern) {
  const uint64_t tile = selects_->tile_items(4);
  for (const Bytes& keep : keep_patterns(tile, 4 * tile + 77)) expect_right({.keep = keep});
}

TEST_P(FastSelect, FindsOneSurvivorAnywhere) {
  const uint64_t tile = selects_->tile_items(4), n = 2 * tile + 39;
  for (uint64_t survivor :
       {uint64_t(0), uint64_t(31), uint64_t(32), tile - 1, tile, 2 * tile - 1, 2 * tile, n - 1})
    for (uint8_t others : {0, 1}) {
      Bytes keep(n, others);
      keep[survivor] = 1 - others;
      expect_right({.keep = keep});
    }
}

TEST_P(FastSelect, ItemsOfAnySize) {
  for (unsigned bytes : {1u, 2u, 4u, 8u, 12u, 16u, 32u, 64u, 100u, 128u}) {
    const uint64_t tile = selects_->tile_items(bytes);
    for (uint64_t n : {uint64_t(1), tile - 1, tile + 1, 2 * tile + 31})
      expect_right({.item_bytes = bytes, .keep = fast::random_keep(n, 0.4)});
  }
}

TEST_P(FastSelect, AnySourceIntoAnySink) {
  const uint64_t tile = selects_->tile_items(4);
  for (Select select : kAllSelects)
    for (uint64_t n :
         {uint64_t(0), uint64_t(1), uint64_t(15), uint64_t(33), tile - 1, tile + 1, 3 * tile + 5})
      expect_right({.select = select, .keep = fast::random_keep(n, 0.6)});
}

TEST_P(FastSelect, AnyAlignment) {
  const uint64_t tile = selects_->tile_items(4);
  for (Select select : {Select::kItems, Select::kItemsAndColumns, Select::kFlaggedColumns,
                        Select::kMasked, Select::kCountedItems})
    for (unsigned in : {0u, 1u, 2u, 3u, 5u})
      for (unsigned out : full_or_small<std::vector<unsigned>>({0, 3}, {1}))
        for (uint64_t n :
             full_or_small<std::vector<uint64_t>>({1, 17, tile - in, tile + 3}, {17, tile + 3}))
          expect_right({.select = select,
                        .keep = fast::random_keep(n, 0.5, uint32_t(n)),
                        .offsets = {.in = in, .out = out}});
}

TEST_P(FastSelect, AnyAlignmentOfSmallItems) {
  for (unsigned bytes : {1u, 2u, 8u}) {
    const uint64_t tile = selects_->tile_items(bytes);
    for (unsigned in : {1u, 7u, 15u})
      for (unsigned out : {0u, 1u, 5u})
        expect_right({.item_bytes = bytes,
                      .keep = fast::random_keep(tile + 9, 0.5),
                      .offsets = {.in = in, .out = out}});
  }
}

TEST_P(FastSelect, AnyNumberButZeroIsAFlag) {
  expect_right({.select = Select::kFlagged, .keep = {0, 1, 2, 0, 128, 255, 0}});
}

TEST_P(FastSelect, WritesWhatFitsAndCountsAll) {
  const uint64_t tile = selects_->tile_items(4), n = 3 * tile;
  for (Select select : {Select::kItems, Select::kItemsAndIndices, Select::kFlaggedColumns})
    for (double density : {0.1, 0.9}) {
      Bytes keep = fast::random_keep(n, density);
      const uint64_t kept = uint64_t(std::count(keep.begin(), keep.end(), 1));
      const uint64_t in_first_tile = uint64_t(std::count(keep.begin(), keep.begin() + tile, 1));
      for (uint64_t capacity : {uint64_t(0), uint64_t(1), uint64_t(33), in_first_tile,
                                in_first_tile + 1, kept - 1, kept, kept + 1})
        for (bool wide : full_or_small<std::vector<bool>>({false, true}, {true}))
          expect_right(
              {.select = select, .keep = keep, .wide_count = wide, .out_capacity = capacity});
    }
}

TEST_P(FastSelect, CountOnTheDeviceLimitsTheItems) {
  const uint64_t tile = selects_->tile_items(4);
  for (Select select : {Select::kItems, Select::kCountedItems, Select::kFlagged, Select::kIndices,
                        Select::kCountedLarge})
    for (uint64_t n : {uint64_t(0), uint64_t(1), tile - 1, tile, tile + 1, 2 * tile + 3})
      for (bool wide : full_or_small<std::vector<bool>>({false, true}, {true}))
        for (uint64_t capacity : {n, 3 * tile, 9 * tile + 1})
          if (n <= capacity)
            expect_right({.select = select,
                          .keep = fast::random_keep(n, 0.5),
                          .capacity = capacity,
                          .count_on_device = true,
                          .wide_count = wide});
}

TEST_P(FastSelect, CapacityLimitsTheCountOnTheDevice) {
  const uint64_t tile = selects_->tile_items(4);
  for (Select select : {Select::kItems, Select::kCountedItems, Select::kFlagged, Select::kIndices})
    for (uint64_t capacity : {uint64_t(0), uint64_t(1), tile, 2 * tile + 3})
      for (uint64_t surplus : {uint64_t(1), 5 * tile})
        expect_right({.select = select,
                      .keep = fast::random_keep(capacity, 0.5),
                      .capacity = capacity,
                      .count_on_device = true,
                      .surplus = surplus});
}

TEST_P(FastSelect, WritesOverItsInput) {
  for (unsigned bytes : {1u, 4u, 8u, 16u}) {
    const uint64_t tile = selects_->tile_items(bytes);
    for (double density : {0.1, 0.9, 1.0})
      for (unsigned offset : {0u, 1u, 3u})
        for (uint64_t n : {uint64_t(5), tile, 4 * tile + 21})
          expect_right({.item_bytes = bytes,
                        .keep = fast::random_keep(n, density),
                        .offsets = {.in = offset},
                        .in_place = true});
  }
}

TEST_P(FastSelect, WorkspaceNeedsNoMoreThanIsAskedFor) {
  const uint64_t tile = selects_->tile_items(4);
  for (uint64_t n : {uint64_t(0), uint64_t(1), 2 * tile, 2 * tile + 1, 9 * tile + 1})
    for (unsigned offset : {0u, 3u})
      expect_right(
          {.keep = fast::random_keep(n, 0.5), .offsets = {.in = offset}, .exact_workspace = true});
}

TEST_P(FastSelect, WorkspaceServesManyCalls) {
  std::mt19937 random(3);
  const uint64_t most = 5 * selects_->tile_items(4);
  const int calls = full_or_small(100, 30);
  for (int call = 0; call < calls; ++call) {
    const uint64_t capacity = 1 + random() % most;
    expect_right({.select = kAllSelects[random() % std::size(kAllSelects)],
                  .keep = fast::random_keep(random() % (capacity + 1), 0.5, uint32_t(random())),
                  .capacity = capacity,
                  .count_on_device = random() % 2 == 0,
                  .offsets = {.in = unsigned(random() % 5)}});
  }
}

INSTANTIATE_TEST_SUITE_P(Host, FastSelect, testing::ValuesIn(fast::host_backends()),
                         name_of_backend);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, FastSelect, testing::ValuesIn(fast::cuda_backends()),
                         name_of_backend);
#endif

}  // namespace
