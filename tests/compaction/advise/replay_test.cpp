// SPDX-License-Identifier: MIT
#include "compaction/advise/replay.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/compaction/advise/support/recordings.h"
#include "tests/support/folder_test.h"

namespace replay_test {

using namespace compaction::advise;
using compaction::StepCost;
using compaction::StepItems;
constexpr uint8_t kOff = StepItems::kInactive;

/// An entry of a queue: an item in one of its steps; step -1 does nothing.
struct Entry {
  uint32_t item;
  int step;
};

/// Returns the load of a queue by the plainest loops.
///
/// @param is_moved  whether the state of an entry is at the index of the entry, not of the item
StepLoad plain_load(const std::vector<RecordedStep>& steps, const std::vector<Entry>& queue,
                    bool is_moved = false) {
  StepLoad load;
  for (size_t first = 0; first < queue.size(); first += kWarpSize) {
    std::map<uint8_t, uint32_t> largest;
    std::set<size_t> sectors;
    unsigned lanes = 0;
    for (size_t e = first; e < std::min(first + kWarpSize, queue.size()); ++e) {
      if (queue[e].step < 0) continue;
      const RecordedStep& step = steps[size_t(queue[e].step)];
      const uint8_t item_class = step.classes[queue[e].item];
      if (item_class == kOff) continue;
      ++lanes;
      sectors.insert((is_moved ? e : queue[e].item) / kItemsPerSector);
      load.work += step.costs[queue[e].item];
      largest[item_class] = std::max(largest[item_class], step.costs[queue[e].item]);
    }
    ++load.warps;
    load.active_warps += lanes > 0;
    load.lanes += lanes;
    load.sectors += sectors.size();
    double of_warp = 0;
    for (auto [item_class, cost] : largest) {
      of_warp += cost;
      load.class_work[item_class] += cost;
      ++load.class_warps[item_class];
    }
    load.longest = std::max(load.longest, of_warp);
  }
  return load;
}

void expect_same(const StepLoad& load, const StepLoad& expected) {
  EXPECT_EQ(load.warps, expected.warps);
  EXPECT_EQ(load.active_warps, expected.active_warps);
  EXPECT_EQ(load.lanes, expected.lanes);
  EXPECT_EQ(load.sectors, expected.sectors);
  EXPECT_EQ(load.work, expected.work);
  EXPECT_EQ(load.longest, expected.longest);
  EXPECT_EQ(load.class_work, expected.class_work);
  EXPECT_EQ(load.class_warps, expected.class_warps);
}

class Replay : public winnow::FolderTest {
 protected:
  Recording recorded(const std::vector<RecordedStep>& steps,
                     StepCost cost = StepCost::kWork) const {
    const std::string file = (folder_ / "a.steps").string();
    write_steps(file, {.state_bytes = 16, .culled_every = 0, .cost = cost}, steps);
    return read_recording(file, false);
  }
};

/// The queues of a strategy by the plainest loops; [step][entry].
std::vector<std::vector<Entry>> plain_queues(const std::vector<RecordedStep>& steps,
                                             const Strategy& strategy, bool begins) {
  std::vector<std::vector<Entry>> queues;
  std::vector<Entry> all, queue;
  for (uint32_t i = 0; i < steps[0].classes.size(); ++i) all.push_back({i, 0});
  queue = all;
  for (size_t s = 0; s < steps.size(); ++s) {
    if (begins) queue = all;
    for (Entry& entry : queue) entry.step = int(s);
    const auto& classes = steps[s].classes;
    if (strategy.kind != Strategy::kNone && (s % strategy.every == 0))
      std::erase_if(queue, [&](const Entry& entry) { return classes[entry.item] == kOff; });
    if (strategy.kind == Strategy::kClass)
      std::stable_sort(queue.begin(), queue.end(), [&](const Entry& a, const Entry& b) {
        return classes[a.item] < classes[b.item];
      });
    queues.push_back(queue);
  }
  return queues;
}

TEST_F(Replay, HasTheLoadsOfThePlainestLoops) {
  for (const bool begins : {false, true})
    for (const uint32_t n : {1u, 31u, 32u, 33u, 1000u}) {
      const auto steps = random_steps(n, 9, 0.3, 5, begins, n);
      const Recording recording = recorded(steps);
      ASSERT_TRUE(begins || recording.only_ends());
      std::vector<Strategy> strategies = {
          {Strategy::kNone}, {Strategy::kCull}, {Strategy::kMove}, {Strategy::kClass}};
      if (recording.only_ends()) strategies.push_back({Strategy::kCull, 3});
      for (const Strategy& strategy : strategies) {
        SCOPED_TRACE(strategy.name() + " of " + std::to_string(n));
        const auto queues = plain_queues(steps, strategy, !recording.only_ends());
        const std::vector<StepLoad> loads = replay(recording, strategy);
        ASSERT_EQ(loads.size(), queues.size());
        for (size_t s = 0; s < loads.size(); ++s)
          expect_same(loads[s], plain_load(steps, queues[s], strategy.kind == Strategy::kMove));
      }
    }
}

TEST_F(Replay, RegenerationTakesEachItemThroughAllOfItsSteps) {
  const auto steps = random_steps(300, 9, 0.3, 3);
  const Recording recording = recorded(steps);
  for (const uint32_t slot_count : {1u, 7u, 64u, 300u, 1000u}) {
    const std::vector<StepLoad> loads =
        replay(recording, {.kind = Strategy::kRegenerate, .every = 1, .slots = slot_count});
    std::vector<Entry> slots(std::min(slot_count, 300u));
    uint32_t next = 0;
    for (Entry& slot : slots) slot = {next++, 0};
    for (const StepLoad& load : loads) {
      expect_same(load, plain_load(steps, slots));
      for (Entry& slot : slots) {
        if (slot.step < 0) continue;
        const size_t after = size_t(slot.step) + 1;
        if (after < steps.size() && steps[after].classes[slot.item] != kOff)
          ++slot.step;
        else
          slot = next < 300 ? Entry{next++, 0} : Entry{0, -1};
      }
    }
    EXPECT_TRUE(std::all_of(slots.begin(), slots.end(), [](Entry e) { return e.step < 0; }));
  }
}

TEST_F(Replay, GivesWarpsToResidentOnes) {
  std::vector<uint32_t> costs(kWarpSize * 20);  // of 20 warps
  for (uint32_t i = 0; i < costs.size(); ++i) costs[i] = 1 + i / kWarpSize;
  const Recording recording =
      recorded({{.classes = std::vector<uint8_t>(costs.size(), 0), .costs = costs}});
  const double longest = 2 + 8 + 14 + 20;  // of every sixth warp
  EXPECT_EQ(replay(recording, {}, {.resident_warps = 6, .lane_cost = 0.5})[0].longest,
            longest + 4 * 0.5 * kWarpSize);
  EXPECT_EQ(replay(recording, {}, {.resident_warps = 6, .lane_share = 0.25})[0].longest,
            longest + longest * 0.25 * kWarpSize);
}

TEST_F(Replay, StatesInSlotsAreReadTogether) {
  const Recording recording = recorded(random_steps(512, 9, 0.3, 1));
  Strategy strategy{.kind = Strategy::kRegenerate, .every = 1, .slots = 64};
  const std::vector<StepLoad> of_items = replay(recording, strategy);
  strategy.state_in_slots = true;
  const std::vector<StepLoad> of_slots = replay(recording, strategy);
  EXPECT_EQ(of_items[0].sectors, of_slots[0].sectors);
  EXPECT_GT(of_items[4].sectors, of_slots[4].sectors);
  EXPECT_EQ(of_items[4].refilled, 2u);
  EXPECT_EQ(of_items.back().refilled, 0u);
  EXPECT_EQ(of_slots[4].refilled, 0u);  // they do not take their items
}

TEST_F(Replay, CountsTheItemsOfEachPass) {
  const Recording recording = recorded({{.classes = {0, 0, 0, 0}, .costs = {1, 1, 1, 1}},
                                        {.classes = {0, kOff, 0, 0}, .costs = {1, 1, 1, 1}},
                                        {.classes = {kOff, kOff, 0, kOff}, .costs = {1, 1, 1, 1}}});
  const auto passes = [&](const Strategy& strategy) {
    std::vector<std::pair<uint64_t, uint64_t>> all;
    for (const StepLoad& load : replay(recording, strategy))
      all.emplace_back(load.pass_in, load.pass_out);
    return all;
  };
  using Passes = std::vector<std::pair<uint64_t, uint64_t>>;
  EXPECT_EQ(passes({Strategy::kNone}), (Passes{{0, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(passes({Strategy::kCull}), (Passes{{0, 0}, {4, 3}, {3, 1}}));
  EXPECT_EQ(passes({Strategy::kCull, 2}), (Passes{{0, 0}, {0, 0}, {4, 1}}));
  EXPECT_EQ(passes({Strategy::kClass}), (Passes{{4, 4}, {4, 3}, {3, 1}}));
}

TEST_F(Replay, RefusesIntervalsAndSlotsForItemsThatBeginLater) {
  const Recording recording =
      recorded({{.classes = {0, kOff}, .costs = {1, 1}}, {.classes = {kOff, 0}, .costs = {1, 1}}});
  EXPECT_THROW(replay(recording, {Strategy::kCull, 2}), std::runtime_error);
  EXPECT_THROW(replay(recording, {.kind = Strategy::kRegenerate, .every = 1, .slots = 1}),
               std::runtime_error);
  EXPECT_EQ(replay(recording, {Strategy::kCull})[1].pass_in, 2u);
}

}  // namespace replay_test
