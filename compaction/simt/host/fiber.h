// SPDX-License-Identifier: MIT
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

namespace simt::host {

/// A stack and its suspended execution. All fibers that switch to one another must stay on one OS
/// thread. Each switch is reported to AddressSanitizer or ThreadSanitizer.
class Fiber {
 public:
  /// Represents the stack of the OS thread itself.
  Fiber() = default;
  ~Fiber();

  /// Creates a stack. The first resume() calls `body`, which must not throw. When `body` returns,
  /// this fiber ends and the fiber that `body` returned continues.
  explicit Fiber(std::function<Fiber&()> body);

  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Suspends `running`, which must be the calling fiber, and continues this one. Returns when
  /// `running` is resumed.
  void resume(Fiber& running);

 private:
  void start_switch(Fiber& from, bool from_ends);
  void finish_switch(boost::context::fiber from);

  boost::context::fiber context_;  // empty while it runs
  Fiber* resumed_by_ = nullptr;
  const void* stack_bottom_ = nullptr;
  size_t stack_size_ = 0;  // bytes
  [[maybe_unused]] void* sanitizer_fake_stack_ = nullptr;
  [[maybe_unused]] void* sanitizer_fiber_ = nullptr;
};

}  // namespace simt::host
