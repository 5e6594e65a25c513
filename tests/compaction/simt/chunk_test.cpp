// SPDX-License-Identifier: MIT
#include "compaction/simt/chunk.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"

namespace {

using simt::Chunk;

struct Triple {
  uint32_t words[3];
};
struct WideItem {
  uint64_t words[8];
};

TEST(Chunk, HoldsWhatOneVectorAccessMoves) {
  EXPECT_EQ(Chunk<uint8_t>::kItems, 16u);
  EXPECT_EQ(Chunk<uint16_t>::kItems, 8u);
  EXPECT_EQ(Chunk<float>::kItems, 4u);
  EXPECT_EQ(Chunk<double>::kItems, 2u);
  EXPECT_EQ(sizeof(Chunk<uint8_t>), simt::kVectorBytes);
  EXPECT_EQ(alignof(Chunk<double>), simt::kVectorBytes);
}

TEST(Chunk, HoldsOneItemThatNoVectorMoves) {
  EXPECT_EQ(Chunk<Triple>::kItems, 1u);
  EXPECT_EQ(alignof(Chunk<Triple>), alignof(Triple));
  EXPECT_EQ(sizeof(Chunk<Triple>), sizeof(Triple));
  EXPECT_EQ(Chunk<WideItem>::kItems, 1u);
  EXPECT_EQ(sizeof(Chunk<WideItem>), sizeof(WideItem));
}

TEST(Chunk, IsStoredAtOnce) {
  alignas(simt::kVectorBytes) uint32_t out[8] = {};
  simt::store(out + 4, Chunk<uint32_t>{{1, 2, 3, 4}});
  const uint32_t expected[8] = {0, 0, 0, 0, 1, 2, 3, 4};
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(out[i], expected[i]);
}

TEST(Vector, IsJoinedFromTwo) {
  uint8_t bytes[2 * simt::kVectorBytes];
  for (unsigned b = 0; b < sizeof(bytes); ++b) bytes[b] = uint8_t(7 * b + 1);
  simt::Vector first, second;
  std::memcpy(&first, bytes, sizeof(first));
  std::memcpy(&second, bytes + sizeof(first), sizeof(second));
  for (unsigned skipped = 0; skipped < simt::kVectorBytes; ++skipped) {
    const simt::Vector joined = simt::joined(first, second, skipped);
    EXPECT_EQ(std::memcmp(&joined, bytes + skipped, sizeof(joined)), 0) << skipped;
  }
}

/// A struct as large as a vector that is aligned only to its members.
struct Loose {
  float x, y, z, w;
};

TEST(Chunk, LooselyAlignedItemsAreNotMovedByVectors) {
  EXPECT_EQ(alignof(simt::Chunk<Loose>), alignof(float));
  EXPECT_FALSE(simt::kHasVectors<Loose>);
  EXPECT_TRUE(simt::kHasVectors<uint32_t>);
}

struct AddAll {
  static Loose identity() { return {}; }
  Loose operator()(const Loose& a, const Loose& b) const {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
  }
};

// Vector loads at such addresses fail.
TEST(Chunk, LooselyAlignedItemsMayLieAnywhere) {
  constexpr uint64_t kItems = 5000;
  std::vector<float> numbers(4 * kItems + 1, 1.0f);
  auto* items = reinterpret_cast<Loose*>(numbers.data() + 1);
  std::vector<std::byte> workspace(compaction::scan_bytes<Loose, AddAll>(kItems) +
                                   compaction::reduce_bytes<Loose>());
  simt::Span<std::byte> span{workspace.data(), workspace.size()};
  simt::host::Executor executor;
  Loose sum{};
  compaction::reduce(executor, items, {kItems}, &sum, AddAll(), span);
  EXPECT_EQ(sum.w, float(kItems));
  compaction::inclusive_scan(executor, items, {kItems}, items, AddAll(), Loose{},
                             static_cast<Loose*>(nullptr), span);
  EXPECT_EQ(items[kItems - 1].x, float(kItems));
}

}  // namespace
