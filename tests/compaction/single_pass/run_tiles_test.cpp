// SPDX-License-Identifier: MIT
#include "compaction/single_pass/run_tiles.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <utility>

#include "tests/compaction/single_pass/support/jobs.h"
#include "tests/support/rounds.h"

namespace {

template <class Kernel>
constexpr bool kIsWave = false;
template <class Job, WaveShape kShape>
constexpr bool kIsWave<TileWave<Job, kShape>> = true;

/// Records launches without executing them.
struct Note {
  unsigned multiprocessors() const { return sms; }
  size_t max_shared_bytes() const { return shared; }
  size_t shared_bytes_per_multiprocessor() const { return shared_per_sm; }
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel&) {
    this->blocks = blocks;
    tile = Kernel::kTileSize;
    is_wave = kIsWave<Kernel>;
    ++launches;
  }

  unsigned sms = 100;
  size_t shared_per_sm = 228 << 10, shared = 227 << 10;
  uint32_t blocks = 0;
  unsigned tile = 0, launches = 0;
  bool is_wave = false;
};

using One = TileWave<SelectNumbers, compaction::kOneTile<SelectNumbers>>;
using Few = TileWave<SelectNumbers, compaction::kFewTiles<SelectNumbers>>;
using Wave = TileWave<SelectNumbers, compaction::kWaveTiles<SelectNumbers>>;
using Large = TilePipeline<SelectNumbers, compaction::kLargeTiles<SelectNumbers>>;
using Small = TilePipeline<SelectNumbers, compaction::kSmallTiles<SelectNumbers>>;

Note note(uint64_t capacity, Note on = {}) {
  Memory memory(compaction::run_tiles_bytes<SelectNumbers>(1 << 24));
  compaction::run_tiles(on, SelectNumbers{}, ItemCount{capacity}, memory.span());
  EXPECT_EQ(on.launches, 1u);
  return on;
}

// A wave may have one tile more than its items fill, as the first tile may begin before the first
// item.
TEST(RunTiles, FewItemsInOneTileMoreInAWaveAndManyInLargeTiles) {
  constexpr uint64_t kOne = One::kTileSize, kFew = Few::kTileSize, kWave = Wave::kTileSize;
  for (auto [capacity, tile] : {std::pair(uint64_t(1), kOne),
                                {kOne - 3, kOne},
                                {kOne + 1, kFew},
                                {399 * kFew, kFew},
                                {401 * kFew, kWave},
                                {399 * kWave, kWave}}) {
    EXPECT_EQ(note(capacity).tile, tile);
    EXPECT_TRUE(note(capacity).is_wave);
  }
  EXPECT_EQ(note(401 * kWave).tile, unsigned(Large::kTileSize));
  EXPECT_FALSE(note(401 * kWave).is_wave);
}

TEST(RunTiles, OneTileHasAThreadForEachChunk) {
  EXPECT_EQ(One::kTileSize, Few::kTileSize);
  EXPECT_EQ(One::kChunks, 1u);
}

TEST(RunTiles, NoWaveWhereTheDeviceCannotHoldIt) {
  constexpr uint64_t kItems = 300 * Wave::kTileSize;
  constexpr size_t kTwoBlocks = 2 * sizeof(Wave::Shared) + 100;
  EXPECT_TRUE(note(kItems).is_wave);
  EXPECT_FALSE(note(kItems, {.shared_per_sm = kTwoBlocks}).is_wave);
  EXPECT_TRUE(note(190 * Wave::kTileSize, {.shared_per_sm = kTwoBlocks}).is_wave);
  EXPECT_FALSE(note(1, {.shared_per_sm = 0}).is_wave);
  EXPECT_TRUE(note(2 * kItems, {.sms = 200}).is_wave);
  EXPECT_FALSE(note(4 * kItems, {.sms = 400}).is_wave) << "more than there is workspace for";
}

TEST(RunTiles, SmallTilesWhereThereIsLittleSharedMemory) {
  EXPECT_EQ(note(1000 * Large::kTileSize, {.shared = 64 << 10}).tile, unsigned(Small::kTileSize));
  EXPECT_EQ(note(1, {.shared_per_sm = 0, .shared = 64 << 10}).tile, unsigned(Small::kTileSize));
}

TEST(RunTiles, NoMoreBlocksThanTilesAndThanRunAtOnce) {
  EXPECT_EQ(note(0).blocks, 1u);
  EXPECT_EQ(note(1).blocks, 1u);
  EXPECT_EQ(note(One::kTileSize - 3).blocks, 1u);
  EXPECT_EQ(note(3 * Few::kTileSize).blocks, 4u);
  EXPECT_EQ(note(200 * Wave::kTileSize).blocks, 201u);
  EXPECT_EQ(note(3 * Small::kTileSize, {.shared_per_sm = 0, .shared = 64 << 10}).blocks, 4u);
  EXPECT_EQ(note(1000 * Large::kTileSize).blocks, 100u);
  EXPECT_EQ(note(uint64_t(1) << 40).blocks, 100u);
}

TEST(RunTiles, BytesGrowWithTheCapacity) {
  size_t before = 0;
  for (uint64_t capacity = 0; capacity < 100'000; capacity += 37) {
    size_t bytes = compaction::run_tiles_bytes<SelectNumbers>(capacity);
    EXPECT_GE(bytes, before);
    before = bytes;
  }
  EXPECT_GE(compaction::run_tiles_bytes<SelectNumbers>(uint64_t(1) << 40),
            (uint64_t(1) << 40) / Small::kTileSize * sizeof(uint64_t));
}

// Calls of all functions, types and shapes alternate in one workspace.
TEST(RunTiles, OneWorkspaceServesAll) {
  using Tiny = InPipeline<fast::kTinyTiles>;
  using Other = InPipeline<TileShape{64, 2, 1, 2, 1, 2}>;
  using Sum = compaction::Sum<uint32_t>;
  constexpr ScanKind kIn = ScanKind::kInclusive, kEx = ScanKind::kExclusive;
  Memory memory(1 << 17);
  std::mt19937 random(1);
  for (unsigned call = 0; call < winnow::rounds(120); ++call) {
    SCOPED_TRACE(testing::Message() << "call " << call);
    // Never back to an earlier epoch: its words would be valid again.
    if (random() % 20 == 0 && memory.epoch() < TileQueue::kLastEpoch / 2)
      memory.begin_epoch(TileQueue::kLastEpoch - uint32_t(random() % 3));
    Executor executor({Order::kShuffled, random(), unsigned(1 + random() % 6)});
    const size_t n = random() % 4 == 0 ? random() % 100 : random() % 3000;
    std::vector<uint32_t> in = random_numbers(n, uint32_t(random()));
    switch (random() % 8) {
      case 0:
        ASSERT_EQ(select_below<Tiny>(executor, memory, in), reference_below(in, kBelowHalf));
        break;
      case 1:
        ASSERT_EQ(select_below<Other>(executor, memory, in), reference_below(in, kBelowHalf));
        break;
      case 2: {
        const std::vector<Affine> items = ordered_items<Affine>(n);
        ASSERT_TRUE((scan_items<Tiny, kIn, Compose>(executor, memory, items)) ==
                    (reference_scan_of<kIn, Compose>(items)));
        break;
      }
      case 3: {
        const std::vector<Wide> items = ordered_items<Wide>(n / 4);
        ASSERT_TRUE((scan_items<Tiny, kEx, KeepLast>(executor, memory, items)) ==
                    (reference_scan_of<kEx, KeepLast>(items)));
        break;
      }
      case 4:
        ASSERT_EQ((scan_items<Other, kEx, Sum>(executor, memory, in)),
                  (reference_scan_of<kEx, Sum>(in)));
        break;
      case 5: {
        uint32_t sum = 1;
        compaction::reduce(executor, std::as_const(in).data(), ItemCount{n}, &sum, Sum(),
                           memory.span());
        ASSERT_EQ(sum, std::accumulate(in.begin(), in.end(), 0u));
        break;
      }
      case 6: {
        std::vector<uint32_t> out = in;
        compaction::inclusive_scan(executor, out.data(), ItemCount{n}, out.data(), Sum(), 0u,
                                   static_cast<uint32_t*>(nullptr), memory.span());
        ASSERT_EQ(out, (reference_scan_of<kIn, Sum>(in)));
        break;
      }
      case 7: {
        std::vector<uint32_t> out(n);
        uint64_t count = 0;
        compaction::partition_in_one(executor, in.data(), kBelowHalf, out.data(), ItemCount{n},
                                     &count, memory.span());
        std::stable_partition(in.begin(), in.end(), kBelowHalf);
        ASSERT_EQ(out, in);
        break;
      }
    }
  }
}

}  // namespace
