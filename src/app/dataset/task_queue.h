// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace winnow {

/// Work for several threads in a queue of limited length.
class TaskQueue {
 public:
  TaskQueue(uint32_t threads, size_t most_waiting) : most_waiting_(most_waiting) {
    for (uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  }
  TaskQueue(const TaskQueue&) = delete;
  ~TaskQueue() { finish(); }

  /// Waits while the queue is full.
  void add(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < most_waiting_; });
    waiting_.push_back(std::move(work));
    changed_.notify_all();
  }

  /// Waits until all work is done.
  void finish() {
    {
      const std::scoped_lock lock(mutex_);
      ends_ = true;
      changed_.notify_all();
    }
    threads_.clear();  // joins
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const std::function<void()> work = std::move(waiting_.front());
      waiting_.pop_front();
      changed_.notify_all();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ends_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace winnow
