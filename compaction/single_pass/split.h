// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/workspace.h"
#include "compaction/single_pass/split_tiles.h"

// Stable split into up to 256 classes; a partition has two. The sink (sinks.h) defines what is
// written of each item. The source defines its class:
//
//   Chunk        the data that a thread loads for an item
//   load(i)      loads item i
//   prefetch(i)  optional: prefetches item i, an element of an array of Chunk, into L2
//   class_of(c)  returns the class of a loaded item, an integer or enumerator of any size; called
//                once or twice for each item, with the same result. Items of a class outside
//                [0, kClasses) are dropped.
//   class_of_item(item)
//                optional: returns the class of an item as the sink writes it (Sink::Item); called
//                at most once for each item

namespace compaction {

/// Items whose class is `classify(item)`.
template <class T, class Classify>
struct ItemsByClass {
  struct Chunk {
    T items[1];
  };

  const T* items;  ///< [n]
  Classify classify;

  SIMT_HOST_DEVICE void prefetch(uint64_t item) const { simt::prefetch(items + item); }
  SIMT_HOST_DEVICE Chunk load(uint64_t item) const { return {{items[item]}}; }
  SIMT_HOST_DEVICE auto class_of(const Chunk& chunk) const { return classify(chunk.items[0]); }
  SIMT_HOST_DEVICE auto class_of_item(const T& item) const { return classify(item); }
};

/// Indices whose class is `classify(index)`. For sinks that write indices or columns.
template <class Classify>
struct IndicesByClass {
  struct Chunk {
    uint32_t item_class;
  };

  Classify classify;

  SIMT_HOST_DEVICE Chunk load(uint64_t item) const { return {narrow_class(classify(item))}; }
  SIMT_HOST_DEVICE uint32_t class_of(const Chunk& chunk) const { return chunk.item_class; }
};

/// Indices whose class is an element of an array.
template <class Key>
struct IndicesByKey {
  struct Chunk {
    Key key;
  };

  const Key* keys;  ///< [n]

  SIMT_HOST_DEVICE void prefetch(uint64_t item) const { simt::prefetch(keys + item); }
  SIMT_HOST_DEVICE Chunk load(uint64_t item) const { return {keys[item]}; }
  SIMT_HOST_DEVICE Key class_of(const Chunk& chunk) const { return chunk.key; }
};

/// Items per thread: 64 bytes, at most 16 items. A quarter of that if there are few items, so that
/// they occupy more multiprocessors.
template <class Source>
inline constexpr unsigned kSplitRows = std::clamp(unsigned(64 / sizeof(typename Source::Chunk)), 1u,
                                                  16u);
template <class Source>
inline constexpr SplitShape kManySplitTiles{
    .threads = 384, .rows = kSplitRows<Source>, .blocks_per_sm = 2};
template <class Source>
inline constexpr SplitShape kFewSplitTiles{
    .threads = 384, .rows = std::max(1u, kSplitRows<Source> / 4), .blocks_per_sm = 2};

/// Tiles for more than 32 classes: one block per multiprocessor, because each block reads the
/// counts of all ranges, and few warps, because each has a count of each class. Up to 16 items per
/// thread, because a class has few items per tile; a quarter of that if there are few items, so
/// that they occupy more multiprocessors. 2^20 items of 8 bytes in 256 classes take 18 us; with 10
/// items per thread, they are 205 tiles, two on some multiprocessors, and take 23 us (H200).
template <class Source>
inline constexpr SplitShape kManyLargeSplitTiles{
    .threads = 512,
    .rows = std::clamp(unsigned(128 / sizeof(typename Source::Chunk)), 1u, 16u),
    .blocks_per_sm = 1};
template <class Source>
inline constexpr SplitShape kFewLargeSplitTiles{
    .threads = 512,
    .rows = std::clamp(unsigned(64 / sizeof(typename Source::Chunk)), 1u, 4u),
    .blocks_per_sm = 1};

/// Tile for no more items than one block can move: 2^12 items of 4 bytes in 8 classes take 2.7 us,
/// in four tiles 5.5 us. Up to 32 classes of small items are moved by 1024 threads: 2^12 items take
/// 0.93 to 0.99 of the time of 512 threads, 2^10 items 1.07 to 1.12 (H200).
template <class Source, unsigned kClasses>
inline constexpr unsigned kOneTileWarps = kClasses <= simt::kWarpSize &&
                                                  sizeof(typename Source::Chunk) <= sizeof(uint64_t)
                                              ? 32
                                              : 16;
template <class Source, unsigned kClasses>
inline constexpr SplitShape kOneSplitTile{
    .threads = kOneTileWarps<Source, kClasses> * simt::kWarpSize,
    .rows = std::clamp(unsigned(64 / sizeof(typename Source::Chunk)), 1u, 8u) * 16 /
            kOneTileWarps<Source, kClasses>,
    .blocks_per_sm = 1,
    .one_tile = true};

/// Maximum number of ranges of a split, and maximum items of a range: counts have 32 bits.
inline constexpr uint64_t kMaxSplitRanges = 1024, kMaxRangeItems = uint64_t(1) << 31;

/// Returns the bytes of workspace of split() for up to `capacity` items; grows with it.
template <unsigned kClasses, class Source, class Sink>
size_t split_bytes(uint64_t capacity) {
  using Few = SplitTiles<Source, Sink, kClasses, kFewSplitTiles<Source>>;
  const uint64_t tiles = simt::ceil_div(capacity, Few::kTileSize);
  return TileWorkspace<uint32_t>::bytes(std::min(tiles, kMaxSplitRanges) * kClasses);
}

template <class Kernel, class Launcher>
void run_split(Launcher& launcher, Kernel kernel, Span<std::byte> workspace) {
  const uint64_t capacity = kernel.count.capacity;
  const uint64_t tiles = std::max(simt::ceil_div(capacity, Kernel::kTileSize), uint64_t(1));
  const uint64_t resident = uint64_t(launcher.multiprocessors()) * Kernel::kBlocksPerSm;
  const uint64_t ranges = std::max(resident, simt::ceil_div(capacity, kMaxRangeItems));
  TileWorkspace<uint32_t> parts(workspace);
  kernel.ranges = uint32_t(std::min({ranges, tiles, kMaxSplitRanges}));
  kernel.queue = parts.queue;
  kernel.counts.states = parts.states;
  launcher.launch(uint32_t(std::min<uint64_t>(kernel.ranges, resident)), kernel);
}

template <class Few, class Many, class Launcher>
void run_split(Launcher& launcher, const Few& few, const Many& many, Span<std::byte> workspace) {
  const uint64_t resident = uint64_t(launcher.multiprocessors()) * Few::kBlocksPerSm;
  if (few.count.capacity <= resident * Few::kTileSize)
    run_split(launcher, few, workspace);
  else
    run_split(launcher, many, workspace);
}

template <class Kernel, class Launcher>
bool fits_shared_memory(Launcher& launcher, const Kernel&) {
  return sizeof(typename Kernel::Shared) <= launcher.max_shared_bytes();
}

/// Runs split(), whose offsets `result` stores.
template <unsigned kClasses, class Launcher, class Source, class Sink, class Result>
void run_split(Launcher& launcher, const Source& source, const Sink& sink, ItemCount n,
               const Result& result, Span<std::byte> workspace) {
  const auto with_tiles = [&]<SplitShape kShape>() {
    return SplitTiles<Source, Sink, kClasses, kShape, Result>{source, sink, n, result, 0, {}, {}};
  };
  const auto one = with_tiles.template operator()<kOneSplitTile<Source, kClasses>>();
  if (n.capacity <= one.kTileSize && fits_shared_memory(launcher, one))
    return launcher.launch(1, one);
  if constexpr (kClasses > simt::kWarpSize) {
    const auto few = with_tiles.template operator()<kFewLargeSplitTiles<Source>>();
    const auto many = with_tiles.template operator()<kManyLargeSplitTiles<Source>>();
    if (fits_shared_memory(launcher, few) && fits_shared_memory(launcher, many)) {
      if (n.capacity <= many.kTileSize) return run_split(launcher, many, workspace);
      return run_split(launcher, few, many, workspace);
    }
  }
  run_split(launcher, with_tiles.template operator()<kFewSplitTiles<Source>>(),
            with_tiles.template operator()<kManySplitTiles<Source>>(), workspace);
}

/// Stable split into classes: the items of class 0, those of class 1, ... each in the order of the
/// items.
///
/// @param source     ItemsByClass, IndicesByClass, IndicesByKey, or any type with their members; n
///                   <= 2^40
/// @param sink       what is written of each item (sinks.h): items, indices, columns of a structure
///                   of arrays; its output must not overlap anything else
/// @param result     receives kClasses + 1 offsets: the items of class c are written from
///                   offsets[c] to offsets[c + 1]; must not overlap `n.on_device`
/// @param workspace  [>= split_bytes<kClasses, Source, Sink>(capacity)], zeroed before its first
///                   use, then used only by the library's functions, one call at a time
/// Reads the classes twice, and what the sink writes once. 1 kernel. Does not synchronize.
/// Ranks in classes after Ashkiani, Davidson, Meyer & Owens, "GPU Multisplit", 2016.
template <unsigned kClasses, class Launcher, class Source, class Sink>
void split(Launcher& launcher, const Source& source, const Sink& sink, ItemCount n,
           const SplitOffsets& result, Span<std::byte> workspace) {
  run_split<kClasses>(launcher, source, sink, n, result, workspace);
}

}  // namespace compaction
