// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
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
//   prefetch(place)                       optional: prefetches index `place` of the output
//   kPieces                               optional: accesses in which an item is written; then
//                                         fetch, put and skip count pieces rather than items
//   in_pieces()                           optional: the sink with kPieces that selects and
//                                         partitions use in its place
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
  if constexpr (kLineBytes % sizeof(T) != 0)
    return 0;
  else
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
  SIMT_HOST_DEVICE void prefetch(uint64_t place) const {
    if (out) simt::prefetch(out + place);  // null if nothing is written
  }
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

/// Writes items of any size and alignment. Each unit of the output, a vector or a word, is
/// assembled from the staged words of the items that it overlaps. The units at both ends may be
/// shared with other tiles, so they are written by bytes.
template <class T>
struct WriteBytes : StageWords<T> {
  using typename StageWords<T>::Word;
  using StageWords<T>::kItemWords;
  static constexpr unsigned kItemBytes = sizeof(T);
  /// A vector of small items takes as many instructions as two words of them.
  static constexpr unsigned kUnitBytes =
      kItemBytes < simt::kVectorBytes ? unsigned(simt::kVectorBytes) : simt::kWordBytes;
  using Unit = simt::Words<kUnitBytes>;

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
    constexpr unsigned kBatch = simt::kVectorBytes / kUnitBytes;
    auto* to = reinterpret_cast<std::byte*>(out + place);
    const unsigned bytes = count * kItemBytes;
    const unsigned before_unit = unsigned(-reinterpret_cast<uintptr_t>(to) % kUnitBytes);
    const unsigned first = before_unit < bytes ? before_unit : bytes;
    const unsigned units = (bytes - first) / kUnitBytes, end = first + units * kUnitBytes;
    auto* whole = reinterpret_cast<Unit*>(to + first);
    for (int i = int(thread) - int(places_since_line(whole)); i < int(units);
         i += int(kBatch * kThreads)) {
      Unit batch[kBatch];
      for (unsigned b = 0; b < kBatch; ++b)
        if (int u = i + int(b * kThreads); u >= 0 && u < int(units))
          batch[b] = unit_at(staged, begin, count, first + unsigned(u) * kUnitBytes);
      for (unsigned b = 0; b < kBatch; ++b)
        if (int u = i + int(b * kThreads); u >= 0 && u < int(units)) whole[u] = batch[b];
    }
    for (unsigned byte = thread; byte < first; byte += kThreads)
      to[byte] = byte_at(staged, begin, byte);
    for (unsigned byte = end + thread; byte < bytes; byte += kThreads)
      to[byte] = byte_at(staged, begin, byte);
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
  /// Returns `words` from a byte on, up to three of the first word.
  SIMT_HOST_DEVICE static uint32_t word_from(uint32_t word, uint32_t next, unsigned byte) {
    return uint32_t((word | uint64_t(next) << 32) >> simt::kByteBits * byte);
  }

  /// The greatest power of two below kItemWords, or 0. nvcc evaluates it here without
  /// --expt-relaxed-constexpr, but not in a device function.
  static constexpr unsigned kFirstStep = std::bit_floor(kItemWords - 1);

  /// Returns the unit that begins at a byte of the output, counted from item `begin` on.
  SIMT_HOST_DEVICE static Unit unit_at(Staging staged, unsigned begin, unsigned count,
                                       unsigned byte) {
    constexpr unsigned kWord = simt::kWordBytes, kBits = simt::kByteBits;
    const unsigned place = begin + byte / kItemBytes, skipped = byte % kItemBytes;
    if constexpr (kUnitBytes == kWord) {
      const unsigned word = skipped / kWord;
      const Word* item = item_at(staged, place);
      const uint32_t next = word + 1 < kItemWords ? item[word + 1] : 0;
      uint32_t whole = word_from(item[word], next, skipped % kWord);
      const unsigned known = kItemBytes - skipped;  // bytes
      whole |= known < kWord ? item_at(staged, place + 1)[0] << kBits * known : 0;
      return {whole};
    } else {
      // The items that the vector may overlap, joined without gaps.
      constexpr unsigned kItems = (kItemBytes - 1 + kUnitBytes + kItemBytes - 1) / kItemBytes;
      constexpr unsigned kWords = (kItems * kItemBytes + kWord - 1) / kWord;
      constexpr unsigned kUnitWords = kUnitBytes / kWord;
      uint32_t words[kWords + 1] = {};
      const unsigned last = begin + count - 1;
      for (unsigned i = 0; i < kItems; ++i) {
        const Word* item = item_at(staged, place + i < last ? place + i : last);
        for (unsigned w = 0; w < kItemWords; ++w) {
          const unsigned at = i * kItemBytes + w * kWord;
          words[at / kWord] |= item[w] << kBits * (at % kWord);
          if (at % kWord > 0) words[at / kWord + 1] |= item[w] >> kBits * (kWord - at % kWord);
        }
      }
      for (unsigned step = kFirstStep; step > 0; step /= 2)
        if (skipped / kWord & step)
          for (unsigned w = 0; w + step <= kWords; ++w) words[w] = words[w + step];
      Unit unit;
      for (unsigned w = 0; w < kUnitWords; ++w)
        unit.words[w] = word_from(words[w], words[w + 1], skipped % kWord);
      return unit;
    }
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
  SIMT_HOST_DEVICE void prefetch(uint64_t place) const {
    if (out) simt::prefetch(out + place);  // null if nothing is written
  }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const { return places_since_line(out + place); }
};

/// Writes one column of a structure of arrays. Only selected items are read.
template <class T>
struct Column {
  const T* in;  ///< [n]
  T* out;       ///< [place]
};

/// Writes one column in pieces of the items' alignment: consecutive lanes read and write adjacent
/// pieces.
template <class T>
struct WriteColumnPieces : StageSlots {
  static constexpr unsigned kPieceBytes = unsigned(std::min(alignof(T), simt::kVectorBytes));
  static constexpr unsigned kPieces = sizeof(T) / kPieceBytes, kFetchedBytes = kPieceBytes;
  using Fetched = simt::Words<kPieceBytes>;

  Column<T> column;

  SIMT_HOST_DEVICE explicit WriteColumnPieces(Column<T> column) : column(column) {}

  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned piece, uint64_t first) const {
    const uint64_t item = index(staged, piece / kPieces, first);
    return reinterpret_cast<const Fetched*>(column.in)[item * kPieces + piece % kPieces];
  }
  SIMT_HOST_DEVICE void put(uint64_t piece, const Fetched& fetched) const {
    out()[piece] = fetched;
  }
  SIMT_HOST_DEVICE unsigned skip(uint64_t piece) const { return places_since_line(out() + piece); }

 private:
  SIMT_HOST_DEVICE Fetched* out() const { return reinterpret_cast<Fetched*>(column.out); }
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
  SIMT_HOST_DEVICE WriteColumnPieces<T> in_pieces() const
      requires(simt::kHasWords<T> && !simt::kHasVectors<T>) {
    return WriteColumnPieces<T>(column);
  }
};

template <class First, class... Rest>
struct WriteColumns<First, Rest...> : StageSlots {
  struct Fetched {
    First first;
    typename WriteColumns<Rest...>::Fetched rest;
  };
  static constexpr unsigned kFetchedBytes = sizeof(First) + WriteColumns<Rest...>::kFetchedBytes;

  WriteColumns<First> first;
  WriteColumns<Rest...> rest;

  SIMT_HOST_DEVICE explicit WriteColumns(Column<First> first, Column<Rest>... rest)
      : first(first), rest(rest...) {}

  SIMT_HOST_DEVICE Fetched fetch(Staging staged, unsigned place, uint64_t first_item) const {
    return {first.fetch(staged, place, first_item), rest.fetch(staged, place, first_item)};
  }
  SIMT_HOST_DEVICE void put(uint64_t place, const Fetched& item) const {
    first.put(place, item.first);
    rest.put(place, item.rest);
  }
  SIMT_HOST_DEVICE unsigned skip(uint64_t place) const { return first.skip(place); }
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
