// SPDX-License-Identifier: MIT
#include "compaction/single_pass/sinks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "compaction/single_pass/select.h"
#include "tests/compaction/support/host_test.h"

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

/// Bytes of an item of `size` bytes that are aligned to `align`.
template <unsigned size, unsigned align>
struct alignas(align) SizedItem {
  uint8_t bytes[size];
  bool operator==(const SizedItem&) const = default;
};

/// Selects about two thirds of the items by flags and compares them with a plain loop.
template <class T>
void expect_right_column(size_t n) {
  std::vector<T> in(n), out(n + 2), expected(n + 2);
  std::vector<uint8_t> flags(n);
  size_t kept = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t b = 0; b < sizeof(T); ++b) in[i].bytes[b] = uint8_t(31 * i + 7 * b);
    flags[i] = i % 7 % 3 != 1;
    if (flags[i]) expected[1 + kept++] = in[i];
  }
  using Sink = compaction::WriteColumns<T>;
  using compaction::Flagged;
  std::vector<uint64_t> workspace(compaction::select_bytes<Flagged, Sink>(n) / sizeof(uint64_t) +
                                  1);
  Executor executor(Schedule{});
  uint64_t count = 0;
  compaction::select(
      executor, Flagged{flags.data()}, Sink({in.data(), out.data() + 1}), compaction::ItemCount{n},
      {&count},
      {reinterpret_cast<std::byte*>(workspace.data()), workspace.size() * sizeof(uint64_t)});
  EXPECT_EQ(count, kept);
  EXPECT_EQ(out, expected) << sizeof(T) << " bytes, " << n << " items";
}

/// Stages items as a tile does and writes some of them to any address.
template <class T>
void expect_right_bytes() {
  constexpr unsigned kThreads = simt::kWarpSize, kItems = 80;
  for (unsigned count : {0u, 1u, 2u, 3u, 31u, 64u})
    for (unsigned begin : {0u, 5u})
      for (unsigned skipped = 0; skipped < simt::kVectorBytes; skipped += alignof(T)) {
        alignas(16) std::byte bytes[kItems * compaction::WriteBytes<T>::kStagedBytes];
        alignas(simt::kLineBytes) uint8_t out[(kItems + 32) * sizeof(T) + 64],
            expected[sizeof(out)];
        std::memset(out, 0xEE, sizeof(out));
        std::memset(expected, 0xEE, sizeof(expected));
        const compaction::WriteBytes<T> sink(reinterpret_cast<T*>(out + skipped));
        const Staging staged{bytes, kItems};
        for (unsigned place = 0; place < begin + count; ++place) {
          typename simt::MultiVectorChunk<T> chunk{};
          for (size_t b = 0; b < sizeof(T); ++b)
            reinterpret_cast<uint8_t*>(chunk.words)[b] = uint8_t(1 + 31 * place + 7 * b);
          sink.stage(staged, place, chunk, 0, 0);
          if (place >= begin)
            std::memcpy(expected + skipped + (1 + place - begin) * sizeof(T), chunk.words,
                        sizeof(T));
        }
        for (unsigned thread = 0; thread < kThreads; ++thread)
          sink.template copy_out<kThreads>(thread, 1, staged, begin, count);
        ASSERT_EQ(std::memcmp(out, expected, sizeof(out)), 0)
            << sizeof(T) << " bytes, " << count << " items from " << begin << " on, " << skipped
            << " bytes after a vector";
      }
}

TEST(Sinks, BytesAreJoinedAtAnyAddress) {
  expect_right_bytes<SizedItem<1, 1>>();
  expect_right_bytes<SizedItem<3, 1>>();
  expect_right_bytes<SizedItem<5, 1>>();
  expect_right_bytes<SizedItem<6, 2>>();
  expect_right_bytes<SizedItem<7, 1>>();
  expect_right_bytes<SizedItem<9, 1>>();
  expect_right_bytes<SizedItem<10, 2>>();
  expect_right_bytes<SizedItem<11, 1>>();
  expect_right_bytes<SizedItem<13, 1>>();
  expect_right_bytes<SizedItem<15, 1>>();
  expect_right_bytes<SizedItem<17, 1>>();
  expect_right_bytes<SizedItem<33, 1>>();
}

template <class Sink>
constexpr bool kHasPieces = requires(const Sink& sink) {
  sink.in_pieces();
};

TEST(Sinks, ColumnsOfItemsThatNoVectorMovesAreWrittenInPieces) {
  static_assert(kHasPieces<compaction::WriteColumns<SizedItem<20, 4>>>);
  static_assert(!kHasPieces<compaction::WriteColumns<uint32_t>>);
  static_assert(!kHasPieces<compaction::WriteColumns<SizedItem<20, 4>, uint8_t>>);
  for (size_t n : {1u, 100u, 9000u}) {
    expect_right_column<SizedItem<12, 4>>(n);
    expect_right_column<SizedItem<20, 4>>(n);
    expect_right_column<SizedItem<24, 8>>(n);
    expect_right_column<SizedItem<68, 4>>(n);
    expect_right_column<SizedItem<48, 16>>(n);
    expect_right_column<SizedItem<10, 2>>(n);
  }
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
