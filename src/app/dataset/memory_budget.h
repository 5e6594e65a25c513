// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace winnow {

/// Keeps the memory of models that are in work within a limit. Several threads call it.
class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t limit) : limit_(limit) {}

  /// Waits until `bytes` fit, or until no other model holds a part of the budget.
  void acquire(uint64_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return used_ == 0 || used_ + bytes <= limit_; });
    used_ += bytes;
  }
  void release(uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    used_ -= bytes;
    changed_.notify_all();
  }

 private:
  uint64_t limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t used_ = 0;
};

/// A part of a MemoryBudget, for one model.
class ReservedMemory {
 public:
  ReservedMemory(MemoryBudget& budget, uint64_t bytes) : budget_(budget), bytes_(bytes) {
    budget_.acquire(bytes_);
  }
  ReservedMemory(const ReservedMemory&) = delete;
  ~ReservedMemory() { budget_.release(bytes_); }

 private:
  MemoryBudget& budget_;
  uint64_t bytes_;
};

}  // namespace winnow
