// SPDX-License-Identifier: MIT
#include "compaction/simt/host/access_history.h"

#include <gtest/gtest.h>

#include <vector>

namespace access_history_test {

using simt::host::Access;
using simt::host::AccessHistory;
using simt::host::Finding;
using simt::host::HappensBefore;
using simt::host::MemoryAccess;
using Order = simt::host::MemoryAccess::Order;

constexpr unsigned kBlockSize = 64;
constexpr size_t kBytes = 64;

constexpr MemoryAccess::Kind kLoad = MemoryAccess::Kind::kLoad;
constexpr MemoryAccess::Kind kStore = MemoryAccess::Kind::kStore;
constexpr MemoryAccess::Kind kModify = MemoryAccess::Kind::kModify;
constexpr Finding::Kind kNone = Finding::Kind::kNone;
constexpr Finding::Kind kRace = Finding::Kind::kRace;
constexpr Finding::Kind kPoison = Finding::Kind::kPoison;

class History : public testing::Test {
 protected:
  History() { start(); }

  /// Memory that the host has written, and a launch of two blocks.
  void start() {
    order_.start_launch(2, kBlockSize);
    history_.reset(kBytes);
    history_.set_written(0, kBytes);
  }
  Finding find(uint32_t thread, MemoryAccess::Kind kind, Order order = Order::kPlain,
               size_t offset = 0, size_t size = 4) {
    return history_.add(offset, order_, {nullptr, size, kind, order}, order_.now(thread));
  }
  Finding::Kind access(uint32_t thread, MemoryAccess::Kind kind, Order order = Order::kPlain,
                       size_t offset = 0, size_t size = 4) {
    return find(thread, kind, order, offset, size).kind;
  }

  HappensBefore order_;
  AccessHistory history_;
};

TEST_F(History, HasARaceWhereOneOfTwoThreadsStoresAndOneIsNotAtomic) {
  struct Sort {
    MemoryAccess::Kind kind;
    Order order;
  };
  std::vector<Sort> sorts = {{kLoad, Order::kPlain}, {kStore, Order::kPlain}};
  for (const Order order : {Order::kVolatile, Order::kRelaxed, Order::kAcquire, Order::kRelease})
    for (const MemoryAccess::Kind kind : {kLoad, kStore, kModify}) sorts.push_back({kind, order});
  for (const Sort& first : sorts)
    for (const Sort& second : sorts) {
      start();
      const bool one_stores = first.kind != kLoad || second.kind != kLoad;
      const bool one_is_plain = first.order == Order::kPlain || second.order == Order::kPlain;
      EXPECT_EQ(access(1, first.kind, first.order), kNone);
      const Finding found = find(2, second.kind, second.order);
      ASSERT_EQ(found.kind, one_stores && one_is_plain ? kRace : kNone);
      if (found.kind == kNone) continue;
      EXPECT_EQ(found.before.thread, 1u);
      EXPECT_EQ(found.before_writes, first.kind != kLoad);
      EXPECT_EQ(found.before_is_atomic, first.order != Order::kPlain);
    }
}

TEST_F(History, HasNoRaceOfAThreadWithItself) {
  for (const MemoryAccess::Kind kind : {kStore, kLoad, kModify, kStore, kLoad})
    EXPECT_EQ(access(1, kind, kind == kModify ? Order::kRelaxed : Order::kPlain), kNone);
}

TEST_F(History, HasNoRaceWhereABarrierIsBetween) {
  for (const MemoryAccess::Kind kind : {kStore, kLoad, kStore}) {
    EXPECT_EQ(access(kind == kLoad ? 1 : 40, kind), kNone);
    order_.open_block_barrier(0);
  }
  EXPECT_EQ(access(kBlockSize, kLoad), kRace);  // by another block
}

TEST_F(History, RemembersAStoreBehindAnAtomicAccessOfTheSameThread) {
  EXPECT_EQ(access(0, kStore), kNone);
  EXPECT_EQ(access(0, kModify, Order::kRelaxed), kNone);
  EXPECT_EQ(access(1, kModify, Order::kRelaxed), kRace);
}

TEST_F(History, RemembersALoadBehindAnAtomicLoadOfTheSameThread) {
  EXPECT_EQ(access(0, kLoad), kNone);
  EXPECT_EQ(access(0, kLoad, Order::kAcquire), kNone);
  EXPECT_EQ(access(1, kStore, Order::kRelaxed), kRace);
}

TEST_F(History, RemembersAStoreBehindManyLoads) {
  EXPECT_EQ(access(0, kStore), kNone);
  order_.open_block_barrier(0);
  for (uint32_t thread = 0; thread < kBlockSize; ++thread) EXPECT_EQ(access(thread, kLoad), kNone);
  EXPECT_EQ(access(kBlockSize, kLoad), kRace);
}

TEST_F(History, RemembersALoadOfAnotherThreadThanTheOneThatStores) {
  for (const uint32_t storing : {0u, 31u, kBlockSize - 1}) {
    start();
    for (uint32_t thread = 0; thread < kBlockSize; ++thread) access(thread, kLoad);
    EXPECT_EQ(access(storing, kStore), kRace);
  }
}

TEST_F(History, RemembersALoadBehindLaterOnesThatAreOrdered) {
  EXPECT_EQ(access(kBlockSize, kLoad), kNone);  // by another block
  for (unsigned step = 0; step < 4; ++step) {
    EXPECT_EQ(access(step, kLoad), kNone);
    order_.open_block_barrier(0);
  }
  const Finding found = find(9, kStore);
  EXPECT_EQ(found.kind, kRace);
  EXPECT_EQ(found.before.thread, kBlockSize);
}

TEST_F(History, TellsBytesApart) {
  EXPECT_EQ(access(1, kStore, Order::kPlain, 0), kNone);
  EXPECT_EQ(access(2, kStore, Order::kPlain, 4), kNone);
  EXPECT_EQ(access(1, kStore, Order::kPlain, 8, 1), kNone);
  EXPECT_EQ(access(2, kStore, Order::kPlain, 9, 1), kNone);
  EXPECT_EQ(access(2, kLoad, Order::kPlain, 3, 1), kRace);  // race on the first word
  EXPECT_EQ(access(1, kLoad, Order::kPlain, 6, 4), kRace);  // with half of the second one
  EXPECT_EQ(access(3, kLoad, Order::kPlain, 0, 16), kRace);
}

TEST_F(History, FindsPoisonUntilItIsWritten) {
  history_.reset(kBytes);
  EXPECT_EQ(access(1, kLoad), kPoison);
  EXPECT_EQ(access(1, kLoad), kPoison);
  EXPECT_EQ(access(1, kModify, Order::kRelaxed, 4), kPoison);
  EXPECT_EQ(access(1, kStore, Order::kPlain, 8, 2), kNone);
  EXPECT_EQ(access(1, kLoad, Order::kPlain, 8, 2), kNone);
  EXPECT_EQ(access(1, kLoad, Order::kPlain, 8, 4), kPoison);
  history_.set_written(8, 4);
  EXPECT_EQ(access(1, kLoad, Order::kPlain, 8, 4), kNone);
}

TEST_F(History, KnowsNothingOfMemoryThatStartsAnew) {
  EXPECT_EQ(access(1, kStore), kNone);
  history_.reset(kBytes);
  EXPECT_EQ(access(2, kStore), kNone);
  EXPECT_EQ(access(2, kLoad, Order::kPlain, 4), kPoison);
}

}  // namespace access_history_test
