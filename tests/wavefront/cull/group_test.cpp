// SPDX-License-Identifier: MIT
#include "wavefront/cull/group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "wavefront/cull/plan.h"

namespace winnow {
namespace {

constexpr uint32_t kGroupedSlots = 5000;

/// A queue of paths that hit spheres of some materials, or nothing.
class Grouping : public testing::Test {
 protected:
  Grouping() : backend_({}) {
    classes_ = {HitClass::kTexturedDiffuse, HitClass::kPlainDiffuse,
                other_class(MaterialType::kPrincipled), other_class(MaterialType::kMirror)};
    for (uint32_t material = 0; material < classes_.size(); ++material)
      spheres_.push_back({.center = {}, .radius = 1.0f, .material = material});
    scene_.spheres = {spheres_.data(), spheres_.size()};
    scene_.classes = {classes_.data(), classes_.size()};

    state_ = backend_.allocate<WaveState>(1).data;
    for (Span<uint32_t>& list : work_.lists) list = backend_.allocate<uint32_t>(kGroupedSlots);
    work_.alive = backend_.allocate<uint32_t>(simt::ceil_div(kGroupedSlots, simt::kWarpSize));
    hits_ = backend_.allocate<Hit>(kGroupedSlots);
    groups_ = {backend_.allocate<uint8_t>(kGroupedSlots),
               backend_.allocate<uint32_t>(kHitClassCount + 1),
               backend_.allocate<std::byte>(group_workspace_bytes(kGroupedSlots))};
  }

  /// Slots in the order in which they are expected to be grouped.
  std::vector<uint32_t> expected(std::vector<uint32_t> slots) const {
    std::stable_sort(slots.begin(), slots.end(),
                     [&](uint32_t a, uint32_t b) { return class_of(a) < class_of(b); });
    return slots;
  }
  HitClass class_of(uint32_t slot) const {
    const uint32_t primitive = hits_[slot].primitive;
    return primitive == kNoPrimitive ? HitClass::kNoSurface : classes_[primitive];
  }

  /// Every path hits something new.
  void intersect() {
    std::uniform_int_distribution<uint32_t> any(0, uint32_t(classes_.size()));
    for (uint32_t slot = 0; slot < kGroupedSlots; ++slot) {
      const uint32_t sphere = any(random_);
      hits_[slot].primitive = sphere < classes_.size() ? sphere : kNoPrimitive;
    }
  }

  void group(uint32_t list) {
    group_by_material(backend_, scene_,
                      {work_, state_, hits_, groups_, state_->iteration.queued, list});
  }

  std::vector<uint32_t> queued() const {
    std::vector<uint32_t> slots;
    const Items items = work_.items(*state_);
    for (uint32_t i = 0; i < items.count; ++i) {
      EXPECT_TRUE(items.is_alive(i));
      slots.push_back(items[i]);
    }
    return slots;
  }

  std::mt19937 random_{42};
  CpuBackend backend_;
  std::vector<HitClass> classes_;
  std::vector<Sphere> spheres_;
  DeviceScene<kBasic> scene_{};
  WaveState* state_;
  WorkQueue work_;
  Span<Hit> hits_;
  HitGroups groups_;
};

TEST_F(Grouping, SplitsTheQueueByClassInOrderAndDropsTheDead) {
  for (uint32_t slots : {1u, 31u, 33u, 1000u, kGroupedSlots}) {
    *state_ = {};
    state_->iteration.queued = state_->iteration.cull_entries = slots;
    std::vector<uint32_t> active(slots);
    for (uint32_t slot = 0; slot < slots; ++slot) active[slot] = slot;
    for (uint32_t bounce = 0; bounce < 4; ++bounce) {
      SCOPED_TRACE(testing::Message() << slots << " slots, bounce " << bounce);
      intersect();
      group(group_list({Cull::kNone, true}, bounce % 2));
      active = expected(active);
      ASSERT_EQ(queued(), active);
      EXPECT_EQ(state_->iteration.cull_entries, active.size());
      for (uint32_t c = 0; c < kHitClassCount; ++c)
        for (uint32_t i = groups_.offsets[c]; i < groups_.offsets[c + 1]; ++i)
          ASSERT_EQ(class_of(active[i]), HitClass(c));
      EXPECT_EQ(groups_.offsets[kHitClassCount], active.size());

      // Some end.
      std::fill_n(work_.alive.data, work_.alive.size, 0);
      std::vector<uint32_t> survivors;
      for (uint32_t i = 0; i < active.size(); ++i) {
        if (random_() % 4 == 0) continue;
        work_.alive[i / 32] |= 1u << i % 32;
        survivors.push_back(active[i]);
      }
      active = survivors;
      state_->iteration.all_alive = false;
    }
  }
}

TEST_F(Grouping, CountsAsCullingInTheTimes) {
  *state_ = {};
  state_->iteration.queued = 10;
  group(0);
  EXPECT_GT(state_->iteration.group_start, 0u);
  EXPECT_GE(state_->iteration.start_of(Stage::kShade), state_->iteration.group_start);
  EXPECT_EQ(state_->iteration.start_of(Stage::kCull), 0u);  // a pass that follows sets it
}

TEST(CullPlan, GroupingNeverWritesTheListThatItReads) {
  for (Cull cull : {Cull::kNone, Cull::kAppend, Cull::kLookBack, Cull::kAuto}) {
    const CullPlan plan{cull, true};
    for (uint32_t parity : {0u, 1u}) {
      const bool lists = mode_of(cull).effect == CullEffect::kLists;
      const uint32_t read = lists ? survivor_list(plan, 1 - parity) : group_list(plan, 1 - parity);
      EXPECT_NE(group_list(plan, parity), read);
      if (lists) {
        EXPECT_NE(group_list(plan, parity), survivor_list(plan, parity));
      }
    }
  }
}

}  // namespace
}  // namespace winnow
