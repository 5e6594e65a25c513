// SPDX-License-Identifier: MIT
#pragma once

#include "base/nanoseconds.h"
#include "compaction/simt/span.h"
#include "wavefront/state/cull_modes.h"
#include "wavefront/state/wave.h"

namespace winnow {

// The bookkeeping between the stages of a wave. Each step runs on one thread of the device, so that
// the loop over bounces does not involve the host.

/// Decides on the device which iterations cull. --cull auto appends (kernels/append.h) in the
/// iterations where that pays; every other mode culls in all iterations.
struct CullPolicy {
  bool is_auto;
  float cull_ns;  ///< cost of culling per entry of the queue

  /// Returns whether an iteration culls: whether the paths that terminate in it would cost more in
  /// the next iteration than culling does. Assumes that the next iteration takes as long as this
  /// one, and that as many paths terminate as in earlier waves. The first wave always culls.
  ///
  /// @param before  totals of this iteration in earlier waves
  SIMT_HOST_DEVICE bool culls(const BounceTotals& before) const {
    if (!is_auto || before.queued == 0) return true;
    uint64_t iteration_ns = 0;
    for (Stage stage : {Stage::kIntersect, Stage::kShade, Stage::kShadow})
      iteration_ns += before.nanoseconds[uint32_t(stage)];
    const float dead_share = 1.0f - float(before.survivors) / float(before.queued);
    return dead_share * float(iteration_ns) > cull_ns * float(before.queued);
  }
};

/// Begins a wave. The work queue of its first iteration holds every slot.
struct BeginWave {
  WaveState* state;
  simt::Span<const BounceTotals> totals;  ///< [bounce]
  CullPolicy policy;
  Wave wave;
  uint32_t slot_count;

  SIMT_HOST_DEVICE void operator()() const {
    state->wave = wave;
    state->slot_count = slot_count;
    state->next_path = slot_count;
    state->iteration = {.queued = slot_count,
                        .cull_entries = policy.culls(totals[0]) ? slot_count : 0};
  }
};

/// Ends an iteration: adds its counters to the totals and sets up the next iteration.
struct EndIteration {
  WaveState* state;
  simt::Span<BounceTotals> totals;  ///< [bounce]
  CullEffect effect;
  CullPolicy policy;

  SIMT_HOST_DEVICE void operator()() const {
    const Iteration ended = state->iteration;
    const bool culled = effect != CullEffect::kNothing && ended.cull_entries > 0;
    const uint64_t now = nanoseconds();
    add_to_totals(ended, culled, now);

    Iteration& next = state->iteration;
    next = {.index = ended.index + 1,
            .queued = ended.survivors > 0 && !culled ? ended.queued : ended.survivors,
            .list = ended.list,
            .ping_pong = ended.ping_pong,
            .all_alive = culled || (ended.all_alive && ended.survivors == ended.queued)};
    next.cull_entries = policy.culls(totals[bounce_of(next)]) ? next.queued : 0;
    if (culled && effect == CullEffect::kLists) next.list = other_list(ended.list);
    if (culled && effect == CullEffect::kMovesState) {
      next.ping_pong = 1 - ended.ping_pong;
      next.list = SlotList::kAllSlots;  // grouping may have listed them
    }
  }

 private:
  /// Returns the bounce at which an iteration is counted. With regeneration a wave has more
  /// iterations than a path has bounces, and the last bounce counts the rest.
  SIMT_HOST_DEVICE uint32_t bounce_of(const Iteration& iteration) const {
    const uint32_t last = uint32_t(totals.size) - 1;
    return iteration.index < last ? iteration.index : last;
  }

  SIMT_HOST_DEVICE void add_to_totals(const Iteration& iteration, bool culled, uint64_t now) const {
    if (iteration.queued == 0) return;
    BounceTotals& total = totals[bounce_of(iteration)];
    ++total.waves;
    total.culls += culled;
    total.queued += iteration.queued;
    total.survivors += iteration.survivors;
    total.busy_warps += iteration.busy_warps;
    total.shadow_rays += iteration.shadow_rays;
    total.unoccluded += iteration.unoccluded;

    // A stage lasts until the next one starts.
    const uint64_t cull_start =
        iteration.start_of(Stage::kCull) ? iteration.start_of(Stage::kCull) : now;
    auto add = [&](Stage stage, uint64_t end) {
      total.nanoseconds[uint32_t(stage)] += end - iteration.start_of(stage);
    };
    if (iteration.index == 0) add(Stage::kGenerate, iteration.start_of(Stage::kIntersect));
    // Grouping drops terminated entries: it counts as culling.
    const uint64_t shade_start = iteration.start_of(Stage::kShade);
    const uint64_t group_start = iteration.group_start ? iteration.group_start : shade_start;
    add(Stage::kIntersect, group_start);
    add(Stage::kShade, iteration.start_of(Stage::kShadow));
    add(Stage::kShadow, cull_start);
    total.nanoseconds[uint32_t(Stage::kCull)] += shade_start - group_start + now - cull_start;
  }
};

struct MarkCullStart {
  WaveState* state;

  SIMT_HOST_DEVICE void operator()() const {
    state->iteration.start[uint32_t(Stage::kCull)] = nanoseconds();
  }
};

struct EndWave {
  WaveState* state;
  simt::Span<BounceTotals> totals;  ///< [bounce]

  SIMT_HOST_DEVICE void operator()() const {
    const Iteration& last = state->iteration;
    auto add = [&](Stage stage, uint64_t end) {
      totals[0].nanoseconds[uint32_t(stage)] += end - last.start_of(stage);
    };
    const uint64_t now = nanoseconds(), first_hits = last.start_of(Stage::kFirstHits);
    if (last.start_of(Stage::kFilm)) add(Stage::kFilm, first_hits ? first_hits : now);
    if (first_hits) add(Stage::kFirstHits, now);
    if (last.start_of(Stage::kPath)) add(Stage::kPath, last.start_of(Stage::kFilm));
    ++state->waves;
  }
};

}  // namespace winnow
