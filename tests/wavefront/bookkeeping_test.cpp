// SPDX-License-Identifier: MIT
#include "wavefront/bookkeeping.h"

#include <gtest/gtest.h>

#include <vector>

namespace winnow {
namespace {

constexpr CullPolicy kAlways{.is_auto = false, .cull_ns = 0.0f};
constexpr CullPolicy kWhereItPays{.is_auto = true, .cull_ns = 6.0f};

/// A wave of 100 paths in its first iteration.
class Bookkeeping : public testing::Test {
 protected:
  Bookkeeping() : totals_(3) {
    begin(kAlways);
    for (uint32_t stage = 0; stage < kStageCount; ++stage)
      state_.iteration.start[stage] = 1000 * (stage + 1);
  }

  void begin(CullPolicy policy) {
    BeginWave{&state_,
              {totals_.data(), totals_.size()},
              policy,
              {.pixel_count = 100, .sample_count = 1},
              100}();
  }
  void end(CullEffect effect, CullPolicy policy = kAlways) {
    EndIteration{&state_, {totals_.data(), totals_.size()}, effect, policy}();
  }

  WaveState state_;
  std::vector<BounceTotals> totals_;
};

TEST_F(Bookkeeping, BeginsWithEverySlotAlive) {
  EXPECT_EQ(state_.iteration.queued, 100u);
  EXPECT_EQ(state_.iteration.list, SlotList::kAllSlots);
  EXPECT_TRUE(state_.iteration.all_alive);
  EXPECT_EQ(state_.next_path, 100u);
}

TEST_F(Bookkeeping, KeepsTheDeadWithoutCulling) {
  state_.iteration.survivors = 40;
  end(CullEffect::kNothing);
  EXPECT_EQ(state_.iteration.index, 1u);
  EXPECT_EQ(state_.iteration.queued, 100u);
  EXPECT_FALSE(state_.iteration.all_alive);
  state_.iteration.survivors = 0;
  end(CullEffect::kNothing);
  EXPECT_EQ(state_.iteration.queued, 0u);  // no path is left
}

TEST_F(Bookkeeping, AlternatesBetweenTheLists) {
  for (SlotList expected : {SlotList::kFirst, SlotList::kSecond, SlotList::kFirst}) {
    state_.iteration.survivors = state_.iteration.queued / 2;
    uint32_t survivors = state_.iteration.survivors;
    end(CullEffect::kLists);
    EXPECT_EQ(state_.iteration.list, expected);
    EXPECT_EQ(state_.iteration.queued, survivors);
    EXPECT_TRUE(state_.iteration.all_alive);
    EXPECT_EQ(state_.iteration.ping_pong, 0u);
  }
}

TEST_F(Bookkeeping, AlternatesBetweenTheColumnsWhereStateMoves) {
  for (uint32_t expected : {1u, 0u, 1u}) {
    state_.iteration.survivors = 7;
    end(CullEffect::kMovesState);
    EXPECT_EQ(state_.iteration.ping_pong, expected);
    EXPECT_EQ(state_.iteration.list, SlotList::kAllSlots);
  }
}

TEST_F(Bookkeeping, QueuesAllSlotsWhereTheStateOfAGroupedQueueMoved) {
  state_.iteration.survivors = 7;
  state_.iteration.list = SlotList::kFirst;
  end(CullEffect::kMovesState);
  EXPECT_EQ(state_.iteration.list, SlotList::kAllSlots);
}

TEST_F(Bookkeeping, KeepsAGroupedListWhereItsStateDoesNotMove) {
  state_.iteration.survivors = 7;
  state_.iteration.list = SlotList::kFirst;
  state_.iteration.cull_entries = 0;
  end(CullEffect::kMovesState);
  EXPECT_EQ(state_.iteration.list, SlotList::kFirst);
  EXPECT_EQ(state_.iteration.queued, 100u);
}

TEST_F(Bookkeeping, KeepsTheListThatIsNotCulled) {
  state_.iteration.survivors = 50;
  end(CullEffect::kLists);
  state_.iteration.survivors = 49;
  state_.iteration.cull_entries = 0;
  end(CullEffect::kLists);
  EXPECT_EQ(state_.iteration.list, SlotList::kFirst);
  EXPECT_EQ(state_.iteration.queued, 50u);
  EXPECT_FALSE(state_.iteration.all_alive);
}

TEST_F(Bookkeeping, AddsTheCountersToTheTotals) {
  state_.iteration.survivors = 60;
  state_.iteration.busy_warps = 4;
  state_.iteration.shadow_rays = 70;
  state_.iteration.unoccluded = 50;
  end(CullEffect::kLists);
  EXPECT_EQ(totals_[0].queued, 100u);
  EXPECT_EQ(totals_[0].survivors, 60u);
  EXPECT_EQ(totals_[0].busy_warps, 4u);
  EXPECT_EQ(totals_[0].shadow_rays, 70u);
  EXPECT_EQ(totals_[0].unoccluded, 50u);
  EXPECT_EQ(totals_[0].waves, 1u);
  EXPECT_EQ(totals_[0].culls, 1u);
  for (Stage stage : {Stage::kGenerate, Stage::kIntersect, Stage::kShade, Stage::kShadow})
    EXPECT_EQ(totals_[0].nanoseconds[uint32_t(stage)], 1000u);
  EXPECT_EQ(state_.iteration.survivors + state_.iteration.busy_warps + state_.iteration.shadow_rays,
            0u);
}

TEST_F(Bookkeeping, CountsLateIterationsAtTheLastBounce) {
  state_.iteration.survivors = 100;
  for (int i = 0; i < 5; ++i) {
    end(CullEffect::kNothing);
    state_.iteration.survivors = 100;
  }
  EXPECT_EQ(totals_[2].waves, 3u);
}

TEST_F(Bookkeeping, CullsInTheFirstWave) {
  begin(kWhereItPays);
  EXPECT_EQ(state_.iteration.cull_entries, 100u);
  state_.iteration.survivors = 90;
  end(CullEffect::kMovesState, kWhereItPays);
  EXPECT_EQ(state_.iteration.cull_entries, 90u);
}

TEST_F(Bookkeeping, CullsWhereThatPaidInEarlierWaves) {
  auto seen = [&](uint64_t survivors) {
    BounceTotals total{.queued = 1000, .survivors = survivors};
    total.nanoseconds[uint32_t(Stage::kIntersect)] = 20'000;
    total.nanoseconds[uint32_t(Stage::kShade)] = 9'000;
    total.nanoseconds[uint32_t(Stage::kShadow)] = 1'000;
    return total;
  };
  // An entry takes 30 ns and culling must save 6 of them: a fifth of the paths must end.
  totals_[0] = seen(790);
  totals_[1] = seen(810);
  begin(kWhereItPays);
  EXPECT_EQ(state_.iteration.cull_entries, 100u);
  end(CullEffect::kMovesState, kWhereItPays);
  EXPECT_EQ(state_.iteration.cull_entries, 0u);

  begin(kAlways);
  state_.iteration.survivors = 100;
  end(CullEffect::kMovesState, kAlways);
  EXPECT_EQ(state_.iteration.cull_entries, 100u);
}

}  // namespace
}  // namespace winnow
