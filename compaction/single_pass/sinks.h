// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"

// What a select or partition writes of each selected item. A sink stages data in shared memory,
// `kStagedBytes` for each selected item of a tile, and writes it once the prefix of the tile is
// known:
//
//   stage(staged, place, chunk, i, slot)  stages item i of `chunk`, which is in slot `slot` of the
//                                         tile and has the rank `place` in it
//   fetch(staged, place, first)           what is written: staged data, or read from memory now;
//                                         `first` is the index of the item in slot 0 of the tile
//   kFetchedBytes                         how much of that is read from memory
//   put(place, fetched)                   writes it to index `place` of the output
//   skip(place)                           places since the start of a line of the output
//   kPieces                               optional: accesses in which an item is written; then
//                                         fetch, put and skip count pieces rather than items

namespace compaction {

/// The staged data of a tile: arrays that follow each other.
struct Staging {
  std::byte* bytes;
  unsigned places;  ///< length of each array

  template <class T>
  SIMT_HOST_DEVICE T* array() const {
    return reinterpret_cast<T*>(bytes);
  }
  /// What follows an array of elements of `place_bytes`.
  SIMT_HOST_DEVICE Staging after(unsigned place_bytes) const {
    return {bytes + places * place_bytes, places};
  }
};

/// Elements between the start of a line of memory and `address`; 0 where T does not divide a line.
template <class T>
SIMT_HOST_DEVICE unsigned places_since_line(const T* address) {
  using simt::kLineBytes;
  if constexpr (kLineBytes % sizeof(T) != 0) return 0;
  return unsigned(reinterpret_cast<uintptr_t>(address) / sizeof(T) % (kLineBytes / sizeof(T)));
}

/// Accesses in which a sink writes an item.
template <class Sink>
SIMT_HOST_DEVICE constexpr unsigned pieces_of() {
  if constexpr (requires { Sink::kPieces; })
    return Sink::kPieces;
  else
    return 1;
}

/// The items themselves, for a source whose chunks hold them.
template <class T>
struct WriteItems {
  using Fetched = T;
  using Item = T;  ///< what is fetched is the item
  static constexpr unsigned kStagedBytes = sizeof(T), kFetchedBytes = 0;

  T* out;  ///< [place]

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned) const {
    staged.array<T>()[place] = chunk.items[i];
  }
  SIMT_HOST_DEVICE T fetch(Staging staged, unsigned place, uint64_t) const {
    return staged.array<T>()[place];
  }
  SIMT_HOST_DEVICE void put(uint64_t place, const T& item) const { out[place] = item; }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const { return places_since_line(out + place); }
};

/// As WriteItems, word by word, for items that no vector access can move (simt::kHasWords). Lanes
/// write adjacent words, where they would otherwise write parts of lines in turn.
template <class T>
struct WriteWords {
  using Word [[gnu::may_alias]] = uint32_t;
  using Fetched = uint32_t;
  static constexpr unsigned kStagedBytes = sizeof(T), kFetchedBytes = 0;
  static constexpr unsigned kPieces = sizeof(T) / sizeof(Word);

  T* out;  ///< [place]

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned) const {
    staged.array<T>()[place] = chunk.items[i];
  }
  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned piece, uint64_t) const {
    return staged.array<Word>()[piece];
  }
  SIMT_HOST_DEVICE void put(uint64_t piece, Fetched word) const { words()[piece] = word; }
  SIMT_HOST_DEVICE unsigned skip(uint64_t piece) const {
    return places_since_line(words() + piece);
  }

 private:
  SIMT_HOST_DEVICE Word* words() const { return reinterpret_cast<Word*>(out); }
};

/// Stages the slot of an item, for sinks that write its index or read it from memory.
struct StageSlots {
  using Slot = uint16_t;
  static constexpr unsigned kStagedBytes = sizeof(Slot);

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk&, unsigned,
                              unsigned slot) const {
    staged.array<Slot>()[place] = Slot(slot);
  }
  SIMT_HOST_DEVICE uint64_t index(Staging staged, unsigned place, uint64_t first) const {
    return first + staged.array<Slot>()[place];
  }
};

/// The indices of the items.
template <class Index>
struct WriteIndices : StageSlots {
  using Fetched = Index;
  static constexpr unsigned kFetchedBytes = 0;

  Index* out;  ///< [place]

  SIMT_HOST_DEVICE explicit WriteIndices(Index* out) : out(out) {}

  SIMT_HOST_DEVICE Index fetch(Staging staged, unsigned place, uint64_t first) const {
    return Index(index(staged, place, first));
  }
  SIMT_HOST_DEVICE void put(uint64_t place, Index index) const { out[place] = index; }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const { return places_since_line(out + place); }
};

/// One column of a structure of arrays. Only selected items are read.
template <class T>
struct Column {
  const T* in;  ///< [n]
  T* out;       ///< [place]
};

/// Any number of columns: a structure of arrays in one pass.
template <class... T>
struct WriteColumns;

template <class T>
struct WriteColumns<T> : StageSlots {
  using Fetched = T;
  static constexpr unsigned kFetchedBytes = sizeof(T);

  Column<T> column;

  SIMT_HOST_DEVICE explicit WriteColumns(Column<T> column) : column(column) {}

  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned place, uint64_t first) const {
    return column.in[index(staged, place, first)];
  }
  SIMT_HOST_DEVICE void put(uint64_t place, const Fetched& item) const { column.out[place] = item; }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const {
    return places_since_line(column.out + place);
  }
};

template <class First, class... Rest>
struct WriteColumns<First, Rest...> : WriteColumns<First> {
  struct Fetched {
    First first;
    typename WriteColumns<Rest...>::Fetched rest;
  };
  static constexpr unsigned kFetchedBytes = sizeof(First) + WriteColumns<Rest...>::kFetchedBytes;

  WriteColumns<Rest...> rest;

  SIMT_HOST_DEVICE explicit WriteColumns(Column<First> first, Column<Rest>... rest)
      : WriteColumns<First>(first), rest(rest...) {}

  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned place, uint64_t first) const {
    return {WriteColumns<First>::fetch(staged, place, first), rest.fetch(staged, place, first)};
  }
  SIMT_HOST_DEVICE void put(uint64_t place, const Fetched& item) const {
    WriteColumns<First>::put(place, item.first);
    rest.put(place, item.rest);
  }
};

/// The output of two sinks: items and their indices, or items and further columns.
template <class A, class B>
struct WriteBoth {
  struct Fetched {
    typename A::Fetched a;
    typename B::Fetched b;
  };
  static_assert(pieces_of<A>() == 1 && pieces_of<B>() == 1, "both write whole items");
  static constexpr unsigned kStagedBytes = A::kStagedBytes + B::kStagedBytes;
  static constexpr unsigned kFetchedBytes = A::kFetchedBytes + B::kFetchedBytes;

  A a;
  B b;

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned slot) const {
    a.stage(staged, place, chunk, i, slot);
    b.stage(staged.after(A::kStagedBytes), place, chunk, i, slot);
  }
  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned place, uint64_t first) const {
    return {a.fetch(staged, place, first), b.fetch(staged.after(A::kStagedBytes), place, first)};
  }
  SIMT_HOST_DEVICE void put(uint64_t place, const Fetched& item) const {
    a.put(place, item.a);
    b.put(place, item.b);
  }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const { return a.skip(place); }
};

}  // namespace compaction
