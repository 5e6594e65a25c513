// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/group/block_rank.h"
#include "compaction/simt/atomic.h"
#include "wavefront/state/wave.h"

namespace winnow {

// --cull append: the shading stage culls. It stores the state of every survivor in any case; with
// append it packs these states densely into the other columns, so culling needs no pass of its own.
// The threads of a block rank their survivors, and one atomic reserves slots for the whole block:
// the order of the paths is lost.

/// Where the shading stage stores the state of the paths that stay active.
struct SurvivorSlots {
  uint32_t ping_pong;  ///< index of Paths::columns
  bool appended;       ///< packed in the order of arriving blocks; else each in its own slot

  SIMT_HOST_DEVICE uint32_t slot(uint32_t own_slot, uint32_t append_slot) const {
    return appended ? append_slot : own_slot;
  }
};

struct AppendSurvivors {
  /// True for --cull append and auto; other modes cull in a pass of their own, or never.
  bool enabled;

  SIMT_HOST_DEVICE SurvivorSlots slots(const Iteration& iteration) const {
    const bool appended = enabled && iteration.cull_entries > 0;
    return {.ping_pong = appended ? 1 - iteration.ping_pong : iteration.ping_pong,
            .appended = appended};
  }
};

template <unsigned kBlockSize>
struct AppendShared {
  compaction::WarpTotals<kBlockSize> warps;
  uint32_t first_shadow_ray, first_survivor;
};

/// Indices of a thread's shadow ray and survivor among those of the iteration, if it has them.
struct AppendIndices {
  uint32_t shadow_ray, survivor;
};

/// Reserves room for the shadow rays and the survivors of a block, with one scan for both kinds and
/// one atomic for each. All threads of the block call it together.
///
/// @param casting  ballot of the warp's threads with a shadow ray
/// @param active   ballot of the warp's threads with a survivor
template <unsigned kBlockSize>
SIMT_KERNEL AppendIndices append_of_block(simt::Block auto& block, Iteration& iteration,
                                          uint32_t casting, uint32_t active,
                                          AppendShared<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  constexpr unsigned kHalf = 16;  // bits of a sum; a block is far smaller than 2^16
  constexpr uint32_t kLow = (1u << kHalf) - 1;
  const uint32_t counts = simt::popcount(casting) | simt::popcount(active) << kHalf;
  const compaction::Rank sums = compaction::block_exclusive_sum(block, counts, shared.warps);
  if (block.thread_rank() == 0)
    shared.first_shadow_ray = simt::fetch_add_relaxed(iteration.shadow_rays, sums.total & kLow);
  if (block.thread_rank() == simt::kWarpSize)
    shared.first_survivor = simt::fetch_add_relaxed(iteration.survivors, sums.total >> kHalf);
  block.sync();
  const uint32_t below = simt::lanes_below(warp.thread_rank());
  return {
      .shadow_ray = shared.first_shadow_ray + (sums.rank & kLow) + simt::popcount(casting & below),
      .survivor = shared.first_survivor + (sums.rank >> kHalf) + simt::popcount(active & below)};
}

}  // namespace winnow
