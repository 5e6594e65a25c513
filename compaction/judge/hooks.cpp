// SPDX-License-Identifier: MIT
// The functions that code compiled with -fsanitize=thread calls before each access to memory, and
// instead of each atomic operation. ThreadSanitizer's own library follows OS threads; here the
// threads are those of a kernel, so the program is linked without it. g++ declares the names.

#include <cstddef>
#include <cstdint>

#include "compaction/judge/watcher.h"
#include "compaction/simt/host/recorder.h"

namespace compaction::judge {

namespace {

/// Calls `use` with the recorder where one writes the page of a failure. Accesses of the recorder
/// itself, in templates that it shares with the code under test, are not recorded.
template <class Use>
void with_recorder(Use use) {
  static bool is_inside = false;
  simt::host::Recorder* recorder = simt::host::Recorder::active;
  if (!recorder || is_inside) return;
  is_inside = true;
  use(*recorder);
  is_inside = false;
}

void record(const void* address, size_t size, bool writes, bool is_atomic, void* code) {
  if (is_atomic) return;
  with_recorder([&](simt::host::Recorder& recorder) {
    if (writes)
      recorder.store(address, size, code);
    else
      recorder.load(address, size, code);
  });
}

simt::host::Recorder::MemoryOrder order_of(int order) {
  using Order = simt::host::Recorder::MemoryOrder;
  if (order == __ATOMIC_RELAXED) return Order::kRelaxed;
  if (order == __ATOMIC_RELEASE) return Order::kRelease;
  if (order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME) return Order::kAcquire;
  return Order::kAcquireRelease;
}

/// Likewise an atomic access, which left `value`.
void record_atomic(const void* address, size_t size, bool reads, bool writes, int order,
                   uint64_t value, void* code) {
  using Atomic = simt::host::Recorder::Atomic;
  const Atomic what = !writes ? Atomic::kLoad : reads ? Atomic::kModify : Atomic::kStore;
  with_recorder([&](simt::host::Recorder& recorder) {
    recorder.atomic(address, size, what, order_of(order), value, code);
  });
}

void touch(const void* address, size_t size, bool reads, bool writes, bool is_atomic, void* code) {
  record(address, size, writes, is_atomic, code);
  Watcher& watcher = Watcher::instance();
  if (!watcher.runs_kernel()) return;
  watcher.touch({.address = reinterpret_cast<uintptr_t>(address),
                 .size = unsigned(size),
                 .writes = writes,
                 .reads = reads,
                 .is_atomic = is_atomic,
                 .code = reinterpret_cast<uintptr_t>(code)});
}

void record_fence(void* code) {
  with_recorder([&](simt::host::Recorder& recorder) { recorder.fence(code); });
}

/// A volatile access: atomic, as everybody writes flags, but without any order. A page shows it as
/// a plain one, whose value the compiler does not tell.
void touch_volatile(const void* address, size_t size, bool writes, void* code) {
  record(address, size, writes, false, code);
  touch(address, size, !writes, writes, true, code);
  Watcher::instance().order_atomic(reinterpret_cast<uintptr_t>(address), !writes, writes,
                                   __ATOMIC_RELAXED);
}

/// Runs `update` on an atomic. The read of the value and the change happen without a switch to
/// another thread in between.
template <class T, class Update>
T update_atomic(volatile T* address, int order, void* code, bool reads, bool writes,
                Update update) {
  const uintptr_t place = reinterpret_cast<uintptr_t>(address);
  touch(const_cast<T*>(address), sizeof(T), reads, writes, true, code);
  Watcher::instance().order_atomic(place, reads, writes, order);
  T before = __atomic_load_n(address, __ATOMIC_SEQ_CST);
  while (writes && !__atomic_compare_exchange_n(address, &before, update(before), false,
                                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  record_atomic(const_cast<T*>(address), sizeof(T), reads, writes, order,
                uint64_t(writes ? update(before) : before), code);
  return before;
}

template <class T>
bool compare_exchange(volatile T* address, T* expected, T desired, int order, void* code) {
  bool equal = false;
  const T wanted = *expected;
  *expected = update_atomic(address, order, code, true, true, [&](T before) {
    equal = before == wanted;
    return equal ? desired : before;
  });
  return equal;
}

}  // namespace

}  // namespace compaction::judge

using compaction::judge::compare_exchange;
using compaction::judge::record_fence;
using compaction::judge::touch;
using compaction::judge::touch_volatile;
using compaction::judge::update_atomic;

#define HERE __builtin_return_address(0)

#define HOOKS_OF_SIZE(size)                             \
  void __tsan_read##size(void* a) {                     \
    touch(a, size, true, false, false, HERE);           \
  }                                                     \
  void __tsan_write##size(void* a) {                    \
    touch(a, size, false, true, false, HERE);           \
  }                                                     \
  void __tsan_unaligned_read##size(void* a) {           \
    touch(a, size, true, false, false, HERE);           \
  }                                                     \
  void __tsan_unaligned_write##size(void* a) {          \
    touch(a, size, false, true, false, HERE);           \
  }                                                     \
  void __tsan_volatile_read##size(void* a) {            \
    touch_volatile(a, size, false, HERE);               \
  }                                                     \
  void __tsan_volatile_write##size(void* a) {           \
    touch_volatile(a, size, true, HERE);                \
  }                                                     \
  void __tsan_unaligned_volatile_read##size(void* a) {  \
    touch_volatile(a, size, false, HERE);               \
  }                                                     \
  void __tsan_unaligned_volatile_write##size(void* a) { \
    touch_volatile(a, size, true, HERE);                \
  }

#define FETCH_HOOK(bits, name, result)                                                             \
  uint##bits##_t __tsan_atomic##bits##_##name(volatile void* a, uint##bits##_t value, int order) { \
    using T = uint##bits##_t;                                                                      \
    return update_atomic(static_cast<volatile T*>(a), order, HERE, true, true,                     \
                         [&]([[maybe_unused]] T before) -> T { return T(result); });               \
  }

#define ATOMIC_HOOKS_OF_BITS(bits)                                                             \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile void* a, int order) {               \
    using T = uint##bits##_t;                                                                  \
    return update_atomic(static_cast<volatile T*>(const_cast<volatile void*>(a)), order, HERE, \
                         true, false, [](T before) { return before; });                        \
  }                                                                                            \
  void __tsan_atomic##bits##_store(volatile void* a, uint##bits##_t value, int order) {        \
    using T = uint##bits##_t;                                                                  \
    update_atomic(static_cast<volatile T*>(a), order, HERE, false, true,                       \
                  [&](T) { return value; });                                                   \
  }                                                                                            \
  FETCH_HOOK(bits, exchange, value)                                                            \
  FETCH_HOOK(bits, fetch_add, before + value)                                                  \
  FETCH_HOOK(bits, fetch_sub, before - value)                                                  \
  FETCH_HOOK(bits, fetch_and, before& value)                                                   \
  FETCH_HOOK(bits, fetch_or, before | value)                                                   \
  FETCH_HOOK(bits, fetch_xor, before ^ value)                                                  \
  FETCH_HOOK(bits, fetch_nand, ~(before & value))                                              \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile void* a, void* expected,         \
                                                     uint##bits##_t desired, int order, int) { \
    using T = uint##bits##_t;                                                                  \
    return compare_exchange(static_cast<volatile T*>(a), static_cast<T*>(expected), desired,   \
                            order, HERE);                                                      \
  }                                                                                            \
  bool __tsan_atomic##bits##_compare_exchange_weak(volatile void* a, void* expected,           \
                                                   uint##bits##_t desired, int order, int) {   \
    using T = uint##bits##_t;                                                                  \
    return compare_exchange(static_cast<volatile T*>(a), static_cast<T*>(expected), desired,   \
                            order, HERE);                                                      \
  }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void*) {}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}

void __tsan_read_range(void* a, size_t size) {
  touch(a, size, true, false, false, HERE);
}
void __tsan_write_range(void* a, size_t size) {
  touch(a, size, false, true, false, HERE);
}

HOOKS_OF_SIZE(1)
HOOKS_OF_SIZE(2)
HOOKS_OF_SIZE(4)
HOOKS_OF_SIZE(8)
HOOKS_OF_SIZE(16)

ATOMIC_HOOKS_OF_BITS(8)
ATOMIC_HOOKS_OF_BITS(16)
ATOMIC_HOOKS_OF_BITS(32)
ATOMIC_HOOKS_OF_BITS(64)

void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  record_fence(__builtin_return_address(0));
  compaction::judge::Watcher::instance().fence();
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"

#undef ATOMIC_HOOKS_OF_BITS
#undef FETCH_HOOK
#undef HOOKS_OF_SIZE
#undef HERE
