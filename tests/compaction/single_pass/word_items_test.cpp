// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/compaction/single_pass/support/jobs.h"
#include "tests/compaction/support/select_items.h"

// Items of whole words that vector accesses move only together: 12 bytes, or less aligned than
// large.

namespace {

using fast::Bytes;

/// The number of an item in its first word, and a function of it in the others.
template <unsigned kWords, size_t kAlign>
struct alignas(kAlign) Words {
  uint32_t words[kWords];

  static Words of(uint32_t number) {
    Words item;
    for (unsigned w = 0; w < kWords; ++w) item.words[w] = number * (w + 1) + w;
    return item;
  }
  bool operator==(const Words&) const = default;
};

/// One in three, in no simple pattern. Counts its calls for each item.
struct KeepSome {
  Span<uint32_t> calls;  ///< [item]
  template <class T>
  bool operator()(const T& item) const {
    ++calls[item.words[0]];
    return item.words[0] * 2654435761u % 3 == 0;
  }
};

/// `n` items from a byte address on that is `offset` words after a line, and their copy.
template <class T>
struct Placed {
  Placed(size_t n, unsigned offset) : memory(n * sizeof(T) + 2 * simt::kLineBytes, 0x5A) {
    auto address = reinterpret_cast<uintptr_t>(memory.data());
    address = (address / simt::kLineBytes + 1) * simt::kLineBytes + offset * sizeof(uint32_t);
    items = reinterpret_cast<T*>(address);
  }
  Bytes memory;
  T* items;
};

/// Selects and partitions `n` items whose addresses are `in` and `out` words after a line.
template <class How, class T>
void expect_selected(Executor& executor, size_t n, unsigned in, unsigned out) {
  using Source = compaction::WordItemsIf<T, KeepSome>;
  using Sink = compaction::WriteWords<T>;
  SCOPED_TRACE(testing::Message() << n << " items of " << sizeof(T) << " bytes, " << in << " and "
                                  << out << " words after a line");
  Placed<T> items(n, in), selected(n, out), rejected(n, in);
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
  How::run(executor, compaction::SelectJob<Source, Sink>{source, {selected.items}, {}, {&count}},
           ItemCount{n}, memory);
  ASSERT_EQ(count, expected.size());
  EXPECT_THAT(calls, testing::Each(1u));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), selected.items));
  EXPECT_EQ(items.memory, untouched);
  std::memset(static_cast<void*>(selected.items), 0x5A, count * sizeof(T));
  EXPECT_EQ(selected.memory, untouched_out) << "what is not selected is not written";

  using Two = compaction::SelectJob<Source, Sink, compaction::RejectedTo<Sink>>;
  How::run(executor, Two{source, {selected.items}, {{rejected.items}, {}}, {&count}}, ItemCount{n},
           memory);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), selected.items));
  EXPECT_TRUE(std::equal(others.begin(), others.end(), rejected.items));
}

template <class How>
void expect_all_selected(Executor& executor) {
  for (size_t n : {size_t(0), size_t(1), size_t(3), size_t(32), size_t(127), size_t(700)})
    for (unsigned in : {0u, 1u, 2u, 3u, 5u})
      for (unsigned out : {0u, 1u, 31u}) {
        expect_selected<How, Words<2, 4>>(executor, n, in, out);
        expect_selected<How, Words<3, 4>>(executor, n, in, out);
        expect_selected<How, Words<4, 4>>(executor, n, in, out);
        if (in % 2 == 0 && out % 2 == 0) expect_selected<How, Words<4, 8>>(executor, n, in, out);
      }
}

TEST(WordItems, InPipelines) {
  Executor executor({Order::kShuffled, 1, 3});
  expect_all_selected<InPipeline<fast::kTinyTiles>>(executor);
  expect_selected<InPipeline<TileShape{64, 2, 1, 2, 1, 2}>, Words<3, 4>>(executor, 5000, 1, 1);
}

TEST(WordItems, InWaves) {
  Executor executor({Order::kShuffled, 2, 40});
  expect_all_selected<InWave<WaveShape{32, 1, 1}>>(executor);
  expect_selected<InWave<WaveShape{64, 2, 1}>, Words<3, 4>>(executor, 5000, 1, 1);
}

TEST(WordItems, ChunksAreAlignedWhereTheAddressAllows) {
  using Three = compaction::WordItemsIf<Words<3, 4>, fast::IsKept>;
  using Two = compaction::WordItemsIf<Words<2, 4>, fast::IsKept>;
  using Four = compaction::WordItemsIf<Words<4, 4>, fast::IsKept>;
  static_assert(Three::kChunkItems == 4 && Two::kChunkItems == 2 && Four::kChunkItems == 1);
  for (uintptr_t words = 64; words < 72; ++words) {
    const uintptr_t address = words * sizeof(uint32_t);
    auto source = [&]<class T, class P>(compaction::WordItemsIf<T, P>) {
      return compaction::WordItemsIf<T, P>{reinterpret_cast<const T*>(address), {}};
    };
    EXPECT_TRUE(source(Three{}).is_aligned());
    EXPECT_EQ((address - source(Three{}).head() * 12) % simt::kVectorBytes, 0u);
    EXPECT_EQ(source(Two{}).is_aligned(), words % 2 == 0);
    EXPECT_EQ(source(Two{}).head(), words % 4 == 2 ? 1u : 0u);
    EXPECT_EQ(source(Four{}).is_aligned(), words % 4 == 0);
    EXPECT_EQ(source(Four{}).head(), 0u);
  }
}

}  // namespace
