// SPDX-License-Identifier: MIT
#include "wavefront/cull/plan_choice.h"

#include <gmock/gmock.h>

#include <functional>
#include <utility>

#include "wavefront/cull/plan.h"

namespace winnow {
namespace {

/// The plans of `waves` waves if a wave takes time(wave, plan), which is known `delay` waves later.
std::vector<size_t> chosen(size_t plans, uint64_t waves, uint64_t delay,
                           const std::function<double(uint64_t, size_t)>& time) {
  PlanChoice choice(plans);
  std::vector<size_t> chosen;
  for (uint64_t wave = 0; wave < waves; ++wave) {
    if (wave > delay) {
      const uint64_t done = wave - delay - 1;
      choice.add(done, chosen[done], time(done, chosen[done]));
    }
    chosen.push_back(choice.next());
  }
  return chosen;
}

double second_is_fastest(uint64_t, size_t plan) {
  return plan == 1 ? 1.0 : 2.0;
}

TEST(PlanChoice, TriesEachAndKeepsTheFastest) {
  EXPECT_THAT(chosen(3, 12, 0, second_is_fastest),
              testing::ElementsAre(0, 0, 0, 0, 2, 2, 1, 1, 1, 1, 1, 1));
}

TEST(PlanChoice, UsesTheFastestThatIsKnownWhileTimesAreOnTheirWay) {
  auto last_is_fastest = [](uint64_t, size_t plan) { return 3.0 - double(plan); };
  const std::vector<size_t> plans = chosen(3, 30, 5, last_is_fastest);
  EXPECT_EQ(plans[10], 0u);  // the second time of the last plan is not known yet
  EXPECT_EQ(plans[11], 2u);
  EXPECT_EQ(plans[20], 2u);
}

/// Kernels are loaded in it.
TEST(PlanChoice, DoesNotCountTheFirstWaveOfAPlan) {
  auto first_is_slow = [first = true](uint64_t, size_t plan) mutable {
    return plan == 0 ? 2.0 : std::exchange(first, false) ? 100.0 : 1.0;
  };
  EXPECT_EQ(chosen(2, 20, 1, first_is_slow).back(), 1u);
  auto first_is_fast = [first = true](uint64_t, size_t plan) mutable {
    return plan == 0 ? 2.0 : std::exchange(first, false) ? 1.0 : 3.0;
  };
  EXPECT_EQ(chosen(2, 20, 1, first_is_fast).back(), 0u);
}

/// Something else occupied the device.
TEST(PlanChoice, SoonTriesAPlanAgainWhoseWaveWasDelayed) {
  auto one_is_delayed = [](uint64_t wave, size_t plan) {
    return plan == 1 ? (wave == 5 ? 9.0 : 1.0) : 2.0;
  };
  const std::vector<size_t> plans = chosen(2, 20, 1, one_is_delayed);
  EXPECT_EQ(plans[15], 0u);
  EXPECT_EQ(plans[18], 1u);
}

TEST(PlanChoice, KeepsAPlanOfWhichOneWaveWasDelayed) {
  auto one_is_delayed = [](uint64_t wave, size_t plan) {
    return plan == 1 ? (wave == 9 ? 9.0 : 1.0) : 2.0;
  };
  const std::vector<size_t> plans = chosen(2, 14, 1, one_is_delayed);
  EXPECT_THAT(std::vector<size_t>(plans.begin() + 8, plans.end()), testing::Each(1));
}

TEST(PlanChoice, LeavesTheFirstPlanOnlyForOneThatIsClearlyFaster) {
  auto hardly_faster = [](uint64_t, size_t plan) { return plan == 1 ? 0.995 : 1.0; };
  EXPECT_EQ(chosen(2, 20, 1, hardly_faster).back(), 0u);
}

TEST(PlanChoice, TriesOthersAgainMoreAndMoreRarely) {
  const std::vector<size_t> plans = chosen(3, 1000, 1, second_is_fastest);
  for (uint64_t wave = 9; wave < plans.size(); ++wave)
    EXPECT_EQ(plans[wave] != 1, wave >= 16 && std::has_single_bit(wave)) << wave;
  EXPECT_NE(plans[16], plans[32]);
}

TEST(PlanChoice, FindsAPlanThatBecameFaster) {
  auto change = [](uint64_t wave, size_t plan) {
    return plan == 1 ? (wave < 15 ? 1.0 : 5.0) : 2.0;
  };
  const std::vector<size_t> plans = chosen(2, 40, 1, change);
  EXPECT_EQ(plans[14], 1u);
  EXPECT_EQ(plans[39], 0u);
}

TEST(PlanChoice, HasNoChoiceOfOne) {
  EXPECT_THAT(chosen(1, 20, 0, second_is_fastest), testing::Each(0));
}

TEST(CullPlan, OnlyAutoHasAChoice) {
  EXPECT_EQ(plans_of({.cull = Cull::kScan}, kExtended),
            (std::vector<CullPlan>{{Cull::kScan, false}}));
  EXPECT_EQ(plans_of({.cull = Cull::kAppend, .group = Group::kMaterial}, kBasic),
            (std::vector<CullPlan>{{Cull::kAppend, true}}));
  EXPECT_EQ(plans_of({.cull = Cull::kAuto, .regenerate = true}, kExtended),
            (std::vector<CullPlan>{{Cull::kAuto, false}}));
}

TEST(CullPlan, AutoGroupsOnlyWhereThereAreSmallerKernels) {
  const CullPlan append{Cull::kAuto, false}, select{Cull::kLookAhead, false},
      grouped{Cull::kAuto, true};
  EXPECT_EQ(plans_of({}, kBasic), (std::vector<CullPlan>{append, select}));
  EXPECT_EQ(plans_of({}, kExtended), (std::vector<CullPlan>{append, select, grouped}));
  EXPECT_EQ(plans_of({.group = Group::kNone}, kExtended), (std::vector<CullPlan>{append, select}));
}

}  // namespace
}  // namespace winnow
