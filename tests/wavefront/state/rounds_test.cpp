#include "wavefront/state/rounds.h"

#include <gtest/gtest.h>

#include <vector>

namespace winnow {
namespace {

constexpr CullPolicy kCullAlways{.decides = false, .cull_ns = 0.0f};
constexpr CullPolicy kWherePays{.decides = true, .cull_ns = 6.0f};

/// A wave of 100 paths in the middle of its first round.
class Rounds : public testing::Test {
 protected:
  Rounds() : totals_(3) {
    open(kCullAlways);
    for (uint32_t stage = 0; stage < kStageCount; ++stage)
      state_.round.start[stage] = 1000 * (stage + 1);
  }

  void open(CullPolicy policy) {
    OpenWave{&state_,
             {totals_.data(), totals_.size()},
             policy,
             {.pixel_count = 100, .sample_count = 1},
             100}();
  }
  void close(CullEffect effect, CullPolicy policy = kCullAlways) {
    CloseRound{&state_, {totals_.data(), totals_.size()}, effect, policy}();
  }

  WaveState state_;
  std::vector<BounceTotals> totals_;
};

TEST_F(Rounds, BeginWithEverySlotAlive) {
  EXPECT_EQ(state_.round.queued, 100u);
  EXPECT_EQ(state_.round.list, SlotList::kAllSlots);
  EXPECT_TRUE(state_.round.all_alive);
  EXPECT_EQ(state_.next_path, 100u);
}

TEST_F(Rounds, KeepTheDeadWithoutCulling) {
  state_.round.survivors = 40;
  close(CullEffect::kNothing);
  EXPECT_EQ(state_.round.turn, 1u);
  EXPECT_EQ(state_.round.queued, 100u);
  EXPECT_FALSE(state_.round.all_alive);
  state_.round.survivors = 0;
  close(CullEffect::kNothing);
  EXPECT_EQ(state_.round.queued, 0u);  // nobody is left
}

TEST_F(Rounds, AlternateBetweenTheLists) {
  for (SlotList expected : {SlotList::kFirst, SlotList::kSecond, SlotList::kFirst}) {
    state_.round.survivors = state_.round.queued / 2;
    uint32_t survivors = state_.round.survivors;
    close(CullEffect::kLists);
    EXPECT_EQ(state_.round.list, expected);
    EXPECT_EQ(state_.round.queued, survivors);
    EXPECT_TRUE(state_.round.all_alive);
    EXPECT_EQ(state_.round.side, 0u);
  }
}

TEST_F(Rounds, AlternateBetweenTheSidesWhereStateMoves) {
  for (uint32_t expected : {1u, 0u, 1u}) {
    state_.round.survivors = 7;
    close(CullEffect::kMovesState);
    EXPECT_EQ(state_.round.side, expected);
    EXPECT_EQ(state_.round.list, SlotList::kAllSlots);
  }
}

TEST_F(Rounds, KeepTheListThatIsNotCulled) {
  state_.round.survivors = 50;
  close(CullEffect::kLists);
  state_.round.survivors = 49;
  state_.round.cull_entries = 0;
  close(CullEffect::kLists);
  EXPECT_EQ(state_.round.list, SlotList::kFirst);
  EXPECT_EQ(state_.round.queued, 50u);
  EXPECT_FALSE(state_.round.all_alive);
}

TEST_F(Rounds, AddWhatTheyCountToTheTotals) {
  state_.round.survivors = 60;
  state_.round.busy_warps = 4;
  state_.round.shadow_rays = 70;
  state_.round.unoccluded = 50;
  close(CullEffect::kLists);
  EXPECT_EQ(totals_[0].queued, 100u);
  EXPECT_EQ(totals_[0].survivors, 60u);
  EXPECT_EQ(totals_[0].busy_warps, 4u);
  EXPECT_EQ(totals_[0].shadow_rays, 70u);
  EXPECT_EQ(totals_[0].unoccluded, 50u);
  EXPECT_EQ(totals_[0].waves, 1u);
  EXPECT_EQ(totals_[0].culls, 1u);
  for (Stage stage : {Stage::kGenerate, Stage::kIntersect, Stage::kShade, Stage::kShadow})
    EXPECT_EQ(totals_[0].nanoseconds[uint32_t(stage)], 1000u);
  EXPECT_EQ(state_.round.survivors + state_.round.busy_warps + state_.round.shadow_rays, 0u);
}

TEST_F(Rounds, CountLateTurnsAtTheLastBounce) {
  state_.round.survivors = 100;
  for (int turn = 0; turn < 5; ++turn) {
    close(CullEffect::kNothing);
    state_.round.survivors = 100;
  }
  EXPECT_EQ(totals_[2].waves, 3u);
}

TEST_F(Rounds, CullInTheFirstWave) {
  open(kWherePays);
  EXPECT_EQ(state_.round.cull_entries, 100u);
  state_.round.survivors = 90;
  close(CullEffect::kMovesState, kWherePays);
  EXPECT_EQ(state_.round.cull_entries, 90u);
}

TEST_F(Rounds, CullWhereItPaidInTheWavesBefore) {
  auto seen = [&](uint64_t survivors) {
    BounceTotals total{.queued = 1000, .survivors = survivors};
    total.nanoseconds[uint32_t(Stage::kIntersect)] = 20'000;
    total.nanoseconds[uint32_t(Stage::kShade)] = 9'000;
    total.nanoseconds[uint32_t(Stage::kShadow)] = 1'000;
    return total;
  };
  // 30 ns an entry, of which 6 are to be saved: a fifth of the paths must end.
  totals_[0] = seen(790);
  totals_[1] = seen(810);
  open(kWherePays);
  EXPECT_EQ(state_.round.cull_entries, 100u);
  close(CullEffect::kMovesState, kWherePays);
  EXPECT_EQ(state_.round.cull_entries, 0u);

  open(kCullAlways);
  state_.round.survivors = 100;
  close(CullEffect::kMovesState, kCullAlways);
  EXPECT_EQ(state_.round.cull_entries, 100u);
}

}  // namespace
}  // namespace winnow
