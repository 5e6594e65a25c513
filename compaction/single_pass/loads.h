// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/op/equality.h"
#include "compaction/simt/chunk.h"
#include "compaction/single_pass/sources.h"
#include "compaction/single_pass/tile.h"

// A load is a function object: `load(i)` returns item i. Loads can be nested:
// Transformed<Zipped<Items<float>, Counting<int>>, F>.

namespace compaction {

/// The type of the items of a load.
template <class Load>
using Loaded = std::remove_cvref_t<decltype(std::declval<const Load&>()(uint64_t()))>;

/// Prefetches item i into L2 by `load.prefetch(i)`, if the load has this function.
template <class Load>
SIMT_HOST_DEVICE void prefetch_item(const Load& load, uint64_t i) {
  if constexpr (requires { load.prefetch(i); }) load.prefetch(i);
}

/// Whether a load also has chunk<count>(i), which returns an ItemVector of `count` items from item
/// i on, and is_aligned<count>(), without which chunk() must not be called. `count` must divide i.
/// If the load also has misplaced<count>(), the items from the last aligned address up to item 0,
/// chunk() may be called for each i for which `count` divides the sum of both.
template <class Load, unsigned count>
inline constexpr bool kHasChunks = requires(const Load& load, uint64_t i) {
  load.template chunk<count>(i);
  load.template is_aligned<count>();
};

/// Whether a load also has chunk_across<count>(i), which needs no alignment. Items i - count to
/// i + 2 * count - 1 must exist.
template <class Load, unsigned count>
inline constexpr bool kHasChunksAcross = requires(const Load& load, uint64_t i) {
  load.template chunk_across<count>(i);
};
template <class Load, unsigned count>
inline constexpr bool kTellsPlace = requires(const Load& load) {
  load.template misplaced<count>();
};

/// Returns whether load_chunk() may be called: whether the chunks of a load, if any, are aligned.
template <unsigned count, class Load>
SIMT_HOST_DEVICE bool has_aligned_chunks([[maybe_unused]] const Load& load) {
  if constexpr (kHasChunks<Load, count>)
    return load.template is_aligned<count>();
  else
    return true;
}

/// Loads `count` items from item i on, together if the load has chunks. `count` must divide i.
template <class Load, class T, unsigned count>
SIMT_HOST_DEVICE void load_chunk(const Load& load, uint64_t i, T (&items)[count]) {
  if constexpr (kHasChunks<Load, count>) {
    const auto chunk = load.template chunk<count>(i);
    for (unsigned j = 0; j < count; ++j) items[j] = chunk.items[j];
  } else {
    for (unsigned j = 0; j < count; ++j) items[j] = load(i + j);
  }
}

/// Loads `count` items from item i on by chunk_across().
template <class Load, class T, unsigned count>
SIMT_HOST_DEVICE void load_chunk_across(const Load& load, uint64_t i, T (&items)[count]) {
  const auto chunk = load.template chunk_across<count>(i);
  for (unsigned j = 0; j < count; ++j) items[j] = chunk.items[j];
}

/// `count` consecutive items of an array, aligned for the largest accesses that divide them.
template <class T, unsigned count>
struct alignas(simt::kHasVectors<T> ? std::min(count * sizeof(T), simt::kVectorBytes)
                                    : alignof(T)) ItemVector {
  T items[count];
};

template <unsigned count, class T>
SIMT_HOST_DEVICE bool is_vector_aligned(const T* items) {
  return reinterpret_cast<uintptr_t>(items) % alignof(ItemVector<T, count>) == 0;
}
/// Loads items from an address for which is_vector_aligned() holds.
template <unsigned count, class T>
SIMT_HOST_DEVICE ItemVector<T, count> load_vector(const T* items) {
  return *reinterpret_cast<const ItemVector<T, count>*>(items);
}

/// Loads items from any address by aligned vectors. These begin up to kVectorBytes - 1 bytes before
/// the items, and end up to kVectorBytes bytes after them.
template <unsigned count, class T>
SIMT_HOST_DEVICE ItemVector<T, count> load_across(const T* items) {
  constexpr unsigned kVectors = unsigned(count * sizeof(T) / simt::kVectorBytes);
  const unsigned skipped = unsigned(reinterpret_cast<uintptr_t>(items) % simt::kVectorBytes);
  const auto* from =
      reinterpret_cast<const simt::Vector*>(reinterpret_cast<const std::byte*>(items) - skipped);
  simt::Vector vectors[kVectors + 1];
  for (unsigned v = 0; v <= kVectors; ++v) vectors[v] = from[v];
  for (unsigned v = 0; v < kVectors; ++v)
    vectors[v] = simt::joined(vectors[v], vectors[v + 1], skipped);
  ItemVector<T, count> result;
  memcpy(static_cast<void*>(&result), vectors, sizeof(result));
  return result;
}
/// Whether load_across() loads `count` items of T.
template <class T, unsigned count>
inline constexpr bool kLoadsAcross = simt::kHasVectors<T>&& count * sizeof(T) % simt::kVectorBytes
                                     == 0;

/// The items of an array.
template <class T>
struct Items {
  const T* items;  ///< [n]
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return items[i]; }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const { simt::prefetch(items + i); }

  template <unsigned count>
  SIMT_HOST_DEVICE ItemVector<T, count> chunk(uint64_t i) const {
    return load_vector<count>(items + i);
  }
  template <unsigned count>
  SIMT_HOST_DEVICE ItemVector<T, count> chunk_across(uint64_t i) const requires
      kLoadsAcross<T, count> {
    return load_across<count>(items + i);
  }
  template <unsigned count>
  SIMT_HOST_DEVICE bool is_aligned() const {
    return is_vector_aligned<count>(items);
  }
  template <unsigned count>
  SIMT_HOST_DEVICE unsigned misplaced() const {
    return unsigned(reinterpret_cast<uintptr_t>(items) / sizeof(T) % count);
  }
};

/// Returns a function of each item of a chunk.
template <class T, unsigned count, class Function>
SIMT_HOST_DEVICE auto transformed_chunk(const ItemVector<T, count>& chunk,
                                        const Function& function) {
  ItemVector<std::remove_cvref_t<decltype(function(T(chunk.items[0])))>, count> result;
  for (unsigned j = 0; j < count; ++j)
    result.items[j] = function(T(chunk.items[j]));  // passed by value, as by load(i)
  return result;
}

/// Items that are `stride` items apart, such as one member of an array of structures.
template <class T>
struct Strided {
  const T* items;
  uint64_t stride;  ///< items
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return items[i * stride]; }
};

/// The values first, first + 1, ...
template <class T>
struct Counting {
  T first = T(0);
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return T(first + T(i)); }
};

template <class T>
struct Constant {
  T value;
  SIMT_HOST_DEVICE T operator()(uint64_t) const { return value; }
};

/// A function of the items of another load.
template <class Load, class Function>
struct Transformed {
  Load load;
  Function function = {};
  SIMT_HOST_DEVICE auto operator()(uint64_t i) const { return function(load(i)); }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const { prefetch_item(load, i); }

  template <unsigned count>
  SIMT_HOST_DEVICE auto chunk(uint64_t i) const requires kHasChunks<Load, count> {
    return transformed_chunk(load.template chunk<count>(i), function);
  }
  template <unsigned count>
  SIMT_HOST_DEVICE auto chunk_across(uint64_t i) const requires kHasChunksAcross<Load, count> {
    return transformed_chunk(load.template chunk_across<count>(i), function);
  }
  template <unsigned count>
  SIMT_HOST_DEVICE bool is_aligned() const requires kHasChunks<Load, count> {
    return load.template is_aligned<count>();
  }
  template <unsigned count>
  SIMT_HOST_DEVICE unsigned misplaced() const requires kTellsPlace<Load, count> {
    return load.template misplaced<count>();
  }
};

/// Converts an item to T.
template <class T>
struct ConvertTo {
  template <class Item>
  SIMT_HOST_DEVICE T operator()(const Item& item) const {
    return T(item);
  }
};
/// The items of another load, converted to T.
template <class T, class Load>
using Widened = Transformed<Load, ConvertTo<T>>;

/// Pairs of items of two loads.
template <class A, class B>
struct Zipped {
  struct Item {
    Loaded<A> first;
    Loaded<B> second;
  };

  A first;
  B second;
  SIMT_HOST_DEVICE Item operator()(uint64_t i) const { return {first(i), second(i)}; }
};

/// Source of select() and partition(): the items of a load that a predicate selects.
///
/// Each item is loaded once, and `predicate(item)` is called exactly once for it.
template <class Load, class Predicate>
struct LoadedIf {
  static constexpr unsigned kChunkItems = 1;
  static constexpr bool kAsync = false;
  struct Chunk {
    Loaded<Load> items[1];
    bool is_selected;
  };

  Load load_item;
  Predicate predicate;

  SIMT_HOST_DEVICE uint32_t head() const { return 0; }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    if (!range.holds_item(slot)) return {};
    const Loaded<Load> item = load_item(slot);
    return {{item}, bool(predicate(item))};
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned) const { return chunk.is_selected; }
};

/// Source of select(): the items of a load that differ from the one before, and item 0. `predicate`
/// of the base returns whether two items are equal.
template <class Load, class Equal>
struct FirstsOfLoad : LoadedIf<Load, Equal> {
  using Chunk = typename LoadedIf<Load, Equal>::Chunk;

  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    if (!range.holds_item(slot)) return {};
    const Loaded<Load> item = this->load_item(slot);
    return {{item}, slot == 0 || !this->predicate(this->load_item(slot - 1), item)};
  }
};

/// Source of select(): the first item of each run, that is, items that differ from the item before,
/// and item 0.
///
/// `equal(before, item)` is called exactly once for each pair of neighbours.
template <class T, class Equal>
struct FirstsOfRuns : FirstsOfLoad<Items<T>, Equal> {
  SIMT_HOST_DEVICE FirstsOfRuns(const T* items, const Equal& equal)
      : FirstsOfLoad<Items<T>, Equal>{{{items}, equal}} {}
};

/// FirstsOfRuns for T that a vector load can move: lanes pass the items before to one another.
template <class T, class Equal>
requires simt::kHasVectors<T>
struct FirstsOfRuns<T, Equal> : VectorItems<T> {
  using Before = T;

  Equal equal;

  SIMT_HOST_DEVICE FirstsOfRuns(const T* items, const Equal& equal)
      : VectorItems<T>{items}, equal(equal) {}

  SIMT_HOST_DEVICE bool selected(const T& before, const T& item) const {
    return !equal(before, item);
  }
  /// Returns bit i set if item i of a chunk is selected. `before` is the item before the chunk.
  SIMT_HOST_DEVICE uint32_t selected_of(const typename VectorItems<T>::Chunk& chunk,
                                        const T& before) const requires kComparesWords<T, Equal> {
    return differing_items(chunk.items, before, equal);
  }
};

}  // namespace compaction
