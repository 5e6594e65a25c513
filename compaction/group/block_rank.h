// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/group/warp.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Number of flagged items before an item, and of all flagged items.
struct Rank {
  uint32_t rank;
  uint32_t total;
};

/// The flags of the items that one thread holds, kChunks chunks of kChunkItems consecutive items
/// each, and their ranks in the warp. The items of a warp are ordered by chunk, then lane, then
/// index in the chunk.
template <unsigned kChunks, unsigned kChunkItems>
class WarpFlags {
 public:
  SIMT_KERNEL void set(unsigned chunk, unsigned item, bool flag) {
    bits_ |= Bits(flag) << (chunk * kChunkItems + item);
  }
  /// Sets the flags of a chunk, which are not set yet: bit i is that of item i.
  SIMT_KERNEL void set_chunk(unsigned chunk, uint32_t flags) {
    bits_ |= Bits(flags) << (chunk * kChunkItems);
  }
  SIMT_KERNEL bool get(unsigned chunk, unsigned item) const {
    return bits_ >> (chunk * kChunkItems + item) & 1;
  }

  /// Returns the flags of a chunk: bit i is that of item i.
  SIMT_KERNEL uint32_t of_chunk(unsigned chunk) const {
    return uint32_t(bits_ >> (chunk * kChunkItems)) & kChunkMask;
  }

  /// Ranks all flagged items. Returns their number in the warp. All lanes call it together. One
  /// ballot per chunk for chunks of one item, otherwise 5 shuffles for all chunks.
  SIMT_KERNEL uint32_t rank(simt::Warp auto warp) {
    unsigned lane = warp.thread_rank();
    uint32_t count = 0;
    if constexpr (kChunkItems == 1) {
      for (unsigned c = 0; c < kChunks; ++c) {
        uint32_t ballot = warp.ballot(get(c, 0));
        ranks_[c] = count + simt::popcount(ballot & simt::lanes_below(lane));
        count += simt::popcount(ballot);
      }
    } else {
      // One scan for all chunks: their counts are packed into one word.
      Packed own = 0;
      for (unsigned c = 0; c < kChunks; ++c)
        own |= Packed(simt::popcount(of_chunk(c))) << (c * kCountBits);
      Packed inclusive = own;
      for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2) {
        Packed below = warp.shfl_up(inclusive, delta);
        if (lane >= delta) inclusive += below;
      }
      Packed exclusive = inclusive - own, totals = warp.shfl(inclusive, simt::kWarpSize - 1);
      for (unsigned c = 0; c < kChunks; ++c) {
        ranks_[c] = count + uint32_t(exclusive >> (c * kCountBits) & kCountMask);
        count += uint32_t(totals >> (c * kCountBits) & kCountMask);
      }
    }
    return count;
  }

  /// Returns the number of flagged items of the warp before the chunk's first item. Valid after
  /// rank().
  SIMT_KERNEL uint32_t rank_of_chunk(unsigned chunk) const { return ranks_[chunk]; }

 private:
  // Chunk c of all lanes together has at most 32 * kChunkItems items.
  static constexpr unsigned kCountBits = simt::kWarpSize * kChunkItems < 256 ? 8 : 16;
  static constexpr uint32_t kCountMask = (1u << kCountBits) - 1;
  static constexpr uint32_t kChunkMask = (1u << kChunkItems) - 1;
  using Packed = std::conditional_t<kChunks * kCountBits <= 32, uint32_t, uint64_t>;
  using Bits = std::conditional_t<kChunks * kChunkItems <= 32, uint32_t, uint64_t>;
  static_assert(kChunkItems == 1 || kChunks * kCountBits <= 64);
  static_assert(kChunkItems < 32 && kChunks * kChunkItems <= 64);

  Bits bits_ = 0;
  uint32_t ranks_[kChunks];
};

/// Shared memory of block_exclusive_sum() and block_rank().
template <unsigned kBlockSize>
struct WarpTotals {
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static_assert(kWarps <= simt::kWarpSize, "one warp scans the totals of all warps");

  uint32_t totals[kWarps];  ///< [warp]
};

/// Every warp computes the sums, which is cheaper than one warp and a second barrier.
template <unsigned kBlockSize>
SIMT_KERNEL Rank warp_rank_in_block(simt::Block auto& block, const WarpTotals<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  unsigned lane = warp.thread_rank();
  uint32_t total = lane < WarpTotals<kBlockSize>::kWarps ? shared.totals[lane] : 0;
  return {.rank = warp_sum(warp, lane < block.warp_rank() ? total : 0),
          .total = warp_sum(warp, total)};
}

/// Returns the sum of the totals of the earlier warps, and of all warps, to every thread.
///
/// @param warp_total total of this warp, the same value in all of its lanes
/// @param shared      may be written again after the block's next barrier
/// All threads of the block call it together. One barrier.
template <unsigned kBlockSize>
SIMT_KERNEL Rank block_exclusive_sum(simt::Block auto& block, uint32_t warp_total,
                                     WarpTotals<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  unsigned lane = warp.thread_rank();
  if (lane == 0) shared.totals[block.warp_rank()] = warp_total;
  block.sync();

  return warp_rank_in_block(block, shared);
}

/// Returns the rank of this thread among the flagged threads of the block, and the number of them.
///
/// @param shared  may be written again after the block's next barrier
/// All threads of the block call it together. One barrier, one ballot.
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
