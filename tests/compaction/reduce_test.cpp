// SPDX-License-Identifier: MIT
#include "compaction/single_pass/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "tests/compaction/support/launchers.h"
#include "tests/compaction/support/scans_test.h"

namespace {

class FastReduce : public OnScans {};

// A block combines 2048 vectors of 16 bytes at a time, or 512 items without vectors; a single block
// does up to two such steps.
TEST_P(FastReduce, CombinesAllItemsInOrder) {
  for_all_types([&]<class T>(T) {
    for (uint64_t n : {0u, 1u, 2u, 3u, 31u, 32u, 33u, 255u, 256u, 257u, 2049u, 4097u})
      expect_reduces<T>({.in = items_of<T>(n)});
  });
  for (uint64_t n : {2047u, 4095u, 4096u, 8192u, 8193u, 16'384u, 16'385u, 20'000u, 40'003u})
    expect_reduces<Affine>({.in = items_of<Affine>(n)});
}

// With a commutative operator, rows of items are distributed cyclically over the blocks.
TEST_P(FastReduce, SeveralBlocksOfItemsInAnyOrder) {
  for (uint64_t n : {65'537u, 98'305u, 140'000u})
    expect_reduces<uint8_t>({.in = items_of<uint8_t>(n), .offsets = {.in = 3}});
  expect_reduces<uint32_t>({.in = items_of<uint32_t>(50'001), .offsets = {.in = 1}});
}

TEST_P(FastReduce, AnyAlignment) {
  for_all_types([&]<class T>(T) {
    for (unsigned in : {1u, 2u, 15u})
      for (uint64_t n : {uint64_t(1), uint64_t(17), uint64_t(2045)})
        expect_reduces<T>({.in = items_of<T>(n), .offsets = {.in = in}});
  });
}

TEST_P(FastReduce, CountOnTheDeviceLimitsTheItems) {
  for (uint64_t n : {uint64_t(0), uint64_t(1), uint64_t(2049), uint64_t(9000)})
    for (uint64_t capacity : {n, uint64_t(9000), uint64_t(100'000)})
      expect_reduces<Affine>(
          {.in = items_of<Affine>(n), .capacity = capacity, .count_on_device = true});
}

/// The map x -> scale * x + shift modulo 2^kBits, in one word. Composition does not commute, and
/// vectors hold several of them, unlike `Affine`.
template <class Word>
struct PackedAffine {
  static constexpr unsigned kBits = 4 * sizeof(Word);
  Word bits = 1;  // shift, then scale

  uint32_t scale() const { return bits & ((1u << kBits) - 1); }
  uint32_t shift() const { return bits >> kBits; }
  bool operator==(const PackedAffine&) const = default;
};

/// First `a`, then `b`.
template <class Word>
struct ComposePacked {
  using Map = PackedAffine<Word>;
  static Map identity() { return {}; }
  Map operator()(const Map& a, const Map& b) const {
    constexpr uint32_t kMask = (1u << Map::kBits) - 1;
    const uint32_t scale = a.scale() * b.scale() & kMask;
    const uint32_t shift = (a.shift() * b.scale() + b.shift()) & kMask;
    return {Word(shift << Map::kBits | scale)};
  }
};

/// Reduces `n` maps that begin `offset` maps after an aligned address, with that many
/// multiprocessors.
template <class Word>
void expect_composed_in_order(size_t n, size_t offset, uint64_t multiprocessors) {
  using Map = PackedAffine<Word>;
  SCOPED_TRACE(testing::Message() << n << " maps of " << sizeof(Word) << " bytes, offset "
                                  << offset);
  std::mt19937 random(static_cast<uint32_t>(n));
  std::vector<simt::Vector> memory((n + offset) * sizeof(Map) / sizeof(simt::Vector) + 1);
  Map* maps = reinterpret_cast<Map*>(memory.data()) + offset;
  Map expected;
  for (size_t i = 0; i < n; ++i) {
    maps[i] = {Word(random() | 1)};
    expected = ComposePacked<Word>()(expected, maps[i]);
  }
  simt::host::Executor executor({simt::host::Order::kShuffled, 1, unsigned(multiprocessors)});
  std::vector<std::byte> workspace(compaction::reduce_bytes<Map>());
  Map result{0};
  compaction::reduce(executor, static_cast<const Map*>(maps), compaction::ItemCount{n}, &result,
                     ComposePacked<Word>(), {workspace.data(), workspace.size()});
  EXPECT_EQ(result.bits, expected.bits);

  const compaction::Transformed<compaction::Items<Map>, std::identity> same{{maps}};
  result = {0};
  compaction::reduce_loaded(executor, same, compaction::ItemCount{n}, &result,
                            ComposePacked<Word>(), {workspace.data(), workspace.size()});
  EXPECT_EQ(result.bits, expected.bits);
}

// Items before the first vector and after the last one are combined by the first and the last warp,
// each of which has vectors as well where all runs do.
TEST(FastReduceBlocks, ItemsBesideVectorsKeepTheirOrder) {
  using Runs = compaction::ReduceRuns<PackedAffine<uint32_t>, ComposePacked<uint32_t>, false>;
  constexpr size_t kBlockItems = Runs::kStepItems * Runs::kWarps;
  for (size_t n : {size_t(7), size_t(83), 2 * kBlockItems - 1, 3 * kBlockItems - 1})
    for (size_t offset : {0u, 1u, 2u, 3u}) {
      expect_composed_in_order<uint32_t>(n, offset, 2);
      expect_composed_in_order<uint16_t>(2 * n, 2 * offset + 1, 2);
    }
}

/// Counts of 528 kinds: 2112 bytes.
struct Counts {
  uint32_t of[528];
};
struct AddCounts {
  static Counts identity() { return {}; }
  Counts operator()(const Counts& a, const Counts& b) const {
    Counts sum;
    for (size_t i = 0; i < std::size(sum.of); ++i) sum.of[i] = a.of[i] + b.of[i];
    return sum;
  }
};
struct CountOne {
  Counts operator()(uint64_t i) const {
    Counts one{};
    one.of[i * i % std::size(one.of)] = 1;
    return one;
  }
};

TEST(FastReduceBlocks, ResultsOfThousandsOfBytesFitIntoTheSharedMemoryOfABlock) {
  using Runs = compaction::ReduceRuns<Counts, AddCounts, false, CountOne>;
  constexpr size_t kMaxSharedBytes = size_t(227) << 10;  // compute capability 9
  EXPECT_LE(sizeof(Runs::Shared), kMaxSharedBytes);
  constexpr uint64_t kItems = 5 * Runs::kStepItems * Runs::kWarps + 3;
  Counts expected{}, result{};
  for (uint64_t i = 0; i < kItems; ++i) ++expected.of[i * i % std::size(expected.of)];
  simt::host::Executor executor({simt::host::Order::kShuffled, 1, 2});
  std::vector<std::byte> workspace(compaction::reduce_bytes<Counts>());
  compaction::reduce_loaded(executor, CountOne(), compaction::ItemCount{kItems}, &result,
                            AddCounts(), {workspace.data(), workspace.size()});
  EXPECT_TRUE(std::equal(std::begin(result.of), std::end(result.of), expected.of));
}

TEST(FastReduceBlocks, AnyWarpMayBeDelayed) {
  using simt::host::Order;
  const std::vector<Affine> in = ordered_items<Affine>(9000);
  Affine expected;
  for (const Affine& item : in) expected = Compose()(expected, item);
  std::vector<std::byte> workspace(compaction::reduce_bytes<Affine>());
  for (unsigned warp = 0; warp < compaction::ReduceRuns<Affine, Compose, false>::kWarps; ++warp)
    for (unsigned blocks : {1u, 2u, 3u})
      for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
        SCOPED_TRACE(testing::Message() << "warp " << warp << " of " << blocks << " blocks");
        DelayingLauncher launcher{simt::host::Executor({order, 7, blocks}), warp};
        Affine result{0, 0};
        compaction::reduce(launcher, in.data(), compaction::ItemCount{in.size()}, &result,
                           Compose(), {workspace.data(), workspace.size()});
        ASSERT_TRUE(result == expected);
      }
}

TEST(FastReduceBlocks, NeedNotBeResidentTogether) {
  using simt::host::Order;
  const std::vector<Affine> in = ordered_items<Affine>(40'000);
  Affine expected;
  for (const Affine& item : in) expected = Compose()(expected, item);
  std::vector<std::byte> workspace(compaction::reduce_bytes<Affine>());
  for (unsigned resident : {1u, 2u})
    for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
      Overcommitted launcher{simt::host::Executor({order, 7, resident}), 40};
      Affine result{0, 0};
      compaction::reduce(launcher, in.data(), compaction::ItemCount{in.size()}, &result, Compose(),
                         {workspace.data(), workspace.size()});
      ASSERT_TRUE(result == expected) << resident << " resident, order " << int(order);
    }
}

INSTANTIATE_TEST_SUITE_P(Host, FastReduce,
                         testing::ValuesIn(fast::host_backends(fast::Tiles::kLibrary)),
                         name_of_backend);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, FastReduce, testing::ValuesIn(fast::cuda_backends()),
                         name_of_backend);
#endif

}  // namespace
