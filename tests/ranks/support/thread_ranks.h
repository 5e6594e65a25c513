// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "ranks/ranks.h"

namespace winnow {

/// Ranks that are threads of one process, for tests of what passes between them.
class ThreadRanks : public Ranks {
 public:
  /// Calls work(rank) on `count` threads at the same time, and returns when all have returned.
  static void run(uint32_t count, const std::function<void(Ranks&)>& work) {
    Shared shared{.count = count};
    std::vector<std::jthread> threads;
    for (uint32_t rank = 0; rank < count; ++rank)
      threads.emplace_back([&, rank] {
        ThreadRanks ranks(shared, rank);
        work(ranks);
      });
  }

  uint32_t rank() const override { return rank_; }
  uint32_t count() const override { return shared_.count; }
  uint32_t host() const override { return rank_ / 2 * 2; }  ///< two ranks a host

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
    for (uint32_t rank = 1; rank < shared_.count; ++rank) send(bytes, rank);
  }

  void send(std::span<const std::byte> bytes, uint32_t to) override {
    const std::scoped_lock lock(shared_.mutex);
    shared_.messages[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
    shared_.arrived.notify_all();
  }

  void receive(std::span<std::byte> bytes, uint32_t from) override {
    std::unique_lock lock(shared_.mutex);
    std::deque<std::vector<std::byte>>& messages = shared_.messages[{from, rank_}];
    shared_.arrived.wait(lock, [&] { return !messages.empty(); });
    if (messages.front().size() != bytes.size()) std::terminate();
    std::copy(messages.front().begin(), messages.front().end(), bytes.begin());
    messages.pop_front();
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
    std::condition_variable arrived = {};
    std::map<uint64_t, Sum> sums = {};
    std::map<std::pair<uint32_t, uint32_t>, std::deque<std::vector<std::byte>>> messages = {};
  };

  ThreadRanks(Shared& shared, uint32_t rank) : shared_(shared), rank_(rank) {}

  Shared& shared_;
  const uint32_t rank_;
  uint64_t sum_ = 0;  ///< index of the next one
  std::vector<uint64_t>* values_ = nullptr;
};

}  // namespace winnow
