// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "compaction/simt/qualifiers.h"

// Atomic access to integers in global memory, at device scope. The name states the memory order:
// `relaxed` makes only the access itself atomic; `release` makes all earlier writes of the thread
// visible to threads that read the value with `acquire`.
//
// On a GPU, these are single instructions on a global address. cuda::atomic_ref takes a generic
// address: its read-modify-write operations test the address space at run time.

// PTX instructions on an integer in global memory. `name` lacks the number of bits at its end.

#define SIMT_PTX_LOAD(name, result, from)               \
  if constexpr (sizeof(from) == 4)                      \
    asm volatile(name "32 %0, [%1];"                    \
                 : "=r"(result)                         \
                 : "l"(__cvta_generic_to_global(&from)) \
                 : "memory");                           \
  else                                                  \
    asm volatile(name "64 %0, [%1];"                    \
                 : "=l"(result)                         \
                 : "l"(__cvta_generic_to_global(&from)) \
                 : "memory")

#define SIMT_PTX_STORE(name, to, operand)                           \
  if constexpr (sizeof(to) == 4)                                    \
    asm volatile(name "32 [%0], %1;"                                \
                 :                                                  \
                 : "l"(__cvta_generic_to_global(&to)), "r"(operand) \
                 : "memory");                                       \
  else                                                              \
    asm volatile(name "64 [%0], %1;"                                \
                 :                                                  \
                 : "l"(__cvta_generic_to_global(&to)), "l"(operand) \
                 : "memory")

#define SIMT_PTX_FETCH(name, result, to, operand)                   \
  if constexpr (sizeof(to) == 4)                                    \
    asm volatile(name "32 %0, [%1], %2;"                            \
                 : "=r"(result)                                     \
                 : "l"(__cvta_generic_to_global(&to)), "r"(operand) \
                 : "memory");                                       \
  else                                                              \
    asm volatile(name "64 %0, [%1], %2;"                            \
                 : "=l"(result)                                     \
                 : "l"(__cvta_generic_to_global(&to)), "l"(operand) \
                 : "memory")

namespace simt {

/// Integers that one instruction accesses atomically.
template <class T>
concept AtomicInteger = std::integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

template <AtomicInteger T>
SIMT_HOST_DEVICE T load_relaxed(const T& from) {
#if defined(__CUDA_ARCH__)
  T value;
  SIMT_PTX_LOAD("ld.relaxed.gpu.global.b", value, from);
  return value;
#else
  return std::atomic_ref(const_cast<T&>(from)).load(std::memory_order_relaxed);
#endif
}

/// Reads consecutive words. `from` must be aligned to 16 bytes if their number is even. Each word
/// is read atomically, but not all of them together.
template <unsigned kWords>
SIMT_HOST_DEVICE void load_relaxed(const uint64_t* from, uint64_t (&words)[kWords]) {
#if defined(__CUDA_ARCH__)
  if constexpr (kWords % 2 == 0) {
    for (unsigned i = 0; i < kWords; i += 2)
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                   : "=l"(words[i]), "=l"(words[i + 1])
                   : "l"(__cvta_generic_to_global(from + i))
                   : "memory");
  } else {
    for (unsigned i = 0; i < kWords; ++i) words[i] = load_relaxed(from[i]);
  }
#else
  for (unsigned i = 0; i < kWords; ++i) words[i] = load_relaxed(from[i]);
#endif
}

template <AtomicInteger T>
SIMT_HOST_DEVICE T load_acquire(const T& from) {
#if defined(__CUDA_ARCH__)
  T value;
  SIMT_PTX_LOAD("ld.acquire.gpu.global.b", value, from);
  return value;
#else
  return std::atomic_ref(const_cast<T&>(from)).load(std::memory_order_acquire);
#endif
}

template <AtomicInteger T>
SIMT_HOST_DEVICE void store_relaxed(T& to, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  SIMT_PTX_STORE("st.relaxed.gpu.global.b", to, value);
#else
  std::atomic_ref(to).store(value, std::memory_order_relaxed);
#endif
}

template <AtomicInteger T>
SIMT_HOST_DEVICE void store_release(T& to, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  SIMT_PTX_STORE("st.release.gpu.global.b", to, value);
#else
  std::atomic_ref(to).store(value, std::memory_order_release);
#endif
}

/// Adds to a word of shared memory, at block scope.
SIMT_KERNEL inline void add_shared(uint32_t& to, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "red.relaxed.cta.shared.add.u32 [%0], %1;" ::"r"(uint32_t(__cvta_generic_to_shared(&to))),
      "r"(amount)
      : "memory");
#else
  std::atomic_ref(to).fetch_add(amount, std::memory_order_relaxed);
#endif
}

/// Sets bits of a word of shared memory, at block scope.
SIMT_KERNEL inline void or_shared(uint32_t& to, uint32_t bits) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "red.relaxed.cta.shared.or.b32 [%0], %1;" ::"r"(uint32_t(__cvta_generic_to_shared(&to))),
      "r"(bits)
      : "memory");
#else
  std::atomic_ref(to).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Orders all earlier accesses of the thread before its later ones, at device scope.
SIMT_HOST_DEVICE inline void fence() {
#if defined(__CUDA_ARCH__)
  __threadfence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// Adds to a value. Returns the previous value.
template <AtomicInteger T>
SIMT_HOST_DEVICE T fetch_add_relaxed(T& to, std::type_identity_t<T> amount) {
#if defined(__CUDA_ARCH__)
  // If all lanes add the same amount, the compiler makes one lane add for all and waits at once to
  // distribute the result. Adding lane / 32, which is 0, hides that the amounts are the same.
  uint32_t lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  amount += T(lane / 32);
  T before;
  SIMT_PTX_FETCH("atom.relaxed.gpu.global.add.u", before, to, amount);
  return before;
#else
  return std::atomic_ref(to).fetch_add(amount, std::memory_order_relaxed);
#endif
}

/// Adds to a value. Cheaper than fetch_add_relaxed(), as it returns no value.
template <AtomicInteger T>
SIMT_HOST_DEVICE void add_relaxed(T& to, std::type_identity_t<T> amount) {
#if defined(__CUDA_ARCH__)
  SIMT_PTX_STORE("red.relaxed.gpu.global.add.u", to, amount);
#else
  std::atomic_ref(to).fetch_add(amount, std::memory_order_relaxed);
#endif
}

/// Raises a value to at least `least`.
template <AtomicInteger T>
SIMT_HOST_DEVICE void raise_relaxed(T& to, std::type_identity_t<T> least) {
  static_assert(std::is_unsigned_v<T>);
#if defined(__CUDA_ARCH__)
  SIMT_PTX_STORE("red.relaxed.gpu.global.max.u", to, least);
#else
  T before = load_relaxed(to);
  while (before < least &&
         !std::atomic_ref(to).compare_exchange_weak(before, least, std::memory_order_relaxed)) {
  }
#endif
}

/// Adds to a value. Returns the previous value. If several threads add, each sees the writes that
/// precede the earlier additions.
template <AtomicInteger T>
SIMT_HOST_DEVICE T fetch_add_acq_rel(T& to, std::type_identity_t<T> amount) {
#if defined(__CUDA_ARCH__)
  T before;
  SIMT_PTX_FETCH("atom.acq_rel.gpu.global.add.u", before, to, amount);
  return before;
#else
  return std::atomic_ref(to).fetch_add(amount, std::memory_order_acq_rel);
#endif
}

}  // namespace simt

#undef SIMT_PTX_LOAD
#undef SIMT_PTX_STORE
#undef SIMT_PTX_FETCH
