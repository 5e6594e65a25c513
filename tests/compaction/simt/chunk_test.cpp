#include "compaction/simt/chunk.h"

#include <gtest/gtest.h>

namespace {

using simt::Chunk;

struct Triple {
  uint32_t words[3];
};
struct Wide {
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
  EXPECT_EQ(Chunk<Wide>::kItems, 1u);
  EXPECT_EQ(sizeof(Chunk<Wide>), sizeof(Wide));
}

TEST(Chunk, IsStoredAtOnce) {
  alignas(simt::kVectorBytes) uint32_t out[8] = {};
  simt::store(out + 4, Chunk<uint32_t>{{1, 2, 3, 4}});
  const uint32_t expected[8] = {0, 0, 0, 0, 1, 2, 3, 4};
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(out[i], expected[i]);
}

}  // namespace
