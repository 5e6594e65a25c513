// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "bvh/accel.h"
#include "shading/features.h"
#include "wavefront/cull/group.h"
#include "wavefront/cull/plan.h"
#include "wavefront/state/queue.h"

namespace winnow {

struct WaveCapacity {
  uint32_t slots;  ///< paths in flight
  uint32_t paths;  ///< paths of a wave; more than slots only with regeneration
};

/// The arrays of a wave, in device memory.
struct WaveArrays {
  Paths paths;
  Span<Hit> hits;  ///< [slot]
  ShadowRays shadow_rays;
  WorkQueue work;
  HitGroups groups;
  MaskRecord masks;
};

/// Returns the iterations of the loop over bounces without regeneration. The last one scatters no
/// path: it adds the light that the rays of the last bounce reach.
inline uint32_t iteration_count(const RenderSettings& settings) {
  return settings.max_bounces + 1;
}

/// Calls use(array, size) for each array that a wave with these settings needs.
template <class Use>
void for_each_field(WaveArrays& arrays, const RenderSettings& settings, Features features,
                    WaveCapacity capacity, Use use) {
  const size_t slots = capacity.slots, words = simt::ceil_div(capacity.slots, simt::kWarpSize);
  const std::vector<CullPlan> plans = plans_of(settings, features);
  const auto any = [&](auto is_true) { return std::any_of(plans.begin(), plans.end(), is_true); };

  use(arrays.paths.results, capacity.paths);
  if (settings.clamps()) use(arrays.paths.indirect, capacity.paths);
  if (settings.loop_in_use() == Loop::kPath) return;  // the state of its paths stays in registers

  for (PathColumns& columns : arrays.paths.columns) {
    use(columns.origin_pdf, slots);
    use(columns.direction_id, slots);
    use(columns.throughput_eta, slots);
    if (settings.regenerate) use(columns.bounces, slots);
    if (features.media) use(columns.media, slots);
    if (!any(moves_state)) break;
  }
  use(arrays.hits, slots);
  use(arrays.shadow_rays.origin_t_max, slots);
  use(arrays.shadow_rays.direction_id, slots);
  use(arrays.shadow_rays.contribution, slots);
  if (features.media) use(arrays.shadow_rays.media, slots);
  if (any(needs_lists))
    for (Span<uint32_t>& list : arrays.work.lists) use(list, slots);
  use(arrays.work.alive, words);
  if (any([](const CullPlan& plan) { return plan.groups; })) {
    use(arrays.groups.classes, slots);
    use(arrays.groups.offsets, size_t(kHitClassCount) + 1);
    use(arrays.groups.workspace, group_workspace_bytes(capacity.slots));
  }
  if (settings.record_masks) {
    use(arrays.masks.words, words * iteration_count(settings));
    use(arrays.masks.entries, iteration_count(settings));
    arrays.masks.words_per_bounce = uint32_t(words);
  }
}

inline size_t wave_bytes(const RenderSettings& settings, Features features, WaveCapacity capacity) {
  size_t bytes = 0;
  WaveArrays none;
  for_each_field(none, settings, features, capacity,
                 [&]<class T>(Span<T>&, size_t size) { bytes += size * sizeof(T); });
  return bytes;
}

}  // namespace winnow
