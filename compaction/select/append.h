#pragma once

#include <cstdint>

#include "compaction/group/block_rank.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// Shared memory of block_append().
template <unsigned kBlockSize>
struct AppendShared {
  WarpTotals<kBlockSize> warps;
  uint64_t first;  ///< place of the block's first value
};

/// Appends the pushed ones of the kValues values of each thread to `out`, for a kernel that
/// produces them. All threads of the block call it together, and may do so again at once.
///
/// Values of one call of a block lie together, ordered by warp, then number of the value, then
/// lane; so where thread t of warp w holds items `(w * kValues + i) * 32 + t` of a block's tile,
/// the order of the items is kept in it. Blocks come in any order. Where all fit is the caller's
/// care: more than `out` holds is an index outside.
///
/// @param count  how many `out` holds, of all blocks; 32 or 64 bits; grows by the number of pushed
///               values
/// Two barriers and one atomic addition per block, one ballot per warp and value.
/// Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", 2014; here by block.
template <unsigned kBlockSize, unsigned kValues, class T, class Count>
SIMT_KERNEL void block_append(simt::Block auto& block, const bool (&push)[kValues],
                              const T (&values)[kValues], Span<T> out, Count* count,
                              AppendShared<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  uint32_t ballots[kValues], warp_count = 0;
  for (unsigned i = 0; i < kValues; ++i) {
    ballots[i] = warp.ballot(push[i]);
    warp_count += simt::popcount(ballots[i]);
  }
  Rank warps = block_exclusive_sum(block, warp_count, shared.warps);
  // Relaxed: the places must be distinct, and nobody reads `out` or `count` before the kernel ends.
  if (block.thread_rank() == 0 && warps.total > 0)
    shared.first = simt::fetch_add_relaxed(*count, Count(warps.total));
  block.sync();
  uint64_t place = shared.first + warps.rank;
  for (unsigned i = 0; i < kValues; ++i) {
    if (push[i])
      out[place + simt::popcount(ballots[i] & simt::lanes_below(warp.thread_rank()))] = values[i];
    place += simt::popcount(ballots[i]);
  }
}

/// As above, for one value of each thread.
template <unsigned kBlockSize, class T, class Count>
SIMT_KERNEL void block_append(simt::Block auto& block, bool push, const T& value, Span<T> out,
                              Count* count, AppendShared<kBlockSize>& shared) {
  const bool pushes[1] = {push};
  const T values[1] = {value};
  block_append(block, pushes, values, out, count, shared);
}

/// Appends the values of the lanes that `push` to `out`, for a kernel whose threads do not all come
/// to the same place. All lanes of the warp call it together. As block_append() otherwise: values
/// of a warp lie together in the order of its lanes.
///
/// One ballot and one atomic addition per warp.
template <class T, class Count>
SIMT_KERNEL void warp_append(simt::Warp auto warp, bool push, const T& value, Span<T> out,
                             Count* count) {
  const uint32_t ballot = warp.ballot(push);
  if (ballot == 0) return;
  Count first = 0;
  if (warp.thread_rank() == 0) first = simt::fetch_add_relaxed(*count, simt::popcount(ballot));
  first = warp.shfl(first, 0);
  if (push) out[first + simt::popcount(ballot & simt::lanes_below(warp.thread_rank()))] = value;
}

}  // namespace compaction
