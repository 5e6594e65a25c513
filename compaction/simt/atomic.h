#pragma once

#include <type_traits>

#include "compaction/simt/qualifiers.h"

#if defined(__CUDACC__)
#include <cuda/atomic>
#else
#include <atomic>
#endif

// Atomic access to plain memory, visible to every thread of the device. The name says the order:
// `relaxed` makes the access itself indivisible and orders nothing else; `release` publishes all
// earlier writes of the thread to whoever reads the value with `acquire`.

namespace simt {

#if defined(__CUDACC__)
template <class T>
using AtomicRef = ::cuda::atomic_ref<T, ::cuda::thread_scope_device>;
using MemoryOrder = ::cuda::std::memory_order;
#else
template <class T>
using AtomicRef = std::atomic_ref<T>;
using MemoryOrder = std::memory_order;
#endif

template <class T>
SIMT_HOST_DEVICE T load_relaxed(const T& value) {
  return AtomicRef<T>(const_cast<T&>(value)).load(MemoryOrder::relaxed);
}

template <class T>
SIMT_HOST_DEVICE T load_acquire(const T& value) {
  return AtomicRef<T>(const_cast<T&>(value)).load(MemoryOrder::acquire);
}

template <class T>
SIMT_HOST_DEVICE void store_relaxed(T& to, std::type_identity_t<T> value) {
  AtomicRef<T>(to).store(value, MemoryOrder::relaxed);
}

template <class T>
SIMT_HOST_DEVICE void store_release(T& to, std::type_identity_t<T> value) {
  AtomicRef<T>(to).store(value, MemoryOrder::release);
}

/// Adds and returns what was there before.
template <class T>
SIMT_HOST_DEVICE T fetch_add_relaxed(T& to, std::type_identity_t<T> amount) {
  return AtomicRef<T>(to).fetch_add(amount, MemoryOrder::relaxed);
}

/// Adds and returns what was there before. Of several threads that add, each one sees the writes
/// that the earlier ones made before they added.
template <class T>
SIMT_HOST_DEVICE T fetch_add_acq_rel(T& to, std::type_identity_t<T> amount) {
  return AtomicRef<T>(to).fetch_add(amount, MemoryOrder::acq_rel);
}

}  // namespace simt
