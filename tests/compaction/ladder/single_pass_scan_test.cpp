// SPDX-License-Identifier: MIT
#include "compaction/ladder/single_pass_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "compaction/ladder/sequential.h"
#include "compaction/simt/host/executor.h"
#include "tests/compaction/support/ordered_items.h"

// What the single-pass scans guarantee in addition: their workspace is kept from call to call.

namespace {

using compaction::ItemCount;
using compaction::kEpochs;
using compaction::ScanKind;
using compaction::Span;
using compaction::TileQueue;
using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;

constexpr uint32_t kWideTile = compaction::CoarsenedTile<Wide>::kItems;

template <class Scan>
class SinglePassScan : public testing::Test {
 protected:
  /// One workspace of up to `capacity` items for all calls.
  template <class T>
  void make_workspace(uint64_t capacity) {
    workspace_.assign(Scan::template bytes<T>(capacity), std::byte{0});
  }
  uint64_t& next() { return reinterpret_cast<TileQueue::State*>(workspace_.data())->next; }
  uint32_t epoch() { return uint32_t(next() >> TileQueue::kEpochShift); }

  template <class T, class Op>
  void expect_right(ScanKind kind, uint64_t n, Op op, uint64_t capacity) {
    std::vector<T> in = ordered_items<T>(n), out(n), expected(n), total(1);
    std::memset(static_cast<void*>(total.data()), 0xA5, sizeof(T));  // which no operator returns
    ItemCount count{capacity, &n};
    Span<const T> items{in.data(), n};
    Span<T> scanned{out.data(), n}, reference{expected.data(), n}, all{total.data(), 1};
    Span<std::byte> workspace{workspace_.data(), workspace_.size()};
    T expected_total;
    if (kind == ScanKind::kInclusive) {
      Scan::inclusive(executor_, items, count, scanned, workspace, op, all);
      expected_total = compaction::sequential_inclusive_scan(items, reference, op);
    } else {
      Scan::exclusive(executor_, items, count, scanned, workspace, op, all);
      expected_total = compaction::sequential_exclusive_scan(items, reference, op);
    }
    EXPECT_TRUE(out == expected) << n << " of at most " << capacity << " items";
    EXPECT_TRUE(total[0] == expected_total);
  }

  std::vector<std::byte> workspace_;
  Executor executor_{{Order::kShuffled, 1, 40}};  // more resident blocks than a look-back reads
};

using Scans = testing::Types<compaction::ChainedScan, compaction::LookBackScan>;
TYPED_TEST_SUITE(SinglePassScan, Scans);

TYPED_TEST(SinglePassScan, WorkspaceServesManyCallsOfBothKinds) {
  constexpr uint64_t kCapacity = 6 * kWideTile;
  this->template make_workspace<Wide>(kCapacity);
  std::mt19937 random(1);
  for (uint32_t call = 0; call < 30; ++call) {
    EXPECT_EQ(this->epoch(), call);
    uint64_t capacity = random() % kCapacity, n = random() % (capacity + 1);
    this->template expect_right<Wide>(
        random() % 2 == 0 ? ScanKind::kInclusive : ScanKind::kExclusive, n, KeepLast(), capacity);
  }
}

TYPED_TEST(SinglePassScan, WorkspaceServesItemsOfAnySize) {
  constexpr uint64_t kItems = 5000;
  this->template make_workspace<Wide>(kItems);
  for (uint32_t call = 0; call < 5; ++call) {
    this->template expect_right<Wide>(ScanKind::kInclusive, 700, KeepLast(), 700);
    this->template expect_right<uint8_t>(ScanKind::kExclusive, kItems, compaction::Max<uint8_t>(),
                                         kItems);
    this->template expect_right<Interval>(ScanKind::kExclusive, kItems, Join(), kItems);
  }
}

TYPED_TEST(SinglePassScan, EpochsBeginAnewWithoutOldStates) {
  constexpr uint64_t kCapacity = 5 * kWideTile;
  this->template make_workspace<Wide>(kCapacity);
  auto scan = [&](uint64_t n) {
    this->template expect_right<Wide>(ScanKind::kInclusive, n, KeepLast(), n);
  };
  scan(kCapacity);  // all tiles have epoch 0
  this->next() = uint64_t(TileQueue::kLastEpoch) << TileQueue::kEpochShift;
  scan(1);  // rewrites one tile only
  EXPECT_THAT(this->workspace_, testing::Each(std::byte{0}));
  scan(kCapacity);
}

TYPED_TEST(SinglePassScan, NothingToScanIsACallAsWell) {
  this->template make_workspace<Affine>(10'000);
  for (uint64_t capacity : {0u, 1u, 10'000u})
    this->template expect_right<Affine>(ScanKind::kInclusive, 0, Compose(), capacity);
  EXPECT_EQ(this->epoch(), 3u);
}

TYPED_TEST(SinglePassScan, MoreTilesThanAWarpLooksBackOver) {
  constexpr uint64_t kItems = 70 * kWideTile + 1;
  this->template make_workspace<Wide>(kItems);
  this->template expect_right<Wide>(ScanKind::kExclusive, kItems, KeepLast(), kItems);
}

TYPED_TEST(SinglePassScan, ReportsAWorkspaceThatWasNotZeroed) {
  this->template make_workspace<Affine>(100);
  this->workspace_.assign(this->workspace_.size(), std::byte{0xA5});
  try {
    this->template expect_right<Affine>(ScanKind::kInclusive, 100, Compose(), 100);
    FAIL() << "no error";
  } catch (const KernelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("not zeroed"));
  }
}

}  // namespace
