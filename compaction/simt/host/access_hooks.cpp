// SPDX-License-Identifier: MIT
// The functions that the compiler calls at each memory access of a source compiled with
// -fsanitize=thread. They report to the listener of this OS thread, if one is active. This is the
// compiler's instrumentation without its runtime, as in the Kernel Concurrency Sanitizer of Linux.
// Atomic accesses are replaced by calls, so these functions also execute them.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/simt/host/access_listener.h"

namespace simt::host {

namespace {

using Kind = MemoryAccess::Kind;
using Order = MemoryAccess::Order;

Order order_of(int order) {
  switch (order) {
    case __ATOMIC_RELAXED:
      return Order::kRelaxed;
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE:
      return Order::kAcquire;
    case __ATOMIC_RELEASE:
      return Order::kRelease;
    default:
      return Order::kAcquireRelease;
  }
}

void report(const MemoryAccess& access) {
  AccessListener* const listener = AccessListener::active;
  if (!listener) return;
  const AccessListener::Pause pause;
  listener->access(access);
}

void before_read(const volatile void* address, Order order) {
  if (AccessListener* listener = AccessListener::active)
    listener->before_read(const_cast<const void*>(address), order);
}

void loads(const void* address, size_t size, Order order, const void* code) {
  report({address, size, Kind::kLoad, order, code});
  before_read(address, order);
}

void stores(const void* address, size_t size, Order order, const void* code) {
  report({address, size, Kind::kStore, order, code});
}

template <class T>
void report_atomic(const volatile T* address, Kind kind, int order, T value, const void* code) {
  report({const_cast<const T*>(address), sizeof(T), kind, order_of(order), code, value});
}

template <class T>
T load(const volatile T* address, int order, const void* code) {
  before_read(address, order_of(order));
  const T value = __atomic_load_n(address, __ATOMIC_SEQ_CST);
  report_atomic(address, Kind::kLoad, order, value, code);
  return value;
}

/// Replaces the value by `change(value)`. Returns the old value. One OS thread runs all threads of
/// a kernel, but other OS threads may also access the word, so this is atomic.
template <class T, class Change>
T modify(volatile T* address, int order, const void* code, Change change) {
  before_read(address, order_of(order));
  T old = __atomic_load_n(address, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(address, &old, T(change(old)), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  report_atomic(address, Kind::kModify, order, T(change(old)), code);
  return old;
}

template <class T>
bool compare_exchange(volatile T* address, T* expected, T desired, int order, int failure_order,
                      const void* code) {
  before_read(address, order_of(order));
  const bool is_equal = __atomic_compare_exchange_n(address, expected, desired, false,
                                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (is_equal)
    report_atomic(address, Kind::kModify, order, desired, code);
  else
    report_atomic(address, Kind::kLoad, failure_order, *expected, code);
  return is_equal;
}

}  // namespace

}  // namespace simt::host

// The names and types are those that g++ and clang expect.
#define CALLER __builtin_return_address(0)

extern "C" {

using namespace simt::host;

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define ACCESSES_OF_ORDER(name, size, order)       \
  void __tsan_##name##read##size(void* address) {  \
    loads(address, size, order, CALLER);           \
  }                                                \
  void __tsan_##name##write##size(void* address) { \
    stores(address, size, order, CALLER);          \
  }

#define ACCESSES(size)                                           \
  ACCESSES_OF_ORDER(, size, Order::kPlain)                       \
  ACCESSES_OF_ORDER(unaligned_, size, Order::kPlain)             \
  ACCESSES_OF_ORDER(volatile_, size, Order::kVolatile)           \
  ACCESSES_OF_ORDER(unaligned_volatile_, size, Order::kVolatile) \
  void __tsan_read_write##size(void* address) {                  \
    loads(address, size, Order::kPlain, CALLER);                 \
    stores(address, size, Order::kPlain, CALLER);                \
  }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void* address, size_t size) {
  loads(address, size, Order::kPlain, CALLER);
}
void __tsan_write_range(void* address, size_t size) {
  stores(address, size, Order::kPlain, CALLER);
}

// clang calls these instead of the functions of the C library.
void* __tsan_memcpy(void* to, const void* from, size_t size) {
  loads(from, size, Order::kPlain, CALLER);
  stores(to, size, Order::kPlain, CALLER);
  return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, const void* from, size_t size) {
  loads(from, size, Order::kPlain, CALLER);
  stores(to, size, Order::kPlain, CALLER);
  return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int byte, size_t size) {
  stores(to, size, Order::kPlain, CALLER);
  return std::memset(to, byte, size);
}

#define MODIFIES(bits, name, expression)                                         \
  uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t* address,  \
                                              uint##bits##_t value, int order) { \
    return modify(address, order, CALLER,                                        \
                  [value]([[maybe_unused]] auto old) { return expression; });    \
  }

#define COMPARES(bits, name)                                                              \
  bool __tsan_atomic##bits##_compare_exchange_##name(                                     \
      volatile uint##bits##_t* address, uint##bits##_t* expected, uint##bits##_t desired, \
      int order, int failure_order) {                                                     \
    return compare_exchange(address, expected, desired, order, failure_order, CALLER);    \
  }

#define ATOMICS(bits)                                                                            \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t* address, int order) { \
    return load(address, order, CALLER);                                                         \
  }                                                                                              \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t* address, uint##bits##_t value,       \
                                   int order) {                                                  \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                          \
    report_atomic(address, Kind::kStore, order, value, CALLER);                                  \
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
  AccessListener* const listener = AccessListener::active;
  if (!listener) return;
  const AccessListener::Pause pause;
  listener->fence(CALLER);
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
