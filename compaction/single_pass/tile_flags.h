#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/group/warp_scan.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// The flags of the items that one thread holds, kChunks chunks of kChunkItems neighbours, and
/// their ranks in the warp. The items of a warp are ordered by chunk, then lane, then place in the
/// chunk.
template <unsigned kChunks, unsigned kChunkItems>
class TileFlags {
 public:
  SIMT_KERNEL void set(unsigned chunk, unsigned item, bool flag) {
    bits_ |= Bits(flag) << (chunk * kChunkItems + item);
  }
  SIMT_KERNEL bool get(unsigned chunk, unsigned item) const {
    return bits_ >> (chunk * kChunkItems + item) & 1;
  }

  /// Bit i is the flag of the chunk's item i.
  SIMT_KERNEL uint32_t of_chunk(unsigned chunk) const {
    return uint32_t(bits_ >> (chunk * kChunkItems)) & kChunkMask;
  }

  /// Ranks all items whose flag is set. All lanes call it together; returns how many the warp has.
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
      // One scan for all chunks: their counts lie side by side in one word.
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

  /// How many items of the warp come before the chunk's first one.
  SIMT_KERNEL uint32_t rank_of_chunk(unsigned chunk) const { return ranks_[chunk]; }

 private:
  // A warp's chunk counts at most 32 * kChunkItems.
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

}  // namespace compaction
