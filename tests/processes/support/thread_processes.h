// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "processes/processes.h"

namespace winnow {

/// Processes::index() 0 to count() - 1 as threads of one process, for tests of their communication.
class ThreadProcesses : public Processes {
 public:
  /// Calls work(processes) in `count` threads at the same time, and returns when all have returned.
  static void run(uint32_t count, const std::function<void(Processes&)>& work) {
    Shared shared{.count = count};
    std::vector<std::jthread> threads;
    for (uint32_t process = 0; process < count; ++process)
      threads.emplace_back([&, process] {
        ThreadProcesses processes(shared, process);
        work(processes);
      });
  }

  uint32_t index() const override { return index_; }
  uint32_t count() const override { return shared_.count; }
  uint32_t host() const override { return index_ / 2 * 2; }  ///< two processes per host

  void start_sum(std::vector<uint64_t>& values) override {
    values_ = &values;
    const std::scoped_lock lock(shared_.mutex);
    Sum& sum = shared_.sums[sum_];
    sum.values.resize(values.size());
    std::transform(values.begin(), values.end(), sum.values.begin(), sum.values.begin(),
                   std::plus<>());
    ++sum.given;
  }

  bool sum_is_complete() override {
    const std::scoped_lock lock(shared_.mutex);
    Sum& sum = shared_.sums[sum_];
    if (sum.given < shared_.count) return false;
    *values_ = sum.values;
    if (++sum.taken == shared_.count) shared_.sums.erase(sum_);
    ++sum_;
    return true;
  }

  void broadcast(std::span<std::byte> bytes) override {
    if (!is_first()) return receive(bytes, 0);
    for (uint32_t process = 1; process < shared_.count; ++process) send(bytes, process);
  }

  std::unique_ptr<Transfer> start_send(std::span<const std::byte> bytes, uint32_t to) override {
    const std::scoped_lock lock(shared_.mutex);
    shared_.messages[{index_, to}].emplace_back(bytes.begin(), bytes.end());
    return std::make_unique<Sent>(bytes.size());
  }

  std::unique_ptr<Transfer> start_receive(std::span<std::byte> bytes, uint32_t from) override {
    return std::make_unique<Receiving>(shared_, std::pair(from, index_), started_[from]++, bytes);
  }

  void abort(int) override { std::terminate(); }

 private:
  struct Sum {
    std::vector<uint64_t> values;
    uint32_t given = 0, taken = 0;
  };
  struct Shared {
    uint32_t count = 1;
    std::mutex mutex = {};
    std::map<uint64_t, Sum> sums = {};
    std::map<std::pair<uint32_t, uint32_t>, std::deque<std::vector<std::byte>>> messages = {};
  };

  class Sent : public Transfer {
   public:
    explicit Sent(size_t bytes) : bytes_(bytes) {}
    bool is_complete() override { return true; }
    size_t bytes() const override { return bytes_; }

   private:
    size_t bytes_;
  };

  /// Takes the message with this index from one process to another one. Messages keep their places,
  /// so that transfers may be completed in any order.
  class Receiving : public Transfer {
   public:
    Receiving(Shared& shared, std::pair<uint32_t, uint32_t> processes, size_t index,
              std::span<std::byte> target)
        : shared_(shared), processes_(processes), index_(index), target_(target) {}
    bool is_complete() override {
      const std::scoped_lock lock(shared_.mutex);
      std::deque<std::vector<std::byte>>& messages = shared_.messages[processes_];
      if (is_taken_ || index_ >= messages.size()) return is_taken_;
      std::vector<std::byte> message = std::move(messages[index_]);
      if (message.size() > target_.size()) std::terminate();
      std::copy(message.begin(), message.end(), target_.begin());
      bytes_ = message.size();
      return is_taken_ = true;
    }
    size_t bytes() const override { return bytes_; }

   private:
    Shared& shared_;
    std::pair<uint32_t, uint32_t> processes_;
    size_t index_;
    std::span<std::byte> target_;
    size_t bytes_ = 0;
    bool is_taken_ = false;
  };

  ThreadProcesses(Shared& shared, uint32_t process) : shared_(shared), index_(process) {}

  Shared& shared_;
  const uint32_t index_;
  uint64_t sum_ = 0;                    ///< index of the next sum
  std::map<uint32_t, size_t> started_;  ///< receives from each process
  std::vector<uint64_t>* values_ = nullptr;
};

}  // namespace winnow
