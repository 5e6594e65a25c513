// SPDX-License-Identifier: MIT
#include "compaction/single_pass/sources.h"

#include <gtest/gtest.h>

#include <vector>

#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/partition.h"
#include "tests/compaction/support/select_items.h"

namespace {

using compaction::TileRange;
using fast::Item;

struct IsOdd {
  bool operator()(uint64_t item) const { return item % 2; }
};

/// Items that begin `offset` items after an aligned address.
struct Numbers {
  explicit Numbers(unsigned offset) : offset(offset) {
    for (uint32_t i = 0; i < kItems; ++i) memory[offset + i] = 100 + i;
  }
  const uint32_t* items() const { return memory + offset; }

  static constexpr uint64_t kItems = 10;
  unsigned offset;
  alignas(16) uint32_t memory[16] = {};
};

TEST(Sources, ChunksLieAtMultiplesOfTheirSize) {
  for (unsigned offset : {0u, 1u, 3u, 4u}) {
    Numbers numbers(offset);
    compaction::ItemsIf<uint32_t, IsOdd> source{numbers.items(), {}};
    EXPECT_EQ(source.head(), offset % 4);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(source.address(0)) % 16, 0u);
    EXPECT_EQ(source.address(source.head()), numbers.items());
  }
}

TEST(Sources, ChunksAtTheEndsHoldOnlyItems) {
  Numbers numbers(3);
  compaction::ItemsIf<uint32_t, IsOdd> source{numbers.items(), {}};
  TileRange range(128, source.head(), Numbers::kItems);
  EXPECT_EQ(source.load(0, range).items[3], 100u);
  EXPECT_EQ(source.load(4, range).items[0], 101u);
  EXPECT_EQ(source.load(12, range).items[0], 109u);
  EXPECT_EQ(source.load(12, range).items[1], 0u);  // not read
  EXPECT_EQ(source.load(16, range).items[0], 0u);
  EXPECT_TRUE(source.selected(source.load(4, range), 0));
  EXPECT_FALSE(source.selected(source.load(4, range), 1));
}

template <class Source>
void expect_same_whole_chunks(const Source& source, const TileRange& range) {
  for (uint64_t slot : {0u, 4u}) {
    const auto chunk = source.load(slot, range), whole = source.load_whole(slot, range);
    for (unsigned i = 0; i < 4; ++i) {
      EXPECT_EQ(whole.items[i], chunk.items[i]);
      EXPECT_EQ(source.selected(whole, i), source.selected(chunk, i));
    }
  }
}

TEST(Sources, WholeChunksAreAsOthers) {
  const TileRange range(8, 0, 8);
  alignas(4) const uint8_t flags[8] = {1, 0, 0, 2, 0, 3, 0, 0};
  expect_same_whole_chunks(compaction::FlaggedByFour(compaction::Flagged{flags}), range);
}

TEST(Sources, AnyFlagButZeroSelects) {
  alignas(16) uint8_t flags[16] = {0, 1, 2, 255};
  compaction::Flagged source{flags};
  TileRange range(128, source.head(), 4);
  auto chunk = source.load(0, range);
  EXPECT_FALSE(source.selected(chunk, 0));
  for (unsigned i : {1u, 2u, 3u}) EXPECT_TRUE(source.selected(chunk, i));
}

TEST(Sources, MaskIsReadInHalfWords) {
  std::vector<uint32_t> mask = {0x80010003, 0xFFFF8000};
  compaction::Masked source{mask.data()};
  TileRange range(128, source.head(), 48);
  for (uint64_t slot : {0u, 16u, 32u}) {
    auto chunk = source.load(slot, range);
    for (unsigned i = 0; i < 16; ++i)
      EXPECT_EQ(source.selected(chunk, i), mask[(slot + i) / 32] >> (slot + i) % 32 & 1);
  }
  EXPECT_FALSE(source.selected(source.load(64, range), 0));  // no word there
}

/// Throws for an index that is no item.
struct Guarded {
  bool operator()(uint64_t index) const {
    if (index >= 5) throw std::out_of_range("there is no such item");
    return index == 4;
  }
};

TEST(Sources, PredicatesSeeItemsOnly) {
  compaction::IndicesIf<Guarded> source{};
  TileRange range(128, source.head(), 5);
  EXPECT_TRUE(source.selected(source.load(4, range), 0));
  EXPECT_FALSE(source.selected(source.load(3, range), 0));
  EXPECT_FALSE(source.selected(source.load(5, range), 0));
}

/// Nothing is read beyond the last item, which AddressSanitizer would report.
TEST(Sources, ItemsOfAnySizeAreReadByWords) {
  using Odd = Item<17, 1>;
  for (unsigned offset = 0; offset < 4; ++offset) {
    std::vector<uint8_t> memory(offset + 2 * sizeof(Odd), 2);
    Odd* items = reinterpret_cast<Odd*>(memory.data() + offset);
    items[1].bytes[0] = 1;
    items[1].bytes[16] = 3;
    compaction::WordItemsIf<Odd, fast::IsKept> source{items, {}};
    TileRange range(128, source.head(), 2);
    EXPECT_FALSE(source.selected(source.load(0, range), 0));
    const auto second = source.load(1, range);
    EXPECT_TRUE(source.selected(second, 0));
    EXPECT_EQ(std::memcmp(second.item(0).words, items + 1, sizeof(Odd)), 0);
    EXPECT_EQ(second.item(0).words[4], 3u) << "what is not of the item is 0";
  }
}

}  // namespace
