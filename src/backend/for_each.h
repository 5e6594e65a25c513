#pragma once

#include <cstdint>
#include <type_traits>

#include "base/nanoseconds.h"
#include "bvh/warp_rays.h"
#include "compaction/group/block_rank.h"
#include "compaction/group/warp_reduce.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"
#include "math/ray.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/rounds.h"

namespace winnow {

// The kernels that run stages. A grid fills the device once, whatever the number of items: the
// host does not know it.

/// Threads of a block. On an H200 at 1920x1080, 128 are up to 4 % slower, 64 up to 12 %, and 512,
/// which are left with too few registers, 13 to 20 %.
inline constexpr unsigned kStageBlockSize = 256;

/// The same for rays, and how many blocks a multiprocessor is to hold. On an H200 64 registers a
/// thread are best: with 56 scattered rays take as long and others 4 % longer, with 48, which do
/// not hold a traversal, all took a tenth longer and more in an earlier form.
inline constexpr unsigned kRayBlockSize = 128, kRayBlocksPerSm = 8;

/// Tells when a stage starts.
SIMT_KERNEL inline void stamp_start(simt::Block auto& block, WaveState& state, Stage stage) {
  if (block.group_index() == 0 && block.thread_rank() == 0)
    state.round.start[uint32_t(stage)] = nanoseconds();
}

/// Runs `Step` once, on one thread.
template <class Step>
struct RunOnce {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  using Shared = simt::NoShared;

  Step step;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() == 0) step();
  }
};

/// Runs a stage for every living item. Where items take different times, a warp that is done takes
/// the next 32, so that none waits for the slowest of its block. All ask at one address, which an
/// H200 answers every 1.4 ns: too slow for stages that do little, whose warps take turns.
template <class Source, class Stage>
struct ForEach {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  using Shared = simt::NoShared;

  WaveState* state;
  Source source;
  Stage stage;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    stamp_start(block, *state, Stage::kStage);
    simt::Warp auto warp = block.warp();
    const Items items = source.items(*state);
    // The first items are given out by rank, the others by turns or as warps ask.
    constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
    const uint32_t given = block.num_groups() * kBlockSize;
    uint32_t first = (block.group_index() * kWarps + block.warp_rank()) * simt::kWarpSize;
    [[maybe_unused]] uint32_t counted = 0;
    while (first < items.count) {
      const uint32_t i = first + warp.thread_rank();
      const bool alive = i < items.count && items.is_alive(i);
      if constexpr (Counts<Stage>)
        counted += simt::popcount(warp.ballot(alive && stage(items[i])));
      else if (alive)
        stage(items[i]);
      if constexpr (HasUniformCost<Stage>) {
        first += given;
      } else {
        if (warp.thread_rank() == 0)
          first = given + simt::fetch_add_relaxed(state->round.next_item[uint32_t(Stage::kStage)],
                                                  simt::kWarpSize);
        first = warp.shfl(first, 0);
      }
    }
    if constexpr (Counts<Stage>)
      if (warp.thread_rank() == 0 && counted > 0)
        simt::add_relaxed(Stage::counter(state->round), counted);
  }
};

/// Traces the ray of every living item to its closest hit, or to any hit. Where rays part, or some
/// end at the first thing that they meet while others go all their way, the lanes of a warp help
/// each other, and a warp that has lost enough of its lanes to rays that ended takes new ones for
/// these. Aila & Laine, "Understanding the Efficiency of Ray Traversal on GPUs", HPG 2009.
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
  static constexpr bool kAnyHit = HasAnyHit<Stage>;

  /// @tparam kWarpCooperative  the lanes of a warp help each other
  template <bool kWarpCooperative>
  SIMT_KERNEL void trace(simt::Block auto& block, const Items& items, WarpRays& rays) const {
    simt::Warp auto warp = block.warp();
    constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
    const uint32_t lane = warp.thread_rank();
    // The first items are given out by rank, the others in the order in which warps ask.
    const uint32_t given = block.num_groups() * kBlockSize;
    uint32_t first = (block.group_index() * kWarps + block.warp_rank()) * simt::kWarpSize;
    uint32_t idle = ~0u;  // lanes without a ray, whose items start at `first`

    typename A::Traversal traversal;
    typename A::Stack stack;
    uint32_t item = 0;
    bool has_ray = false;
    [[maybe_unused]] uint32_t counted = 0;  // by this lane
    while (true) {
      const uint32_t i = first + simt::popcount(idle & simt::lanes_below(lane));
      if constexpr (kWarpCooperative) warp.sync();  // all have read what the rays before show
      if (!traversal.active() && i < items.count && items.is_alive(i)) {
        item = items[i];
        traversal = typename A::Traversal(stage.accel, stage.ray(item), stack, kAnyHit);
        if constexpr (kWarpCooperative) traversal.show(rays, lane);
        has_ray = true;
      }
      const bool more = first + simt::popcount(idle) < items.count;
      if constexpr (kWarpCooperative) {
        const auto count_running = [&] { return simt::popcount(warp.ballot(traversal.active())); };
        int lost = 0;
        for (uint32_t running = count_running(); running > 0 && lost <= kPatience;) {
          traversal.template step_warp_cooperative<kAnyHit>(warp, stage.accel, stack, running,
                                                            rays);
          running = count_running();
          if (more) lost += int(simt::kWarpSize - kFreeLanes) - int(running);
        }
      } else {
        while (traversal.active()) traversal.template step<kAnyHit, false>(stage.accel, stack);
      }
      if (has_ray && !traversal.active()) {
        if constexpr (kWarpCooperative) traversal.take_back(rays, lane);
        if constexpr (Counts<Stage>)
          counted += stage.store(item, found(traversal, stack));
        else
          stage.store(item, found(traversal, stack));
        has_ray = false;
      }
      if (!more) break;
      idle = warp.ballot(!traversal.active());
      if (lane == 0)
        first = given + simt::fetch_add_relaxed(state->round.next_item[uint32_t(Stage::kStage)],
                                                simt::popcount(idle));
      first = warp.shfl(first, 0);
    }
    if constexpr (Counts<Stage>) {
      counted = compaction::warp_sum(warp, counted);
      if (lane == 0 && counted > 0) simt::add_relaxed(Stage::counter(state->round), counted);
    }
  }

  SIMT_HOST_DEVICE auto found(typename A::Traversal& traversal,
                              const typename A::Stack& stack) const {
    if constexpr (kAnyHit)
      return traversal.has_hit();
    else
      return traversal.hit(stage.accel, stack);
  }

  /// In each step this many lanes may have no ray, and what they are more is lost.
  static constexpr unsigned kFreeLanes = 2;
  /// Lanes times steps that may be lost before new rays are worth fetching: with half as many, rays
  /// take up to 1 % longer, with half as many again, as long.
  static constexpr int kPatience = 16;
};

/// The same for a stage that counts in a tally of its own for each block.
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

/// Runs a stage for every living entry of the work queue and marks the entries that go on. Shadow
/// rays are appended to those of the round and, if asked to, the paths that go on to the columns of
/// the other side; else they stay in their slots. The warps of a block stay together, which spares
/// the instruction cache: on an H200 shading takes up to a quarter longer where each warp goes on
/// by itself.
template <class Stage>
struct ForEachPush {
  static constexpr unsigned kBlockSize = kStageBlockSize;
  static constexpr unsigned kBlocksPerSm = Stage::kBlocksPerSm;
  struct Shared {
    compaction::WarpTotals<kBlockSize> warps;
    uint32_t first_shadow_ray, first_path;
  };

  WaveState* state;
  WorkQueue work;
  Stage stage;
  bool appends;  ///< the paths that go on, in rounds that cull

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    stamp_start(block, *state, Stage::kStage);
    simt::Warp auto warp = block.warp();
    Round& round = state->round;
    const Items entries = work.items(*state);
    const bool moves = appends && round.cull_entries > 0;
    const uint32_t side = moves ? 1 - round.side : round.side;
    uint32_t busy = 0;
    for (uint32_t first = block.group_index() * kBlockSize; first < entries.count;
         first += block.num_groups() * kBlockSize) {
      const uint32_t i = first + block.thread_rank();
      const bool alive = i < entries.count && entries.is_alive(i);
      uint32_t slot = 0;
      Outcome outcome;
      if (alive) {
        slot = entries[i];
        outcome = stage(slot);
      }
      const uint32_t casting = warp.ballot(outcome.casts_shadow_ray),
                     living = warp.ballot(outcome.active);
      busy += warp.any(alive);
      if (warp.thread_rank() == 0 && i < entries.count) work.alive[i / simt::kWarpSize] = living;
      const Places places = append(block, shared, casting, living);
      if (outcome.casts_shadow_ray) stage.store_shadow_ray(places.shadow_ray, outcome);
      if (outcome.active) stage.store_path(side, moves ? places.path : slot, outcome);
    }
    if (warp.thread_rank() == 0 && busy > 0) simt::add_relaxed(round.busy_warps, busy);
  }

 private:
  using Outcome = std::invoke_result_t<Stage, uint32_t>;

  /// Where a thread's shadow ray and path go, if it has them.
  struct Places {
    uint32_t shadow_ray, path;
  };

  /// Makes room for what the block appends, both kinds at once, with one atomic for each.
  SIMT_KERNEL Places append(simt::Block auto& block, Shared& shared, uint32_t casting,
                            uint32_t living) const {
    simt::Warp auto warp = block.warp();
    constexpr unsigned kHalf = 16;  // bits of a sum; a block is far smaller than 2^16
    constexpr uint32_t kLow = (1u << kHalf) - 1;
    const uint32_t counts = simt::popcount(casting) | simt::popcount(living) << kHalf;
    const compaction::Rank sums = compaction::block_exclusive_sum(block, counts, shared.warps);
    if (block.thread_rank() == 0)
      shared.first_shadow_ray =
          simt::fetch_add_relaxed(state->round.shadow_rays, sums.total & kLow);
    if (block.thread_rank() == simt::kWarpSize)
      shared.first_path = simt::fetch_add_relaxed(state->round.survivors, sums.total >> kHalf);
    block.sync();
    const uint32_t below = simt::lanes_below(warp.thread_rank());
    return {.shadow_ray =
                shared.first_shadow_ray + (sums.rank & kLow) + simt::popcount(casting & below),
            .path = shared.first_path + (sums.rank >> kHalf) + simt::popcount(living & below)};
  }
};

}  // namespace winnow
