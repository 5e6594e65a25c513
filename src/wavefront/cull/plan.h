// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "shading/features.h"
#include "wavefront/cull/cull.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// How the work queues of a wave are culled and grouped, on which the image does not depend, and
/// what traces their rays.
struct CullPlan {
  Cull cull;
  bool groups;  ///< whether entries are grouped by material, see group.h
  Tracer tracer = Tracer::kBvh;

  bool operator==(const CullPlan&) const = default;
};

inline constexpr size_t kMaxPlansOfTracer = 2, kMaxPlans = 2 * kMaxPlansOfTracer;

/// Returns whether the shading kernels of groups contain only what their hits need. Grouping then
/// takes a fraction of the time in scenes of many materials, and in large waves it was faster in
/// all other scenes, too.
inline bool has_kernels_for_groups(Features features) {
  return features.extended;
}

/// Returns the plans with one tracer, see plans_of().
inline std::vector<CullPlan> plans_with(Tracer tracer, const RenderSettings& settings,
                                        Features features) {
  const bool chooses = settings.cull == Cull::kAuto && settings.group == Group::kAuto &&
                       settings.loop_in_use() == Loop::kWave && !settings.regenerate &&
                       !settings.record_masks;
  if (!chooses) return {{settings.cull, settings.group == Group::kMaterial, tracer}};
  const CullPlan grouped{Cull::kAppend, true, tracer}, ungrouped{Cull::kAuto, false, tracer};
  if (has_kernels_for_groups(features)) return {grouped, ungrouped};
  return {ungrouped, grouped};
}

/// Returns the plans among which a render chooses (PlanChoice), beginning with the one that is
/// expected to be the fastest: one, or with --cull auto two, with and without grouping. Grouping
/// creates an order of its own, so that the order which `append` loses does not matter. With
/// --tracer auto, the plans with ray-tracing cores come first, then those with the BVH.
inline std::vector<CullPlan> plans_of(const RenderSettings& settings, Features features) {
  if (settings.tracer != Tracer::kAuto) return plans_with(settings.tracer, settings, features);
  std::vector<CullPlan> plans = plans_with(Tracer::kRt, settings, features);
  const std::vector<CullPlan> others = plans_with(Tracer::kBvh, settings, features);
  plans.insert(plans.end(), others.begin(), others.end());
  return plans;
}

/// Returns the bytes of workspace that culling needs for queues of `capacity` entries with any of
/// the plans.
inline size_t cull_workspace_bytes(const std::vector<CullPlan>& plans, uint32_t capacity) {
  size_t bytes = 0;
  for (const CullPlan& plan : plans)
    bytes = std::max(bytes, cull_workspace_bytes(plan.cull, capacity));
  return bytes;
}

/// Returns whether the survivors' slots are written to lists.
inline bool needs_lists(const CullPlan& plan) {
  return plan.groups || mode_of(plan.cull).effect == CullEffect::kLists;
}

inline bool moves_state(const CullPlan& plan) {
  return mode_of(plan.cull).effect == CullEffect::kMovesState;
}

/// Returns the index of the list that grouping writes in an iteration of this parity. It differs
/// from the list that grouping reads: the second one if culling writes lists, or else the one that
/// the previous iteration wrote.
inline uint32_t group_list(const CullPlan& plan, uint32_t ping_pong) {
  return mode_of(plan.cull).effect == CullEffect::kLists ? 0 : ping_pong;
}

/// Returns the index of the list that culling writes after grouping.
inline uint32_t survivor_list(const CullPlan& plan, uint32_t ping_pong) {
  return plan.groups ? 1 : ping_pong;
}

/// Chooses one of several plans for each wave of a render from the times of earlier waves. A render
/// of many waves tries each plan but the first after the first wave, a render of unknown length
/// after many waves. Then the fastest plan is used. At waves that are powers of four, the plan
/// whose time is the oldest is tried again, unless it takes far longer: a wave may have been
/// delayed, and scenes differ from pixel to pixel. If the size of the waves changes by a factor of
/// two or more, the choice begins again.
class PlanChoice {
 public:
  /// Minimum number of paths of a large wave: 13 million. On an H200, grouping costs 0.2 ms in a
  /// wave of 9 bounces, and gains as much in waves of 1 to 15 million paths, depending on the
  /// scene.
  static constexpr uint64_t kLargeWave = uint64_t(3) << 22;
  /// Minimum number of waves for trials: fewer do not gain what loading and trying other kernels
  /// costs.
  static constexpr uint64_t kManyWaves = 12;

  struct Expected {
    uint64_t waves;  ///< 0: unknown
    uint64_t paths;  ///< paths of a wave; the first waves may have fewer
  };

  /// @param first_if_large  whether large waves always use the first plan
  PlanChoice(size_t plan_count, Expected expected, bool first_if_large)
      : first_if_large_(first_if_large),
        first_try_(expected.waves >= kManyWaves && !has_first(expected.paths) ? kSoon : kManyWaves),
        times_(plan_count) {}

  /// Returns the number of waves of one size after which a render of many has tried all plans.
  static constexpr uint64_t waves_to_choose(size_t plan_count) { return kSoon + plan_count - 1; }

  /// Returns whether plans other than the first are to be tried soon.
  bool tries_soon() const { return times_.size() > 1 && first_try_ == kSoon; }

  /// Returns the plan of the next wave, which has `paths` paths.
  size_t next(uint64_t paths) {
    const uint64_t wave = waves_++;
    if (times_.size() == 1 || has_first(paths)) return 0;
    if (paths >= 2 * paths_ || 2 * paths <= paths_) {
      begin_ = wave;
      chosen_ = 0;
      paths_ = paths;
      times_.assign(times_.size(), Times{});
    }
    const uint64_t index = chosen_++;
    if (index < first_try_) return 0;
    if (index < first_try_ + times_.size() - 1) return size_t(index - first_try_) + 1;
    return is_retry(index) ? oldest() : fastest();
  }

  /// Records the time of a wave. Times may be missing, and may arrive some waves later.
  ///
  /// @param wave  index of the call of next() for this wave, from 0
  void add(uint64_t wave, size_t plan, uint64_t paths, double nanoseconds) {
    if (wave < begin_ || has_first(paths)) return;
    Times& times = times_[plan];
    times.wave = wave;
    times.before_last = times.last;
    times.last = nanoseconds / double(paths);
  }

 private:
  static constexpr uint64_t kSoon = 1;  ///< index of the first trial in a render of many waves
  static bool is_retry(uint64_t index) {
    return index >= kManyWaves && std::has_single_bit(index) && std::countr_zero(index) % 2 == 0;
  }

  bool has_first(uint64_t paths) const { return first_if_large_ && paths >= kLargeWave; }

  /// Share of the first plan's time that another plan must stay below; times vary by less.
  static constexpr double kWorthwhile = 0.99;
  /// Time relative to the fastest plan above which a plan is not tried again.
  static constexpr double kTooSlow = 1.2;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  /// The times of a plan, in nanoseconds per path.
  struct Times {
    uint64_t wave = 0;  ///< wave of the latest time
    double last = kUnknown, before_last = kUnknown;

    /// Returns the time of a wave that nothing else delayed.
    double best() const { return std::min(last, before_last); }
  };

  size_t fastest() const {
    size_t best = 0;
    for (size_t plan = 1; plan < times_.size(); ++plan)
      if (times_[plan].best() < times_[best].best() * (best == 0 ? kWorthwhile : 1.0)) best = plan;
    return best;
  }

  size_t oldest() const {
    size_t oldest = fastest();
    const double limit = kTooSlow * times_[oldest].best();
    for (size_t plan = 0; plan < times_.size(); ++plan)
      if (times_[plan].wave < times_[oldest].wave && times_[plan].best() < limit) oldest = plan;
    return oldest;
  }

  bool first_if_large_;
  uint64_t first_try_;
  uint64_t waves_ = 0;
  // Waves whose plan is chosen, since their size last changed:
  uint64_t begin_ = 0;        ///< index of the first one
  uint64_t chosen_ = 0;       ///< their number
  uint64_t paths_ = 0;        ///< paths of the first one
  std::vector<Times> times_;  ///< [plan]
};

}  // namespace winnow
