#pragma once

#include <cstdint>

#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"

// What a select or partition writes of each selected item. A sink puts what it needs of an item
// into shared memory, `kStagedBytes` for each place of a tile, and takes it from there once the
// tile's place in the output is known:
//
//   stage(staged, place, chunk, i, slot)  item i of `chunk`, in slot `slot` of the tile, is number
//                                         `place` of the tile
//   fetch(staged, place, first)           what is written of it: staged, or read from memory now;
//                                         `first` is the index of the item in slot 0 of the tile
//   kFetchedBytes                         how much of that is read from memory
//   put(place, fetched)                   writes it to its place in the output
//   skip(place)                           places since the start of a line of the output

namespace compaction {

/// What a sink has staged of the items of a tile, in arrays one behind the other.
struct Staging {
  std::byte* bytes;
  unsigned places;  ///< that each array has

  template <class T>
  SIMT_HOST_DEVICE T* array() const {
    return reinterpret_cast<T*>(bytes);
  }
  /// What lies behind an array with so many bytes a place.
  SIMT_HOST_DEVICE Staging behind(unsigned place_bytes) const {
    return {bytes + places * place_bytes, places};
  }
};

template <class T>
SIMT_HOST_DEVICE unsigned places_since_line(const T* address) {
  using simt::kLineBytes;
  if constexpr (kLineBytes % sizeof(T) != 0) return 0;
  return unsigned(reinterpret_cast<uintptr_t>(address) / sizeof(T) % (kLineBytes / sizeof(T)));
}

/// The items themselves, of a source that holds them.
template <class T>
struct WriteItems {
  using Fetched = T;
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

/// What a sink stages that needs no more of an item than where it is.
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

/// The items' indices.
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

/// The items of any number of columns: a structure of arrays in one pass.
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

/// What two sinks write: items and their indices, or items and the other columns beside them.
template <class A, class B>
struct WriteBoth {
  struct Fetched {
    typename A::Fetched a;
    typename B::Fetched b;
  };
  static constexpr unsigned kStagedBytes = A::kStagedBytes + B::kStagedBytes;
  static constexpr unsigned kFetchedBytes = A::kFetchedBytes + B::kFetchedBytes;

  A a;
  B b;

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned slot) const {
    a.stage(staged, place, chunk, i, slot);
    b.stage(staged.behind(A::kStagedBytes), place, chunk, i, slot);
  }
  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned place, uint64_t first) const {
    return {a.fetch(staged, place, first), b.fetch(staged.behind(A::kStagedBytes), place, first)};
  }
  SIMT_HOST_DEVICE void put(uint64_t place, const Fetched& item) const {
    a.put(place, item.a);
    b.put(place, item.b);
  }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const { return a.skip(place); }
};

}  // namespace compaction
