// SPDX-License-Identifier: MIT
#include "compaction/advise/model.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/compaction/advise/support/recordings.h"
#include "tests/support/folder_test.h"

namespace model_test {

using namespace compaction::advise;
using compaction::StepCost;
using compaction::StepFormat;
using compaction::StepItems;
using testing::DoubleNear;

TimesBySize always(double ns) {
  TimesBySize times;
  times.ns.fill(ns);
  return times;
}

const DeviceModel kDevice = {.name = "test",
                             .source = "test",
                             .launch_ns = 2000,
                             .bytes_per_ns = 4000,
                             .resident_warps = 32,
                             .scan_ns = always(2500),
                             .select_ns = {.few = always(3000), .full = always(3500)},
                             .split_ns = {.few = always(4000), .full = always(5000)}};

constexpr Machine kMachine = {.resident_warps = 32};
constexpr uint32_t kStateBytes = 16;

/// A machine whose resident warps run their warps one after another, and these their classes: the
/// time of a step, ns.
double true_time(const StepLoad& load) {
  const double moved = 0.9 * 2 * kStateBytes * kItemsPerSector * double(load.sectors);
  const double refill = load.refilled > 0 ? 300 + 0.9 * double(load.refilled) : 0;
  return 2500 + (load.is_list ? 300 : 0) + moved / kDevice.bytes_per_ns + refill +
         400 * load.longest;
}

using Truth = std::function<double(const StepLoad&)>;

/// That machine, where lanes that do work of their own wait for each other.
Machine machine_for(StepCost cost) {
  Machine machine = kMachine;
  if (cost == StepCost::kWork) machine.lane_share = 0.045;
  return machine;
}

class Model : public winnow::FolderTest {
 protected:
  /// Returns a program on that machine, as recorded with or without culling.
  Recording recorded(std::vector<RecordedStep> steps, uint32_t culled_every, StepCost cost,
                     const Truth& truth = true_time) const {
    const std::string file = (folder_ / "a.steps").string();
    const StepFormat format{.state_bytes = kStateBytes, .culled_every = culled_every, .cost = cost};
    write_steps(file, format, steps);
    const Recording untimed = read_recording(file, false);
    const Strategy strategy{culled_every ? Strategy::kCull : Strategy::kNone,
                            std::max(culled_every, 1u)};
    const std::vector<StepLoad> loads = replay(untimed, strategy, machine_for(cost));
    for (size_t s = 0; s < steps.size(); ++s) steps[s].nanoseconds = truth(loads[s]);
    write_steps(file, format, steps);
    return read_recording(file, false);
  }

  static double true_frame(const Recording& recording, const Strategy& strategy,
                           const Truth& truth = true_time) {
    double time = 0;
    for (const StepLoad& load : replay(recording, strategy, machine_for(recording.format.cost)))
      time += truth(load) + pass_nanoseconds(kDevice, load, strategy.kind, 16);
    return time;
  }

  static void expect_frames(const Recording& recording, const Advice& advice, const Truth& truth,
                            double tolerance) {
    for (const Prediction& prediction : advice.predictions) {
      const double expected = true_frame(recording, prediction.strategy, truth);
      EXPECT_THAT(prediction.frame_ns, DoubleNear(expected, tolerance * expected))
          << prediction.strategy.name();
    }
  }

  static Advice advice_for(const Recording& recording, const std::vector<Strategy>& strategies,
                           const DeviceModel& device = kDevice) {
    return advise(recording, strategies, device,
                  [](const Strategy& strategy, const std::vector<StepLoad>& loads) {
                    std::vector<double> times;
                    for (const StepLoad& load : loads)
                      times.push_back(pass_nanoseconds(kDevice, load, strategy.kind, 16));
                    return times;
                  });
  }
};

const std::vector<Strategy> kStrategies = {
    {Strategy::kNone},
    {Strategy::kCull},
    {Strategy::kCull, 4},
    {Strategy::kClass},
    {.kind = Strategy::kRegenerate, .every = 1, .slots = 512}};

TEST_F(Model, PredictsAMachineOfWarpsWithinTwoPercent) {
  for (const uint32_t culled_every : {0u, 8u}) {
    const Recording recording =
        recorded(random_steps(8192, 40, 0.12, 3), culled_every, StepCost::kNone);
    const Advice advice = advice_for(recording, kStrategies);
    ASSERT_TRUE(advice.has_times);
    std::vector<double> frames;
    for (const Prediction& prediction : advice.predictions) {
      const double expected = true_frame(recording, prediction.strategy);
      frames.push_back(expected);
      EXPECT_THAT(prediction.frame_ns, DoubleNear(expected, 0.02 * expected))
          << prediction.strategy.name() << ", culled every " << culled_every;
      EXPECT_LE(prediction.low_ns, expected);
      EXPECT_GE(prediction.high_ns, expected);
    }
    EXPECT_EQ(advice.best, size_t(std::min_element(frames.begin(), frames.end()) - frames.begin()));
  }
}

TEST_F(Model, LearnsFromClockCyclesWhatClassesCost) {
  std::vector<RecordedStep> steps = random_steps(4096, 16, 0.2, 2);
  for (RecordedStep& step : steps)  // the lanes of a warp take as long as the warp
    for (size_t first = 0; first < step.classes.size(); first += 32) {
      uint32_t cycles = 0;
      for (const uint8_t c : {0, 1})
        if (std::count(step.classes.begin() + ptrdiff_t(first),
                       step.classes.begin() + ptrdiff_t(first) + 32, c))
          cycles += 400u * (c + 1);
      std::fill_n(step.costs.begin() + ptrdiff_t(first), 32, cycles);
    }
  // Warps overlap with each other, and with the slots that take items.
  const Truth truth = [](const StepLoad& load) {
    const double work = 20 * (load.class_warps[0] + 2.0 * load.class_warps[1]);
    return 2500 + (load.is_list ? 300 : 0) + (load.refilled > 0 ? 300 : 0) +
           std::max(work, 0.9 * double(load.refilled));
  };
  const Recording recording = recorded(steps, 0, StepCost::kCycles, truth);
  expect_frames(recording, advice_for(recording, kStrategies), truth, 0.04);
}

TEST_F(Model, TakesTheLargerOfWorkAndStateWithClockCycles) {
  std::vector<RecordedStep> steps = random_steps(4096, 16, 0.2, 1);
  for (RecordedStep& step : steps) std::fill(step.costs.begin(), step.costs.end(), 400u);
  const Truth truth = [](const StepLoad& load) {
    return 2500 + (load.is_list ? 300 : 0) + 20 * double(load.active_warps);
  };
  Recording recording = recorded(steps, 0, StepCost::kCycles, truth);
  const auto every_step = [&](uint32_t state_bytes) {
    recording.format.state_bytes = state_bytes;
    return advice_for(recording, {{Strategy::kNone}, {Strategy::kCull}}).predictions[1].frame_ns;
  };
  const double without = every_step(0);
  EXPECT_NEAR(every_step(64), without, 0.001 * without);  // hidden behind the work
  EXPECT_GT(every_step(4000), 1.2 * without);
}

TEST_F(Model, LearnsThatAStepEndsWithItsLongestWarp) {
  std::vector<RecordedStep> steps = random_steps(2048, 24, 0.15, 2);
  for (size_t s = 0; s < steps.size(); ++s)  // few long items, of class 1
    for (size_t i = 0; i < steps[s].classes.size(); ++i)
      if (steps[s].classes[i] != StepItems::kInactive) {
        const bool is_long = i % 97 == 5;
        steps[s].classes[i] = is_long;
        steps[s].costs[i] = uint32_t(is_long ? 100 + 37 * s % 211 : 1 + i % 8);
      }
  const Truth truth = [](const StepLoad& load) { return 2000 + 250 * load.longest; };
  const Recording recording = recorded(steps, 0, StepCost::kWork, truth);
  expect_frames(recording,
                advice_for(recording, {{Strategy::kNone}, {Strategy::kCull}, {Strategy::kClass}}),
                truth, 0.03);
}

TEST_F(Model, LearnsWhatLanesTake) {
  const Truth truth = [](const StepLoad& load) { return 2500 + 2.0 * double(load.lanes); };
  const Recording recording = recorded(random_steps(8192, 20, 0.2, 1), 0, StepCost::kNone, truth);
  const Advice advice = advice_for(recording, {{Strategy::kNone}, {Strategy::kCull}});
  expect_frames(recording, advice, truth, 0.06);
}

TEST_F(Model, LearnsWhatEmptyWarpsTake) {
  const Truth truth = [](const StepLoad& load) {
    return true_time(load) + 12 * double(load.warps - load.active_warps);
  };
  const Recording recording = recorded(random_steps(8192, 60, 0.12, 1), 0, StepCost::kNone, truth);
  const Advice advice = advice_for(recording, {{Strategy::kNone}, {Strategy::kCull}});
  expect_frames(recording, advice, truth, 0.03);
  EXPECT_GT(advice.model.empty, 4);
}

TEST_F(Model, KnowsThatNoEmptyWarpTakesMoreThanAnActiveOne) {
  std::vector<RecordedStep> steps = random_steps(8192, 12, 0, 1);
  for (size_t s = 0; s < steps.size(); ++s) {  // one more warp is empty, and steps get faster
    std::fill_n(steps[s].classes.begin(), 32 * s, StepItems::kInactive);
    steps[s].nanoseconds = 20'000 + 1000 * double(s);
  }
  const std::string file = (folder_ / "a.steps").string();
  write_steps(file, {.state_bytes = 0}, steps);
  const Advice advice = advice_for(read_recording(file, false), {{Strategy::kNone}});
  EXPECT_LT(advice.model.empty, 100);
}

TEST_F(Model, LearnsFromTimesWhatClassesCost) {
  const Truth truth = [](const StepLoad& load) {
    return true_time(load) + 40 * load.class_work[1];
  };
  std::vector<RecordedStep> steps = random_steps(8192, 40, 0.12, 1);
  for (size_t s = 0; s < steps.size(); ++s)  // class 1 fills some warps in some steps
    for (size_t i = 0; i < steps[s].classes.size(); ++i)
      if (steps[s].classes[i] != StepItems::kInactive)
        steps[s].classes[i] = uint8_t((i / 32 + s) % 7 < s % 5);
  const Recording recording = recorded(steps, 0, StepCost::kNone, truth);
  const Advice advice =
      advice_for(recording, {{Strategy::kNone}, {Strategy::kCull}, {Strategy::kClass}});
  expect_frames(recording, advice, truth, 0.05);
  EXPECT_GT(advice.model.of_class[1], 2 * advice.model.of_class[0]);
}

TEST_F(Model, KnowsThatLongItemsSideBySideWaitForEachOther) {
  std::vector<RecordedStep> steps = random_steps(8192, 24, 0.15, 2);
  for (RecordedStep& step : steps)  // a split places the long items, of class 1, side by side
    for (size_t i = 0; i < step.classes.size(); ++i)
      if (step.classes[i] != StepItems::kInactive) {
        step.classes[i] = i % 32 == 7;
        if (step.classes[i]) step.costs[i] = 300;
      }
  const Recording recording = recorded(steps, 0, StepCost::kWork);
  expect_frames(recording,
                advice_for(recording, {{Strategy::kNone}, {Strategy::kCull}, {Strategy::kClass}}),
                true_time, 0.03);
}

TEST_F(Model, KnowsHowLongEmptyWarpsTakeToStartAndEnd) {
  std::vector<RecordedStep> steps = random_steps(8192, 8, 0, 1);
  for (size_t s = 0; s < steps.size(); ++s) {  // warps become empty, and the others take longer
    std::fill_n(steps[s].classes.begin(), 32 * 24 * s, StepItems::kInactive);
    steps[s].nanoseconds = 20'000 + 500 * double(s);
  }
  const std::string file = (folder_ / "a.steps").string();
  write_steps(file, {.state_bytes = 0}, steps);
  DeviceModel device = kDevice;
  device.resident_warps = 1000;
  const Advice advice = advice_for(read_recording(file, false), {{Strategy::kNone}}, device);
  EXPECT_GT(advice.model.empty, 1.0);
  EXPECT_LE(advice.model.empty, 10.0);  // 10 us for as many as run at once
  EXPECT_LE(advice.model.idle, 3.0);
}

TEST_F(Model, KnowsThatAClockCycleOfAWarpTakesAtMostANanosecond) {
  // Each warp takes 3,000 cycles, but the time of a step follows the numbers of warps alone.
  constexpr uint32_t kItems = 1 << 16, kWarps = kItems / 32;
  std::vector<RecordedStep> steps(20);
  for (size_t s = 0; s < steps.size(); ++s) {
    const auto active = uint32_t(kWarps * std::pow(0.8, s));
    steps[s].classes.assign(kItems, StepItems::kInactive);
    std::fill_n(steps[s].classes.begin(), 32 * active, 0);
    steps[s].costs.assign(kItems, 3000);
    steps[s].nanoseconds = 12'500 + 1.1 * (kWarps - active) + 3.0 * active;
  }
  const std::string file = (folder_ / "a.steps").string();
  write_steps(file, {.state_bytes = 0, .cost = StepCost::kCycles}, steps);
  const Advice advice = advice_for(read_recording(file, false), {{Strategy::kNone}});
  EXPECT_LE(advice.model.longest, 1.0);
  EXPECT_GT(advice.model.longest, 0.5);
}

TEST_F(Model, TakesTheTimeOfMeasuringFromStepsWhoseFrameIsShorter) {
  std::vector<RecordedStep> steps = random_steps(8192, 30, 0.12, 1);
  const Recording plain = recorded(steps, 0, StepCost::kNone);
  double frame = 0;
  for (size_t s = 0; s < steps.size(); ++s) {
    frame += plain.steps[s].nanoseconds;
    steps[s].nanoseconds = plain.steps[s].nanoseconds + 1500;
  }
  const std::string file = (folder_ / "b.steps").string();
  write_steps(file, {.state_bytes = kStateBytes}, steps, true, frame);
  const Advice with = advice_for(read_recording(file, false), kStrategies);
  const Advice without = advice_for(plain, kStrategies);
  for (size_t p = 0; p < kStrategies.size(); ++p)
    EXPECT_NEAR(with.predictions[p].frame_ns, without.predictions[p].frame_ns, 1);
}

TEST_F(Model, KeepsTheFrameOfSlowLaunchesAndOfStateThatIsNotMoved) {
  const Truth truth = [](const StepLoad& load) { return 9000 + 400 * load.longest; };
  Recording recording = recorded(random_steps(4096, 20, 0.2, 1), 0, StepCost::kNone, truth);
  for (const uint32_t state_bytes : {16u, 100'000u}) {
    recording.format.state_bytes = state_bytes;
    const Advice advice = advice_for(recording, {{Strategy::kNone}});
    const double expected = true_frame(recording, {Strategy::kNone}, truth);
    EXPECT_NEAR(advice.predictions[0].frame_ns, expected, 1e-3 * expected);
    EXPECT_LE(advice.model.launch, 5000);
  }
}

TEST_F(Model, CountsNoWarpsThatAllRunAtOnceAsFollowed) {
  const Truth truth = [](const StepLoad&) { return 6000; };
  const Recording at_once = recorded(random_steps(1024, 20, 0.2, 1), 0, StepCost::kNone, truth);
  EXPECT_LT(advice_for(at_once, {{Strategy::kNone}}).warp_share, 0.05);
  const Recording in_turns = recorded(random_steps(8192, 20, 0.2, 1), 0, StepCost::kNone);
  EXPECT_GT(advice_for(in_turns, {{Strategy::kNone}}).warp_share, 0.3);
}

TEST_F(Model, ExpectsTheSameOfLanesIfTheFirstStepHasOneItem) {
  std::vector<RecordedStep> steps = random_steps(8192, 3, 0.5, 1);
  RecordedStep first = steps[0];  // one item begins, as in a search
  std::fill(first.classes.begin() + 1, first.classes.end(), StepItems::kInactive);
  steps.insert(steps.begin(), first);
  const Recording recording = recorded(steps, 0, StepCost::kNone);
  expect_frames(recording, advice_for(recording, {{Strategy::kNone}, {Strategy::kCull}}), true_time,
                0.007);
}

TEST(PassTimes, OfMovingContainTheStatesReadAndWritten) {
  StepLoad load;
  load.pass_in = load.pass_capacity = 8192, load.pass_out = 1000;
  const double list = pass_nanoseconds(kDevice, load, Strategy::kCull, 64);
  EXPECT_NEAR(pass_nanoseconds(kDevice, load, Strategy::kMove, 64) - list,
              2 * (64 - 4) * 1000 / kDevice.bytes_per_ns, 1e-9);
}

TEST_F(Model, KeepsTheFixedPartOfAStepAndTheTimeBetweenSteps) {
  std::vector<RecordedStep> steps = random_steps(4096, 20, 0.2, 1);
  const Recording plain = recorded(steps, 0, StepCost::kNone);
  for (size_t s = 0; s < steps.size(); ++s) {
    steps[s].fixed_nanoseconds = 1e6;
    steps[s].nanoseconds = plain.steps[s].nanoseconds + 1e6;
  }
  double sum = 0;
  for (const RecordedStep& step : steps) sum += step.nanoseconds;
  const std::string file = (folder_ / "b.steps").string();
  write_steps(file, {.state_bytes = 16}, steps, true, sum + 5e5);
  const Advice with = advice_for(read_recording(file, false), kStrategies);
  const Advice without = advice_for(plain, kStrategies);
  for (size_t p = 0; p + 1 < kStrategies.size(); ++p)
    EXPECT_NEAR(with.predictions[p].frame_ns, without.predictions[p].frame_ns + 20e6 + 5e5, 2e4);
}

TEST_F(Model, WithoutTimesHasOnlyOccupancies) {
  const std::string file = (folder_ / "a.steps").string();
  write_steps(file, {}, random_steps(100, 3, 0.5, 1));
  const Advice advice = advice_for(read_recording(file, false), kStrategies);
  EXPECT_FALSE(advice.has_times);
  EXPECT_EQ(advice.predictions[0].frame_ns, 0);
  EXPECT_LT(advice.predictions[0].occupancy(), advice.predictions[1].occupancy());
}

TEST(NonNegativeFit, FindsTheLeastSquaresWithoutNegativeNumbers) {
  const std::vector<std::vector<double>> a = {{1, 0}, {1, 1}, {1, 2}};
  EXPECT_THAT(non_negative_fit(a, {1, 3, 5}, {1, 1, 1}, {0, 0}, {0, 0}),
              testing::ElementsAre(DoubleNear(1, 1e-6), DoubleNear(2, 1e-6)));
  // The slope would be -1; without one, the best constant is the mean.
  EXPECT_THAT(non_negative_fit(a, {3, 2, 1}, {1, 1, 1}, {0, 0}, {0, 0}),
              testing::ElementsAre(DoubleNear(2, 1e-6), 0));
  // Columns that the rows cannot tell apart stay at their prior.
  EXPECT_THAT(non_negative_fit({{1, 1}}, {3}, {1}, {1, 2}, {0.1, 0.1}),
              testing::ElementsAre(DoubleNear(1, 1e-6), DoubleNear(2, 1e-6)));
}

}  // namespace model_test
