#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/simt/qualifiers.h"

namespace simt {

/// How much one thread loads or stores at once. Bytes.
inline constexpr size_t kVectorBytes = 16;

/// How many items of T one vector access moves; 1 where T's alignment does not allow one.
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

/// Stores a chunk at once; `to` must be aligned to it.
template <class T>
SIMT_HOST_DEVICE void store(T* to, const Chunk<T>& chunk) {
#if defined(__CUDA_ARCH__)
  // As one vector type and one intrinsic: the compiler may take a struct apart again.
  if constexpr (kHasVectors<T>) {
    uint4 vector;
    memcpy(&vector, &chunk, sizeof(vector));
    __stwb(reinterpret_cast<uint4*>(to), vector);
    return;
  }
#endif
  *reinterpret_cast<Chunk<T>*>(to) = chunk;
}

/// A chunk as it comes from memory. A chunk of small items that is loaded as such is taken apart
/// where it is loaded, and so waited for; this one where it is unpacked.
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
  memcpy(&chunk, &packed, sizeof(chunk));
  return chunk;
}

/// The memory system moves lines of this size. Bytes.
inline constexpr unsigned kLineBytes = 128;

/// Says that the line of `address` will be read soon. It must be readable.
SIMT_HOST_DEVICE inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

}  // namespace simt
