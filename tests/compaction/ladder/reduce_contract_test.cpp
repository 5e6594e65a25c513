// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "tests/compaction/ladder/support/ladder_on.h"
#include "tests/compaction/support/launchers.h"

// What every reduction guarantees apart from its result.

namespace {

using compaction::ItemCount;
using simt::Span;

constexpr ReduceRung kRungs[] = {ReduceRung::kNaive, ReduceRung::kTree, ReduceRung::kShuffle};

/// Reduces `in` and returns the number of kernels.
template <class T, class Op>
unsigned run(ReduceRung rung, const std::vector<T>& in, ItemCount n, T& result, Op op) {
  CountingLauncher launcher({simt::host::Order::kShuffled, 3, 2});
  std::vector<std::byte> workspace(reduce_bytes<T>(rung, n.capacity), std::byte{0xA5});
  launch_reduce(launcher, rung, Span<const T>{in.data(), in.size()}, n, Span<T>{&result, 1},
                Span<std::byte>{workspace.data(), workspace.size()}, op);
  return launcher.launches();
}

TEST(ReduceContract, OperatorIsCalledWithItemsIdentitiesAndResultsOnly) {
  uint64_t n = 2500;
  std::vector<Marked> in = ordered_items<Marked>(n);
  Marked sum;
  for (const Marked& item : in) sum.value += item.value;
  for (ReduceRung rung : kRungs) {
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

TEST(ReduceContract, BytesGrowWithTheCapacity) {
  for (ReduceRung rung : kRungs) {
    size_t before = 0;
    for (uint64_t capacity = 0; capacity < 600'000; capacity += 97) {
      size_t bytes = reduce_bytes<Interval>(rung, capacity);
      EXPECT_GE(bytes, before);
      before = bytes;
    }
  }
}

}  // namespace
