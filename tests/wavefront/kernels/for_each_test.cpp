// SPDX-License-Identifier: MIT
#include "wavefront/kernels/for_each.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "compaction/simt/host/executor.h"

namespace winnow {
namespace {

using simt::host::Executor;
using simt::host::Order;

constexpr uint32_t kSlotCount = 3000;

/// Marks its item.
struct Mark {
  static constexpr Stage kStage = Stage::kIntersect;
  Span<uint32_t> visits;
  SIMT_HOST_DEVICE void operator()(uint32_t i) const { ++visits[i]; }
};

/// An acceleration structure in which the traversal of a ray takes as many steps as the x of its
/// origin, which is also its hit distance and the y of its direction.
struct StepsAlongX {
  struct Stack {};
  struct Traversal {
    float steps = 0.0f, taken = 0.0f;

    Traversal() = default;
    Traversal(const StepsAlongX&, const Ray& ray, Stack&, bool) : steps(ray.origin.x) {}
    template <bool kAnyHit, bool kPostpones, class Direction>
    void step(const StepsAlongX&, Stack&, const Direction& direction) {
      EXPECT_EQ(direction().y, steps);
      ++taken;
    }
    bool active() const { return taken < steps; }
    template <bool kAnyHit, class DirectionOf>
    void step_warp_cooperative(simt::Warp auto warp, const StepsAlongX&, Stack&, uint32_t,
                               WarpRays& rays, const DirectionOf& direction_of) {
      if (!active()) return;
      EXPECT_EQ(direction_of(rays.rays[warp.thread_rank()].item).y, steps);
      ++taken;
    }
    void publish(WarpRays& rays, uint32_t lane, uint32_t item) const {
      rays.rays[lane].item = item;
    }
    void load_result(const WarpRays&, uint32_t) {}
    Hit hit(const StepsAlongX&, const Stack&) const { return {.t = taken}; }
    bool has_hit() const { return uint32_t(steps) % 2 == 1; }
  };
};

/// Traces a ray of 1 to 40 steps for its slot.
struct TraceSteps {
  static constexpr Stage kStage = Stage::kIntersect;
  StepsAlongX accel;
  Span<uint32_t> visits;
  bool part;

  static uint32_t steps(uint32_t slot) { return 1 + slot * 17 % 40; }
  Ray ray(uint32_t slot) const {
    return {.origin = glm::vec3(float(steps(slot)), 0, 0),
            .direction = glm::vec3(0, float(steps(slot)), 0)};
  }
  void store(uint32_t slot, const Hit& hit) const {
    EXPECT_EQ(hit.t, float(steps(slot)));
    ++visits[slot];
  }
  bool incoherent(const WaveState&) const { return part; }
};

/// Traces the same rays to any hit and counts the rays without one.
struct TraceStepsToAnyHit {
  static constexpr Stage kStage = Stage::kShadow;
  static constexpr bool kAnyHit = true;
  StepsAlongX accel;
  Span<uint32_t> visits;

  Ray ray(uint32_t slot) const { return TraceSteps{}.ray(slot); }
  bool store(uint32_t slot, bool hit) const {
    EXPECT_EQ(hit, TraceSteps::steps(slot) % 2 == 1);
    ++visits[slot];
    return !hit;
  }
  static uint32_t& counter(Iteration& iteration) { return iteration.unoccluded; }
};

/// Mark with uniform cost.
struct MarkUniformly : Mark {
  static constexpr bool kUniformCost = true;
};

/// Marks its item and counts multiples of 7.
struct MarkAndCount {
  static constexpr Stage kStage = Stage::kShadow;
  Span<uint32_t> visits;
  SIMT_HOST_DEVICE bool operator()(uint32_t i) const {
    ++visits[i];
    return i % 7 == 0;
  }
  SIMT_HOST_DEVICE static uint32_t& counter(Iteration& iteration) { return iteration.unoccluded; }
};

/// The result of a slot.
struct Outcome {
  bool casts_shadow_ray = false, active = false;
  uint32_t slot = 0;
};

/// Marks its slot; multiples of 3 cast a shadow ray, and multiples of 5 stay active.
struct MarkAndPush {
  static constexpr Stage kStage = Stage::kShade;
  static constexpr unsigned kBlocksPerSm = 1;
  Span<uint32_t> visits, shadow_rays, columns[2];

  SIMT_HOST_DEVICE Outcome operator()(uint32_t slot) const {
    ++visits[slot];
    return {.casts_shadow_ray = slot % 3 == 0, .active = slot % 5 == 0, .slot = slot};
  }
  SIMT_HOST_DEVICE void store_shadow_ray(uint32_t i, const Outcome& outcome) const {
    shadow_rays[i] = outcome.slot;
  }
  SIMT_HOST_DEVICE void store_path(uint32_t ping_pong, uint32_t slot,
                                   const Outcome& outcome) const {
    columns[ping_pong][slot] = outcome.slot;
  }
};

/// A work queue whose entry i is slot 7 * i + 1 modulo the number of slots, which is coprime to 7.
class ForEachTest : public testing::Test {
 protected:
  void queue(uint32_t count, bool listed) {
    state_ = {};
    state_.iteration.queued = count;
    state_.iteration.list = listed ? SlotList::kSecond : SlotList::kAllSlots;
    for (uint32_t i = 0; i < kSlotCount; ++i) second_[i] = (7 * i + 1) % kSlotCount;
    for (std::vector<uint32_t>* slots : {&visits_, &shadows_, &columns_[0], &columns_[1]})
      std::fill(slots->begin(), slots->end(), 0);
  }
  uint32_t slot(uint32_t i) const {
    return state_.iteration.list == SlotList::kSecond ? second_[i] : i;
  }
  static std::vector<uint32_t> sorted(std::vector<uint32_t> slots, uint32_t count) {
    slots.resize(count);
    std::sort(slots.begin(), slots.end());
    return slots;
  }

  Span<uint32_t> visits() { return {visits_.data(), visits_.size()}; }
  MarkAndPush mark_and_push() {
    return {visits(),
            {shadows_.data(), kSlotCount},
            {{columns_[0].data(), kSlotCount}, {columns_[1].data(), kSlotCount}}};
  }
  WorkQueue work() {
    return {{{first_.data(), kSlotCount}, {second_.data(), kSlotCount}},
            {alive_.data(), alive_.size()}};
  }

  WaveState state_;
  std::vector<uint32_t> visits_ = std::vector<uint32_t>(kSlotCount), first_ = visits_,
                        second_ = visits_, shadows_ = visits_, columns_[2] = {visits_, visits_},
                        alive_ = std::vector<uint32_t>(simt::ceil_div(kSlotCount, simt::kWarpSize));
};

TEST_F(ForEachTest, VisitsEveryItemOnceAndNoneBeyond) {
  Executor executor({.order = Order::kShuffled, .seed = 5, .resident_blocks = 4});
  for (uint32_t blocks : {1u, 3u, 20u})
    for (uint32_t count : {0u, 1u, 31u, 32u, 255u, 257u, kSlotCount})
      for (bool uniform : {false, true}) {
        queue(count, true);
        if (uniform)
          executor.launch(blocks, ForEach<WorkQueue, MarkUniformly>{&state_, work(), {{visits()}}});
        else
          executor.launch(blocks, ForEach<WorkQueue, Mark>{&state_, work(), {visits()}});
        for (uint32_t i = 0; i < kSlotCount; ++i)
          ASSERT_EQ(visits_[slot(i)], i < count ? 1u : 0u) << count << " items, item " << i;
      }
}

TEST_F(ForEachTest, SkipsTheDead) {
  queue(1000, false);
  state_.iteration.all_alive = false;
  for (uint32_t i = 0; i < 1000; i += 3) alive_[i / 32] |= 1u << i % 32;
  Executor executor;
  executor.launch(2, ForEach<WorkQueue, Mark>{&state_, work(), Mark{visits()}});
  for (uint32_t i = 0; i < kSlotCount; ++i) ASSERT_EQ(visits_[i], i < 1000 && i % 3 == 0 ? 1u : 0u);
}

TEST_F(ForEachTest, CountsTheItemsThatItsStageSelects) {
  Executor executor({.order = Order::kShuffled, .seed = 5, .resident_blocks = 4});
  for (uint32_t blocks : {1u, 20u})
    for (uint32_t count : {0u, 1u, 31u, 257u, kSlotCount}) {
      queue(count, false);
      state_.iteration.all_alive = false;
      std::fill(alive_.begin(), alive_.end(), 0x55555555);  // the even ones
      executor.launch(blocks,
                      ForEach<WorkQueue, MarkAndCount>{&state_, work(), MarkAndCount{visits()}});
      EXPECT_EQ(state_.iteration.unoccluded, simt::ceil_div(count, 14));
      EXPECT_EQ(std::accumulate(visits_.begin(), visits_.end(), 0u), simt::ceil_div(count, 2));
    }
}

TEST_F(ForEachTest, TracesEveryRayToItsEndOnce) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
    Executor executor({.order = order, .seed = 7, .resident_blocks = 3});
    for (bool part : {true, false})
      for (uint32_t blocks : {1u, 3u, 40u})
        for (uint32_t count : {0u, 1u, 31u, 33u, 129u, kSlotCount}) {
          queue(count, true);
          executor.launch(blocks,
                          ForEachRay<WorkQueue, TraceSteps>{
                              &state_, work(), {.accel = {}, .visits = visits(), .part = part}});
          for (uint32_t i = 0; i < kSlotCount; ++i)
            ASSERT_EQ(visits_[slot(i)], i < count ? 1u : 0u) << count << " items, item " << i;
        }
  }
}

TEST_F(ForEachTest, TracesRaysToAnyHitAndCountsThoseWithoutOne) {
  Executor executor({.order = Order::kShuffled, .seed = 5, .resident_blocks = 3});
  for (uint32_t count : {0u, 1u, 33u, kSlotCount}) {
    queue(count, true);
    executor.launch(3, ForEachRay<WorkQueue, TraceStepsToAnyHit>{
                           &state_, work(), {.accel = {}, .visits = visits()}});
    uint32_t without = 0;
    for (uint32_t i = 0; i < count; ++i) without += TraceSteps::steps(slot(i)) % 2 == 0;
    EXPECT_EQ(state_.iteration.unoccluded, without);
    EXPECT_EQ(std::accumulate(visits_.begin(), visits_.end(), 0u), count);
  }
}

TEST_F(ForEachTest, TracesNoRayOfTheDead) {
  queue(kSlotCount, false);
  state_.iteration.all_alive = false;
  for (uint32_t i = 0; i < kSlotCount; i += 70)
    alive_[i / 32] |= 1u << i % 32;  // some warps have none
  Executor executor;
  executor.launch(2, ForEachRay<WorkQueue, TraceSteps>{
                         &state_, work(), {.accel = {}, .visits = visits(), .part = true}});
  for (uint32_t i = 0; i < kSlotCount; ++i) ASSERT_EQ(visits_[i], i % 70 == 0 ? 1u : 0u);
}

TEST_F(ForEachTest, RecordsItsStartTime) {
  queue(10, false);
  Executor executor;
  executor.launch(2, ForEach<WorkQueue, Mark>{&state_, work(), Mark{visits()}});
  EXPECT_GT(state_.iteration.start_of(Mark::kStage), 0u);
}

TEST_F(ForEachTest, AppendsShadowRaysAndPathsAndMarksTheActive) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
    Executor executor({.order = order, .seed = 3, .resident_blocks = 3});
    for (bool culls : {true, false})
      for (uint32_t blocks : {1u, 4u})
        for (uint32_t count : {0u, 1u, 130u, 1024u, kSlotCount}) {
          queue(count, true);
          state_.iteration.ping_pong = blocks % 2;
          state_.iteration.cull_entries = culls ? count : 0;
          ForEachPush<MarkAndPush> kernel{&state_, work(), mark_and_push(), AppendSurvivors{true}};
          executor.launch(blocks, kernel);

          std::vector<uint32_t> threes, fives;
          for (uint32_t i = 0; i < count; ++i) {
            if (slot(i) % 3 == 0) threes.push_back(slot(i));
            if (slot(i) % 5 == 0) fives.push_back(slot(i));
            ASSERT_EQ(alive_[i / 32] >> i % 32 & 1, slot(i) % 5 == 0 ? 1u : 0u);
          }
          for (uint32_t i = count; i < simt::ceil_div(count, 32) * 32; ++i)
            ASSERT_EQ(alive_[i / 32] >> i % 32 & 1, 0u);
          ASSERT_EQ(std::accumulate(visits_.begin(), visits_.end(), 0u), count);
          ASSERT_EQ(state_.iteration.shadow_rays, threes.size());
          ASSERT_EQ(state_.iteration.survivors, fives.size());
          ASSERT_EQ(state_.iteration.busy_warps, simt::ceil_div(count, 32));
          EXPECT_EQ(sorted(shadows_, state_.iteration.shadow_rays), sorted(threes, threes.size()));

          const uint32_t ping_pong = state_.iteration.ping_pong;
          if (culls) {
            EXPECT_EQ(sorted(columns_[1 - ping_pong], fives.size()), sorted(fives, fives.size()));
            EXPECT_EQ(columns_[ping_pong], std::vector<uint32_t>(kSlotCount));
          } else {
            for (uint32_t slot : fives) ASSERT_EQ(columns_[ping_pong][slot], slot);
            EXPECT_EQ(columns_[1 - ping_pong], std::vector<uint32_t>(kSlotCount));
          }
        }
  }
}

TEST_F(ForEachTest, MarksTheActiveOfOneRangeAfterTheOther) {
  // Ranges that begin and end within words of the mask, some in the same word, some empty.
  const uint32_t offsets[] = {0, 5, 5, 20, 64, 301, 302, 1024, 1024};
  constexpr unsigned kRanges = std::size(offsets) - 1;
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled}) {
    Executor executor({.order = order, .seed = 3, .resident_blocks = 3});
    queue(offsets[kRanges], true);
    std::fill(alive_.begin(), alive_.end(), ~0u);  // left by an earlier iteration
    for (unsigned range = 0; range < kRanges; ++range)
      executor.launch(2, ForEachPush<MarkAndPush, EntriesOfClasses>{
                             &state_,
                             work(),
                             mark_and_push(),
                             AppendSurvivors{false},
                             {.offsets = offsets, .first_class = range, .end_class = range + 1}});
    for (uint32_t i = 0; i < offsets[kRanges]; ++i) {
      ASSERT_EQ(alive_[i / 32] >> i % 32 & 1, slot(i) % 5 == 0 ? 1u : 0u) << "entry " << i;
      ASSERT_EQ(visits_[slot(i)], 1u) << "entry " << i;
    }
    EXPECT_EQ(state_.iteration.start_of(Stage::kShade), 0u);  // grouping recorded it
  }
}

TEST_F(ForEachTest, LeavesPathsInTheirSlotsWhereItAppendsNone) {
  queue(kSlotCount, true);
  state_.iteration.cull_entries = kSlotCount;  // by a pass of its own
  Executor executor;
  executor.launch(
      3, ForEachPush<MarkAndPush>{&state_, work(), mark_and_push(), AppendSurvivors{false}});
  for (uint32_t slot = 0; slot < kSlotCount; slot += 5) ASSERT_EQ(columns_[0][slot], slot);
  EXPECT_EQ(columns_[1], std::vector<uint32_t>(kSlotCount));
}

TEST_F(ForEachTest, CountsOnlyWarpsWithAnActivePath) {
  queue(1024, false);
  state_.iteration.all_alive = false;
  std::fill(alive_.begin(), alive_.end(), 0);
  alive_[3] = 1u << 31;
  alive_[17] = ~0u;
  Executor executor;
  executor.launch(
      2, ForEachPush<MarkAndPush>{&state_, work(), mark_and_push(), AppendSurvivors{false}});
  EXPECT_EQ(state_.iteration.busy_warps, 2u);
  EXPECT_EQ(std::accumulate(visits_.begin(), visits_.end(), 0u), 33u);
}

}  // namespace
}  // namespace winnow
