// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "shading/features.h"
#include "wavefront/cull/cull.h"

namespace winnow {

/// How the work queues of a wave are culled and grouped. The image does not depend on it.
struct CullPlan {
  Cull cull;
  bool groups;  ///< whether entries are grouped by material, see group.h

  bool operator==(const CullPlan&) const = default;
};

/// Maximum number of plans among which a render chooses.
inline constexpr size_t kMaxPlans = 2;

/// Returns whether the shading kernels of groups contain only what their hits need. Grouping then
/// takes a fraction of the time in scenes of many materials, and in large waves it was faster in
/// all other scenes, too.
inline bool has_kernels_for_groups(Features features) {
  return features.extended;
}

/// Returns the plans among which a render chooses (plan_choice.h), beginning with the one that is
/// expected to be the fastest: one, or with --cull auto two, with and without grouping. Grouping
/// creates an order of its own, so that the order which `append` loses does not matter.
///
/// @param features  feature set that shades the scene
inline std::vector<CullPlan> plans_of(const RenderSettings& settings, Features features) {
  const bool chooses = settings.cull == Cull::kAuto && settings.group == Group::kAuto &&
                       settings.loop == Loop::kWave && !settings.regenerate &&
                       !settings.record_masks;
  if (!chooses) return {{settings.cull, settings.group == Group::kMaterial}};
  const CullPlan grouped{Cull::kAppend, true}, ungrouped{Cull::kAuto, false};
  if (has_kernels_for_groups(features)) return {grouped, ungrouped};
  return {ungrouped, grouped};
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
  return plan.groups || cull_effect(plan.cull) == CullEffect::kLists;
}

/// Returns whether the state of survivors moves to other columns.
inline bool moves_state(const CullPlan& plan) {
  return cull_effect(plan.cull) == CullEffect::kMovesState;
}

/// Returns the index of the list that grouping writes in an iteration of this parity. It differs
/// from the list that grouping reads: the second one if culling writes lists, or else the one that
/// the previous iteration wrote.
inline uint32_t group_list(const CullPlan& plan, uint32_t ping_pong) {
  return cull_effect(plan.cull) == CullEffect::kLists ? 0 : ping_pong;
}

/// Returns the index of the list that culling writes after grouping.
inline uint32_t survivor_list(const CullPlan& plan, uint32_t ping_pong) {
  return plan.groups ? 1 : ping_pong;
}

}  // namespace winnow
