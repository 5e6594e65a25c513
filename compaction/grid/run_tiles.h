#pragma once

#include <cassert>
#include <cstdint>

#include "compaction/grid/tile_pipeline.h"
#include "compaction/grid/tile_workspace.h"

namespace compaction {

/// For many items: one large block on each multiprocessor, so that few blocks read what the tiles
/// publish, with 64 KiB of items under way in each: enough for the bandwidth of an H200.
template <class Job>
inline constexpr TileShape kLargeTiles{.workers = kManyWorkers,
                                       .chunks = Job::kChunks,
                                       .ahead = 2,
                                       .pending = 4,
                                       .blocks_per_sm = 1,
                                       .reads = Job::kReads};

/// For few items, so that every multiprocessor has some, and for devices with little shared memory.
template <class Job>
inline constexpr TileShape kSmallTiles{.workers = 256,
                                       .chunks = (Job::kChunks + 1) / 2,
                                       .ahead = 1,
                                       .pending = 2,
                                       .blocks_per_sm = 2,
                                       .reads = Job::kReads};

/// Bytes of workspace that run_tiles() needs for up to `capacity` items. Grows with `capacity`.
template <class Job>
size_t run_tiles_bytes(uint64_t capacity) {
  constexpr unsigned kTileSize = TilePipeline<Job, kSmallTiles<Job>>::kTileSize;
  uint64_t tiles = capacity / kTileSize + 2;  // a first and a last one that are not whole
  return TileWorkspace<typename Job::Total>::bytes(tiles);
}

/// Runs a job over up to `n.capacity` items in tiles of one shape.
///
/// @param workspace  zeroed before its first use, then kept for the library's functions, one call
///                   at a time, always passed whole; calls may differ in everything
/// 1 kernel. Does not synchronize.
template <class Pipeline, class Launcher>
void run_pipeline(Launcher& launcher, const typename Pipeline::Work& job, ItemCount n,
                  Span<std::byte> workspace) {
  [[maybe_unused]] constexpr uint64_t kMostTiles = uint64_t(1) << 31;  // tickets have 32 bits
  // The first tile may begin before the first item.
  uint64_t tiles =
      simt::ceil_div(n.capacity + Pipeline::Work::kChunkItems - 1, Pipeline::kTileSize);
  assert(tiles < kMostTiles && "too many items for one launch");
  uint64_t at_once = uint64_t(launcher.multiprocessors()) * Pipeline::kBlocksPerSm;
  uint64_t blocks = tiles < at_once ? tiles : at_once;

  TileWorkspace<typename Pipeline::Total> cut(workspace);
  launcher.launch(uint32_t(blocks > 0 ? blocks : 1),  // without items the job ends all the same
                  Pipeline{.job = job, .count = n, .queue = cut.queue, .states = cut.states});
}

/// Runs a job over up to `n.capacity` items, in tiles that suit their number and the device.
template <class Job, class Launcher>
void run_tiles(Launcher& launcher, const Job& job, ItemCount n, Span<std::byte> workspace) {
  using Large = TilePipeline<Job, kLargeTiles<Job>>;
  using Small = TilePipeline<Job, kSmallTiles<Job>>;
  // Measured on an H200: large tiles are ahead as soon as a quarter of the multiprocessors has one.
  constexpr unsigned kQuarter = 4;
  bool many = kQuarter * (n.capacity / Large::kTileSize + 1) > launcher.multiprocessors();
  if (many && sizeof(typename Large::Shared) <= launcher.max_shared_bytes())
    run_pipeline<Large>(launcher, job, n, workspace);
  else
    run_pipeline<Small>(launcher, job, n, workspace);
}

}  // namespace compaction
