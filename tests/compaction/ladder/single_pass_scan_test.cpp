// SPDX-License-Identifier: MIT
#include "compaction/ladder/single_pass_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"
#include "tests/support/rounds.h"

// Tests that single-pass scans can keep their workspace from call to call.

namespace {

using compaction::ItemCount;
using compaction::ScanKind;
constexpr uint32_t kWideTile = compaction::CoarsenedTile<Wide>::kItems;

template <class Scan>
class SinglePassScan : public testing::Test {
 protected:
  /// One workspace of up to `capacity` items for all calls.
  template <class T>
  void make_workspace(uint64_t capacity) {
    workspace_ = Memory(Scan::template bytes<T>(capacity));
  }

  template <class T, class Op>
  void expect_right(ScanKind kind, uint64_t n, Op op, uint64_t capacity) {
    const std::vector<T> in = ordered_items<T>(n);
    std::vector<T> out(n), total(1);
    std::memset(static_cast<void*>(total.data()), 0xA5, sizeof(T));  // no operator returns this
    const ItemCount count{capacity, &n};
    if (kind == ScanKind::kInclusive)
      Scan::inclusive(executor_, span_of(in), count, span_of(out), workspace_.span(), op,
                      span_of(total));
    else
      Scan::exclusive(executor_, span_of(in), count, span_of(out), workspace_.span(), op,
                      span_of(total));
    const Scanned<T> expected = reference_scan(kind, in, op);
    EXPECT_TRUE(out == expected.out) << n << " of at most " << capacity << " items";
    EXPECT_TRUE(total[0] == expected.total);
  }

  Memory workspace_;
  Executor executor_{{Order::kShuffled, 1, 40}};  // more resident blocks than a look-back reads
};

using SinglePassScans = testing::Types<compaction::ChainedScan, compaction::LookBackScan>;
TYPED_TEST_SUITE(SinglePassScan, SinglePassScans);

TYPED_TEST(SinglePassScan, WorkspaceServesManyCallsOfBothKinds) {
  constexpr uint64_t kCapacity = 6 * kWideTile;
  this->template make_workspace<Wide>(kCapacity);
  std::mt19937 random(1);
  for (uint32_t call = 0; call < winnow::rounds(10); ++call) {
    EXPECT_EQ(this->workspace_.epoch(), call);
    uint64_t capacity = random() % kCapacity, n = random() % (capacity + 1);
    this->template expect_right<Wide>(
        random() % 2 == 0 ? ScanKind::kInclusive : ScanKind::kExclusive, n, KeepLast(), capacity);
  }
}

TYPED_TEST(SinglePassScan, WorkspaceServesItemsOfAnySize) {
  constexpr uint64_t kItems = 5000;
  this->template make_workspace<Wide>(kItems);
  for (uint32_t call = 0; call < 3; ++call) {
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
  this->workspace_.begin_epoch(TileQueue::kLastEpoch);
  scan(1);  // rewrites one tile only
  EXPECT_THAT(this->workspace_.bytes, testing::Each(std::byte{0}));
  scan(kCapacity);
}

TYPED_TEST(SinglePassScan, NothingToScanIsACallAsWell) {
  this->template make_workspace<Affine>(10'000);
  for (uint64_t capacity : {0u, 1u, 10'000u})
    this->template expect_right<Affine>(ScanKind::kInclusive, 0, Compose(), capacity);
  EXPECT_EQ(this->workspace_.epoch(), 3u);
}

TYPED_TEST(SinglePassScan, MoreTilesThanAWarpLooksBackOver) {
  constexpr uint64_t kItems = 36 * kWideTile + 1;
  this->template make_workspace<Wide>(kItems);
  this->template expect_right<Wide>(ScanKind::kExclusive, kItems, KeepLast(), kItems);
}

TYPED_TEST(SinglePassScan, ReportsAWorkspaceThatWasNotZeroed) {
  this->template make_workspace<Affine>(100);
  this->workspace_.bytes.assign(this->workspace_.bytes.size(), std::byte{0xA5});
  const std::string error = kernel_error_of(
      [&] { this->template expect_right<Affine>(ScanKind::kInclusive, 100, Compose(), 100); });
  EXPECT_THAT(error, testing::HasSubstr("not zeroed"));
}

}  // namespace
