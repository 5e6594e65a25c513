// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::host {

/// An access to memory by a thread of a kernel, as the compiler reports it.
struct MemoryAccess {
  enum class Kind : uint8_t { kLoad, kStore, kModify };
  /// kVolatile counts as a relaxed access: flags were written like that before there were atomics.
  enum class Order : uint8_t { kPlain, kVolatile, kRelaxed, kAcquire, kRelease, kAcquireRelease };

  const void* address = nullptr;
  size_t size = 0;  ///< bytes
  Kind kind{};
  Order order{};
  const void* code = nullptr;  ///< address of the instruction after it
  uint64_t value = 0;          ///< value that an atomic access has read or written

  bool reads() const { return kind != Kind::kStore; }
  bool writes() const { return kind != Kind::kLoad; }
  bool is_atomic() const { return order != Order::kPlain; }
  bool has_value() const { return order >= Order::kRelaxed; }
  bool acquires() const { return order == Order::kAcquire || order == Order::kAcquireRelease; }
  bool releases() const { return order == Order::kRelease || order == Order::kAcquireRelease; }
};

/// Receives the accesses that threads of kernels make in sources compiled with -fsanitize=thread
/// (access_hooks.cpp). access() and fence() must not throw: the compiler assumes that the code
/// around them does not.
class AccessListener {
 public:
  /// Called before a plain or volatile access and after an atomic access. Accesses of this function
  /// itself are not reported: it may share templates with the code of the kernel.
  virtual void access(const MemoryAccess& access) noexcept = 0;
  virtual void fence(const void* code) noexcept = 0;
  /// Called before any read. The listener may run other threads first.
  virtual void before_read(const void* /*address*/, MemoryAccess::Order /*order*/) {}

  /// The listener of accesses on this OS thread, or null.
  static constinit thread_local AccessListener* active;

  struct Pause {
    Pause() { active = nullptr; }
    ~Pause() { active = paused; }
    AccessListener* const paused = active;
  };

 protected:
  ~AccessListener() = default;
};

}  // namespace simt::host
