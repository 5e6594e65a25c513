// SPDX-License-Identifier: MIT
#include "compaction/single_pass/tile_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/compaction/single_pass/support/jobs.h"
#include "tests/compaction/support/launchers.h"

namespace {

constexpr TileShape kTiny = fast::kTinyTiles;
constexpr uint64_t kTinyItems = 128;  // of 4 bytes, in a tile of kTiny

/// Shapes that differ in everything that affects how a block processes its tiles.
template <class Use>
void for_all_shapes(Use use) {
  use.template operator()<kTiny>();
  use.template operator()<TileShape{64, 2, 1, 2, 1, 2}>();
  use.template operator()<TileShape{32, 2, 3, 2, 1, 1}>();
  use.template operator()<TileShape{96, 1, 1, 5, 1, 1}>();
}

TEST(TilePipeline, ShapesOfAnyKind) {
  Memory memory;
  for_all_shapes([&]<TileShape kShape>() {
    const uint64_t tile = TilePipeline<SelectNumbers, kShape>::kTileSize;
    for (unsigned blocks : {1u, 2u, 3u, 7u}) {
      Executor executor({Order::kShuffled, blocks, blocks});
      for (uint64_t n : {uint64_t(0), uint64_t(1), tile, tile + 1, 3 * tile, 9 * tile - 1,
                         (kShape.buffers() + 1) * blocks * tile + 5}) {
        SCOPED_TRACE(testing::Message() << n << " items in tiles of " << tile << ", " << blocks);
        std::vector<uint32_t> in = random_numbers(n, 1);
        ASSERT_EQ(select_below<kShape>(executor, memory, in, kBelowHalf),
                  reference_below(in, kBelowHalf));
      }
    }
  });
}

// Hundreds of interleavings of the threads of one to six blocks.
TEST(TilePipeline, SelectsInAnySchedule) {
  constexpr uint64_t kSeeds = 600;
  Memory memory;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Executor executor({Order::kShuffled, seed, unsigned(1 + seed % 6)});
    std::vector<uint32_t> in = random_numbers(kTinyItems * (3 + seed % 7) - 3, uint32_t(seed));
    const bool in_place = seed % 2 == 0;
    ASSERT_EQ(select_below<kTiny>(executor, memory, in, kBelowHalf, in_place),
              reference_below(in, kBelowHalf))
        << "seed " << seed;
  }
}

TEST(TilePipeline, ScansInAnySchedule) {
  constexpr uint64_t kSeeds = 400;
  constexpr ScanKind kKind = ScanKind::kExclusive;
  Memory memory;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Executor executor({Order::kShuffled, seed, unsigned(1 + seed % 6)});
    std::vector<Affine> in = ordered_items<Affine>(64 * (3 + seed % 7) - 1);
    const std::vector<Affine> out =
        scan_items<Affine, Compose, kKind, kTiny>(executor, memory, in, seed % 2 == 0);
    ASSERT_TRUE(out == (reference_scan<Affine, Compose, kKind>(in))) << "seed " << seed;
  }
}

TEST(TilePipeline, AnyWarpMayBeDelayed) {
  constexpr TileShape kShape{96, 1, 2, 2, 1, 1};
  constexpr ScanKind kKind = ScanKind::kExclusive;
  using Scan = compaction::ScanJob<Affine, Compose, kKind>;
  const std::vector<uint32_t> in = random_numbers(4000, 1);
  const std::vector<Affine> maps = ordered_items<Affine>(900);
  Memory memory;
  for (unsigned warp = 0; warp < kShape.block_size() / simt::kWarpSize; ++warp)
    for (unsigned blocks : {1u, 2u, 3u})
      for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
        SCOPED_TRACE(testing::Message() << "warp " << warp << " of " << blocks << " blocks");
        DelayingLauncher launcher{Executor({order, 7, blocks}), warp};
        std::vector<uint32_t> out(in.size());
        uint64_t count = 0;
        SelectNumbers select{{in.data(), kBelowHalf}, {out.data()}, {}, {.count = &count}};
        compaction::run_pipeline<TilePipeline<SelectNumbers, kShape>>(
            launcher, select, ItemCount{in.size()}, memory.span());
        out.resize(count);
        ASSERT_EQ(out, reference_below(in, kBelowHalf));

        std::vector<Affine> scanned(maps.size());
        Scan scan{maps.data(), scanned.data(), {}, {}, nullptr};
        compaction::run_pipeline<TilePipeline<Scan, kShape>>(launcher, scan, ItemCount{maps.size()},
                                                             memory.span());
        ASSERT_TRUE(scanned == (reference_scan<Affine, Compose, kKind>(maps)));
      }
}

/// Reports more resident blocks than it has: the others start when these have ended.
struct Overcommitted {
  unsigned multiprocessors() const { return 9; }
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    executor.launch(blocks, kernel);
  }

  Executor executor{{Order::kShuffled, 3, 2}};
};

TEST(TilePipeline, MoreBlocksThanRunAtOnce) {
  Overcommitted launcher;
  Memory memory;
  for (uint64_t n : {kTinyItems, 5 * kTinyItems, 9 * kTinyItems, 40 * kTinyItems + 3}) {
    std::vector<uint32_t> in = random_numbers(n, 2), out(n);
    uint64_t count = 0;
    SelectNumbers job{{in.data(), kBelowHalf}, {out.data()}, {}, {.count = &count}};
    compaction::run_pipeline<TilePipeline<SelectNumbers, kTiny>>(launcher, job, ItemCount{n},
                                                                 memory.span());
    out.resize(count);
    ASSERT_EQ(out, reference_below(in, kBelowHalf));
  }
}

// A single block does not use the workspace; several blocks begin the next epoch.
TEST(TilePipeline, EachCallOfSeveralBlocksHasItsEpoch) {
  Executor executor({Order::kForward, 0, 3});
  Memory memory;
  for (uint32_t call = 0; call < 5; ++call) {
    EXPECT_EQ(memory.epoch(), call);
    select_below<kTiny>(executor, memory, random_numbers(kTinyItems / 2, 1), kBelowHalf);
    select_below<kTiny>(executor, memory, random_numbers(2 * kTinyItems, 1), kBelowHalf);
  }
}

// Many different calls leave words of all kinds; the epochs restart in between.
TEST(TilePipeline, EpochsRestartWithoutOldStates) {
  Executor executor({Order::kShuffled, 5, 4});
  for (uint32_t before : {1u, 2u, 3u}) {
    Memory memory;
    // Leaves words of the epochs 0, 1, 2 in the tiles from the first to far beyond.
    for (uint64_t tiles : {30u, 20u, 10u})
      select_below<kTiny>(executor, memory, random_numbers(tiles * kTinyItems, 3), kBelowHalf);
    memory.begin_epoch(TileQueue::kLastEpoch + 1 - before);
    for (uint32_t call = 0; call < before + 4; ++call) {
      const uint64_t tiles = call < before ? 2 + call : 31;
      std::vector<uint32_t> in = random_numbers(tiles * kTinyItems, 10 + call);
      ASSERT_EQ(select_below<kTiny>(executor, memory, in, kBelowHalf),
                reference_below(in, kBelowHalf))
          << "call " << call << ", " << before << " before the end";
    }
    EXPECT_EQ(memory.epoch(), 4u);
  }
}

TEST(TilePipeline, LastEpochLeavesZeros) {
  Executor executor({Order::kShuffled, 5, 4});
  Memory memory;
  select_below<kTiny>(executor, memory, random_numbers(40 * kTinyItems, 3), kBelowHalf);
  memory.begin_epoch(TileQueue::kLastEpoch);
  select_below<kTiny>(executor, memory, random_numbers(2 * kTinyItems, 3), kBelowHalf);
  EXPECT_THAT(memory.bytes, testing::Each(std::byte{0}));
}

// Whatever a workspace holds that was not zeroed: an error, or the right result.
TEST(TilePipeline, ReportsAWorkspaceThatWasNotZeroed) {
  for (unsigned blocks : {1u, 2u, 5u})
    for (unsigned fill : {0xA5u, 0x7Fu, 0x80u, 0x01u, 0xFFu})
      for (uint64_t tiles : {1u, 2u, 3u, 5u, 12u}) {
        SCOPED_TRACE(testing::Message() << blocks << " blocks, " << tiles << " tiles, " << fill);
        Executor executor({Order::kForward, 0, blocks});
        Memory memory(1 << 12, std::byte(fill));
        std::vector<uint32_t> in = random_numbers(tiles * kTinyItems, 3), out;
        try {
          out = select_below<kTiny>(executor, memory, in, kBelowHalf);
        } catch (const KernelError&) {
          continue;
        } catch (const std::length_error&) {  // of the test's own vector: no count was written
          ADD_FAILURE() << "nothing was counted, and no error reported";
          continue;
        }
        EXPECT_EQ(out, reference_below(in, kBelowHalf));
      }
}

/// Counts its calls for each item.
struct CountedBelow {
  Span<uint32_t> calls;  ///< [item]
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const {
    ++calls[item];
    return item % 3 == 0;
  }
};

TEST(TilePipeline, CallsThePredicateOncePerItem) {
  using Job = compaction::SelectJob<compaction::ItemsIf<uint32_t, CountedBelow>,
                                    compaction::WriteItems<uint32_t>>;
  Memory memory;
  for (unsigned offset : {0u, 1u, 3u})
    for (unsigned blocks : {1u, 4u}) {
      const uint64_t n = 20 * kTinyItems + 5;
      std::vector<uint32_t> in(n + offset, ~0u), out(n), calls(n);
      for (uint32_t i = 0; i < n; ++i) in[offset + i] = i;
      Executor executor({Order::kShuffled, 1, blocks});
      Job job{{in.data() + offset, {{calls.data(), n}}}, {out.data()}, {}, {}};
      compaction::run_pipeline<TilePipeline<Job, kTiny>>(executor, job, ItemCount{n},
                                                         memory.span());
      EXPECT_THAT(calls, testing::Each(1u));
    }
}

TEST(TilePipeline, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  Memory memory(1 << 16);
  for (unsigned blocks : {1u, 4u})
    for (uint64_t n : {1u, 63u, 64u, 65u, 700u}) {
      Executor executor({Order::kShuffled, 1, blocks});
      std::vector<Marked> in = ordered_items<Marked>(n);
      EXPECT_TRUE(
          (scan_items<Marked, MarkedSum, ScanKind::kInclusive, kTiny>(executor, memory, in)) ==
          (reference_scan<Marked, MarkedSum, ScanKind::kInclusive>(in)));
    }
}

}  // namespace
