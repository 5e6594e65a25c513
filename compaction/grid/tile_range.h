#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"

namespace compaction {

/// The tiles of one call. Items lie in slots that are numbered from an aligned address on, so that
/// every tile is read in whole vectors: `head` slots before the first item hold none.
struct TileRange {
  unsigned tile_size;
  uint32_t head;
  uint64_t end;    ///< behind the slot of the last item
  uint32_t tiles;  ///< 0 where there is no item
  uint32_t first_whole, whole_end;

  SIMT_HOST_DEVICE TileRange(unsigned tile_size, uint32_t head, uint64_t n)
      : tile_size(tile_size),
        head(head),
        end(n > 0 ? head + n : 0),
        tiles(uint32_t(simt::ceil_div(end, tile_size))),
        first_whole(head > 0 ? 1 : 0),
        whole_end(uint32_t(end / tile_size)) {}

  /// Whether each slot of the tile holds an item.
  SIMT_HOST_DEVICE bool is_whole(uint32_t tile) const {
    return tile >= first_whole && tile < whole_end;
  }
  SIMT_HOST_DEVICE bool holds_item(uint64_t slot) const { return slot >= head && slot < end; }
  SIMT_HOST_DEVICE uint64_t first_slot(uint32_t tile) const { return uint64_t(tile) * tile_size; }
};

/// The items of a tile that one worker holds: chunk c lies `c * kWarpSize` chunks behind its first,
/// so that the chunks of a warp lie together.
struct WorkerView {
  const TileRange& range;
  uint32_t tile;
  unsigned own;  ///< the worker's first chunk in the tile

  SIMT_HOST_DEVICE unsigned chunk(unsigned c) const { return own + c * simt::kWarpSize; }
};

}  // namespace compaction
