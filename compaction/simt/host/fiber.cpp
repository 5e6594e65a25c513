// SPDX-License-Identifier: MIT
#include "compaction/simt/host/fiber.h"

#include <atomic>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <mutex>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define SIMT_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define SIMT_THREAD_SANITIZER
#endif
#endif

#if defined(SIMT_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(SIMT_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
// ThreadSanitizer keeps a stack of calls for each fiber. It must not contain a function that begins
// on one fiber and ends on another.
#define SIMT_CHANGES_FIBER __attribute__((no_sanitize("thread")))
#else
#define SIMT_CHANGES_FIBER
#endif

namespace simt::host {

namespace {

#if defined(SIMT_ADDRESS_SANITIZER)
constexpr size_t kStackSize = 256 * 1024;  // bytes; red zones make frames several times larger
#else
constexpr size_t kStackSize = 64 * 1024;  // bytes; only the touched pages take memory
#endif

constexpr unsigned kOffsets = 64;  // different starts within a stack
constexpr size_t kOffset = 192;    // bytes between two starts, an odd number of cache lines

using Stack = boost::context::stack_context;

/// The stacks of ended fibers, for the next ones. Without it, tests that make many executors spend
/// half of their time in the system, which maps stacks and clears their pages. It grows to as many
/// stacks as were in use at one time. A stack may return on another OS thread than it was made on.
class StackPool {
 public:
  /// Returns the pool of the process, which is never destroyed: an executor may be static.
  static StackPool& instance() {
    static StackPool& pool = *new StackPool;
    return pool;
  }

  Stack take() {
    const std::scoped_lock lock(mutex_);
    if (!free_) return allocator_.allocate();
    const Stack stack = free_->stack;
    free_ = free_->next;
    return stack;
  }

  void put_back(const Stack& stack) {
    const std::scoped_lock lock(mutex_);
    free_ = new (static_cast<Node*>(stack.sp) - 1) Node{stack, free_};
  }

 private:
  /// Lies at the top of its free stack.
  struct Node {
    Stack stack;
    Node* next;
  };

  std::mutex mutex_;
  Node* free_ = nullptr;
  boost::context::protected_fixedsize_stack allocator_{kStackSize};  // a guard page is below each
};

/// Returns a stack to the pool when its fiber ends.
struct StackReturn {
  void deallocate(Stack& stack) noexcept {
#if defined(SIMT_ADDRESS_SANITIZER)
    // The last frames of a fiber are still poisoned; its memory is used again.
    __asan_unpoison_memory_region(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
#endif
    StackPool::instance().put_back(stack);
  }
};

}  // namespace

Fiber::Fiber(std::function<Fiber&()> body) {
  const Stack stack = StackPool::instance().take();
  stack_bottom_ = static_cast<std::byte*>(stack.sp) - stack.size;
  stack_size_ = stack.size;
  auto entry = [this, body = std::move(body)](boost::context::fiber&& from) SIMT_CHANGES_FIBER {
    finish_switch(std::move(from));
    Fiber& next = body();
    next.start_switch(*this, /*from_ends=*/true);
    return std::move(next.context_);
  };
  // Without offsets, the frames of all fibers would map to the same few cache sets.
  static std::atomic<unsigned> fibers{0};
  size_t offset = fibers++ % kOffsets * kOffset;
  context_ =
      boost::context::fiber(std::allocator_arg,
                            boost::context::preallocated(static_cast<std::byte*>(stack.sp) - offset,
                                                         stack.size - offset, stack),
                            StackReturn(), std::move(entry));
#if defined(SIMT_THREAD_SANITIZER)
  sanitizer_fiber_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(SIMT_THREAD_SANITIZER)
  if (stack_bottom_) __tsan_destroy_fiber(sanitizer_fiber_);
#endif
}

void Fiber::resume(Fiber& running) {
  start_switch(running, /*from_ends=*/false);
  boost::context::fiber from = std::move(context_).resume();
  running.finish_switch(std::move(from));
}

SIMT_CHANGES_FIBER void Fiber::start_switch(Fiber& from, [[maybe_unused]] bool from_ends) {
  resumed_by_ = &from;
#if defined(SIMT_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(from_ends ? nullptr : &from.sanitizer_fake_stack_, stack_bottom_,
                                 stack_size_);
#elif defined(SIMT_THREAD_SANITIZER)
  from.sanitizer_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(sanitizer_fiber_, 0);
#endif
}

void Fiber::finish_switch(boost::context::fiber from) {
#if defined(SIMT_ADDRESS_SANITIZER)
  // This also determines the bounds of the stack of the OS thread.
  __sanitizer_finish_switch_fiber(sanitizer_fake_stack_, &resumed_by_->stack_bottom_,
                                  &resumed_by_->stack_size_);
#endif
  resumed_by_->context_ = std::move(from);
}

}  // namespace simt::host
