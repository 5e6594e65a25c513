// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/nanoseconds.h"
#include "bvh/warp_rays.h"
#include "compaction/group/warp.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"
#include "math/ray.h"
#include "wavefront/kernels/append.h"
#include "wavefront/state/queue.h"

namespace winnow {

// The kernels that run stages. The grid fills the device once and loops over the items, since their
// count is not on the host.

// Constants that a stage may define:
//   kUniformCost     it takes about as long for every item
//   kAnyHit          its rays end at any hit
//   kContinuesStage  its time counts as part of the stage before it

/// Threads per block. On an H200 at 1920x1080, 128 are up to 4 % slower, 64 up to 12 %, and 512,
/// with too few registers for each, 13 to 20 %.
inline constexpr unsigned kStageBlockSize = 256;

/// Threads per block for rays, and the minimum number of resident blocks per multiprocessor. On an
/// H200, 64 registers per thread are best: with 56, incoherent rays take as long and others 4 %
/// longer; with 48, too few for the state of a traversal, all took a tenth longer or more in an
/// earlier version.
inline constexpr unsigned kRayBlockSize = 128, kRayBlocksPerSm = 8;

/// Records the start time of a stage. Every thread may call it; one of them writes.
SIMT_KERNEL inline void stamp_start(simt::Block auto& block, WaveState& state, Stage stage) {
  if (block.group_index() == 0 && block.thread_rank() == 0)
    state.iteration.start[uint32_t(stage)] = nanoseconds();
}

/// Runs a stage for every active item. The first items are assigned by rank. After these, the warps
/// of a stage with uniform cost stride over the items; for other stages, a warp that is done
/// fetches the next 32 items, so that it does not wait for the slowest warp of its block. These
/// fetches increment one counter, at one per 1.4 ns on an H200: too slow for stages that do little
/// work.
template <class Source, class Stage>
struct ForEach {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  using Shared = simt::NoShared;

  WaveState* state;
  Source source;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if constexpr (!requires { Stage::kContinuesStage; }) stamp_start(block, *state, Stage::kStage);
    simt::Warp auto warp = block.warp();
    const Items items = source.items(*state);
    constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
    const uint32_t assigned = block.num_groups() * kBlockSize;
    uint32_t first = (block.group_index() * kWarps + block.warp_rank()) * simt::kWarpSize;
    [[maybe_unused]] uint32_t counted = 0;
    while (first < items.count) {
      const uint32_t i = first + warp.thread_rank();
      const bool alive = i < items.count && items.is_alive(i);
      if constexpr (Counts<Stage>)
        counted += simt::popcount(warp.ballot(alive && stage(items[i])));
      else if (alive)
        stage(items[i]);
      if constexpr (requires { Stage::kUniformCost; }) {
        first += assigned;
      } else {
        if (warp.thread_rank() == 0)
          first =
              assigned + simt::fetch_add_relaxed(
                             state->iteration.next_item[uint32_t(Stage::kStage)], simt::kWarpSize);
        first = warp.shfl(first, 0);
      }
    }
    if constexpr (Counts<Stage>)
      if (warp.thread_rank() == 0 && counted > 0)
        simt::add_relaxed(Stage::counter(state->iteration), counted);
  }
};

/// Traces the ray of every active item to its closest hit, or to any hit. For incoherent rays and
/// for any hit, where rays terminate at different times, the lanes of a warp share primitive tests,
/// and a warp replaces terminated rays by new ones once enough lanes are idle. Aila & Laine,
/// "Understanding the Efficiency of Ray Traversal on GPUs", HPG 2009.
template <class Source, class Stage>
struct ForEachRay {
  static constexpr unsigned kBlockSize = kRayBlockSize;
  static constexpr unsigned kBlocksPerSm = kRayBlocksPerSm;
  struct Shared {
    WarpRays rays[kBlockSize / simt::kWarpSize];  ///< [warp]
  };

  WaveState* state;
  Source source;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    stamp_start(block, *state, Stage::kStage);
    const Items items = source.items(*state);
    WarpRays& rays = simt::in_register(shared.rays[block.warp_rank()]);
    if constexpr (kAnyHit)
      trace<true>(block, items, rays);
    else if (stage.incoherent(*state))
      trace<true>(block, items, rays);
    else
      trace<false>(block, items, rays);
  }

 private:
  using A = decltype(Stage::accel);
  static constexpr bool kAnyHit = requires { Stage::kAnyHit; };

  /// @tparam kWarpCooperative  lanes test primitives for any ray of their warp
  template <bool kWarpCooperative>
  SIMT_KERNEL void trace(simt::Block auto& block, const Items& items, WarpRays& rays) const {
    simt::Warp auto warp = block.warp();
    constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
    const uint32_t lane = warp.thread_rank();
    // The first items are assigned by rank, the others dynamically by an atomic counter.
    const uint32_t given = block.num_groups() * kBlockSize;
    uint32_t first = (block.group_index() * kWarps + block.warp_rank()) * simt::kWarpSize;
    uint32_t idle = ~0u;  // lanes without a ray, whose items start at `first`

    typename A::Traversal traversal;
    typename A::Stack stack;
    uint32_t item = 0;
    bool has_ray = false;
    const auto direction_of = [&](uint32_t other) { return stage.ray(other).direction; };
    [[maybe_unused]] uint32_t counted = 0;  // items that this lane has counted
    while (true) {
      const uint32_t i = first + simt::popcount(idle & simt::lanes_below(lane));
      if constexpr (kWarpCooperative) warp.sync();  // all lanes have read the previous rays
      if (!traversal.active() && i < items.count && items.is_alive(i)) {
        item = items[i];
        traversal = typename A::Traversal(stage.accel, stage.ray(item), stack, kAnyHit);
        if constexpr (kWarpCooperative) traversal.publish(rays, lane, item);
        has_ray = true;
      }
      const bool more = first + simt::popcount(idle) < items.count;
      if constexpr (kWarpCooperative) {
        const auto count_running = [&] { return simt::popcount(warp.ballot(traversal.active())); };
        int lost = 0;
        for (uint32_t running = count_running(); running > 0 && lost <= kPatience;) {
          traversal.template step_warp_cooperative<kAnyHit>(warp, stage.accel, stack, running, rays,
                                                            direction_of);
          running = count_running();
          if (more) lost += int(simt::kWarpSize - kFreeLanes) - int(running);
        }
      } else {
        const auto direction = [&] { return direction_of(item); };
        while (traversal.active())
          traversal.template step<kAnyHit, false>(stage.accel, stack, direction);
      }
      if (has_ray && !traversal.active()) {
        if constexpr (kWarpCooperative) traversal.load_result(rays, lane);
        if constexpr (Counts<Stage>)
          counted += stage.store(item, found(traversal, stack));
        else
          stage.store(item, found(traversal, stack));
        has_ray = false;
      }
      if (!more) break;
      idle = warp.ballot(!traversal.active());
      if (lane == 0)
        first = given + simt::fetch_add_relaxed(state->iteration.next_item[uint32_t(Stage::kStage)],
                                                simt::popcount(idle));
      first = warp.shfl(first, 0);
    }
    if constexpr (Counts<Stage>) {
      counted = compaction::warp_sum(warp, counted);
      if (lane == 0 && counted > 0) simt::add_relaxed(Stage::counter(state->iteration), counted);
    }
  }

  SIMT_HOST_DEVICE auto found(typename A::Traversal& traversal,
                              const typename A::Stack& stack) const {
    if constexpr (kAnyHit)
      return traversal.has_hit();
    else
      return traversal.hit(stage.accel, stack);
  }

  /// Lanes that may be idle in each step; further ones count as lost.
  static constexpr unsigned kFreeLanes = 2;
  /// Lost lanes, summed over steps, after which the warp fetches new rays. With half as many, rays
  /// take up to 1 % longer; with 1.5 times as many, they take as long.
  static constexpr int kPatience = 16;
};

/// Runs a stage that counts in a tally; each block has one in shared memory.
template <class Source, class Stage>
struct ForEachTally {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  using Shared = typename Stage::Tally;

  WaveState* state;
  Source source;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& tally) const {
    stamp_start(block, *state, Stage::kStage);
    const Items items = source.items(*state);
    for (unsigned k = block.thread_rank(); k < Shared::kSize; k += kBlockSize) tally.counts[k] = 0;
    block.sync();
    for (uint32_t i = block.group_index() * kBlockSize + block.thread_rank(); i < items.count;
         i += block.num_groups() * kBlockSize)
      stage(items[i], tally);
    block.sync();
    for (unsigned k = block.thread_rank(); k < Shared::kSize; k += kBlockSize)
      stage.add_tally(tally, k);
  }
};

/// Runs the shading stage for every active entry of the work queue and records in the alive mask
/// which paths stay active. Appends shadow rays to those of the iteration. Stores the state of the
/// active paths in their own slots or, if the stage culls, appends it: wavefront/kernels/append.h.
/// The warps of a block stay together, which saves instruction cache: on an H200, shading takes up
/// to a quarter longer if each warp advances independently.
///
/// @tparam Range  range of the entries. If it begins within a word of the alive mask, the bits of
///                the range before it are kept
template <class Stage, class Range = AllEntries>
struct ForEachPush {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  static constexpr unsigned kBlocksPerSm = Stage::kBlocksPerSm;
  using Shared = AppendShared<kBlockSize>;

  WaveState* state;
  WorkQueue work;
  Stage stage;
  AppendSurvivors append;
  Range range = {};

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    if constexpr (Range::kStampsStart) stamp_start(block, *state, Stage::kStage);
    simt::Warp auto warp = block.warp();
    Iteration& iteration = state->iteration;
    const Items entries = work.items(*state);
    const SurvivorSlots slots = append.slots(iteration);
    const uint32_t begin = range.begin(), end = range.end(entries);
    const uint32_t skipped = begin % simt::kWarpSize;  // bits of the first word
    uint32_t busy = 0;
    for (uint32_t first = begin - skipped + block.group_index() * kBlockSize; first < end;
         first += block.num_groups() * kBlockSize) {
      const uint32_t i = first + block.thread_rank();
      const bool alive = i >= begin && i < end && entries.is_alive(i);
      uint32_t slot = 0;
      std::invoke_result_t<Stage, uint32_t> shaded;
      if (alive) {
        slot = entries[i];
        shaded = stage(slot);
      }
      const uint32_t casting = warp.ballot(shaded.casts_shadow_ray),
                     active = warp.ballot(shaded.active);
      busy += warp.any(alive);
      if (warp.thread_rank() == 0 && i < end) {
        uint32_t& word = work.alive[i / simt::kWarpSize];
        word = i < begin ? active | (word & simt::lanes_below(skipped)) : active;
      }
      const AppendIndices indices = append_of_block(block, iteration, casting, active, shared);
      if (shaded.casts_shadow_ray) stage.store_shadow_ray(indices.shadow_ray, shaded);
      if (shaded.active)
        stage.store_path(slots.ping_pong, slots.slot(slot, indices.survivor), shaded);
    }
    if (warp.thread_rank() == 0 && busy > 0) simt::add_relaxed(iteration.busy_warps, busy);
  }
};

}  // namespace winnow
