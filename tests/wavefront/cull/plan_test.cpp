// SPDX-License-Identifier: MIT
#include "wavefront/cull/plan.h"

#include <gmock/gmock.h>

#include <functional>
#include <utility>

namespace winnow {
namespace {

constexpr uint64_t kPaths = 1000;  // paths of a wave
constexpr uint64_t kMany = PlanChoice::kManyWaves;

/// Chooses the plans of waves that take time(wave, plan) for each path, known `delay` waves later.
class Waves {
 public:
  using Time = std::function<double(uint64_t, size_t)>;

  Waves(PlanChoice choice, uint64_t delay, Time time)
      : choice_(std::move(choice)), delay_(delay), time_(std::move(time)) {}

  /// The plan of the next wave.
  size_t next(uint64_t paths = kPaths) {
    const uint64_t wave = plans_.size();
    if (wave > delay_) {
      const uint64_t done = wave - delay_ - 1;
      choice_.add(done, plans_[done], paths_[done],
                  time_(done, plans_[done]) * double(paths_[done]));
    }
    plans_.push_back(choice_.next(paths));
    paths_.push_back(paths);
    return plans_.back();
  }

 private:
  PlanChoice choice_;
  uint64_t delay_;
  Time time_;
  std::vector<size_t> plans_;    ///< [wave]
  std::vector<uint64_t> paths_;  ///< [wave]
};

/// Large waves have the first plan.
PlanChoice choice_of(size_t plans, uint64_t expected_waves = kMany) {
  return PlanChoice(plans, {expected_waves, kPaths}, true);
}

/// The plans of `waves` waves of the same size.
std::vector<size_t> chosen(size_t plans, size_t waves, uint64_t delay, const Waves::Time& time,
                           uint64_t expected_waves = kMany) {
  Waves choice(choice_of(plans, expected_waves), delay, time);
  std::vector<size_t> chosen(waves);
  for (size_t& plan : chosen) plan = choice.next();
  return chosen;
}

double second_is_fastest(uint64_t, size_t plan) {
  return plan == 1 ? 1.0 : 1.1;
}

TEST(PlanChoice, TriesEachAndKeepsTheFastest) {
  EXPECT_THAT(chosen(3, 8, 0, second_is_fastest), testing::ElementsAre(0, 1, 2, 1, 1, 1, 1, 1));
}

TEST(PlanChoice, UsesTheFastestThatIsKnownWhileTimesAreOnTheirWay) {
  auto last_is_fastest = [](uint64_t, size_t plan) { return 3.0 - double(plan); };
  const std::vector<size_t> plans = chosen(3, 15, 3, last_is_fastest);
  EXPECT_EQ(plans[3], 0u);
  EXPECT_EQ(plans[4], 0u);
  EXPECT_EQ(plans[5], 1u);
  EXPECT_EQ(plans[6], 2u);
  EXPECT_EQ(plans[14], 2u);
}

TEST(PlanChoice, TriesNothingInARenderOfFewWaves) {
  EXPECT_THAT(chosen(2, kMany - 1, 0, second_is_fastest, kMany - 1), testing::Each(0));
  EXPECT_FALSE(choice_of(2, kMany - 1).tries_soon());
}

TEST(PlanChoice, TriesLateWhereItDoesNotKnowHowManyWavesThereAre) {
  const std::vector<size_t> plans = chosen(2, 20, 0, second_is_fastest, 0);
  EXPECT_THAT(std::vector<size_t>(plans.begin(), plans.begin() + kMany), testing::Each(0));
  EXPECT_EQ(plans[kMany], 1u);
  EXPECT_EQ(plans[kMany + 1], 1u);
}

TEST(PlanChoice, SaysWhetherItTriesSoon) {
  EXPECT_TRUE(choice_of(2).tries_soon());
  EXPECT_FALSE(choice_of(1).tries_soon());
  EXPECT_FALSE(PlanChoice(2, {kMany, PlanChoice::kLargeWave}, true).tries_soon());
  EXPECT_TRUE(PlanChoice(2, {kMany, PlanChoice::kLargeWave}, false).tries_soon());
}

TEST(PlanChoice, ChoosesInLargeWavesIfToldTo) {
  Waves waves(PlanChoice(2, {kMany, PlanChoice::kLargeWave}, false), 0, second_is_fastest);
  for (int wave = 0; wave < 3; ++wave) waves.next(PlanChoice::kLargeWave);
  waves.next(PlanChoice::kLargeWave);
  EXPECT_EQ(waves.next(PlanChoice::kLargeWave), 1u);
}

TEST(PlanChoice, UsesTheFirstPlanInLargeWaves) {
  Waves waves(choice_of(2), 0, second_is_fastest);
  for (int wave = 0; wave < 8; ++wave) EXPECT_EQ(waves.next(PlanChoice::kLargeWave), 0u);
  for (int wave = 0; wave < 3; ++wave) waves.next();
  EXPECT_EQ(waves.next(), 1u);
  EXPECT_EQ(waves.next(PlanChoice::kLargeWave), 0u);
}

/// The first waves are small, as the speed is not known yet.
TEST(PlanChoice, TriesNothingBeforeLargeWavesThatHaveTheFirstPlan) {
  Waves waves(PlanChoice(2, {kMany, PlanChoice::kLargeWave}, true), 0, second_is_fastest);
  for (int wave = 0; wave < 4; ++wave) EXPECT_EQ(waves.next(), 0u);
}

TEST(PlanChoice, DoesNotCountLargeWaves) {
  auto large_waves_are_fast = [](uint64_t wave, size_t plan) {
    return wave % 2 == 1 ? 0.1 : second_is_fastest(wave, plan);
  };
  Waves waves(choice_of(2), 0, large_waves_are_fast);
  for (int wave = 0; wave < 6; ++wave) waves.next(wave % 2 == 1 ? PlanChoice::kLargeWave : kPaths);
  EXPECT_EQ(waves.next(), 1u);
}

/// The waves of a render grow at first.
TEST(PlanChoice, ComparesWavesOfAboutTheSameSize) {
  auto small_waves_are_slow = [](uint64_t wave, size_t plan) {
    return (wave < 3 ? 9.0 : 1.0) + (plan == 1 ? 0.5 : 0.0);
  };
  Waves waves(choice_of(2), 0, small_waves_are_slow);
  for (uint64_t paths = kPaths / 8; paths <= kPaths; paths *= 2) EXPECT_EQ(waves.next(paths), 0u);
  EXPECT_EQ(waves.next(kPaths * 3 / 4), 1u);
  for (int wave = 5; wave < 9; ++wave) EXPECT_EQ(waves.next(), 0u);
}

/// Something else occupied the device.
TEST(PlanChoice, TriesAPlanAgainWhoseWaveWasDelayed) {
  auto one_is_delayed = [](uint64_t wave, size_t plan) {
    return plan == 1 ? (wave == 1 ? 1.1 : 0.9) : 1.0;
  };
  const std::vector<size_t> plans = chosen(2, 20, 0, one_is_delayed);
  EXPECT_EQ(plans[15], 0u);
  EXPECT_EQ(plans[17], 1u);
}

TEST(PlanChoice, KeepsAPlanOfWhichOneWaveWasDelayed) {
  auto one_is_delayed = [](uint64_t wave, size_t plan) {
    return plan == 1 ? (wave == 5 ? 9.0 : 1.0) : 1.1;
  };
  const std::vector<size_t> plans = chosen(2, 16, 1, one_is_delayed);
  EXPECT_THAT(std::vector<size_t>(plans.begin() + 5, plans.end()), testing::Each(1));
}

TEST(PlanChoice, LeavesTheFirstPlanOnlyForOneThatIsClearlyFaster) {
  auto hardly_faster = [](uint64_t, size_t plan) { return plan == 1 ? 0.995 : 1.0; };
  EXPECT_EQ(chosen(2, 20, 1, hardly_faster).back(), 0u);
}

TEST(PlanChoice, TriesOthersAgainMoreAndMoreRarely) {
  const std::vector<size_t> plans = chosen(3, 1000, 1, second_is_fastest);
  for (uint64_t wave = 6; wave < plans.size(); ++wave)
    EXPECT_EQ(plans[wave] != 1, wave == 16 || wave == 64 || wave == 256) << wave;
  EXPECT_NE(plans[16], plans[64]);
}

TEST(PlanChoice, DoesNotTryAgainWhatTakesFarLonger) {
  auto second_is_slow = [](uint64_t, size_t plan) { return plan == 1 ? 4.0 : 1.0; };
  const std::vector<size_t> plans = chosen(2, 1000, 1, second_is_slow);
  EXPECT_EQ(std::count(plans.begin(), plans.end(), 1u), 1);
}

TEST(PlanChoice, FindsAPlanThatBecameFaster) {
  auto change = [](uint64_t wave, size_t plan) {
    return plan == 1 ? (wave < 15 ? 1.0 : 5.0) : 1.1;
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

TEST(CullPlan, AutoExpectsThatGroupingPaysWhereThereAreKernelsForIt) {
  const CullPlan append{Cull::kAuto, false}, grouped{Cull::kAppend, true};
  EXPECT_EQ(plans_of({}, kBasic), (std::vector<CullPlan>{append, grouped}));
  EXPECT_EQ(plans_of({}, kExtended), (std::vector<CullPlan>{grouped, append}));
  EXPECT_EQ(plans_of({.group = Group::kNone}, kExtended), (std::vector<CullPlan>{append}));
}

TEST(CullPlan, AutoTriesEachPlanWithRayTracingCoresAndWithTheBvh) {
  EXPECT_EQ(plans_of({.tracer = Tracer::kRt}, kBasic),
            (std::vector<CullPlan>{{Cull::kAuto, false, Tracer::kRt},
                                   {Cull::kAppend, true, Tracer::kRt}}));
  const std::vector<CullPlan> all = plans_of({.tracer = Tracer::kAuto}, kBasic);
  EXPECT_EQ(all, (std::vector<CullPlan>{{Cull::kAuto, false, Tracer::kRt},
                                        {Cull::kAppend, true, Tracer::kRt},
                                        {Cull::kAuto, false, Tracer::kBvh},
                                        {Cull::kAppend, true, Tracer::kBvh}}));
  EXPECT_LE(all.size(), kMaxPlans);
  EXPECT_EQ(plans_of({.cull = Cull::kScan, .tracer = Tracer::kAuto}, kExtended),
            (std::vector<CullPlan>{{Cull::kScan, false, Tracer::kRt}, {Cull::kScan, false}}));
}

}  // namespace
}  // namespace winnow
