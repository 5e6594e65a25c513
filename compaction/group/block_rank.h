#pragma once

#include "compaction/group/warp_sum.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// How many of some numbered things come before this one, and how many there are.
struct Rank {
  uint32_t rank;
  uint32_t total;
};

/// Shared memory of block_exclusive_sum() and block_rank().
template <unsigned kBlockSize>
struct WarpTotals {
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static_assert(kWarps <= simt::kWarpSize, "one warp scans the totals of all warps");

  uint32_t totals[kWarps];  ///< [warp]
};

/// Sum of the warps' values before this warp's, and of all, once `shared` holds them. Every warp
/// adds them up for itself: cheaper than one that does and a second barrier.
template <unsigned kBlockSize>
SIMT_KERNEL Rank warp_rank_in_block(simt::Block auto& block, const WarpTotals<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  unsigned lane = warp.thread_rank();
  uint32_t total = lane < WarpTotals<kBlockSize>::kWarps ? shared.totals[lane] : 0;
  return {.rank = warp_sum(warp, lane < block.warp_rank() ? total : 0),
          .total = warp_sum(warp, total)};
}

/// Sum of the warps' values before this warp's, and of all. `warp_total` is the same in all lanes
/// of a warp; the result too.
///
/// One barrier. `shared` may be written again after the block's next barrier.
template <unsigned kBlockSize>
SIMT_KERNEL Rank block_exclusive_sum(simt::Block auto& block, uint32_t warp_total,
                                     WarpTotals<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  unsigned lane = warp.thread_rank();
  if (lane == 0) shared.totals[block.warp_rank()] = warp_total;
  block.sync();

  return warp_rank_in_block(block, shared);
}

/// Rank of this thread among the threads of the block whose `flag` is set, and how many those are.
///
/// One barrier, one ballot. `shared` may be written again after the block's next barrier.
/// Harris & Garland, "Optimizing Parallel Prefix Operations for the Fermi Architecture", 2012.
template <unsigned kBlockSize>
SIMT_KERNEL Rank block_rank(simt::Block auto& block, bool flag, WarpTotals<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  uint32_t flags = warp.ballot(flag);
  Rank warps = block_exclusive_sum(block, simt::popcount(flags), shared);
  uint32_t rank_in_warp = simt::popcount(flags & simt::lanes_below(warp.thread_rank()));
  return {.rank = warps.rank + rank_in_warp, .total = warps.total};
}

}  // namespace compaction
