// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/group/block_rank.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"
#include "compaction/version.h"

namespace compaction {

using simt::Span;

template <unsigned kValues>
struct Pushed {
  uint32_t ballots[kValues];
  Rank warps;

  /// Calls `write(i, place)` for each value i that this thread pushes; `place` is its rank among
  /// the pushed values of the block.
  template <class Write>
  SIMT_KERNEL void for_each(simt::Warp auto warp, const bool (&push)[kValues], Write write) const {
    uint32_t place = warps.rank;
    for (unsigned i = 0; i < kValues; ++i) {
      if (push[i])
        write(i, place + simt::popcount(ballots[i] & simt::lanes_below(warp.thread_rank())));
      place += simt::popcount(ballots[i]);
    }
  }
};

/// Ranks the pushed values of a block. One barrier, one ballot per warp and value.
template <unsigned kBlockSize, unsigned kValues>
SIMT_KERNEL Pushed<kValues> rank_pushed(simt::Block auto& block, const bool (&push)[kValues],
                                        WarpTotals<kBlockSize>& shared) {
  simt::Warp auto warp = block.warp();
  Pushed<kValues> pushed;
  uint32_t warp_count = 0;
  for (unsigned i = 0; i < kValues; ++i) {
    pushed.ballots[i] = warp.ballot(push[i]);
    warp_count += simt::popcount(pushed.ballots[i]);
  }
  pushed.warps = block_exclusive_sum(block, warp_count, shared);
  return pushed;
}

/// Shared memory of block_append().
template <unsigned kBlockSize>
struct AppendShared {
  WarpTotals<kBlockSize> warps;
  uint64_t first;  ///< index of the block's first value in the output
};

/// Appends the values that each thread pushes, out of kValues, to `out`: for kernels that produce
/// items. All threads of the block make the call together. Another call may follow without a
/// barrier.
///
/// The values of one call of a block are contiguous, ordered by warp, then index of the value, then
/// lane. So if thread t of warp w holds items `(w * kValues + i) * 32 + t` of the block's tile,
/// their order is kept. The order of the blocks is arbitrary. `out` must be large enough: a value
/// beyond its end is an index error.
///
/// @param count  number of values in `out`, from all blocks; any integer of 32 or 64 bits;
/// increased
///               by the number of pushed values
/// Two barriers and one atomic addition per block, one ballot per warp and value.
/// Adinets, "CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics", 2014; here aggregated
/// by block.
template <unsigned kBlockSize, unsigned kValues, class T, CountInteger Count>
SIMT_KERNEL void block_append(simt::Block auto& block, const bool (&push)[kValues],
                              const T (&values)[kValues], Span<T> out, Count* count,
                              AppendShared<kBlockSize>& shared) {
  const Pushed<kValues> pushed = rank_pushed(block, push, shared.warps);
  // Relaxed: the ranges must be disjoint, and `out` and `count` are not read before the kernel
  // ends.
  if (block.thread_rank() == 0 && pushed.warps.total > 0)
    shared.first = simt::fetch_add_relaxed(*count, Count(pushed.warps.total));
  block.sync();
  if (pushed.warps.total == 0) return;
  const uint64_t first = shared.first;
  pushed.for_each(block.warp(), push,
                  [&](unsigned i, uint32_t place) { out[first + place] = values[i]; });
}

/// Shared memory of the block_append() that stages values.
template <class T, unsigned kBlockSize, unsigned kValues>
struct StagedAppendShared {
  AppendShared<kBlockSize> append;
  T staged[size_t(kBlockSize) * kValues];
};

/// Appends values like the function above, but stages them in shared memory while the addition is
/// in flight, and writes whole lines. Faster if threads have several values and shared memory is
/// free.
template <unsigned kBlockSize, unsigned kValues, class T, CountInteger Count>
SIMT_KERNEL void block_append(simt::Block auto& block, const bool (&push)[kValues],
                              const T (&values)[kValues], Span<T> out, Count* count,
                              StagedAppendShared<T, kBlockSize, kValues>& shared) {
  const Pushed<kValues> pushed = rank_pushed(block, push, shared.append.warps);
  if (block.thread_rank() == 0 && pushed.warps.total > 0)
    shared.append.first = simt::fetch_add_relaxed(*count, Count(pushed.warps.total));
  pushed.for_each(block.warp(), push,
                  [&](unsigned i, uint32_t place) { shared.staged[place] = values[i]; });
  block.sync();
  if (pushed.warps.total == 0) return;
  // Each warp except the first one starts at a line of `out`.
  constexpr uint64_t kLineItems = sizeof(T) < simt::kLineBytes ? simt::kLineBytes / sizeof(T) : 1;
  const uint64_t first = shared.append.first;
  const uint64_t skip = (reinterpret_cast<uintptr_t>(out.data) / sizeof(T) + first) % kLineItems;
  const uint64_t end = skip + pushed.warps.total;
  for (uint64_t item = block.thread_rank(); item < end; item += kBlockSize)
    if (item >= skip) out[first + item - skip] = shared.staged[item - skip];
}

/// Appends one value per thread.
template <unsigned kBlockSize, class T, CountInteger Count>
SIMT_KERNEL void block_append(simt::Block auto& block, bool push, const T& value, Span<T> out,
                              Count* count, AppendShared<kBlockSize>& shared) {
  const bool pushes[1] = {push};
  const T values[1] = {value};
  block_append(block, pushes, values, out, count, shared);
}

/// Appends the values of the lanes that `push` to `out`, for kernels in which the warps of a block
/// diverge. All lanes of the warp make the call together. The values of a warp are contiguous, in
/// the order of its lanes. Otherwise like block_append().
///
/// One ballot and one atomic addition per warp.
template <class T, CountInteger Count>
SIMT_KERNEL void warp_append(simt::Warp auto warp, bool push, const T& value, Span<T> out,
                             Count* count) {
  const uint32_t ballot = warp.ballot(push);
  if (ballot == 0) return;
  Count first = 0;
  if (warp.thread_rank() == 0)
    first = simt::fetch_add_relaxed(*count, Count(simt::popcount(ballot)));
  first = warp.shfl(first, 0);
  if (push) out[first + simt::popcount(ballot & simt::lanes_below(warp.thread_rank()))] = value;
}

}  // namespace compaction
