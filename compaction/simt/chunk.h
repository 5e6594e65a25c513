// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/simt/qualifiers.h"

namespace simt {

/// Size of a vector access, the largest of one thread. Bytes.
inline constexpr size_t kVectorBytes = 16;

/// Number of items of T that one vector access moves; 1 where the alignment of T does not allow
/// one.
template <class T>
inline constexpr unsigned kVectorItems = sizeof(T) <= kVectorBytes && alignof(T) == sizeof(T)
                                             ? unsigned(kVectorBytes / sizeof(T))
                                             : 1;

/// Consecutive items in registers, as many as one vector access moves.
template <class T>
struct alignas(kVectorItems<T> > 1 || alignof(T) == kVectorBytes ? kVectorBytes
                                                                 : alignof(T)) Chunk {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr unsigned kItems = kVectorItems<T>;

  T items[kItems];
};

/// Whether a vector access can move items of T: a power of two up to 16 bytes, aligned to its size.
template <class T>
inline constexpr bool kHasVectors = alignof(Chunk<T>) == kVectorBytes &&
                                    sizeof(Chunk<T>) == kVectorBytes;

/// Whether items of T consist of whole words and are no larger than a vector, although a vector
/// access cannot move each one of them: 8, 12 or 16 bytes that are aligned to less.
template <class T>
inline constexpr bool kHasWords = !kHasVectors<T> && sizeof(T) % sizeof(uint32_t) == 0 &&
                                  alignof(T) % sizeof(uint32_t) == 0 && sizeof(T) <= kVectorBytes;

/// The fewest consecutive items whose size is a multiple of a vector's, in memory that is aligned
/// to one.
template <class T>
struct alignas(kVectorBytes) WordChunk {
  static constexpr size_t kPowerOfTwo = sizeof(T) & (~sizeof(T) + 1);  // the largest in the size
  static constexpr unsigned kItems = unsigned(kVectorBytes / kPowerOfTwo);

  T items[kItems];
};

/// Stores a chunk in one access; `to` must be aligned to it.
template <class T>
SIMT_HOST_DEVICE void store(T* to, const Chunk<T>& chunk) {
#if defined(__CUDA_ARCH__)
  // One vector type and one intrinsic: the compiler may split a struct.
  if constexpr (kHasVectors<T>) {
    uint4 vector;
    memcpy(&vector, &chunk, sizeof(vector));
    __stwb(reinterpret_cast<uint4*>(to), vector);
    return;
  }
#endif
  *reinterpret_cast<Chunk<T>*>(to) = chunk;
}

/// A chunk as it is in memory. The compiler extracts small items where a chunk is loaded, and so
/// waits for the load there; it extracts the items of a Vector where it is unpacked.
struct [[gnu::may_alias]] alignas(kVectorBytes) Vector {
  uint32_t words[kVectorBytes / sizeof(uint32_t)];
};
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

/// Size of a cache line. Bytes.
inline constexpr unsigned kLineBytes = 128;

/// Prefetches the line of `address`, which must be readable, into L2.
SIMT_HOST_DEVICE inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

}  // namespace simt
