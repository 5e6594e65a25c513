// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/group/shared_items.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// Returns the bytes of workspace that multi_block_reduce() needs for up to `capacity` items in
/// tiles of `tile_size`. Grows with `capacity`.
template <class T>
size_t multi_block_reduce_bytes(uint64_t capacity, unsigned tile_size) {
  uint64_t tiles = simt::ceil_div(capacity, tile_size);
  if (tiles <= 1) return 0;
  return workspace_part(size_t(tiles) * sizeof(T)) + multi_block_reduce_bytes<T>(tiles, tile_size);
}

/// Reduction of any number of items by a kernel that reduces tiles. The results of the tiles are
/// reduced again until one is left.
///
/// @tparam ReduceTiles  a kernel, one block per tile of kTileSize items: `in` [item], `results`
///                      [tile], `count`, `op`; the result of an empty tile is the identity
/// @param in           [n], fewer than 2^31 tiles
/// @param result       [1], receives the items combined in order; must not overlap `in`
/// @param workspace    [>= multi_block_reduce_bytes<T>(capacity, kTileSize)], any contents
/// With tiles of t items 1 kernel for up to t items, 2 for up to t^2 and so on. Does not
/// synchronize.
template <class ReduceTiles, class Launcher, class T, Operator<T> Op>
void multi_block_reduce(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                        Span<T> result, Span<std::byte> workspace, Op op) {
  uint32_t tiles = grid_size(n.capacity, ReduceTiles::kTileSize);
  if (tiles <= 1) {  // also without items: the identity must be written
    launcher.launch(1, ReduceTiles{.in = in, .results = result, .count = n, .op = op});
    return;
  }
  WorkspaceCutter cutter(workspace);
  Span<T> results = cutter.take<T>(tiles);
  launcher.launch(tiles, ReduceTiles{.in = in, .results = results, .count = n, .op = op});
  multi_block_reduce<ReduceTiles>(launcher, results, ItemCount{tiles}, result, cutter.rest(), op);
}

inline constexpr unsigned kNaiveReduceTile = 256;  ///< items, and threads of a block

/// Reduces each tile by a tree; thread i holds leaf i. One block per tile, one item per thread.
///
///     thread 0  1  2  3  4  5  6  7
///            3  1  7  0  4  1  6  3
///            4     7     5     9        stride 1: threads 0, 2, 4, 6
///           11          14              stride 2: threads 0, 4
///           25                          stride 4: thread 0
///
/// The active threads are spread over all warps, so each warp executes every step.
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

/// Returns the bytes of workspace of naive_reduce() for up to `capacity` items; grows with it.
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
/// 2^24 and so on. Does not synchronize. Kirk & Hwu, "Programming Massively Parallel Processors",
/// 2010; Harris, "Optimizing Parallel Reduction in CUDA", 2007 (first kernel).
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void naive_reduce(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                  Span<T> result, Span<std::byte> workspace, Op op = {}) {
  multi_block_reduce<ReduceTilesNaively<T, Op>>(launcher, in, n, result, workspace, op);
}

/// Items of a tile: 512, or 256 if they are too large for that.
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
/// Whole warps become idle. The same neighbours are combined as in the naive tree, so that any
/// associative operator can be used; the padding of SharedItems avoids bank conflicts.
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

/// Returns the bytes of workspace of tree_reduce() for up to `capacity` items; grows with it.
template <class T>
size_t tree_reduce_bytes(uint64_t capacity) {
  return multi_block_reduce_bytes<T>(capacity, kTreeReduceTile<T>);
}

/// Reduction by a tree of contiguous threads, one tile of 512 items per block (256 for items of
/// more than 64 bytes).
///
/// @param workspace  [>= tree_reduce_bytes<T>(capacity)], any contents
/// 1 kernel for up to 512 items, 2 for up to 2^18, 3 for up to 2^27 and so on. Otherwise like
/// naive_reduce().
/// Harris, "Optimizing Parallel Reduction in CUDA", 2007.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void tree_reduce(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                 Span<T> result, Span<std::byte> workspace, Op op = {}) {
  multi_block_reduce<ReduceTilesByTree<T, Op>>(launcher, in, n, result, workspace, op);
}

}  // namespace compaction
