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

  std::unique_ptr<Transfer> start_send(std::span<const std::byte> bytes, uint32_t to) override {
    send(bytes, to);
    return std::make_unique<Sent>(bytes.size());
  }

  std::unique_ptr<Transfer> start_receive(std::span<std::byte> bytes, uint32_t from) override {
    return std::make_unique<Receiving>(shared_, std::pair(from, rank_), started_[from]++, bytes);
  }

  void send(std::span<const std::byte> bytes, uint32_t to) override {
    const std::scoped_lock lock(shared_.mutex);
    shared_.messages[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
    shared_.arrived.notify_all();
  }

  void receive(std::span<std::byte> bytes, uint32_t from) override {
    Receiving receiving(shared_, {from, rank_}, started_[from]++, bytes);
    {
      std::unique_lock lock(shared_.mutex);
      shared_.arrived.wait(lock, [&] { return receiving.take(); });
    }
    if (receiving.bytes() != bytes.size()) std::terminate();
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

  class Sent : public Transfer {
   public:
    explicit Sent(size_t bytes) : bytes_(bytes) {}
    bool is_complete() override { return true; }
    size_t bytes() const override { return bytes_; }

   private:
    size_t bytes_;
  };

  /// Takes the message with this index from one rank to another one. Messages stay where they are,
  /// so that transfers may be asked in any order.
  class Receiving : public Transfer {
   public:
    Receiving(Shared& shared, std::pair<uint32_t, uint32_t> ranks, size_t index,
              std::span<std::byte> target)
        : shared_(shared), ranks_(ranks), index_(index), target_(target) {}
    bool is_complete() override {
      const std::scoped_lock lock(shared_.mutex);
      return take();
    }
    size_t bytes() const override { return bytes_; }

    /// As is_complete(); the caller holds the lock.
    bool take() {
      std::deque<std::vector<std::byte>>& messages = shared_.messages[ranks_];
      if (is_taken_ || index_ >= messages.size()) return is_taken_;
      std::vector<std::byte> message = std::move(messages[index_]);
      if (message.size() > target_.size()) std::terminate();
      std::copy(message.begin(), message.end(), target_.begin());
      bytes_ = message.size();
      return is_taken_ = true;
    }

   private:
    Shared& shared_;
    std::pair<uint32_t, uint32_t> ranks_;
    size_t index_;
    std::span<std::byte> target_;
    size_t bytes_ = 0;
    bool is_taken_ = false;
  };

  ThreadRanks(Shared& shared, uint32_t rank) : shared_(shared), rank_(rank) {}

  Shared& shared_;
  const uint32_t rank_;
  uint64_t sum_ = 0;                    ///< index of the next one
  std::map<uint32_t, size_t> started_;  ///< receives from each rank
  std::vector<uint64_t>* values_ = nullptr;
};

}  // namespace winnow
