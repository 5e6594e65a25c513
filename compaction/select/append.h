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
  uint32_t first;  ///< place of the block's first value
};

/// Appends the values of the threads that `push` to `out`, for a kernel that produces them. All
/// threads of the block call it together, and may do so again at once.
///
/// Values of one block lie together in the order of its threads; blocks come in any order. Where
/// all fit is the caller's care: more than `out` holds is an index outside.
///
/// @param count  how many `out` holds, of all blocks; grows by the number of pushed values
/// Two barriers, one ballot per warp and one atomic addition per block.
/// Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", 2014; here by block.
template <unsigned kBlockSize>
SIMT_KERNEL void block_append(simt::Block auto& block, bool push, uint32_t value,
                              Span<uint32_t> out, uint32_t* count,
                              AppendShared<kBlockSize>& shared) {
  Rank rank = block_rank(block, push, shared.warps);
  // Relaxed: the places must be distinct, and nobody reads `out` or `count` before the kernel ends.
  if (block.thread_rank() == 0 && rank.total > 0)
    shared.first = simt::fetch_add_relaxed(*count, rank.total);
  block.sync();
  if (push) out[shared.first + rank.rank] = value;
}

}  // namespace compaction
