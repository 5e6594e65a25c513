// SPDX-License-Identifier: MIT
// The functions that the compiler calls at each access to memory of a source that is compiled with
// -fsanitize=thread. Here they report to the recorder of this OS thread, if one is active: the
// compiler's instrumentation without its runtime, as the Kernel Concurrency Sanitizer of Linux uses
// it. Atomic accesses are replaced by calls, so these functions also execute them.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/simt/host/recorder.h"

namespace {

using simt::host::Recorder;

Recorder::MemoryOrder order_of(int order) {
  switch (order) {
    case __ATOMIC_RELAXED:
      return Recorder::MemoryOrder::kRelaxed;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return Recorder::MemoryOrder::kAcquire;
    case __ATOMIC_RELEASE:
      return Recorder::MemoryOrder::kRelease;
    default:
      return Recorder::MemoryOrder::kAcquireRelease;
  }
}

void loads(const void* address, size_t size, const void* at) {
  if (Recorder* recorder = Recorder::active) recorder->load(address, size, at);
}
void stores(const void* address, size_t size, const void* at) {
  if (Recorder* recorder = Recorder::active) recorder->store(address, size, at);
}

template <class T>
void accessed(const volatile T* address, Recorder::Atomic what, int order, T value,
              const void* at) {
  if (Recorder* recorder = Recorder::active)
    recorder->atomic(const_cast<const T*>(address), sizeof(T), what, order_of(order),
                     uint64_t(std::make_unsigned_t<T>(value)), at);
}

/// Replaces the value by `change` of it, and returns the old one. One OS thread runs all threads of
/// a kernel, but a word may also be shared with other OS threads, so this is atomic.
template <class T, class Change>
T modify(volatile T* address, int order, const void* at, Change change) {
  T old = __atomic_load_n(address, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(address, &old, T(change(old)), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  accessed(address, Recorder::Atomic::kModify, order, T(change(old)), at);
  return old;
}

template <class T>
bool compare_exchange(volatile T* address, T* expected, T desired, int order, int failure_order,
                      const void* at) {
  const bool is_equal = __atomic_compare_exchange_n(address, expected, desired, false,
                                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (is_equal)
    accessed(address, Recorder::Atomic::kModify, order, desired, at);
  else
    accessed(address, Recorder::Atomic::kLoad, failure_order, *expected, at);
  return is_equal;
}

}  // namespace

// The names and types are those that g++ and clang know.
#define CALLER __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define ACCESSES(size)                               \
  void __tsan_read##size(void* address) {            \
    loads(address, size, CALLER);                    \
  }                                                  \
  void __tsan_write##size(void* address) {           \
    stores(address, size, CALLER);                   \
  }                                                  \
  void __tsan_unaligned_read##size(void* address) {  \
    loads(address, size, CALLER);                    \
  }                                                  \
  void __tsan_unaligned_write##size(void* address) { \
    stores(address, size, CALLER);                   \
  }                                                  \
  void __tsan_volatile_read##size(void* address) {   \
    loads(address, size, CALLER);                    \
  }                                                  \
  void __tsan_volatile_write##size(void* address) {  \
    stores(address, size, CALLER);                   \
  }                                                  \
  void __tsan_read_write##size(void* address) {      \
    loads(address, size, CALLER);                    \
    stores(address, size, CALLER);                   \
  }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void* address, size_t size) {
  loads(address, size, CALLER);
}
void __tsan_write_range(void* address, size_t size) {
  stores(address, size, CALLER);
}

// clang calls these instead of the functions of the C library.
void* __tsan_memcpy(void* to, const void* from, size_t size) {
  loads(from, size, CALLER);
  stores(to, size, CALLER);
  return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, const void* from, size_t size) {
  loads(from, size, CALLER);
  stores(to, size, CALLER);
  return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int byte, size_t size) {
  stores(to, size, CALLER);
  return std::memset(to, byte, size);
}

#define MODIFIES(bits, name, expression)                                         \
  uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t* address,  \
                                              uint##bits##_t value, int order) { \
    return modify(address, order, CALLER,                                        \
                  [value]([[maybe_unused]] auto old) { return expression; });    \
  }

#define COMPARES(bits, name)                                                              \
  int __tsan_atomic##bits##_compare_exchange_##name(                                      \
      volatile uint##bits##_t* address, uint##bits##_t* expected, uint##bits##_t desired, \
      int order, int failure_order) {                                                     \
    return compare_exchange(address, expected, desired, order, failure_order, CALLER);    \
  }

#define ATOMICS(bits)                                                                            \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t* address, int order) { \
    const uint##bits##_t value = __atomic_load_n(address, __ATOMIC_SEQ_CST);                     \
    accessed(address, Recorder::Atomic::kLoad, order, value, CALLER);                            \
    return value;                                                                                \
  }                                                                                              \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t* address, uint##bits##_t value,       \
                                   int order) {                                                  \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                          \
    accessed(address, Recorder::Atomic::kStore, order, value, CALLER);                           \
  }                                                                                              \
  MODIFIES(bits, exchange, value)                                                                \
  MODIFIES(bits, fetch_add, old + value)                                                         \
  MODIFIES(bits, fetch_sub, old - value)                                                         \
  MODIFIES(bits, fetch_and, old& value)                                                          \
  MODIFIES(bits, fetch_or, old | value)                                                          \
  MODIFIES(bits, fetch_xor, old ^ value)                                                         \
  MODIFIES(bits, fetch_nand, ~(old & value))                                                     \
  COMPARES(bits, strong)                                                                         \
  COMPARES(bits, weak)                                                                           \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                     \
      volatile uint##bits##_t* address, uint##bits##_t expected, uint##bits##_t desired,         \
      int order, int failure_order) {                                                            \
    compare_exchange(address, &expected, desired, order, failure_order, CALLER);                 \
    return expected;                                                                             \
  }

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

void __tsan_atomic_thread_fence(int) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (Recorder* recorder = Recorder::active) recorder->fence(CALLER);
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
