// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace_cutter.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// Bytes of workspace that multi_block_reduce() needs for up to `capacity` items in tiles of
/// `tile_size`. Grows with `capacity`.
template <class T>
size_t multi_block_reduce_bytes(uint64_t capacity, unsigned tile_size) {
  uint64_t tiles = simt::ceil_div(capacity, tile_size);
  if (tiles <= 1) return 0;
  return workspace_part(size_t(tiles) * sizeof(T)) + multi_block_reduce_bytes<T>(tiles, tile_size);
}

/// Reduction of any number of items by a kernel that reduces tiles: the results of the tiles are
/// reduced again until one is left.
///
/// @param ReduceTiles  a kernel, one block per tile of kTileSize items: `in` [item], `results`
///                     [tile], `count`, `op`; the result of an empty tile is the identity
/// @param in           [n], fewer than 2^31 tiles
/// @param result       [1], receives the items combined in order; must not overlap `in`
/// @param workspace    [>= multi_block_reduce_bytes<T>(capacity, kTileSize)], contents do not
///                     matter
/// With tiles of t items 1 kernel for up to t items, 2 for up to t^2 and so on. Does not
/// synchronize.
template <class ReduceTiles, class Launcher, class T, Operator<T> Op>
void multi_block_reduce(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                        Span<T> result, Span<std::byte> workspace, Op op) {
  uint32_t tiles = grid_size(n.capacity, ReduceTiles::kTileSize);
  if (tiles <= 1) {  // also where there is no item: the identity must be written
    launcher.launch(1, ReduceTiles{.in = in, .results = result, .count = n, .op = op});
    return;
  }
  WorkspaceCutter cutter(workspace);
  Span<T> results = cutter.take<T>(tiles);
  launcher.launch(tiles, ReduceTiles{.in = in, .results = results, .count = n, .op = op});
  multi_block_reduce<ReduceTiles>(launcher, results, ItemCount{tiles}, result, cutter.rest(), op);
}

}  // namespace compaction
