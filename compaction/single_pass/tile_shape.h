#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"

namespace compaction {

/// How a TilePipeline cuts the items and how far it works ahead.
struct TileShape {
  unsigned workers;        ///< threads of a block that hold items; two warps more serve them
  unsigned chunks;         ///< chunks of neighbouring items that a worker holds of a tile
  unsigned ahead;          ///< tiles of a block whose items are under way
  unsigned pending;        ///< tiles of a block that may wait for what comes before them, >= 2
  unsigned blocks_per_sm;  ///< blocks that one multiprocessor holds
  unsigned reads;          ///< tiles that a lane of the serving warp reads at once

  SIMT_HOST_DEVICE constexpr unsigned slots() const { return ahead + pending + 1; }
  SIMT_HOST_DEVICE constexpr unsigned block_size() const { return workers + 2 * simt::kWarpSize; }
  SIMT_HOST_DEVICE constexpr unsigned tile_chunks() const { return workers * chunks; }
};

/// How a TileWave cuts the items.
struct WaveShape {
  unsigned workers;        ///< threads of a block, all of which hold items
  unsigned chunks;         ///< chunks of neighbouring items that each holds
  unsigned blocks_per_sm;  ///< blocks that one multiprocessor holds
};

/// Of a TileWave, unless a job says otherwise: workers of a block, and what each holds where there
/// are few tiles. Twice as much where there are many.
inline constexpr unsigned kWaveWorkers = 256, kFewItems = 16, kFewBytes = 64;

/// Workers of a block where there are many items.
inline constexpr unsigned kManyWorkers = 512;

}  // namespace compaction
