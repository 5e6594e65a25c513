// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"

// A sink defines what a select or partition writes of each selected item. It stages data in shared
// memory, `kStagedBytes` for each selected item of a tile, and writes it once the prefix of the
// tile is known:
//
//   stage(staged, place, chunk, i, slot)  stages item i of `chunk`, which is in slot `slot` of the
//                                         tile and has the rank `place` in it
//   fetch(staged, place, first)           returns what is written: staged data, or data read now;
//                                         `first` is the index of the item in slot 0 of the tile
//   kFetchedBytes                         bytes of that which are read from memory
//   put(place, fetched)                   writes it to index `place` of the output
//   skip(place)                           places since the start of a line of the output
//   kPieces                               optional: accesses in which an item is written; then
//                                         fetch, put and skip count pieces rather than items
//   copy_out<threads>(thread, place, staged, begin, count)   optional, in place of fetch, put and
//                                         skip: writes `count` items, staged from `begin` on

namespace compaction {

/// The staged data of a tile: consecutive arrays.
struct Staging {
  std::byte* bytes;
  unsigned places;  ///< length of each array

  template <class T>
  SIMT_HOST_DEVICE T* array() const {
    return reinterpret_cast<T*>(bytes);
  }
  /// Returns what follows an array of elements of `place_bytes` bytes.
  SIMT_HOST_DEVICE Staging after(unsigned place_bytes) const {
    return {bytes + places * place_bytes, places};
  }
};

/// Returns the number of elements between the start of a line of memory and `address`; 0 if the
/// size of T does not divide a line.
template <class T>
SIMT_HOST_DEVICE unsigned places_since_line(const T* address) {
  using simt::kLineBytes;
  if constexpr (kLineBytes % sizeof(T) != 0) return 0;
  return unsigned(reinterpret_cast<uintptr_t>(address) / sizeof(T) % (kLineBytes / sizeof(T)));
}

template <class Sink>
SIMT_HOST_DEVICE constexpr unsigned pieces_of() {
  if constexpr (requires { Sink::kPieces; })
    return Sink::kPieces;
  else
    return 1;
}

/// Stages items as the words that they occupy, for a source whose chunks hold such words
/// (simt::ItemWords).
template <class T>
struct StageWords {
  using Word [[gnu::may_alias]] = uint32_t;
  static constexpr unsigned kItemWords = simt::kItemWords<T>;
  static constexpr unsigned kStagedBytes = kItemWords * simt::kWordBytes, kFetchedBytes = 0;
  static constexpr size_t kAligned =
      std::min(simt::power_of_two_in(kStagedBytes), simt::kVectorBytes);

  SIMT_HOST_DEVICE static void stage_at(Staging staged, unsigned place,
                                        const simt::ItemWords<T>& item) {
    std::memcpy(__builtin_assume_aligned(staged.bytes + place * kStagedBytes, kAligned), item.words,
                kStagedBytes);
  }
};

/// Writes the items themselves, for a source whose chunks hold them.
template <class T>
struct WriteItems {
  using Fetched = T;
  using Item = T;  ///< an item is fetched
  static constexpr unsigned kStagedBytes = sizeof(T), kFetchedBytes = 0;

  T* out;  ///< [place]

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned) const {
    if constexpr (requires { chunk.item(i); })
      StageWords<T>::stage_at(staged, place, chunk.item(i));
    else
      staged.array<T>()[place] = chunk.items[i];
  }
  SIMT_HOST_DEVICE T fetch(Staging staged, unsigned place, uint64_t) const {
    return staged.array<T>()[place];
  }
  SIMT_HOST_DEVICE void put(uint64_t place, const T& item) const { out[place] = item; }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const { return places_since_line(out + place); }
};

/// Writes items word by word, if they consist of words (simt::kHasWords). Consecutive lanes write
/// adjacent words.
template <class T>
struct WriteWords : StageWords<T> {
  using typename StageWords<T>::Word;
  using Fetched = uint32_t;
  static_assert(simt::kHasWords<T>);
  static constexpr unsigned kPieces = StageWords<T>::kItemWords;

  T* out;  ///< [place]

  SIMT_HOST_DEVICE explicit WriteWords(T* out) : out(out) {}

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned) const {
    this->stage_at(staged, place, chunk.item(i));
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

/// Writes items of any size and alignment. Each word of the output is assembled from the staged
/// words of the items that it overlaps. The words at both ends may be shared with other tiles, so
/// they are written by bytes.
template <class T>
struct WriteBytes : StageWords<T> {
  using typename StageWords<T>::Word;
  using StageWords<T>::kItemWords;
  static constexpr unsigned kItemBytes = sizeof(T);

  T* out;  ///< [place]

  SIMT_HOST_DEVICE explicit WriteBytes(T* out) : out(out) {}

  template <class Chunk>
  SIMT_HOST_DEVICE void stage(Staging staged, unsigned place, const Chunk& chunk, unsigned i,
                              unsigned) const {
    this->stage_at(staged, slot(place), chunk.item(i));
  }

  template <unsigned kThreads>
  SIMT_HOST_DEVICE void copy_out(unsigned thread, uint64_t place, Staging staged, unsigned begin,
                                 unsigned count) const {
    constexpr unsigned kBatch = 4, kWord = simt::kWordBytes;
    auto* to = reinterpret_cast<std::byte*>(out + place);
    const unsigned bytes = count * kItemBytes;
    const unsigned before_word = unsigned(-reinterpret_cast<uintptr_t>(to) % kWord);
    const unsigned first = before_word < bytes ? before_word : bytes;
    const unsigned count_words = (bytes - first) / kWord, end = first + count_words * kWord;
    auto* words = reinterpret_cast<Word*>(to + first);
    for (int i = int(thread) - int(places_since_line(words)); i < int(count_words);
         i += int(kBatch * kThreads)) {
      uint32_t whole[kBatch];
      for (unsigned b = 0; b < kBatch; ++b)
        if (int w = i + int(b * kThreads); w >= 0 && w < int(count_words))
          whole[b] = word_at(staged, begin, first + unsigned(w) * kWord);
      for (unsigned b = 0; b < kBatch; ++b)
        if (int w = i + int(b * kThreads); w >= 0 && w < int(count_words)) words[w] = whole[b];
    }
    if (thread < first) to[thread] = byte_at(staged, begin, thread);
    if (thread < bytes - end) to[end + thread] = byte_at(staged, begin, end + thread);
  }

 private:
  /// Consecutive items are in different banks.
  SIMT_HOST_DEVICE static unsigned slot(unsigned place) {
    constexpr unsigned kBanks = 32, kThreadItems = simt::MultiVectorChunk<T>::kItems;
    return place ^ place / kBanks % kThreadItems;
  }
  SIMT_HOST_DEVICE static const Word* item_at(Staging staged, unsigned place) {
    return staged.array<Word>() + slot(place) * kItemWords;
  }
  /// Returns the word that begins at a byte of the output, counted from item `begin` on.
  SIMT_HOST_DEVICE static uint32_t word_at(Staging staged, unsigned begin, unsigned byte) {
    constexpr unsigned kWord = simt::kWordBytes, kBits = simt::kByteBits;
    constexpr unsigned kFurtherItems = (kWord - 1 + kItemBytes - 1) / kItemBytes;
    const unsigned place = begin + byte / kItemBytes, skipped = byte % kItemBytes;
    const unsigned word = skipped / kWord;
    const Word* item = item_at(staged, place);
    const uint64_t next = word + 1 < kItemWords ? item[word + 1] : 0;
    uint32_t whole = uint32_t((item[word] | next << 32) >> kBits * (skipped % kWord));
    for (unsigned i = 0; i < kFurtherItems; ++i) {
      const unsigned known = kItemBytes - skipped + i * kItemBytes;  // bytes
      whole |= known < kWord ? item_at(staged, place + i + 1)[0] << kBits * known : 0;
    }
    return whole;
  }
  SIMT_HOST_DEVICE static std::byte byte_at(Staging staged, unsigned begin, unsigned byte) {
    const Word* item = item_at(staged, begin + byte / kItemBytes);
    return reinterpret_cast<const std::byte*>(item)[byte % kItemBytes];
  }
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

/// Writes the indices of the items.
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

/// Writes one column of a structure of arrays. Only selected items are read.
template <class T>
struct Column {
  const T* in;  ///< [n]
  T* out;       ///< [place]
};

/// Writes any number of columns: a structure of arrays in one pass.
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

/// Writes the output of two sinks: items and their indices, or items and further columns.
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
