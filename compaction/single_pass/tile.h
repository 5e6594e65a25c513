// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"

// How the fast path cuts items into tiles, and which part of a tile a thread holds.

namespace compaction {

/// How a TilePipeline cuts items into tiles, and how many tiles of a block are in flight.
struct TileShape {
  unsigned compute_threads;  ///< threads of a block that hold items; two further warps serve them
  unsigned chunks;           ///< chunks of consecutive items per compute thread and tile
  unsigned ahead;            ///< tiles per block that are prefetched
  unsigned pending;          ///< tiles per block that may wait for their prefix, >= 2
  unsigned blocks_per_sm;    ///< blocks that reside on one multiprocessor
  unsigned reads;            ///< tiles that a lane of the look-ahead warp reads at once

  /// Tile buffers of a block: prefetched tiles, pending tiles, and the one that is being ranked.
  SIMT_HOST_DEVICE constexpr unsigned buffers() const { return ahead + pending + 1; }
  SIMT_HOST_DEVICE constexpr unsigned block_size() const {
    return compute_threads + 2 * simt::kWarpSize;
  }
  SIMT_HOST_DEVICE constexpr unsigned tile_chunks() const { return compute_threads * chunks; }
};

/// How a TileWave cuts items into tiles.
struct WaveShape {
  unsigned compute_threads;   ///< threads of a block; all of them hold items
  unsigned chunks;            ///< chunks of consecutive items per thread
  unsigned blocks_per_sm;     ///< blocks that reside on one multiprocessor
  bool single_block = false;  ///< whether one block processes all items, in one tile
};

/// Threads per block of a TilePipeline in its large shape, and of a TileWave unless a job says
/// otherwise.
inline constexpr unsigned kPipelineThreads = 512, kWaveThreads = 256;

/// What a thread of a TileWave holds at most where there are few items. Twice as much where there
/// are many.
inline constexpr unsigned kMaxFewItems = 16, kMaxFewBytes = 64;

/// The largest of `chunks`, `chunks` / 2, `chunks` / 4, ... whose size is at most `max_bytes`; at
/// least 1.
constexpr unsigned chunks_within(unsigned chunks, unsigned chunk_bytes, unsigned max_bytes) {
  while (chunks > 1 && chunks * chunk_bytes > max_bytes) chunks /= 2;
  return chunks;
}

/// The tiles of one call. Items are in slots that are counted from an aligned address, so that
/// every tile is read by aligned vector loads: `head` slots before the first item are empty.
struct TileRange {
  unsigned tile_size;  ///< slots
  uint32_t head;
  uint64_t end;    ///< one past the slot of the last item
  uint32_t tiles;  ///< 0 where there is no item
  uint32_t first_full, full_end;

  /// `aligned`: whether the address of slot 0 is; if not, no tile counts as full.
  SIMT_HOST_DEVICE TileRange(unsigned tile_size, uint32_t head, uint64_t n, bool aligned = true)
      : tile_size(tile_size),
        head(head),
        end(n > 0 ? head + n : 0),
        tiles(uint32_t(simt::ceil_div(end, tile_size))),
        first_full(head > 0 ? 1 : 0),
        full_end(aligned ? uint32_t(end / tile_size) : 0) {}

  /// Whether each slot of the tile holds an item.
  SIMT_HOST_DEVICE bool is_full(uint32_t tile) const {
    return tile >= first_full && tile < full_end;
  }
  SIMT_HOST_DEVICE bool holds_item(uint64_t slot) const { return slot >= head && slot < end; }
  /// Whether each of `slots` slots from `slot` on holds an item.
  SIMT_HOST_DEVICE bool holds_items(uint64_t slot, unsigned slots) const {
    return slot >= head && slot + slots <= end;
  }
  /// Number of items in a tile.
  SIMT_HOST_DEVICE unsigned items_of(uint32_t tile) const {
    const uint64_t begin = tile == 0 ? head : first_slot(tile);
    return unsigned((tile == tiles - 1 ? end : first_slot(tile + 1)) - begin);
  }
  SIMT_HOST_DEVICE uint64_t first_slot(uint32_t tile) const { return uint64_t(tile) * tile_size; }
};

/// Whether slot 0 of a job or source has an aligned address, see TileRange. True unless it says
/// otherwise.
template <class Job>
SIMT_HOST_DEVICE bool has_aligned_chunks(const Job& job) {
  if constexpr (requires { job.is_aligned(); })
    return job.is_aligned();
  else
    return true;
}

/// The items of a tile that one thread holds. Its chunk c is `c * kWarpSize` chunks after its
/// first, so that the chunks of a warp are contiguous.
struct ThreadView {
  const TileRange& range;
  uint32_t tile;
  unsigned first_chunk;  ///< of this thread, index in the tile

  SIMT_HOST_DEVICE unsigned chunk(unsigned c) const { return first_chunk + c * simt::kWarpSize; }
};

}  // namespace compaction
