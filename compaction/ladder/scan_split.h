// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "compaction/group/classes.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/simt/span.h"

namespace compaction {

/// How scan_split() cuts items into tiles: a block processes one item per thread and iteration.
struct ScanSplitTile {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kIterations = 8;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr uint32_t kSize = kIterations * kBlockSize;

  /// Returns the item of a thread in an iteration. The items of a warp are contiguous.
  SIMT_KERNEL static uint64_t item(simt::Block auto& block, unsigned iteration) {
    const unsigned slot = (block.warp_rank() * kIterations + iteration) * simt::kWarpSize +
                          block.thread_rank() % simt::kWarpSize;
    return uint64_t(block.group_index()) * kSize + slot;
  }
};

/// Kernel 1: counts the items of each class in each tile.
template <unsigned kClasses>
struct CountClassesOfTiles {
  static constexpr unsigned kBlockSize = ScanSplitTile::kBlockSize;
  struct Shared {
    typename ClassRanks<kClasses>::Shared warps[ScanSplitTile::kWarps];
  };

  Span<const uint8_t> keys;  ///< [item]
  ItemCount count;
  Span<uint32_t> tile_counts;  ///< [class][tile]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    ClassRanks<kClasses> ranks(warp, shared.warps[block.warp_rank()]);
    const uint64_t n = count();
    for (unsigned i = 0; i < ScanSplitTile::kIterations; ++i) {
      const uint64_t item = ScanSplitTile::item(block, i);
      ranks.count(warp, item < n ? keys[item] : kClasses);
    }
    ranks.store(warp);
    block.sync();

    for (unsigned c = block.thread_rank(); c < kClasses; c += kBlockSize) {
      uint32_t sum = 0;
      for (unsigned w = 0; w < ScanSplitTile::kWarps; ++w) sum += shared.warps[w].counts[c];
      tile_counts[size_t(c) * block.num_groups() + block.group_index()] = sum;
    }
  }
};

/// Kernel 3: writes the index of each item to the next place of its class.
template <unsigned kClasses>
struct ScatterByClass {
  static constexpr unsigned kBlockSize = ScanSplitTile::kBlockSize;
  struct Shared {
    typename ClassRanks<kClasses>::Shared warps[ScanSplitTile::kWarps];  // counts, later offsets
  };

  Span<const uint8_t> keys;  ///< [item]
  ItemCount count;
  Span<const uint32_t> tile_offsets;  ///< [class][tile], then the total
  Span<uint32_t> indices;             ///< [place]
  Span<uint32_t> class_offsets;       ///< [kClasses + 1]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    auto& own = shared.warps[block.warp_rank()];
    ClassRanks<kClasses> ranks(warp, own);
    const uint64_t n = count();
    uint32_t classes[ScanSplitTile::kIterations], places[ScanSplitTile::kIterations];
    for (unsigned i = 0; i < ScanSplitTile::kIterations; ++i) {
      const uint64_t item = ScanSplitTile::item(block, i);
      classes[i] = item < n ? keys[item] : kClasses;
      places[i] = ranks.rank(warp, classes[i]);
    }
    ranks.store(warp);
    block.sync();

    const uint32_t tile = block.group_index(), tiles = block.num_groups();
    for (unsigned c = block.thread_rank(); c < kClasses; c += kBlockSize) {
      uint32_t offset = tile_offsets[size_t(c) * tiles + tile];
      if (tile == 0) class_offsets[c] = offset;
      for (unsigned w = 0; w < ScanSplitTile::kWarps; ++w) {
        const uint32_t warp_count = shared.warps[w].counts[c];
        shared.warps[w].counts[c] = offset;
        offset += warp_count;
      }
    }
    if (tile == 0 && block.thread_rank() == 0)
      class_offsets[kClasses] = tile_offsets[size_t(kClasses) * tiles];
    block.sync();

    for (unsigned i = 0; i < ScanSplitTile::kIterations; ++i)
      if (classes[i] < kClasses)
        indices[own.counts[classes[i]] + places[i]] = uint32_t(ScanSplitTile::item(block, i));
  }
};

/// Returns the bytes of workspace that scan_split() needs for up to `capacity` items.
template <unsigned kClasses>
size_t scan_split_bytes(uint32_t capacity) {
  const uint32_t tiles = simt::ceil_div(std::max(capacity, 1u), ScanSplitTile::kSize);
  return workspace_part((size_t(tiles) * kClasses + 1) * sizeof(uint32_t)) +
         BrentKungScan::bytes<uint32_t>(uint64_t(tiles) * kClasses);
}

/// Stable split of indices in three steps: counts per tile, exclusive scan of the matrix of classes
/// x tiles, scatter. The matrix has the order of the output: all tiles of class 0, all tiles of
/// class 1, ...
///
/// @param keys           [n], the class of each item; items of classes outside [0, kClasses) are
///                       dropped; n < 2^32
/// @param indices        [>= items that are not dropped]
/// @param class_offsets  [kClasses + 1], receives the place where each class begins, and where the
///                       last class ends
/// @param workspace      [>= scan_split_bytes<kClasses>(capacity)], any contents
/// Reads the keys twice. 3 kernels for up to 512 tiles x classes, 5 for up to 2^18. Does not
/// synchronize. Satish, Harris & Garland, "Designing Efficient Sorting Algorithms for Manycore
/// GPUs", 2009; Ashkiani, Davidson, Meyer & Owens, "GPU Multisplit", 2016.
template <unsigned kClasses, class Launcher>
void scan_split(Launcher& launcher, Span<const uint8_t> keys, ItemCount n, Span<uint32_t> indices,
                Span<uint32_t> class_offsets, Span<std::byte> workspace) {
  const uint32_t tiles = simt::ceil_div(std::max(uint32_t(n.capacity), 1u), ScanSplitTile::kSize);
  const uint64_t cells = uint64_t(tiles) * kClasses;
  WorkspaceCutter cutter(workspace);
  Span<uint32_t> matrix = cutter.take<uint32_t>(cells + 1);
  const Span<uint32_t> counts = matrix.subspan(0, cells), total = matrix.subspan(cells, 1);
  launcher.launch(tiles,
                  CountClassesOfTiles<kClasses>{.keys = keys, .count = n, .tile_counts = counts});
  BrentKungScan::exclusive(launcher, Span<const uint32_t>(counts), ItemCount{cells}, counts,
                           cutter.rest(), Sum<uint32_t>(), total);
  launcher.launch(tiles, ScatterByClass<kClasses>{.keys = keys,
                                                  .count = n,
                                                  .tile_offsets = matrix,
                                                  .indices = indices,
                                                  .class_offsets = class_offsets});
}

}  // namespace compaction
