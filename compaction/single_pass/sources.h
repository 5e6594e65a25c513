#pragma once

#include <cstdint>

#include "compaction/grid/tile_range.h"
#include "compaction/simt/chunk.h"

// What a select or partition goes through. A source hands out chunks of `kChunkItems` neighbouring
// items and says of each item, once, whether it is selected:
//
//   Chunk         what one thread holds of a tile at a time
//   kAsync        whether whole chunks can be copied to shared memory as they are, from address()
//   head()        slots of the first chunk that come before the first item
//   load(s, r)    the chunk whose first slot is s; asks nothing of slots without an item
//   selected(c,i) whether item i of chunk c is selected; only for slots with an item

namespace compaction {

/// Slots of the first chunk that come before the first item: chunks lie at multiples of their size.
template <class T>
SIMT_HOST_DEVICE uint32_t head_of(const T* items) {
  return uint32_t(reinterpret_cast<uintptr_t>(items) / sizeof(T) % simt::kVectorItems<T>);
}

/// A chunk of which perhaps not all slots hold an item; reads only those that do.
template <class T>
SIMT_HOST_DEVICE simt::Chunk<T> load_chunk(const T* items, uint64_t slot, const TileRange& range) {
  simt::Chunk<T> chunk{};
  for (unsigned i = 0; i < simt::Chunk<T>::kItems; ++i)
    if (range.holds_item(slot + i)) chunk.items[i] = items[slot + i - range.head];
  return chunk;
}

/// Items that a predicate selects, in an array whose items a vector load can move whole.
///
/// `predicate(item)` is called exactly once for each item.
template <class T, class Predicate>
struct ItemsIf {
  static_assert(simt::kHasVectors<T>, "see LargeItemsIf");
  static constexpr unsigned kChunkItems = simt::kVectorItems<T>;
  static constexpr bool kAsync = true;
  using Chunk = simt::Chunk<T>;

  const T* items;  ///< [n]
  Predicate predicate;

  SIMT_HOST_DEVICE uint32_t head() const { return head_of(items); }
  SIMT_HOST_DEVICE const T* address(uint64_t slot) const { return items + slot - head(); }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    return load_chunk(items, slot, range);
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return predicate(chunk.items[i]);
  }
};

/// Items with a flag that is not 0.
struct Flagged {
  static constexpr unsigned kChunkItems = simt::kVectorItems<uint8_t>;
  static constexpr bool kAsync = true;
  using Chunk = simt::Chunk<uint8_t>;

  const uint8_t* flags;  ///< [n]

  SIMT_HOST_DEVICE uint32_t head() const { return head_of(flags); }
  SIMT_HOST_DEVICE const uint8_t* address(uint64_t slot) const { return flags + slot - head(); }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    return load_chunk(flags, slot, range);
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return chunk.items[i] != 0;
  }
};

/// What a source without vectors holds of an item.
struct FlagChunk {
  bool selected;
};

/// Items whose index a predicate selects: `predicate(index)`, called exactly once for each index.
template <class Predicate>
struct IndicesIf {
  static constexpr unsigned kChunkItems = 1;
  static constexpr bool kAsync = false;
  using Chunk = FlagChunk;

  Predicate predicate;

  SIMT_HOST_DEVICE uint32_t head() const { return 0; }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    return {range.holds_item(slot) && predicate(slot)};
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned) const { return chunk.selected; }
};

/// As ItemsIf, for items of any size and alignment: `predicate(item)` reads what it needs of an
/// item in place, so the items themselves are written by a sink that fetches them.
template <class T, class Predicate>
struct LargeItemsIf {
  static constexpr unsigned kChunkItems = 1;
  static constexpr bool kAsync = false;
  using Chunk = FlagChunk;

  const T* items;  ///< [n]
  Predicate predicate;

  SIMT_HOST_DEVICE uint32_t head() const { return 0; }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    return {range.holds_item(slot) && predicate(items[slot])};
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned) const { return chunk.selected; }
};

/// Items whose bit is set in a mask: bit `i % 32` of word `i / 32`.
struct Masked {
  static constexpr unsigned kWordBits = 32;
  static constexpr unsigned kChunkItems = 16;
  static constexpr bool kAsync = false;
  struct Chunk {
    uint32_t bits;
  };

  const uint32_t* mask;  ///< [ceil(n / 32)]; bits beyond n do not count

  SIMT_HOST_DEVICE uint32_t head() const { return 0; }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    return {range.holds_item(slot) ? mask[slot / kWordBits] >> slot % kWordBits : 0};
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return chunk.bits >> i & 1;
  }
};

}  // namespace compaction
