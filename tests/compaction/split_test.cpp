// SPDX-License-Identifier: MIT
#include "compaction/single_pass/split.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "compaction/single_pass/select.h"
#include "tests/compaction/support/host_device.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/split_on.h"

namespace {

using compaction::ItemCount;
using compaction::SplitShape;
using fast::Bytes;
using fast::SplitAnswer;
using fast::SplitProblem;

/// Claims more multiprocessors than the schedule has resident blocks, as on a device that runs
/// other kernels.
struct BusyDevice : Executor {
  using Executor::Executor;
  unsigned multiprocessors() const { return 4 * Executor::multiprocessors(); }
};
using Host = HostDeviceOf<BusyDevice>;

/// Splits in tiles that the library chooses.
struct InLibraryTiles {
  static constexpr uint64_t kOneTile = 4096, kTile = 1152;  // tile sizes for few items of 4 bytes

  template <unsigned kClasses>
  static void split(Host& host, const auto& source, const auto& sink, ItemCount n,
                    const compaction::SplitOffsets& result, Span<std::byte> workspace) {
    compaction::split<kClasses>(host.launcher(), source, sink, n, result, workspace);
  }
  template <unsigned kClasses, class Source, class Sink>
  static size_t bytes(uint64_t capacity) {
    return compaction::split_bytes<kClasses, Source, Sink>(capacity);
  }
};

/// Splits in tiles of 256 items, so that a few thousand items make many tiles.
struct InTinyTiles {
  static constexpr uint64_t kTile = 256;
  static constexpr SplitShape kShape{.threads = 64, .rows = 4, .blocks_per_sm = 1};
  static constexpr SplitShape kManyClasses{.threads = 256, .rows = 1, .blocks_per_sm = 1};

  template <unsigned kClasses, class Source, class Sink>
  static void split(Host& host, const Source& source, const Sink& sink, ItemCount n,
                    const compaction::SplitOffsets& result, Span<std::byte> workspace) {
    using Kernel =
        compaction::SplitTiles<Source, Sink, kClasses, (kClasses > 64 ? kManyClasses : kShape)>;
    compaction::run_split(host.launcher(), Kernel{source, sink, n, result, 0, {}, {}}, workspace);
  }
  template <unsigned kClasses, class Source, class Sink>
  static size_t bytes(uint64_t capacity) {
    return compaction::TileWorkspace<uint32_t>::bytes((capacity / kTile + 1) * kClasses);
  }
};

Bytes random_keys(size_t n, unsigned classes, uint32_t seed = 1) {
  std::mt19937 random(seed);
  Bytes keys(n);
  for (uint8_t& key : keys) key = uint8_t(random() % classes);
  return keys;
}

class Split : public testing::TestWithParam<NamedSchedule> {
 protected:
  template <unsigned kClasses, class Calls = InTinyTiles, class T = fast::Item<4, 4>>
  void expect_right(const SplitProblem& problem) {
    SCOPED_TRACE(testing::Message() << problem.keys.size() << " items of " << sizeof(T)
                                    << " bytes, " << kClasses << " classes");
    using Source = compaction::ItemsByClass<T, fast::FirstByte>;
    using Sink = compaction::WriteItems<T>;
    const Bytes items = fast::items_of_keys(problem.keys, sizeof(T));
    const SplitAnswer expected =
        fast::reference_split(kClasses, problem.keys, items, problem.out_capacity);
    const uint64_t capacity = problem.count_on_device ? problem.capacity : problem.keys.size();
    fast::PlacedBuffer<T, Host> in(host_, items, problem.offsets.in);
    fast::SplitOn<kClasses, Host> on(host_,
                                     Calls::template bytes<kClasses, Source, Sink>(capacity));
    const SplitAnswer answer =
        on.template run<T>(problem, expected.items.size() / sizeof(T),
                           [&](T* out, ItemCount n, const auto& result, Span<std::byte> workspace) {
                             Calls::template split<kClasses>(host_, Source{in.data(), {}},
                                                             Sink{out}, n, result, workspace);
                           });
    EXPECT_TRUE(answer == expected);
    EXPECT_TRUE(in.read() == items);
  }

  Host host_{GetParam().schedule};
};

TEST_P(Split, SizesAroundWarpsTilesAndRanges) {
  constexpr uint64_t kTile = InTinyTiles::kTile;
  for (uint64_t n : {uint64_t(0), uint64_t(1), uint64_t(2), uint64_t(31), uint64_t(32),
                     uint64_t(33), uint64_t(64), kTile - 1, kTile, kTile + 1, 2 * kTile,
                     3 * kTile + 1, 4 * kTile, 4 * kTile + 1, 20 * kTile - 1, 41 * kTile + 7})
    expect_right<7>({.keys = random_keys(n, 7)});
}

TEST_P(Split, AnyNumberOfClasses) {
  constexpr uint64_t kItems = 5 * InTinyTiles::kTile + 3;
  auto expect = [&]<unsigned... kClasses>(std::integer_sequence<unsigned, kClasses...>) {
    (expect_right<kClasses>({.keys = random_keys(kItems, kClasses)}), ...);
  };
  expect(std::integer_sequence<unsigned, 1, 2, 3, 7, 16, 17, 32, 33, 64, 100, 256>());
  for (unsigned classes = 1; classes <= 32; ++classes)
    expect_right<32>({.keys = random_keys(kItems / 4, classes)});
}

TEST_P(Split, TilesOfTheLibrary) {
  constexpr uint64_t kOne = InLibraryTiles::kOneTile, kTile = InLibraryTiles::kTile;
  for (uint64_t n : {uint64_t(0), uint64_t(1), kTile, kTile + 1, kOne - 1, kOne, kOne + 1,
                     4 * kTile, 4 * kTile + 1})
    expect_right<32, InLibraryTiles>({.keys = random_keys(n, 32)});
  for (uint64_t n : {kTile, kTile + 1, kOne, kOne + 9, 3 * kOne})
    expect_right<256, InLibraryTiles>({.keys = random_keys(n, 256)});
}

TEST_P(Split, OneTileOfACountOnTheDevice) {
  for (uint64_t n : {0, 1, 3000})
    expect_right<33, InLibraryTiles>({.keys = random_keys(n, 44),
                                      .capacity = InLibraryTiles::kOneTile,
                                      .count_on_device = true});
  expect_right<5, InLibraryTiles>({.keys = random_keys(3000, 5), .out_capacity = 2000});
}

TEST_P(Split, ManyItemsInLargeTiles) {
  const uint64_t few = 2 * host_.launcher().multiprocessors() * InLibraryTiles::kTile;
  expect_right<5, InLibraryTiles>({.keys = random_keys(few + 1, 6)});
  expect_right<5, InLibraryTiles>({.keys = random_keys(few + few / 2, 5)});
}

TEST_P(Split, AllItemsInOneClass) {
  for (uint8_t only : {0, 13, 31})
    expect_right<32>({.keys = Bytes(3 * InTinyTiles::kTile + 5, only)});
  expect_right<256>({.keys = Bytes(1000, 255)});
}

TEST_P(Split, EmptyClasses) {
  Bytes keys = random_keys(2000, 4);
  for (uint8_t& key : keys) key = uint8_t(8 * key + 3);
  expect_right<32>({.keys = keys});
  expect_right<100>({.keys = keys});
}

TEST_P(Split, OtherClassesAreDropped) {
  expect_right<7>({.keys = random_keys(3000, 9)});
  expect_right<32>({.keys = random_keys(3000, 40)});
  expect_right<33>({.keys = random_keys(3000, 50)});
  expect_right<32>({.keys = Bytes(700, 77)});
}

TEST_P(Split, RunsOfAnyLength) {
  for (unsigned run : {31u, 32u, 33u, 255u, 256u, 700u}) {
    Bytes keys(4000);
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = uint8_t(i / run * 5 % 32);
    expect_right<32>({.keys = keys});
  }
}

TEST_P(Split, ItemsOfAnySizeAndAlignment) {
  for (unsigned bytes : {1u, 4u, 12u, 16u, 100u})
    for (unsigned offset : {0u, 1u, 3u})
      fast::with_item(bytes, [&]<class T>(T) {
        expect_right<16, InTinyTiles, T>({.keys = random_keys(2 * InTinyTiles::kTile + 9, 16),
                                          .offsets = {.in = offset, .out = 3 - offset}});
      });
}

TEST_P(Split, OutputsThatBeginAnywhereInALine) {
  for (unsigned offset : {1u, 15u, 16u, 31u, 32u, 33u})
    expect_right<32>({.keys = random_keys(2 * InTinyTiles::kTile + 77, 32, offset),
                      .offsets = {.in = 0, .out = offset}});
}

TEST_P(Split, CountOnTheDeviceLimitsTheItems) {
  constexpr uint64_t kTile = InTinyTiles::kTile;
  for (uint64_t n : {uint64_t(0), uint64_t(1), kTile, 2 * kTile + 3})
    for (uint64_t capacity : {3 * kTile, 9 * kTile + 1})
      for (bool wide : {false, true})
        expect_right<7>({.keys = random_keys(n, 7),
                         .capacity = capacity,
                         .count_on_device = true,
                         .wide_offsets = wide});
}

TEST_P(Split, CapacityLimitsTheOutputAndOffsetsStayTrue) {
  const Bytes keys = random_keys(1000, 7);
  for (uint64_t capacity : {0u, 1u, 500u, 999u, 1000u, 1001u})
    expect_right<7>({.keys = keys, .out_capacity = capacity});
  expect_right<7>({.keys = random_keys(100, 7), .out_capacity = 99});
}

TEST_P(Split, CapacityEndsTheOutputInAnyLine) {
  const Bytes keys = random_keys(2 * InTinyTiles::kTile, 3);
  for (uint64_t capacity = 0; capacity < keys.size(); capacity += 29)
    expect_right<3>({.keys = keys, .out_capacity = capacity});
  for (uint64_t capacity : {31u, 32u, 33u, 300u})
    expect_right<32>({.keys = Bytes(keys.size(), 9), .out_capacity = capacity});
}

TEST_P(Split, IndicesByKey) {
  auto expect = [&]<unsigned kClasses>(std::integral_constant<unsigned, kClasses>) {
    const Bytes keys = random_keys(1500, kClasses);
    std::vector<uint32_t> indices(keys.size());
    for (uint32_t i = 0; i < indices.size(); ++i) indices[i] = i;
    using Source = compaction::IndicesByKey<uint8_t>;
    using Sink = compaction::WriteIndices<uint32_t>;
    fast::SplitOn<kClasses, Host> on(host_,
                                     InTinyTiles::bytes<kClasses, Source, Sink>(keys.size()));
    const SplitAnswer answer = on.template run<uint32_t>(
        {.keys = keys}, keys.size(),
        [&](uint32_t* out, ItemCount n, const auto& result, auto workspace) {
          InTinyTiles::split<kClasses>(host_, Source{keys.data()}, Sink(out), n, result, workspace);
        });
    EXPECT_TRUE(answer == fast::reference_split(kClasses, keys, fast::to_bytes(indices)));
  };
  expect(std::integral_constant<unsigned, 20>());
  expect(std::integral_constant<unsigned, 100>());
}

/// Returns the class of an index; every third one is -1.
struct SignedClass {
  int operator()(uint64_t index) const { return index % 3 == 2 ? -1 : int(index % 3); }
};

TEST_P(Split, ColumnsByIndexAndNegativeClasses) {
  constexpr uint32_t kItems = 1000;
  std::vector<uint16_t> small(kItems), small_out(kItems);
  std::vector<double> large(kItems), large_out(kItems);
  for (uint32_t i = 0; i < kItems; ++i) small[i] = uint16_t(i * 7), large[i] = i;
  const compaction::IndicesByClass<SignedClass> source{};
  const compaction::WriteColumns<uint16_t, double> sink({small.data(), small_out.data()},
                                                        {large.data(), large_out.data()});
  Memory memory;
  uint64_t offsets[3];
  InTinyTiles::split<2>(host_, source, sink, ItemCount{kItems}, {offsets}, memory.span());
  EXPECT_EQ(offsets[1], 334u);
  EXPECT_EQ(offsets[2], 667u);
  for (uint32_t place = 0; place < 667; ++place) {
    const uint32_t item = place < 334 ? 3 * place : 3 * (place - 334) + 1;
    ASSERT_EQ(small_out[place], small[item]);
    ASSERT_EQ(large_out[place], large[item]);
  }
}

/// Returns the class of an index in the type of classes `Class`: small ones, negative ones, and
/// ones whose lower bits are those of a small one.
template <class Class>
struct ClassOfIndex {
  Class operator()(uint64_t index) const {
    const int kind = int(index % 5);
    if constexpr (std::is_enum_v<Class> && sizeof(Class) > sizeof(uint32_t)) {
      if (kind == 4) return Class((int64_t(1) << 56) + 1);
    } else if constexpr (sizeof(Class) > sizeof(uint32_t)) {
      if (kind == 4) return (Class(1) << (8 * sizeof(Class) - 8)) + Class(1);
    }
    if constexpr (std::is_same_v<Class, bool>) return kind % 2 == 1;
    return kind == 3 ? Class(-1) : Class(kind);
  }
};

enum class NarrowEnum : int8_t {};
enum class WideEnum : int64_t {};

template <class Class>
class NarrowClass : public testing::Test {};
using Classes = testing::Types<bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t,
                               uint64_t, __int128, unsigned __int128, NarrowEnum, WideEnum>;
TYPED_TEST_SUITE(NarrowClass, Classes);

TYPED_TEST(NarrowClass, IsTheNumberOfAClassOrTooLarge) {
  constexpr uint32_t kClasses = 3;
  for (uint64_t index = 0; index < 5; ++index) {
    const TypeParam item_class = ClassOfIndex<TypeParam>()(index);
    uint32_t expected = 0;
    while (expected < kClasses && item_class != TypeParam(expected)) ++expected;
    EXPECT_EQ(std::min(compaction::narrow_class(item_class), kClasses), expected) << index;
  }
}

/// The kernels differ only in the size of a class, so few types run in them.
template <class Class>
class SplitByClass : public testing::Test {};
using ClassesInKernels = testing::Types<int8_t, int64_t, unsigned __int128>;
TYPED_TEST_SUITE(SplitByClass, ClassesInKernels);

TYPED_TEST(SplitByClass, ClassesThatDoNotFitInTheirNumberAreDropped) {
  using Class = TypeParam;
  constexpr uint32_t kItems = 1500;
  constexpr unsigned kClasses = 3;
  const ClassOfIndex<Class> class_of;
  const auto keys = std::make_unique<Class[]>(kItems);
  std::vector<uint32_t> expected, items(kItems), got(kItems);
  for (uint32_t i = 0; i < kItems; ++i) keys[i] = class_of(items[i] = i);
  for (unsigned c = 0; c < kClasses; ++c)
    for (uint32_t i = 0; i < kItems; ++i)
      if (keys[i] == Class(c)) expected.push_back(i);

  Host host(Schedule{.order = Order::kShuffled, .seed = 3, .resident_blocks = 2});
  const auto expect_split = [&](const auto& source, const auto& sink) {
    Memory memory;
    uint64_t offsets[kClasses + 1];
    std::fill(got.begin(), got.end(), 0);
    InTinyTiles::split<kClasses>(host, source, sink, ItemCount{kItems}, {offsets}, memory.span());
    EXPECT_EQ(offsets[kClasses], expected.size());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), got.begin()));
  };
  using compaction::WriteIndices;
  expect_split(compaction::IndicesByKey<Class>{keys.get()}, WriteIndices<uint32_t>(got.data()));
  expect_split(compaction::IndicesByClass<ClassOfIndex<Class>>{},
               WriteIndices<uint32_t>(got.data()));
  expect_split(compaction::ItemsByClass<uint32_t, ClassOfIndex<Class>>{items.data(), {}},
               compaction::WriteItems<uint32_t>{got.data()});
}

TEST(SplitByEnumerator, ClassesBeyond32BitsAreDropped) {
  const WideEnum keys[] = {WideEnum(1), WideEnum((int64_t(1) << 32) + 1), WideEnum(-1),
                           WideEnum(0)};
  Host host(Schedule{.order = Order::kForward, .seed = 0, .resident_blocks = 1});
  Memory memory;
  uint32_t indices[4], offsets[3];
  InTinyTiles::split<2>(host, compaction::IndicesByKey<WideEnum>{keys},
                        compaction::WriteIndices<uint32_t>(indices), ItemCount{4}, {offsets},
                        memory.span());
  EXPECT_EQ(offsets[2], 2u);
  EXPECT_EQ(indices[0], 3u);
  EXPECT_EQ(indices[1], 0u);
}

TEST_P(Split, WorkspaceServesManyCallsOfAllFunctions) {
  struct Below {
    bool operator()(uint32_t item) const { return item < 1u << 31; }
  };
  Memory memory;
  std::mt19937 random(2);
  for (int call = 0; call < 60; ++call) {
    if (call == 30) memory.begin_epoch(TileQueue::kLastEpoch - 2);
    const Bytes keys = random_keys(random() % 3000, 32, random());
    std::vector<uint32_t> out(keys.size()), expected;
    uint32_t offsets[33];
    InTinyTiles::split<32>(host_, compaction::IndicesByKey<uint8_t>{keys.data()},
                           compaction::WriteIndices<uint32_t>(out.data()), ItemCount{keys.size()},
                           {offsets}, memory.span());
    for (unsigned c = 0; c < 32; ++c)
      for (uint32_t i = 0; i < keys.size(); ++i)
        if (keys[i] == c) expected.push_back(i);
    ASSERT_EQ(out, expected) << "call " << call;

    const std::vector<uint32_t> numbers = random_numbers(3000, uint32_t(call));
    std::vector<uint32_t> selected(numbers.size());
    uint64_t count = 0;
    compaction::select(host_.launcher(), compaction::ItemsIf<uint32_t, Below>{numbers.data(), {}},
                       compaction::WriteItems<uint32_t>{selected.data()}, ItemCount{numbers.size()},
                       {&count}, memory.span());
    ASSERT_EQ(count, uint64_t(std::count_if(numbers.begin(), numbers.end(), Below())));
  }
}

/// Records a launch without executing it.
struct NoteSplit {
  unsigned multiprocessors() const { return 4; }
  size_t max_shared_bytes() const { return shared_bytes; }
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    this->blocks = blocks;
    ranges = kernel.ranges;
    tile_size = Kernel::kTileSize;
    launched_shared_bytes = sizeof(typename Kernel::Shared);
  }
  size_t shared_bytes = size_t(227) << 10, launched_shared_bytes = 0;
  uint32_t blocks = 0, ranges = 0, tile_size = 0;
};

TEST(SplitRanges, CountsOfARangeFitIn32Bits) {
  constexpr uint64_t kItems = uint64_t(1) << 40;
  Memory memory;
  NoteSplit note;
  compaction::split<32>(note, compaction::IndicesByKey<uint8_t>{},
                        compaction::WriteIndices<uint64_t>(nullptr), ItemCount{kItems},
                        compaction::SplitOffsets(), memory.span());
  EXPECT_EQ(note.blocks, 8u);
  EXPECT_LT(kItems / note.ranges, uint64_t(1) << 32);
  using Source = compaction::IndicesByKey<uint8_t>;
  EXPECT_GE((compaction::split_bytes<32, Source, compaction::WriteIndices<uint64_t>>(kItems)),
            note.ranges * 32 * sizeof(uint64_t));
}

TEST(SplitOfLargeItems, FitsInTheSharedMemoryOfEachDevice) {
  using Item = fast::Item<64, 4>;
  Memory memory;
  for (size_t kib : {64, 99, 163, 227})
    for (uint64_t n : {1, 513, 3000, 1'000'000}) {
      NoteSplit note{.shared_bytes = kib << 10};
      compaction::split<256>(note, compaction::ItemsByClass<Item, fast::FirstByte>{},
                             compaction::WriteItems<Item>{}, ItemCount{n},
                             compaction::SplitOffsets(), memory.span());
      EXPECT_LE(note.launched_shared_bytes, note.shared_bytes) << kib << " KiB, " << n << " items";
    }
}

TEST(SplitInOneTile, IsForTilesThatFitInSharedMemory) {
  using Item = fast::Item<64, 4>;
  const auto tile_of = [](NoteSplit note, uint64_t n) {
    Memory memory;
    compaction::split<256>(note, compaction::ItemsByClass<Item, fast::FirstByte>{},
                           compaction::WriteItems<Item>{}, ItemCount{n}, compaction::SplitOffsets(),
                           memory.span());
    return note.tile_size;
  };
  EXPECT_EQ(tile_of({}, 1), 512u);
  EXPECT_EQ(tile_of({}, 512), 512u);
  EXPECT_EQ(tile_of({}, 513), 1024u);
  EXPECT_EQ(tile_of({.shared_bytes = 48 << 10}, 512), 384u);
  EXPECT_EQ(tile_of({.shared_bytes = 48 << 10}, 513), 384u);
}

const auto name_of_schedule = [](const auto& info) { return info.param.name; };

INSTANTIATE_TEST_SUITE_P(Schedules, Split, testing::ValuesIn(host_schedules()), name_of_schedule);

}  // namespace
