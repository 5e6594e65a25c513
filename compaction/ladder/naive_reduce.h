// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/group/shared_items.h"
#include "compaction/ladder/multi_block_reduce.h"

namespace compaction {

inline constexpr unsigned kNaiveReduceTile = 256;  ///< items, and threads of a block

/// Reduces each tile by a tree whose leaf i thread i holds. One block per tile, one item per
/// thread.
///
///     thread 0  1  2  3  4  5  6  7
///            3  1  7  0  4  1  6  3
///            4     7     5     9        stride 1: threads 0, 2, 4, 6
///           11          14              stride 2: threads 0, 4
///           25                          stride 4: thread 0
///
/// The active threads are spread over all warps: each warp executes every step, with fewer and
/// fewer active lanes, down to one.
template <class T, Operator<T> Op>
struct ReduceTilesNaively {
  static constexpr unsigned kBlockSize = kNaiveReduceTile;
  static constexpr unsigned kTileSize = kNaiveReduceTile;
  using Shared = SharedItems<T, kTileSize>;

  Span<const T> in;  ///< [item]
  Span<T> results;   ///< [tile]
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& items) const {
    unsigned thread = block.thread_rank();
    uint64_t item = uint64_t(block.group_index()) * kTileSize + thread;
    items[thread] = item < count() ? in[item] : T(op.identity());
    for (unsigned stride = 1; stride < kTileSize; stride *= 2) {
      block.sync();
      if (thread % (2 * stride) == 0) items[thread] = op(items[thread], items[thread + stride]);
    }
    if (thread == 0) results[block.group_index()] = items[0];
  }
};

/// Bytes of workspace that naive_reduce() needs for up to `capacity` items. Grows with `capacity`.
template <class T>
size_t naive_reduce_bytes(uint64_t capacity) {
  return multi_block_reduce_bytes<T>(capacity, kNaiveReduceTile);
}

/// Reduction by the textbook's first tree, one tile of 256 items per block.
///
/// @param in         [n], n < 2^39
/// @param result     [1], receives in[0] op ... op in[n - 1], the identity for n = 0; must not
///                   overlap `in`
/// @param workspace  [>= naive_reduce_bytes<T>(capacity)], any contents
/// Reads n items and moves 2 per tile. 1 kernel for up to 256 items, 2 for up to 2^16, 3 for up to
/// 2^24 and so on. Does not synchronize.
/// Kirk & Hwu, "Programming Massively Parallel Processors", 2010; Harris, "Optimizing Parallel
/// Reduction in CUDA", 2007, whose first kernel it is.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void naive_reduce(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                  Span<T> result, Span<std::byte> workspace, Op op = {}) {
  multi_block_reduce<ReduceTilesNaively<T, Op>>(launcher, in, n, result, workspace, op);
}

}  // namespace compaction
