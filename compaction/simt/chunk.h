// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/simt/qualifiers.h"

namespace simt {

/// Size of a vector access, the largest access of one thread. Bytes.
inline constexpr size_t kVectorBytes = 16;

/// Items of T that one vector access moves; 1 if the alignment of T does not allow one.
template <class T>
inline constexpr unsigned kVectorItems = sizeof(T) <= kVectorBytes && alignof(T) == sizeof(T)
                                             ? unsigned(kVectorBytes / sizeof(T))
                                             : 1;

/// Consecutive items in registers, as many as one vector access moves.
template <class T>
struct alignas(kVectorItems<T> > 1 || alignof(T) == kVectorBytes ? kVectorBytes
                                                                 : alignof(T)) Chunk {
  static_assert(std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T>,
                "compaction: items must be trivially copyable");
  static constexpr unsigned kItems = kVectorItems<T>;

  T items[kItems];
};

/// Whether a vector access can move items of T: a power of two up to 16 bytes, aligned to its size.
template <class T>
inline constexpr bool kHasVectors = alignof(Chunk<T>) == kVectorBytes &&
                                    sizeof(Chunk<T>) == kVectorBytes;

/// Returns the largest power of two that divides `size`.
constexpr size_t power_of_two_in(size_t size) {
  return size & (~size + 1);
}

inline constexpr int kWordBytes = sizeof(uint32_t), kByteBits = 8;

/// Number of words that an item of T occupies; the last word may be padded with zeros.
template <class T>
inline constexpr unsigned kItemWords = unsigned((sizeof(T) + kWordBytes - 1) / kWordBytes);

/// An item as the words that it occupies. Otherwise the compiler would hold each byte of an item of
/// smaller alignment in a register of its own.
template <class T>
struct ItemWords {
  static_assert(std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T>,
                "compaction: items must be trivially copyable");

  uint32_t words[kItemWords<T>];

  SIMT_HOST_DEVICE T item() const {
    alignas(T) uint8_t bytes[sizeof(T)];  // T may have no default constructor
    memcpy(bytes, words, sizeof(T));
    return reinterpret_cast<const T&>(bytes);
  }
  /// Clears the bytes that are not part of the item.
  SIMT_HOST_DEVICE void pad() {
    if constexpr (sizeof(T) % kWordBytes != 0)
      words[kItemWords<T> - 1] &= (1u << kByteBits * (sizeof(T) % kWordBytes)) - 1;
  }
};

/// The smallest number of consecutive items that fill whole aligned vectors.
template <class T>
struct alignas(kVectorBytes) MultiVectorChunk {
  static constexpr unsigned kItems =
      unsigned(kVectorBytes / std::min(power_of_two_in(sizeof(T)), kVectorBytes));
  static constexpr unsigned kWords = unsigned(kItems * sizeof(T) / kWordBytes);

  uint32_t words[kWords];

  SIMT_HOST_DEVICE ItemWords<T> item(unsigned i) const {
    ItemWords<T> item;
    for (unsigned w = 0; w < kItemWords<T>; ++w) {
      const unsigned byte = i * sizeof(T) + w * kWordBytes, word = byte / kWordBytes;
      const uint64_t next = word + 1 < kWords ? words[word + 1] : 0;
      item.words[w] = uint32_t((words[word] | next << 32) >> kByteBits * (byte % kWordBytes));
    }
    item.pad();
    return item;
  }
};

template <class T>
inline constexpr bool kHasWords = sizeof(T) % kWordBytes == 0 && alignof(T) % kWordBytes == 0;

/// Maximum number of vectors of a MultiVectorChunk: for items that consist of words, which a thread
/// moves as they are, and for other items, whose words it shifts and joins. 2^24 items of 11 or 15
/// bytes, which fill 11 or 15 vectors, are partitioned 1.3 and 2.7 times as fast one by one (H200).
inline constexpr size_t kMaxWordVectors = 17, kMaxByteVectors = 8;

/// Whether items of T are moved in a MultiVectorChunk: one vector access cannot move an item, and a
/// thread can hold a chunk.
template <class T>
inline constexpr bool kFillsVectors =
    !kHasVectors<T> && sizeof(MultiVectorChunk<T>) <=
                           (kHasWords<T> ? kMaxWordVectors : kMaxByteVectors) * kVectorBytes;

/// Stores a chunk in one access; `to` must be aligned to it.
template <class T>
SIMT_HOST_DEVICE void store(T* to, const Chunk<T>& chunk) {
#if defined(__CUDA_ARCH__)
  // Uses one vector type and one intrinsic, because the compiler may split a struct.
  if constexpr (kHasVectors<T>) {
    uint4 vector;
    memcpy(&vector, &chunk, sizeof(vector));
    __stwb(reinterpret_cast<uint4*>(to), vector);
    return;
  }
#endif
  *reinterpret_cast<Chunk<T>*>(to) = chunk;
}

/// A chunk as it is in memory. The compiler extracts small items of a chunk where it loads the
/// chunk, and so waits for the load; it extracts the items of a Vector where it is unpacked.
template <unsigned kBytes>
struct [[gnu::may_alias]] alignas(kBytes) Words {
  uint32_t words[kBytes / sizeof(uint32_t)];
};
using Vector = Words<kVectorBytes>;
template <class T>
using Packed = std::conditional_t<kHasVectors<T>, Vector, Chunk<T>>;

template <class T>
SIMT_HOST_DEVICE Packed<T> pack(const Chunk<T>& chunk) {
  Packed<T> packed;
  memcpy(&packed, &chunk, sizeof(packed));
  return packed;
}
template <class T>
SIMT_HOST_DEVICE Chunk<T> unpack(const Packed<T>& packed) {
  Chunk<T> chunk;
  memcpy(static_cast<void*>(&chunk), &packed, sizeof(chunk));
  return chunk;
}

/// Returns the vector that begins `skipped` < kVectorBytes bytes after the beginning of two
/// consecutive ones.
SIMT_HOST_DEVICE inline Vector joined(const Vector& first, const Vector& second, unsigned skipped) {
  constexpr unsigned kWords = kVectorBytes / kWordBytes;
  uint32_t words[2 * kWords];
  for (unsigned w = 0; w < kWords; ++w) {
    words[w] = first.words[w];
    words[kWords + w] = second.words[w];
  }
  // No index depends on `skipped`, so that the words stay in registers.
  for (unsigned step = kWords / 2; step > 0; step /= 2)
    for (unsigned w = 0; w + step < 2 * kWords; ++w)
      words[w] = skipped / kWordBytes & step ? words[w + step] : words[w];
  Vector vector;
  for (unsigned w = 0; w < kWords; ++w)
    vector.words[w] =
        uint32_t((words[w] | uint64_t(words[w + 1]) << 32) >> kByteBits * (skipped % kWordBytes));
  return vector;
}

/// Copies `count` bytes from `at` on. Bytes outside of [begin, end) are 0.
SIMT_HOST_DEVICE SIMT_NOINLINE inline void load_bytes(const std::byte* at, const std::byte* begin,
                                                      const std::byte* end, uint32_t* to,
                                                      int count) {
  auto* bytes = reinterpret_cast<std::byte*>(to);
  for (int b = 0; b < count; ++b) bytes[b] = at + b >= begin && at + b < end ? at[b] : std::byte(0);
}

/// Loads kWords words from any address on. Memory outside of [begin, end) is not read; its bytes
/// are 0.
template <unsigned kWords>
SIMT_HOST_DEVICE void load_words(const std::byte* at, const std::byte* begin, const std::byte* end,
                                 uint32_t (&words)[kWords]) {
  using Word [[gnu::may_alias]] = const uint32_t;
  const unsigned skipped = unsigned(reinterpret_cast<uintptr_t>(at) % kWordBytes);
  const std::byte* first = at - skipped;
  if (first >= begin && first + (kWords + (skipped > 0)) * kWordBytes <= end) {
    const auto* aligned = reinterpret_cast<Word*>(first);
    uint64_t word = aligned[0];
    for (unsigned w = 0; w < kWords; ++w) {
      const uint64_t next = w + 1 < kWords || skipped > 0 ? aligned[w + 1] : 0;
      words[w] = uint32_t((word | next << 32) >> kByteBits * skipped);
      word = next;
    }
  } else {
    uint32_t at_the_end[kWords];
    load_bytes(at, begin, end, at_the_end, kWords * kWordBytes);
    memcpy(words, at_the_end, sizeof(at_the_end));
  }
}

/// Size of a cache line. Bytes.
inline constexpr unsigned kLineBytes = 128;

/// Prefetches the line of `address`, which must be readable, into L2.
SIMT_HOST_DEVICE inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

}  // namespace simt
