// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace winnow {

/// A thread that runs pieces of work one after another. It serves work that is too short for a new
/// thread each time, which CUDA would have to set up.
class WorkerThread {
 public:
  WorkerThread() = default;
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  /// Starts `work`, which must not throw. Call wait() before the next start().
  void start(std::function<void()> work) {
    const std::scoped_lock lock(mutex_);
    work_ = std::move(work);
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !work_; });
  }

  /// Waits at most `time` for the work to end. Returns true if it has ended.
  bool wait_for(std::chrono::microseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return !work_; });
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return bool(work_); })) {
      lock.unlock();
      work_();
      lock.lock();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::function<void()> work_;  ///< null: none
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

}  // namespace winnow
