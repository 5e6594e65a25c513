// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/group/shared_items.h"
#include "compaction/ladder/multi_block_reduce.h"

namespace compaction {

/// Items of a tile: 512, or 256 where they are too large for that.
template <class T>
inline constexpr unsigned kTreeReduceTile = 512 * sizeof(T) <= kTileBytes ? 512 : 256;

/// Reduces each tile by a tree in which the first threads are active. One block per tile, two items
/// per thread.
///
///     item   0  1  2  3  4  5  6  7
///            3  1  7  0  4  1  6  3
///            4     7     5     9        stride 1: threads 0, 1, 2, 3
///           11          14              stride 2: threads 0, 1
///           25                          stride 4: thread 0
///
/// Whole warps become idle instead of most lanes of all warps. Textbooks achieve this by combining
/// item t with item t + size / 2, which changes the order; here the same neighbours are combined as
/// in the naive tree, so that any associative operator may be used, and the padding of SharedItems
/// avoids bank conflicts of the growing strides.
template <class T, Operator<T> Op>
struct ReduceTilesByTree {
  static constexpr unsigned kTileSize = kTreeReduceTile<T>;
  static constexpr unsigned kBlockSize = kTileSize / 2;
  using Shared = SharedItems<T, kTileSize>;

  Span<const T> in;  ///< [item]
  Span<T> results;   ///< [tile]
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& items) const {
    uint64_t n = count(), first = uint64_t(block.group_index()) * kTileSize;
    unsigned thread = block.thread_rank();
    for (unsigned slot = thread; slot < kTileSize; slot += kBlockSize)
      items[slot] = first + slot < n ? in[first + slot] : T(op.identity());
    for (unsigned stride = 1; stride < kTileSize; stride *= 2) {
      block.sync();
      unsigned left = thread * 2 * stride;
      if (left < kTileSize) items[left] = op(items[left], items[left + stride]);
    }
    if (thread == 0) results[block.group_index()] = items[0];
  }
};

/// Bytes of workspace that tree_reduce() needs for up to `capacity` items. Grows with `capacity`.
template <class T>
size_t tree_reduce_bytes(uint64_t capacity) {
  return multi_block_reduce_bytes<T>(capacity, kTreeReduceTile<T>);
}

/// Reduction by a tree of contiguous threads, one tile of 512 items per block (256 for items of
/// more than 64 bytes).
///
/// @param in         [n], n < 2^39
/// @param result     [1], receives in[0] op ... op in[n - 1], the identity for n = 0; must not
///                   overlap `in`
/// @param workspace  [>= tree_reduce_bytes<T>(capacity)], any contents
/// Reads n items and moves 2 per tile. 1 kernel for up to 512 items, 2 for up to 2^18, 3 for up to
/// 2^27 and so on. Does not synchronize.
/// Harris, "Optimizing Parallel Reduction in CUDA", 2007.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void tree_reduce(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                 Span<T> result, Span<std::byte> workspace, Op op = {}) {
  multi_block_reduce<ReduceTilesByTree<T, Op>>(launcher, in, n, result, workspace, op);
}

}  // namespace compaction
