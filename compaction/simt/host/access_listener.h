// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::host {

/// An access to memory by a thread of a kernel, as the compiler reports it.
struct MemoryAccess {
  enum class Kind : uint8_t { kLoad, kStore, kModify };
  /// A volatile access is taken for a relaxed one: so flags were written before there were atomics.
  enum class Order : uint8_t { kPlain, kVolatile, kRelaxed, kAcquire, kRelease, kAcquireRelease };

  const void* address = nullptr;
  size_t size = 0;  ///< bytes
  Kind kind{};
  Order order{};
  const void* code = nullptr;  ///< address of the instruction after it
  uint64_t value = 0;          ///< that an atomic access has read or left

  bool reads() const { return kind != Kind::kStore; }
  bool writes() const { return kind != Kind::kLoad; }
  bool is_atomic() const { return order != Order::kPlain; }
  bool has_value() const { return order >= Order::kRelaxed; }
  bool acquires() const { return order == Order::kAcquire || order == Order::kAcquireRelease; }
  bool releases() const { return order == Order::kRelease || order == Order::kAcquireRelease; }
};

/// Is told of the accesses that threads of kernels make in sources that are compiled with
/// -fsanitize=thread (access_hooks.cpp). No exception leaves access() and fence(): the compiler
/// takes the code around them to throw none.
class AccessListener {
 public:
  /// A plain or volatile access happens next, an atomic one has happened. Accesses that the
  /// function makes itself are not reported: it may share templates with the code of the kernel.
  virtual void access(const MemoryAccess& access) noexcept = 0;
  virtual void fence(const void* code) noexcept = 0;
  /// A thread is about to read, be it plainly or atomically. Here other threads may run first.
  virtual void before_read(const void* /*address*/, MemoryAccess::Order /*order*/) {}

  /// The one that is told of accesses on this OS thread, or null.
  static constinit thread_local AccessListener* active;

  /// Nothing is reported as long as it lives.
  struct Pause {
    Pause() { active = nullptr; }
    ~Pause() { active = paused; }
    AccessListener* const paused = active;
  };

 protected:
  ~AccessListener() = default;
};

}  // namespace simt::host
