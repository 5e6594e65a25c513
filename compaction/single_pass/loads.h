// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/simt/chunk.h"
#include "compaction/single_pass/sources.h"
#include "compaction/single_pass/tile.h"

// Items that are computed rather than read from an array: a load is a function of the index,
// `load(i)`, which returns item i. Loads combine: Transformed<Zipped<Items<float>, Counting<int>>,
// F>. LoadedIf makes a source of a load and a predicate.

namespace compaction {

/// The type of the items of a load.
template <class Load>
using Loaded = std::remove_cvref_t<decltype(std::declval<const Load&>()(uint64_t()))>;

/// Prefetches item i into L2, where the load can: by `load.prefetch(i)`.
template <class Load>
SIMT_HOST_DEVICE void prefetch_item(const Load& load, uint64_t i) {
  if constexpr (requires { load.prefetch(i); }) load.prefetch(i);
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

/// The items of an array.
template <class T>
struct Items {
  const T* items;  ///< [n]
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return items[i]; }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const { simt::prefetch(items + i); }

  /// Items i to i + count - 1, where is_aligned() and `count` divides i.
  template <unsigned count>
  SIMT_HOST_DEVICE ItemVector<T, count> chunk(uint64_t i) const {
    return load_vector<count>(items + i);
  }
  template <unsigned count>
  SIMT_HOST_DEVICE bool is_aligned() const {
    return is_vector_aligned<count>(items);
  }
};

/// Members of the structures of an array, or items that are `stride` items apart.
template <class T>
struct Strided {
  const T* items;
  uint64_t stride;  ///< items
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return items[i * stride]; }
};

/// first, first + 1, ...
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

/// `function` of the items of another load.
template <class Load, class Function>
struct Transformed {
  Load load;
  Function function;
  SIMT_HOST_DEVICE auto operator()(uint64_t i) const { return function(load(i)); }
};

/// Items of two loads.
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

/// Items of a load that a predicate selects, as a source of select() and partition().
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

/// Items that differ from the one before them, as a source of select(): the first of each run.
///
/// `equal(a, b)` is called for neighbours only, exactly once for each.
template <class T, class Equal>
struct FirstsOfRuns {
  static constexpr unsigned kChunkItems = simt::kVectorItems<T>;
  static constexpr bool kAsync = false;
  static constexpr uint32_t kNone = ~0u;
  struct Chunk : simt::Chunk<T> {
    T before;        ///< the item before the first one of the chunk
    uint32_t first;  ///< index in the chunk of the first item of all, or kNone
  };

  const T* items;  ///< [n]
  Equal equal;

  SIMT_HOST_DEVICE uint32_t head() const { return simt::kHasVectors<T> ? head_of(items) : 0; }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk{};
    chunk.first = slot == 0 ? range.head : kNone;
    static_cast<simt::Chunk<T>&>(chunk) = load_chunk(items, slot, range);
    if (slot > range.head && slot < range.end) chunk.before = items[slot - range.head - 1];
    return chunk;
  }
  SIMT_HOST_DEVICE Chunk load_whole(uint64_t slot, const TileRange& range) const {
    Chunk chunk{};
    chunk.first = slot == 0 ? 0 : kNone;
    static_cast<simt::Chunk<T>&>(chunk) = load_whole_chunk(items, slot, range);
    if (slot > 0) chunk.before = items[slot - range.head - 1];
    return chunk;
  }
  SIMT_HOST_DEVICE void prefetch(uint64_t slot, const TileRange& range) const {
    if (range.holds_item(slot)) simt::prefetch(items + slot - range.head);
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return i == chunk.first || !equal(i > 0 ? chunk.items[i - 1] : chunk.before, chunk.items[i]);
  }
};

}  // namespace compaction
