// SPDX-License-Identifier: MIT
#include "compaction/simt/atomic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

TEST(Atomic, LoadsAndStoresTheValue) {
  uint64_t value = 0;
  simt::store_relaxed(value, 3);
  EXPECT_EQ(simt::load_relaxed(value), 3u);
  simt::store_release(value, ~0ull);
  EXPECT_EQ(simt::load_acquire(value), ~0ull);
}

TEST(Atomic, AdditionsOfAllThreadsCount) {
  constexpr uint32_t kThreads = 4, kAdditions = 20'000;
  uint32_t relaxed = 0, ordered = 0;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (uint32_t j = 0; j < kAdditions; ++j) {
        simt::fetch_add_relaxed(relaxed, 1);
        simt::fetch_add_acq_rel(ordered, 2);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(relaxed, kThreads * kAdditions);
  EXPECT_EQ(ordered, 2 * kThreads * kAdditions);
  EXPECT_EQ(simt::fetch_add_relaxed(relaxed, 5), kThreads * kAdditions);
}

TEST(Atomic, TheGreatestValueOfAllThreadsRemains) {
  constexpr uint64_t kThreads = 4, kRaises = 20'000, kStep = 7, kRange = 65'537;
  uint64_t greatest = 3, expected = 3;
  const auto value = [](uint64_t i) { return (i * kStep + (i << 32)) % (kRange << 32); };
  for (uint64_t i = 0; i < kThreads * kRaises; ++i) expected = std::max(expected, value(i));
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (uint64_t i = thread; i < kThreads * kRaises; i += kThreads)
        simt::raise_relaxed(greatest, value(i));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(greatest, expected);
  simt::raise_relaxed(greatest, 1);
  EXPECT_EQ(greatest, expected);
}

TEST(Atomic, BitsOfAllThreadsAreSet) {
  constexpr uint32_t kThreads = 4, kBits = 8;
  uint32_t word = 0;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&word, i] {
      for (uint32_t bit = 0; bit < kBits; ++bit) simt::or_shared(word, 1u << (i * kBits + bit));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(word, ~0u);
}

}  // namespace
