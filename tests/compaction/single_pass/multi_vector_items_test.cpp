// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/compaction/single_pass/support/jobs.h"
#include "tests/compaction/support/select_items.h"

// Items that one vector access cannot move: of sizes other than powers of two, larger than a
// vector, or less aligned than large.

namespace {

using fast::Bytes;

/// The number of an item in its first bytes, and a function of it in the others.
template <unsigned kBytes, size_t kAlign>
struct alignas(kAlign) Numbered {
  uint8_t bytes[kBytes];

  static Numbered of(uint32_t number) {
    Numbered item;
    for (unsigned b = 0; b < kBytes; ++b)
      item.bytes[b] = uint8_t(b < sizeof(number) ? number >> 8 * b : number * b + b);
    return item;
  }
  uint32_t number() const {
    uint32_t number = 0;
    std::memcpy(&number, bytes, std::min(size_t(kBytes), sizeof(number)));
    return number;
  }
  bool operator==(const Numbered&) const = default;
};

/// One in three, in no simple pattern. Counts its calls for each item.
struct KeepSome {
  Span<uint32_t> calls;  ///< [item]
  template <class T>
  bool operator()(const T& item) const {
    ++calls[item.number()];
    return item.number() * 2654435761u % 3 == 0;
  }
};

/// `n` items from an address on that is `offset` times their alignment after a line, and their
/// copy.
template <class T>
struct Placed {
  Placed(size_t n, unsigned offset) : memory(n * sizeof(T) + 4 * simt::kLineBytes, 0x5A) {
    auto address = reinterpret_cast<uintptr_t>(memory.data());
    address = (address / simt::kLineBytes + 1) * simt::kLineBytes + offset * alignof(T);
    items = reinterpret_cast<T*>(address);
  }
  Bytes memory;
  T* items;
};

template <class T>
using SinkOf =
    std::conditional_t<simt::kHasWords<T>, compaction::WriteWords<T>, compaction::WriteBytes<T>>;

/// Selects and partitions `n` items that begin `in` alignments after a line, into memory that
/// begins `out` after one.
template <class How, class T>
void expect_selected(Executor& executor, size_t n, unsigned in, unsigned out) {
  using Source =
      std::conditional_t<simt::kFillsVectors<T>, compaction::MultiVectorItemsIf<T, KeepSome>,
                         compaction::WordItemsIf<T, KeepSome>>;
  using Sink = SinkOf<T>;
  SCOPED_TRACE(testing::Message() << n << " items of " << sizeof(T) << " bytes, " << in << " and "
                                  << out << " times " << alignof(T) << " after a line");
  Placed<T> items(n, in), selected(n, out), rejected(n, in + 1);
  std::vector<T> expected, others;
  std::vector<uint32_t> calls(n);
  for (uint32_t i = 0; i < n; ++i) {
    const T item = T::of(i);
    std::memcpy(items.items + i, &item, sizeof(T));
    (KeepSome{span_of(calls)}(item) ? expected : others).push_back(item);
  }
  calls.assign(n, 0);
  const Bytes untouched = items.memory, untouched_out = selected.memory;
  Memory memory;
  uint64_t count = 0;
  const Source source{items.items, {span_of(calls)}};
  How::run(executor,
           compaction::SelectJob<Source, Sink>{source, Sink(selected.items), {}, {&count}},
           ItemCount{n}, memory);
  ASSERT_EQ(count, expected.size());
  EXPECT_THAT(calls, testing::Each(1u));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), selected.items));
  EXPECT_EQ(items.memory, untouched);
  std::memset(static_cast<void*>(selected.items), 0x5A, count * sizeof(T));
  EXPECT_EQ(selected.memory, untouched_out) << "what is not selected is not written";

  using Two = compaction::SelectJob<Source, Sink, compaction::RejectedTo<Sink>>;
  How::run(executor, Two{source, Sink(selected.items), {Sink(rejected.items), {}}, {&count}},
           ItemCount{n}, memory);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), selected.items));
  EXPECT_TRUE(std::equal(others.begin(), others.end(), rejected.items));
}

/// Types of all kinds: several items in one vector, in several, and several vectors of an item.
template <class Use>
void for_each_kind(Use use) {
  use(Numbered<3, 1>());
  use(Numbered<4, 1>());
  use(Numbered<6, 2>());
  use(Numbered<8, 4>());
  use(Numbered<12, 4>());
  use(Numbered<16, 4>());
  use(Numbered<17, 1>());
  use(Numbered<64, 4>());
}
/// Calls `use` with items of which a thread can hold enough to fill whole vectors.
template <class Use>
void for_each_vector_type(Use use) {
  for_each_kind([&]<class T>(T item) {
    if constexpr (simt::kFillsVectors<T>) use(item);
  });
  use(Numbered<2, 1>());
  use(Numbered<7, 1>());
  use(Numbered<10, 2>());
  use(Numbered<16, 8>());
  use(Numbered<20, 4>());
  use(Numbered<24, 8>());
  use(Numbered<32, 16>());
  use(Numbered<60, 4>());
  use(Numbered<128, 16>());
}

template <class How>
void expect_all_selected(Executor& executor) {
  for_each_kind([&]<class T>(T) {
    for (size_t n : {size_t(0), size_t(1), size_t(3), size_t(32), size_t(127), size_t(700)})
      for (unsigned in : {0u, 1u, 2u, 3u, 5u})
        for (unsigned out : {0u, 1u, 31u}) expect_selected<How, T>(executor, n, in, out);
  });
}

TEST(MultiVectorItems, InPipelines) {
  Executor executor({Order::kShuffled, 1, 3});
  expect_all_selected<InPipeline<fast::kTinyTiles>>(executor);
  expect_selected<InPipeline<TileShape{64, 2, 1, 2, 1, 2}>, Numbered<12, 4>>(executor, 5000, 1, 1);
  expect_selected<InPipeline<TileShape{64, 2, 1, 2, 1, 2}>, Numbered<3, 1>>(executor, 9000, 1, 1);
}

TEST(MultiVectorItems, InWaves) {
  Executor executor({Order::kShuffled, 2, 40});
  expect_all_selected<InWave<WaveShape{32, 1, 1}>>(executor);
  expect_selected<InWave<WaveShape{64, 2, 1}>, Numbered<12, 4>>(executor, 5000, 1, 1);
  expect_selected<InWave<WaveShape{64, 2, 1}>, Numbered<3, 1>>(executor, 9000, 1, 1);
}

TEST(MultiVectorItems, ChunksAreAlignedWhereTheAddressAllows) {
  for_each_vector_type([]<class T>(T) {
    using Source = compaction::MultiVectorItemsIf<T, fast::IsKept>;
    for (uintptr_t address = 2048; address < 2080; address += alignof(T)) {
      SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes at " << address);
      const Source source{reinterpret_cast<const T*>(address), {}};
      bool any = false;
      for (uint32_t head = 0; head < Source::kChunkItems; ++head) {
        const bool aligned = (address - head * sizeof(T)) % simt::kVectorBytes == 0;
        if (aligned) {
          EXPECT_EQ(source.head(), head);
        }
        any |= aligned;
      }
      EXPECT_LT(source.head(), Source::kChunkItems);
      EXPECT_EQ(source.is_aligned(), any);
    }
  });
}

/// Tiles of one type need memory in proportion to its chunks, whatever its size.
TEST(MultiVectorItems, TilesFitTheirMemory) {
  for_each_vector_type([]<class T>(T) {
    using Source = compaction::MultiVectorItemsIf<T, fast::IsKept>;
    using Job = compaction::SelectJob<Source, SinkOf<T>>;
    constexpr size_t kKiB = 1024;
    using Large = compaction::TilePipeline<Job, compaction::kLargeTiles<Job>>;
    using Small = compaction::TilePipeline<Job, compaction::kSmallTiles<Job>>;
    using Few = compaction::TileWave<Job, compaction::kFewTiles<Job>>;
    using Many = compaction::TileWave<Job, compaction::kWaveTiles<Job>>;
    EXPECT_LE(sizeof(typename Large::Shared), 227 * kKiB) << sizeof(T);
    EXPECT_GE(sizeof(typename Large::Shared), 100 * kKiB) << sizeof(T);
    EXPECT_LE(sizeof(typename Small::Shared), 50 * kKiB) << sizeof(T);
    EXPECT_LE(sizeof(typename Few::Shared), 17 * kKiB) << sizeof(T);
    EXPECT_LE(sizeof(typename Many::Shared), 34 * kKiB) << sizeof(T);
  });
}

}  // namespace
