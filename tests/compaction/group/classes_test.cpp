// SPDX-License-Identifier: MIT
#include "compaction/group/classes.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/compaction/support/host_test.h"

namespace {

/// Ranks `classes`, 32 per call, by one warp.
template <unsigned kClasses, bool kInRegisters = (kClasses <= simt::kWarpSize),
          unsigned kCallsPerTest = 1>
void expect_class_ranks(const std::vector<uint32_t>& classes) {
  using Ranks = compaction::ClassRanks<kClasses, kInRegisters, kCallsPerTest>;
  for (const Schedule& schedule : schedules()) {
    std::vector<uint32_t> ranks(classes.size()), counts(kClasses), expected(kClasses);
    Executor(schedule).launch(
        1, kernel_of<simt::kWarpSize, typename Ranks::Shared>([&](auto& block, auto& shared) {
          auto warp = block.warp();
          Ranks of_warp(warp, shared);
          for (size_t i = warp.thread_rank(); i < classes.size(); i += simt::kWarpSize)
            ranks.at(i) = of_warp.rank(warp, classes.at(i));
          of_warp.store(warp);
          block.sync();
          for (unsigned c = warp.thread_rank(); c < kClasses; c += simt::kWarpSize)
            counts.at(c) = shared.counts[c];
        }));
    for (size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] >= kClasses) continue;
      EXPECT_EQ(ranks[i], expected[classes[i]]++) << "item " << i << ", " << kClasses << " classes";
    }
    EXPECT_EQ(counts, expected);
  }
}

TEST(ClassRanks, CountEarlierItemsOfTheClass) {
  constexpr size_t kItems = 20 * simt::kWarpSize;
  for (unsigned different : {1u, 2u, 7u, 300u}) {
    std::vector<uint32_t> classes = random_numbers(kItems, different);
    for (uint32_t& item_class : classes) item_class %= different;
    expect_class_ranks<1>(classes);
    expect_class_ranks<8>(classes);
    expect_class_ranks<32>(classes);
    expect_class_ranks<32, false>(classes);
    expect_class_ranks<33>(classes);
    expect_class_ranks<256>(classes);
    expect_class_ranks<256, false, 16>(classes);
  }
}

}  // namespace
