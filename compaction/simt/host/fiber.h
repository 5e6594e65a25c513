#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

namespace simt::host {

/// A stack of its own, and where its execution stands. All fibers that switch to one another stay
/// on one OS thread. AddressSanitizer is told of each switch.
class Fiber {
 public:
  /// The stack that the OS thread runs on already.
  Fiber() = default;

  /// A new stack. Its first resume() calls `body`, which must not throw; when `body` returns, the
  /// fiber that it names continues, and this one is at its end.
  explicit Fiber(std::function<Fiber&()> body);

  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Suspends `running`, which must be the fiber that calls, and continues this one. Returns when
  /// someone resumes `running`.
  void resume(Fiber& running);

 private:
  void start_switch(Fiber& from, bool from_ends);
  void finish_switch(boost::context::fiber from);

  boost::context::fiber context_;  // empty while it runs
  Fiber* resumed_by_ = nullptr;
  const void* stack_bottom_ = nullptr;
  size_t stack_size_ = 0;  // bytes
  [[maybe_unused]] void* sanitizer_fake_stack_ = nullptr;
};

}  // namespace simt::host
