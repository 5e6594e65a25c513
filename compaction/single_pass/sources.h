// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/simt/chunk.h"
#include "compaction/single_pass/tile.h"

// A source defines what a select or partition reads. It loads chunks of `kChunkItems` consecutive
// items and determines once for each item whether it is selected:
//
//   Chunk         what a thread loads at a time; with kAsync, one or several vectors
//   kAsync        whether full chunks can be copied to shared memory unchanged, from address()
//   head()        empty slots of the first chunk, before the first item
//   is_aligned()  optional: whether address() is aligned; if not, no chunk is copied
//   load(s, r)    the chunk whose first slot is s; calls no predicate for empty slots
//   load_whole(s, r)  optional, without kAsync: load() for a chunk of a full tile
//   selected(c,i) whether item i of chunk c is selected; only for slots that hold an item
//
// A source that defines the type `Before` compares each item with the one before:
//
//   item(c, i)      item i of chunk c
//   selected(a, b)  instead of the above: whether item b, which follows item a, is selected. The
//                   first item is always selected.

namespace compaction {

/// Returns the number of empty slots before the first item: chunks are aligned to their size.
template <class T>
SIMT_HOST_DEVICE uint32_t head_of(const T* items) {
  return uint32_t(reinterpret_cast<uintptr_t>(items) / sizeof(T) % simt::kVectorItems<T>);
}

/// Loads a chunk that may have empty slots; their memory is not read.
template <class T>
SIMT_HOST_DEVICE simt::Chunk<T> load_chunk(const T* items, uint64_t slot, const TileRange& range) {
  simt::Chunk<T> chunk{};
  for (unsigned i = 0; i < simt::Chunk<T>::kItems; ++i)
    if (range.holds_item(slot + i)) chunk.items[i] = items[slot + i - range.head];
  return chunk;
}

/// Items in chunks of one vector, for T that a vector load can move (simt::kHasVectors).
template <class T>
struct VectorItems {
  static_assert(simt::kHasVectors<T>,
                "compaction: no vector access moves items of this size and alignment; see "
                "MultiVectorItemsIf and WordItemsIf");
  static_assert(std::is_default_constructible_v<T>,
                "compaction: items that a vector access moves must have a default constructor");
  static constexpr unsigned kChunkItems = simt::kVectorItems<T>;
  static constexpr bool kAsync = true;
  /// Structures are held as words: the compiler would hold each byte of an array of bytes in a
  /// register of its own, and spill most of them.
  static constexpr bool kInWords = std::is_class_v<T> && sizeof(T) >= simt::kWordBytes;
  using Chunk = std::conditional_t<kInWords, simt::MultiVectorChunk<T>, simt::Chunk<T>>;

  const T* items;  ///< [n]

  SIMT_HOST_DEVICE uint32_t head() const { return head_of(items); }
  SIMT_HOST_DEVICE const T* address(uint64_t slot) const { return items + slot - head(); }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    const simt::Chunk<T> loaded = load_chunk(items, slot, range);
    if constexpr (kInWords) {
      Chunk chunk;
      std::memcpy(chunk.words, &loaded, sizeof(chunk));
      return chunk;
    } else {
      return loaded;
    }
  }
  SIMT_HOST_DEVICE static T item(const Chunk& chunk, unsigned i) {
    if constexpr (kInWords)
      return chunk.item(i).item();
    else
      return chunk.items[i];
  }
};

/// Items that a predicate selects, for T that a vector load can move.
///
/// `predicate(item)` is called exactly once for each item. See MultiVectorItemsIf and WordItemsIf
/// for other T.
template <class T, class Predicate>
struct ItemsIf : VectorItems<T> {
  using typename VectorItems<T>::Chunk;

  Predicate predicate;

  ItemsIf() = default;
  SIMT_HOST_DEVICE ItemsIf(const T* items, const Predicate& predicate)
      : VectorItems<T>{items}, predicate(predicate) {}

  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return predicate(this->item(chunk, i));
  }
};

/// ItemsIf for items of which one or several fill whole vectors (simt::kFillsVectors). If no slot
/// has an aligned address, as with items of 16 bytes at an odd multiple of 4, the items are read by
/// words.
template <class T, class Predicate>
struct MultiVectorItemsIf {
  static_assert(simt::kFillsVectors<T>);
  using Chunk = simt::MultiVectorChunk<T>;
  static constexpr unsigned kChunkItems = Chunk::kItems;
  static constexpr bool kAsync = true;

  const T* items;  ///< [n]
  Predicate predicate;

  /// The size of an item is `odd` times a power of two. As odd^4 = 1 modulo 16, odd^3 is the
  /// inverse of odd, so the first slot at which a vector begins is found by a product.
  SIMT_HOST_DEVICE uint32_t head() const {
    constexpr uintptr_t kPowerOfTwo = simt::kVectorBytes / kChunkItems;
    constexpr uintptr_t kOdd = sizeof(T) / kPowerOfTwo, kInverse = kOdd * kOdd * kOdd;
    return uint32_t(reinterpret_cast<uintptr_t>(items) / kPowerOfTwo * kInverse % kChunkItems);
  }
  SIMT_HOST_DEVICE bool is_aligned() const {
    return (reinterpret_cast<uintptr_t>(items) - head() * sizeof(T)) % simt::kVectorBytes == 0;
  }
  SIMT_HOST_DEVICE const T* address(uint64_t slot) const { return items + slot - head(); }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk;
    const auto* begin = reinterpret_cast<const std::byte*>(items);
    const int64_t first = int64_t(slot) - int64_t(range.head);
    simt::load_words(begin + first * int64_t(sizeof(T)), begin,
                     begin + (range.end - range.head) * sizeof(T), chunk.words);
    return chunk;
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return predicate(chunk.item(i).item());
  }
};

/// ItemsIf for all other items. Each item is read by the words that it occupies.
template <class T, class Predicate>
struct WordItemsIf {
  static constexpr unsigned kChunkItems = 1;
  static constexpr bool kAsync = false;
  struct Chunk {
    simt::ItemWords<T> words;
    SIMT_HOST_DEVICE const simt::ItemWords<T>& item(unsigned) const { return words; }
  };

  const T* items;  ///< [n]
  Predicate predicate;

  SIMT_HOST_DEVICE uint32_t head() const { return 0; }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk{};
    if (!range.holds_item(slot)) return chunk;
    const auto* begin = reinterpret_cast<const std::byte*>(items);
    simt::load_words(begin + slot * sizeof(T), begin, begin + range.end * sizeof(T),
                     chunk.words.words);
    chunk.words.pad();
    return chunk;
  }
  SIMT_HOST_DEVICE void prefetch(uint64_t slot, const TileRange& range) const {
    if (range.holds_item(slot)) simt::prefetch(items + slot);
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned) const {
    return predicate(chunk.words.item());
  }
};

/// Items whose flag is not 0.
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

/// Flagged, with fewer items per thread.
struct FlaggedByFour {
  static constexpr unsigned kChunkItems = 4;
  static constexpr bool kAsync = false;
  struct alignas(kChunkItems) Chunk {
    uint8_t items[kChunkItems];
  };

  const uint8_t* flags;  ///< [n]

  explicit FlaggedByFour(const Flagged& source) : flags(source.flags) {}

  SIMT_HOST_DEVICE uint32_t head() const {
    return uint32_t(reinterpret_cast<uintptr_t>(flags) % kChunkItems);
  }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk{};
    for (unsigned i = 0; i < kChunkItems; ++i)
      if (range.holds_item(slot + i)) chunk.items[i] = flags[slot + i - range.head];
    return chunk;
  }
  SIMT_HOST_DEVICE Chunk load_whole(uint64_t slot, const TileRange& range) const {
    return *reinterpret_cast<const Chunk*>(flags + slot - range.head);
  }
  SIMT_HOST_DEVICE void prefetch(uint64_t slot, const TileRange& range) const {
    if (range.holds_item(slot)) simt::prefetch(flags + slot - range.head);
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return chunk.items[i] != 0;
  }
};

/// The flag of an item that is not loaded as part of a vector.
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

/// Items whose bit is set in a mask: bit `i % 32` of word `i / 32`.
struct Masked {
  static constexpr unsigned kWordBits = 32;
  static constexpr unsigned kChunkItems = 16;
  static constexpr bool kAsync = false;
  struct Chunk {
    uint32_t bits;
  };

  const uint32_t* mask;  ///< [ceil(n / 32)]; bits beyond n are ignored

  SIMT_HOST_DEVICE uint32_t head() const { return 0; }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    return {range.holds_item(slot) ? mask[slot / kWordBits] >> slot % kWordBits : 0};
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return chunk.bits >> i & 1;
  }
};

}  // namespace compaction
