// SPDX-License-Identifier: MIT
#include "compaction/single_pass/tile.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using compaction::TileRange;

TEST(TileRange, FullTilesHoldAnItemInEachSlot) {
  struct Case {
    uint32_t head;
    uint64_t n;
    uint32_t tiles, first_full, full_end;
  };
  for (const Case& c :
       {Case{0, 0, 0, 0, 0}, Case{3, 0, 0, 1, 0}, Case{0, 1, 1, 0, 0}, Case{0, 8, 1, 0, 1},
        Case{0, 9, 2, 0, 1}, Case{1, 7, 1, 1, 1}, Case{1, 8, 2, 1, 1}, Case{3, 21, 3, 1, 3}}) {
    SCOPED_TRACE(testing::Message() << c.n << " items after " << c.head);
    TileRange range(8, c.head, c.n);
    EXPECT_EQ(range.tiles, c.tiles);
    for (uint32_t tile = 0; tile < 4; ++tile)
      EXPECT_EQ(range.is_full(tile), tile >= c.first_full && tile < c.full_end);
    for (uint64_t slot = 0; slot < 32; ++slot)
      EXPECT_EQ(range.holds_item(slot), slot >= c.head && slot < c.head + c.n);
  }
}

TEST(TileRange, ItemsOfATileAndOfAChunk) {
  const TileRange range(8, 3, 18);  // slots 3 to 20
  EXPECT_EQ(range.items_of(0), 5u);
  EXPECT_EQ(range.items_of(1), 8u);
  EXPECT_EQ(range.items_of(2), 5u);
  EXPECT_EQ(TileRange(8, 3, 2).items_of(0), 2u);
  EXPECT_FALSE(range.holds_items(0, 4));
  EXPECT_FALSE(range.holds_items(2, 2));
  EXPECT_TRUE(range.holds_items(3, 18));
  EXPECT_FALSE(range.holds_items(20, 2));
}

TEST(TileRange, NoTileIsFullWithoutAnAlignedAddress) {
  const TileRange range(8, 0, 100, false);
  EXPECT_EQ(range.tiles, 13u);
  for (uint32_t tile = 0; tile < range.tiles; ++tile) EXPECT_FALSE(range.is_full(tile));
  for (unsigned chunk = 0; chunk < 2; ++chunk) EXPECT_FALSE(range.full_chunks(1, 4).contain(chunk));
}

TEST(TileRange, FullChunksHoldAnItemInEachSlot) {
  constexpr unsigned kChunkItems = 4, kTileSize = 16;
  for (uint32_t head : {0u, 1u, 3u})
    for (uint64_t n = 1; n < 40; ++n) {
      const TileRange range(kTileSize, head, n);
      for (uint32_t tile = 0; tile < range.tiles; ++tile)
        for (unsigned chunk = 0; chunk < kTileSize / kChunkItems; ++chunk)
          EXPECT_EQ(range.full_chunks(tile, kChunkItems).contain(chunk),
                    range.holds_items(range.first_slot(tile) + chunk * kChunkItems, kChunkItems))
              << n << " items after " << head << ", chunk " << chunk << " of tile " << tile;
    }
}

/// Chunks of one item: the slot, negative where it was loaded as one that may be empty.
struct SlotJob {
  using Chunk = int64_t;
  static constexpr unsigned kChunkItems = 1;

  int64_t load(uint64_t slot, const TileRange&) const { return -int64_t(slot); }
  int64_t load_whole(uint64_t slot, const TileRange&) const { return int64_t(slot); }
};

TEST(LoadChunks, WholeOnesInFullTilesOnly) {
  const TileRange range(64, 1, 190);
  const int64_t first_slots[] = {-5, 69, -133};
  for (uint32_t tile : {0u, 1u, 2u}) {
    int64_t chunks[2];
    compaction::load_chunks(SlotJob{}, {range, tile, 5}, chunks);
    EXPECT_EQ(chunks[0], first_slots[tile]);
    EXPECT_EQ(std::abs(chunks[1] - chunks[0]), int64_t(simt::kWarpSize));
  }
}

TEST(ChunksWithin, HalvesUntilTheyFit) {
  EXPECT_EQ(compaction::chunks_within(8, 16, 128), 8u);
  EXPECT_EQ(compaction::chunks_within(8, 16, 127), 4u);
  EXPECT_EQ(compaction::chunks_within(8, 16, 16), 1u);
  EXPECT_EQ(compaction::chunks_within(8, 100, 16), 1u) << "at least one";
  EXPECT_EQ(compaction::chunks_within(8, 0, 0), 8u);
}

}  // namespace
