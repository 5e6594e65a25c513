// SPDX-License-Identifier: MIT
#include "compaction/single_pass/sinks.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using compaction::Column;
using compaction::Staging;

constexpr unsigned kPlaces = 32;

/// Stages an item in one place, fetches it from there and puts it into another.
template <class Sink, class Chunk>
void pass(const Sink& sink, const Chunk& chunk, unsigned item, unsigned slot, uint64_t first,
          uint64_t to) {
  alignas(16) std::byte bytes[kPlaces * Sink::kStagedBytes + 1];
  bytes[sizeof(bytes) - 1] = std::byte{0x5A};
  Staging staged{bytes, kPlaces};
  sink.stage(staged, kPlaces - 1, chunk, item, slot);
  EXPECT_EQ(bytes[sizeof(bytes) - 1], std::byte{0x5A});
  sink.put(to, sink.fetch(staged, kPlaces - 1, first));
}

const simt::Chunk<uint32_t> kChunk{{10, 11, 12, 13}};

TEST(Sinks, WriteItems) {
  std::vector<uint32_t> out(4, 0);
  pass(compaction::WriteItems<uint32_t>{out.data()}, kChunk, 2, 77, 1000, 3);
  EXPECT_EQ(out, (std::vector<uint32_t>{0, 0, 0, 12}));
}

TEST(Sinks, WriteIndices) {
  std::vector<uint64_t> out(4, 0);
  pass(compaction::WriteIndices<uint64_t>(out.data()), kChunk, 2, 77, uint64_t(1) << 40, 1);
  EXPECT_EQ(out[1], (uint64_t(1) << 40) + 77);
  // The first slot of the first tile may lie before the first item.
  pass(compaction::WriteIndices<uint64_t>(out.data()), kChunk, 2, 3, ~uint64_t(0) - 1, 2);
  EXPECT_EQ(out[2], 1u);
}

TEST(Sinks, WriteColumnsOfAnySize) {
  const std::vector<uint8_t> a = {1, 2, 3};
  const std::vector<double> b = {0.5, 1.5, 2.5};
  const std::vector<uint16_t> c = {100, 200, 300};
  std::vector<uint8_t> out_a(2, 0);
  std::vector<double> out_b(2, 0);
  std::vector<uint16_t> out_c(2, 0);
  using Columns = compaction::WriteColumns<uint8_t, double, uint16_t>;
  EXPECT_EQ(Columns::kFetchedBytes, 11u);
  EXPECT_EQ(Columns::kStagedBytes, sizeof(uint16_t));  // one slot, regardless of the columns
  pass(Columns(Column<uint8_t>{a.data(), out_a.data()}, Column<double>{b.data(), out_b.data()},
               Column<uint16_t>{c.data(), out_c.data()}),
       kChunk, 0, 2, 0, 1);
  EXPECT_EQ(out_a[1], 3);
  EXPECT_EQ(out_b[1], 2.5);
  EXPECT_EQ(out_c[1], 300);
  EXPECT_EQ(out_a[0], 0);
}

TEST(Sinks, WriteBothStagesOneBehindTheOther) {
  std::vector<uint32_t> items(2, 0);
  std::vector<uint32_t> indices(2, 0);
  using Both =
      compaction::WriteBoth<compaction::WriteItems<uint32_t>, compaction::WriteIndices<uint32_t>>;
  EXPECT_EQ(Both::kStagedBytes, 6u);
  pass(Both{{items.data()}, compaction::WriteIndices<uint32_t>(indices.data())}, kChunk, 3, 9, 100,
       1);
  EXPECT_EQ(items[1], 13u);
  EXPECT_EQ(indices[1], 109u);
}

TEST(Sinks, SkipsToTheStartOfALine) {
  alignas(simt::kLineBytes) uint32_t out[64];
  compaction::WriteItems<uint32_t> sink{out};
  EXPECT_EQ(sink.skip(0), 0u);
  EXPECT_EQ(sink.skip(5), 5u);
  EXPECT_EQ(sink.skip(32), 0u);
  EXPECT_EQ(compaction::WriteItems<uint32_t>{out + 1}.skip(32), 1u);
}

}  // namespace
