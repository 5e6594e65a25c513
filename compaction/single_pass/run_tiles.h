#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "compaction/grid/tile_workspace.h"
#include "compaction/single_pass/tile_pipeline.h"
#include "compaction/single_pass/tile_wave.h"

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

/// For many items on devices with little shared memory.
template <class Job>
inline constexpr TileShape kSmallTiles{.workers = 256,
                                       .chunks = (Job::kChunks + 1) / 2,
                                       .ahead = 1,
                                       .pending = 2,
                                       .blocks_per_sm = 2,
                                       .reads = Job::kReads};

/// Blocks of a wave on one multiprocessor, so that each of their 1024 threads has 64 registers,
/// unless an item alone takes many.
template <class Job>
inline constexpr unsigned kWaveThreads = sizeof(typename Job::Total) <= simt::kVectorBytes
                                             ? 4 * kWaveWorkers
                                             : kWaveWorkers;

/// For so few items that the device holds all of them at once: 8 MiB on an H200, or 16.
template <class Job>
inline constexpr WaveShape kFewTiles{.workers = Job::kFewWorkers,
                                     .chunks = Job::kFewChunks,
                                     .blocks_per_sm = kWaveThreads<Job> / Job::kFewWorkers};
template <class Job>
inline constexpr WaveShape kWaveTiles{.workers = kWaveWorkers,
                                      .chunks = Job::kWaveChunks,
                                      .blocks_per_sm = kWaveThreads<Job> / kWaveWorkers};

/// Tiles of a wave at most, on whatever device, so that the host can tell the size of a workspace.
inline constexpr uint64_t kMaxWaveTiles = 1024;

/// Bytes of workspace that run_tiles() needs for up to `capacity` items. Grows with `capacity`.
template <class Job>
size_t run_tiles_bytes(uint64_t capacity) {
  auto tiles = [&](unsigned tile_size) {
    return capacity / tile_size + 2;  // a first and a last one that are not whole
  };
  uint64_t few = tiles(TileWave<Job, kFewTiles<Job>>::kTileSize);
  uint64_t small = tiles(TilePipeline<Job, kSmallTiles<Job>>::kTileSize);
  return TileWorkspace<typename Job::Total>::bytes(std::max(std::min(few, kMaxWaveTiles), small));
}

/// Tiles of up to `capacity` items. The first one may begin before the first item.
template <class Tiles>
uint64_t tiles_of(uint64_t capacity) {
  return simt::ceil_div(capacity + Tiles::Work::kChunkItems - 1, Tiles::kTileSize);
}

/// Runs a job over up to `n.capacity` items in tiles of one shape.
///
/// @param workspace  zeroed before its first use, then kept for the library's functions, one call
///                   at a time, always passed whole; calls may differ in everything
/// 1 kernel. Does not synchronize.
template <class Pipeline, class Launcher>
void run_pipeline(Launcher& launcher, const typename Pipeline::Work& job, ItemCount n,
                  Span<std::byte> workspace) {
  [[maybe_unused]] constexpr uint64_t kMaxTiles = uint64_t(1) << 31;  // tickets have 32 bits
  uint64_t tiles = tiles_of<Pipeline>(n.capacity);
  assert(tiles < kMaxTiles && "too many items for one launch");
  uint64_t at_once = uint64_t(launcher.multiprocessors()) * Pipeline::kBlocksPerSm;
  uint64_t blocks = tiles < at_once ? tiles : at_once;

  TileWorkspace<typename Pipeline::Total> cut(workspace);
  launcher.launch(uint32_t(blocks > 0 ? blocks : 1),  // without items the job ends all the same
                  Pipeline{.job = job, .count = n, .queue = cut.queue, .states = cut.states});
}

/// Runs a job over up to `n.capacity` items in a wave of one shape. Does nothing and returns false
/// where these are too many for the device. Otherwise as run_pipeline().
template <class Wave, class Launcher>
bool run_wave(Launcher& launcher, const typename Wave::Work& job, ItemCount n,
              Span<std::byte> workspace) {
  const uint64_t tiles = tiles_of<Wave>(n.capacity);
  const uint64_t most = uint64_t(launcher.multiprocessors()) * Wave::kBlocksPerSm;
  if (tiles > std::min(most, kMaxWaveTiles)) return false;
  if (tiles > launcher.template max_cooperative_blocks<Wave>()) return false;

  TileWorkspace<typename Wave::Total> cut(workspace);
  launcher.launch_cooperative(
      uint32_t(std::max(tiles, uint64_t(1))),
      Wave{.job = job, .count = n, .queue = cut.queue, .states = cut.states});
  return true;
}

/// Runs a job over up to `n.capacity` items, in tiles that suit their number and the device.
template <class Job, class Launcher>
void run_tiles(Launcher& launcher, const Job& job, ItemCount n, Span<std::byte> workspace) {
  using Large = TilePipeline<Job, kLargeTiles<Job>>;
  using Small = TilePipeline<Job, kSmallTiles<Job>>;
  if (run_wave<TileWave<Job, kFewTiles<Job>>>(launcher, job, n, workspace)) return;
  if (run_wave<TileWave<Job, kWaveTiles<Job>>>(launcher, job, n, workspace)) return;
  if (sizeof(typename Large::Shared) <= launcher.max_shared_bytes())
    run_pipeline<Large>(launcher, job, n, workspace);
  else
    run_pipeline<Small>(launcher, job, n, workspace);
}

}  // namespace compaction
