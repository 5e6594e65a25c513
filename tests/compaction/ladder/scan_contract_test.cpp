// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/sequential.h"
#include "tests/compaction/ladder/support/ladder_on.h"
#include "tests/compaction/support/launchers.h"

// What every scan guarantees apart from its result.

namespace {

using compaction::ItemCount;
using compaction::ScanKind;
using simt::Span;
using simt::host::Order;

constexpr ScanRung kRungs[] = {ScanRung::kNaive,     ScanRung::kHillisSteele, ScanRung::kKoggeStone,
                               ScanRung::kBrentKung, ScanRung::kCoarsened,    ScanRung::kChained,
                               ScanRung::kLookBack};

const char* name_of(ScanKind kind) {
  return kind == ScanKind::kInclusive ? "inclusive" : "exclusive";
}

/// Scans `in`, without a total, and returns the number of kernels.
template <class T, class Op>
unsigned run(ScanRung rung, ScanKind kind, const std::vector<T>& in, std::vector<T>& out,
             ItemCount n, Op op) {
  CountingLauncher launcher({Order::kShuffled, 3, 2});
  std::vector<std::byte> workspace(scan_bytes<T>(rung, n.capacity),
                                   std::byte{workspace_fill(rung)});
  launch_scan(launcher, rung, kind, Span<const T>{in.data(), in.size()}, n,
              Span<T>{out.data(), out.size()}, Span<std::byte>{workspace.data(), workspace.size()},
              op);
  return launcher.launches();
}

TEST(ScanContract, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  uint64_t n = 700;
  std::vector<Marked> in = ordered_items<Marked>(n), out(n), expected(n);
  for (ScanRung rung : kRungs)
    for (ScanKind kind : {ScanKind::kInclusive, ScanKind::kExclusive}) {
      SCOPED_TRACE(testing::Message() << name_of(rung) << ", " << name_of(kind));
      run(rung, kind, in, out, ItemCount{1500, &n}, MarkedSum());
      Span<const Marked> items{in.data(), n};
      Span<Marked> scanned{expected.data(), n};
      if (kind == ScanKind::kInclusive)
        compaction::sequential_inclusive_scan(items, scanned, MarkedSum());
      else
        compaction::sequential_exclusive_scan(items, scanned, MarkedSum());
      EXPECT_TRUE(out == expected);
    }
}

TEST(ScanContract, ExclusiveIsInclusiveShiftedByOne) {
  for (ScanRung rung : kRungs)
    for (size_t n : {size_t(0), size_t(1), size_t(256), size_t(257), size_t(600)}) {
      SCOPED_TRACE(testing::Message() << name_of(rung) << ", " << n << " items");
      std::vector<Affine> in = ordered_items<Affine>(n), inclusive(n), exclusive(n), shifted(n);
      run(rung, ScanKind::kInclusive, in, inclusive, ItemCount{n}, Compose());
      run(rung, ScanKind::kExclusive, in, exclusive, ItemCount{n}, Compose());
      simt::host::Executor executor;
      compaction::shift_to_exclusive(executor, Span<const Affine>{inclusive.data(), n},
                                     ItemCount{n}, Span<Affine>{shifted.data(), n}, Compose());
      EXPECT_TRUE(exclusive == shifted);
    }
}

/// Number of kernels as documented.
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
  for (ScanRung rung : kRungs)
    for (ScanKind kind : {ScanKind::kInclusive, ScanKind::kExclusive})
      for (size_t n : {1u, 2u, 3u, 4u, 5u, 255u, 256u, 257u, 512u, 513u, 1025u, 2048u, 2049u}) {
        SCOPED_TRACE(testing::Message()
                     << name_of(rung) << ", " << name_of(kind) << ", " << n << " items");
        std::vector<int32_t> in(n, 1), out(n);
        unsigned launches = run(rung, kind, in, out, ItemCount{n}, compaction::Sum<int32_t>());
        EXPECT_EQ(launches, documented_launches(rung, kind, n));
      }
}

TEST(ScanContract, BytesGrowWithTheCapacity) {
  for (ScanRung rung : kRungs) {
    size_t before = 0;
    for (uint64_t capacity = 0; capacity < 600'000; capacity += 97) {
      size_t bytes = scan_bytes<Interval>(rung, capacity);
      EXPECT_GE(bytes, before);
      before = bytes;
    }
  }
}

TEST(ScanContract, BytesOfMoreItemsThan32BitsCount) {
  EXPECT_GT(scan_bytes<uint32_t>(ScanRung::kBrentKung, uint64_t(1) << 38),
            scan_bytes<uint32_t>(ScanRung::kBrentKung, uint64_t(1) << 37));
}

}  // namespace
