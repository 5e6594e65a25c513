// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/compaction/ladder/support/ladder_test.h"
#include "tests/compaction/support/select_items.h"

namespace {

constexpr uint32_t kMaxCapacity = 140'000;

LadderSelectProblem problem_of(std::vector<uint8_t> flags) {
  LadderSelectProblem problem{.flags = std::move(flags), .values = {}, .capacity = 0};
  problem.capacity = uint32_t(problem.flags.size());
  for (uint32_t i = 0; i < problem.flags.size(); ++i)
    problem.values.push_back(i * 2'654'435'761u);  // distinct, and not in order
  return problem;
}

std::vector<uint32_t> reference_select(const LadderSelectProblem& problem) {
  std::vector<uint32_t> selected;
  for (uint32_t i = 0; i < problem.flags.size(); ++i)
    if (problem.flags[i]) selected.push_back(problem.values[i]);
  return selected;
}

class Select : public OnRung<SelectRung> {
 protected:
  void SetUp() override {
    OnRung::SetUp();
    if (IsSkipped()) return;
    selects_ = backend().make_selects();
    select_ = selects_->selector(rung(), kMaxCapacity);
  }

  void expect_right(const LadderSelectProblem& problem) {
    EXPECT_EQ(select_(problem), reference_select(problem));
  }

  std::unique_ptr<LadderSelects> selects_;
  LadderSelector select_;  // one workspace for all calls of a test
};

TEST_P(Select, WritesSelectedValuesInOrder) {
  // Edges of warps, of blocks, of the tiles of 512, 2048 and 4096 items.
  for (uint32_t n : {0u, 1u, 31u, 32u, 33u, 255u, 256u, 257u, 511u, 512u, 513u, 2047u, 2048u, 2049u,
                     4095u, 4096u, 4097u, 8193u})
    for (double density : {0.0, 0.01, 0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << n << " items, density " << density);
      expect_right(problem_of(fast::random_keep(n, density)));
    }
}

TEST_P(Select, FindsOneSurvivorAnywhere) {
  constexpr uint32_t kItems = 4099;
  for (uint32_t survivor : {0u, 31u, 32u, 255u, 256u, 2047u, 2048u, 4095u, 4096u, kItems - 1}) {
    SCOPED_TRACE(testing::Message() << "survivor " << survivor);
    std::vector<uint8_t> flags(kItems, 0);
    flags[survivor] = 1;
    expect_right(problem_of(flags));
  }
}

// A warp total of 32 needs six bits; five lose every full warp.
TEST_P(Select, CountsFullWarpsBeforePartialOnes) {
  for (uint32_t full_warps : {1u, 2u, 7u, 8u, 9u}) {
    SCOPED_TRACE(testing::Message() << full_warps << " full warps");
    std::vector<uint8_t> flags(full_warps * 32, 1);
    for (uint32_t i = 0; i < 500; ++i) flags.push_back(i % 3 == 0);
    expect_right(problem_of(flags));
  }
}

TEST_P(Select, KeepsRunsApart) {
  for (uint32_t run : {1u, 31u, 32u, 33u, 256u, 4096u}) {
    SCOPED_TRACE(testing::Message() << "runs of " << run);
    std::vector<uint8_t> flags(10'000);
    for (uint32_t i = 0; i < flags.size(); ++i) flags[i] = (i / run) % 2;
    expect_right(problem_of(flags));
  }
}

TEST_P(Select, AnyNonZeroFlagCounts) {
  expect_right(problem_of({0, 1, 2, 0, 128, 255, 0}));
}

TEST_P(Select, CountOnTheDeviceLimitsTheItems) {
  for (uint32_t capacity : {1u, 257u, 4096u, 9000u})
    for (uint32_t n : {0u, 1u, 256u, 4095u, 4096u, 9000u}) {
      if (n > capacity) continue;
      SCOPED_TRACE(testing::Message() << n << " of at most " << capacity << " items");
      LadderSelectProblem problem = problem_of(fast::random_keep(n, 0.4));
      problem.capacity = capacity;
      problem.count_on_device = true;
      expect_right(problem);
    }
}

TEST_P(Select, WorkspaceServesManyCalls) {
  std::mt19937 random(3);
  for (int call = 0; call < 24; ++call) {
    uint32_t capacity = random() % 10'000;
    LadderSelectProblem problem =
        problem_of(fast::random_keep(capacity > 0 ? random() % (capacity + 1) : 0, 0.5, random()));
    problem.capacity = capacity;
    problem.count_on_device = true;
    SCOPED_TRACE(testing::Message() << "call " << call << ", " << problem.flags.size()
                                    << " of at most " << capacity << " items");
    expect_right(problem);
  }
}

TEST_P(Select, LooksBackOverMoreTilesThanAWarp) {
  constexpr uint32_t kTile = 4096;
  expect_right(problem_of(fast::random_keep(33 * kTile + 1, 0.3)));
}

const auto kRungs = testing::Values(SelectRung::kScan, SelectRung::kBallot, SelectRung::kLookBack);

INSTANTIATE_TEST_SUITE_P(Host, Select, testing::Combine(kHostLadders, kRungs), name_of_rung);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, Select, testing::Combine(kCudaLadders, kRungs), name_of_rung);
#endif

}  // namespace
