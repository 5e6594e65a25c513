// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "compaction/simt/qualifiers.h"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

// Atomic access to global memory, at device scope. The name states the memory order: `relaxed`
// makes only the access itself atomic; `release` makes all earlier writes of the thread visible to
// threads that read the value with `acquire`.

namespace simt {

#if defined(__CUDACC__)
using MemoryOrder = ::cuda::std::memory_order;
#else
using MemoryOrder = std::memory_order;
#endif

template <class T>
SIMT_HOST_DEVICE auto atomic_ref(T& value) {
#if defined(__CUDACC__)
#if defined(__CUDA_ARCH__)
  __builtin_assume(__isGlobal(&value));  // otherwise each access tests the address space
#endif
  return ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(value);
#else
  return std::atomic_ref<T>(value);
#endif
}

template <class T>
SIMT_HOST_DEVICE T load_relaxed(const T& value) {
  return atomic_ref(const_cast<T&>(value)).load(MemoryOrder::relaxed);
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

template <class T>
SIMT_HOST_DEVICE T load_acquire(const T& value) {
  return atomic_ref(const_cast<T&>(value)).load(MemoryOrder::acquire);
}

template <class T>
SIMT_HOST_DEVICE void store_relaxed(T& to, std::type_identity_t<T> value) {
  atomic_ref(to).store(value, MemoryOrder::relaxed);
}

template <class T>
SIMT_HOST_DEVICE void store_release(T& to, std::type_identity_t<T> value) {
  atomic_ref(to).store(value, MemoryOrder::release);
}

/// Adds to a word of shared memory, at block scope.
SIMT_KERNEL inline void add_shared(uint32_t& to, uint32_t amount) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "red.relaxed.cta.shared.add.u32 [%0], %1;" ::"r"(uint32_t(__cvta_generic_to_shared(&to))),
      "r"(amount)
      : "memory");
#else
  atomic_ref(to).fetch_add(amount, MemoryOrder::relaxed);
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
  atomic_ref(to).fetch_or(bits, MemoryOrder::relaxed);
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

template <class T>
SIMT_HOST_DEVICE T fetch_add_relaxed(T& to, std::type_identity_t<T> amount) {
#if defined(__CUDA_ARCH__)
  // With a generic address, the compiler waits for the result at once, to select the result of the
  // address space. With a global address, the thread continues until it needs the result.
  static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  // If all lanes add the same amount, the compiler makes one lane add for all and waits at once to
  // distribute the result. Adding lane / 32, which is 0, hides that the amounts are the same.
  uint32_t lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  amount += T(lane / 32);
  T before;
  if constexpr (sizeof(T) == 4)
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(__cvta_generic_to_global(&to)), "r"(amount)
                 : "memory");
  else
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(&to)), "l"(amount)
                 : "memory");
  return before;
#else
  return atomic_ref(to).fetch_add(amount, MemoryOrder::relaxed);
#endif
}

/// Adds to a value. Cheaper than fetch_add_relaxed(), as it returns no value.
template <class T>
SIMT_HOST_DEVICE void add_relaxed(T& to, std::type_identity_t<T> amount) {
  atomic_ref(to).fetch_add(amount, MemoryOrder::relaxed);
}

/// Adds to a value. Returns the previous value. If several threads add, each sees the writes that
/// precede the earlier additions.
template <class T>
SIMT_HOST_DEVICE T fetch_add_acq_rel(T& to, std::type_identity_t<T> amount) {
  return atomic_ref(to).fetch_add(amount, MemoryOrder::acq_rel);
}

}  // namespace simt
