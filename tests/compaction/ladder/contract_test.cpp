// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/hillis_steele_scan.h"
#include "tests/compaction/ladder/support/ladder_on.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/launchers.h"

// Tests the guarantees of every reduction and scan of the ladder, apart from the result.

namespace {

using compaction::ItemCount;
using compaction::ScanKind;

/// Reduces `in` and returns the number of kernels.
template <class T, class Op>
unsigned run(ReduceRung rung, const std::vector<T>& in, ItemCount n, T& result, Op op) {
  CountingLauncher launcher({Order::kShuffled, 3, 2});
  std::vector<std::byte> workspace(reduce_bytes<T>(rung, n.capacity), std::byte{0xA5});
  launch_reduce(launcher, rung, span_of(in), n, Span<T>{&result, 1}, span_of(workspace), op);
  return launcher.launches;
}

TEST(ReduceContract, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  uint64_t n = 2500;
  std::vector<Marked> in = ordered_items<Marked>(n);
  Marked sum;
  for (const Marked& item : in) sum.value += item.value;
  for (ReduceRung rung : kReduceRungs) {
    Marked result;
    run(rung, in, ItemCount{5000, &n}, result, MarkedSum());
    EXPECT_TRUE(result == sum) << name_of(rung);
  }
}

TEST(ReduceContract, LaunchesAsManyKernelsAsDocumented) {
  struct Case {
    ReduceRung rung;
    size_t n;
    unsigned launches;
  };
  for (const Case& c :
       {Case{ReduceRung::kNaive, 0, 1}, Case{ReduceRung::kNaive, 256, 1},
        Case{ReduceRung::kNaive, 257, 2}, Case{ReduceRung::kNaive, 65537, 3},
        Case{ReduceRung::kTree, 0, 1}, Case{ReduceRung::kTree, 512, 1},
        Case{ReduceRung::kTree, 513, 2}, Case{ReduceRung::kTree, 65537, 2},
        Case{ReduceRung::kShuffle, 0, 1}, Case{ReduceRung::kShuffle, 2048, 1},
        Case{ReduceRung::kShuffle, 2049, 2}, Case{ReduceRung::kShuffle, 65537, 2}}) {
    std::vector<int32_t> in(c.n, 1);
    int32_t result = -1;
    unsigned launches = run(c.rung, in, ItemCount{c.n}, result, compaction::Sum<int32_t>());
    EXPECT_EQ(launches, c.launches) << name_of(c.rung) << ", " << c.n << " items";
    EXPECT_EQ(result, int32_t(c.n));
  }
}

/// Scans `in`, without a total, and returns the number of kernels.
template <class T, class Op>
unsigned run(ScanRung rung, ScanKind kind, const std::vector<T>& in, std::vector<T>& out,
             ItemCount n, Op op) {
  CountingLauncher launcher({Order::kShuffled, 3, 2});
  std::vector<std::byte> workspace(scan_bytes<T>(rung, n.capacity),
                                   std::byte{workspace_fill(rung)});
  launch_scan(launcher, rung, kind, span_of(in), n, span_of(out), span_of(workspace), op);
  return launcher.launches;
}

TEST(ScanContract, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  uint64_t n = 700;
  std::vector<Marked> in = ordered_items<Marked>(n), out(n);
  for (ScanRung rung : kScanRungs)
    for (ScanKind kind : kScanKinds) {
      SCOPED_TRACE(testing::Message() << name_of(rung) << ", " << name_of(kind));
      run(rung, kind, in, out, ItemCount{1500, &n}, MarkedSum());
      EXPECT_TRUE(out == (reference_scan<Marked, MarkedSum>(kind, in).out));
    }
}

TEST(ScanContract, ExclusiveIsInclusiveShiftedByOne) {
  for (ScanRung rung : kScanRungs)
    for (size_t n : {size_t(0), size_t(1), size_t(256), size_t(257), size_t(600)}) {
      SCOPED_TRACE(testing::Message() << name_of(rung) << ", " << n << " items");
      std::vector<Affine> in = ordered_items<Affine>(n), inclusive(n), exclusive(n), shifted(n);
      run(rung, ScanKind::kInclusive, in, inclusive, ItemCount{n}, Compose());
      run(rung, ScanKind::kExclusive, in, exclusive, ItemCount{n}, Compose());
      Executor executor;
      compaction::shift_to_exclusive(executor, span_of(inclusive), ItemCount{n}, span_of(shifted),
                                     Compose());
      EXPECT_TRUE(exclusive == shifted);
    }
}

/// Returns the documented number of kernels.
unsigned documented_launches(ScanRung rung, ScanKind kind, uint64_t n) {
  unsigned tile = rung == ScanRung::kBrentKung ? 512 : rung == ScanRung::kCoarsened ? 2048 : 256;
  switch (rung) {
    case ScanRung::kNaive:
    case ScanRung::kChained:
    case ScanRung::kLookBack:
      return 1;
    case ScanRung::kHillisSteele: {  // the least s with 2^s >= n
      unsigned steps = 0;
      while ((uint64_t(1) << steps) < n) ++steps;
      return (steps > 0 ? steps : 1) + (kind == ScanKind::kExclusive ? 1 : 0);
    }
    default:
      return n <= tile ? 1 : n <= uint64_t(tile) * tile ? 3 : 5;
  }
}

TEST(ScanContract, LaunchesAsManyKernelsAsDocumented) {
  for (ScanRung rung : kScanRungs)
    for (ScanKind kind : kScanKinds)
      for (size_t n : {1u, 2u, 3u, 4u, 5u, 255u, 256u, 257u, 512u, 513u, 1025u, 2048u, 2049u}) {
        SCOPED_TRACE(testing::Message()
                     << name_of(rung) << ", " << name_of(kind) << ", " << n << " items");
        std::vector<int32_t> in(n, 1), out(n);
        unsigned launches = run(rung, kind, in, out, ItemCount{n}, compaction::Sum<int32_t>());
        EXPECT_EQ(launches, documented_launches(rung, kind, n));
      }
}

/// Expects that `bytes_for` many items never shrink.
template <class BytesFor>
void expect_growing(BytesFor bytes_for) {
  size_t before = 0;
  for (uint64_t capacity = 0; capacity < 600'000; capacity += 97) {
    size_t bytes = bytes_for(capacity);
    EXPECT_GE(bytes, before);
    before = bytes;
  }
}

TEST(ReduceContract, BytesGrowWithTheCapacity) {
  for (ReduceRung rung : kReduceRungs)
    expect_growing([&](uint64_t capacity) { return reduce_bytes<Interval>(rung, capacity); });
}

TEST(ScanContract, BytesGrowWithTheCapacity) {
  for (ScanRung rung : kScanRungs)
    expect_growing([&](uint64_t capacity) { return scan_bytes<Interval>(rung, capacity); });
}

TEST(ScanContract, BytesOfMoreItemsThan32BitsCount) {
  EXPECT_GT(scan_bytes<uint32_t>(ScanRung::kBrentKung, uint64_t(1) << 38),
            scan_bytes<uint32_t>(ScanRung::kBrentKung, uint64_t(1) << 37));
}

}  // namespace
