// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "compaction/grid/workspace.h"
#include "compaction/single_pass/tile_pipeline.h"
#include "compaction/single_pass/tile_wave.h"

namespace compaction {

/// Returns the bytes of a tile that the chunks of a thread take, or 0 if the number of threads does
/// not depend on them.
template <class Job>
constexpr unsigned thread_bytes(unsigned chunks) {
  if constexpr (requires { Job::kChunkBytes; })
    return chunks * Job::kChunkBytes;
  else
    return 0;
}

/// The small tiles that make up one tile in a fixed order.
inline constexpr unsigned kSmallParts = 4;

/// Tiles for many items: one large block per multiprocessor unless the job says otherwise, so that
/// few blocks read the tile states. Each block has 64 KiB of items in flight, enough for the
/// bandwidth of an H200.
template <class Job>
constexpr TileShape large_tiles() {
  TileShape shape{.compute_threads = threads_within(kPipelineThreads,
                                                    thread_bytes<Job>(Job::kChunks), kMaxTileBytes),
                  .chunks = Job::kChunks,
                  .ahead = 2,
                  .pending = 4,
                  .blocks_per_sm = 1,
                  .reads = Job::kReads};
  if constexpr (has_segments<Job>(Job::kChunks)) shape.compute_threads = Job::kTileThreads;
  if constexpr (requires { Job::kAhead; }) {
    shape.ahead = Job::kAhead;
    shape.compute_threads = Job::kTileThreads;
  }
  if constexpr (requires { Job::kTileBlocksPerSm; }) shape.blocks_per_sm = Job::kTileBlocksPerSm;
  return shape;
}
/// Returns `shape` with fewer pending tiles if that makes its blocks fit on a multiprocessor of
/// 228 KiB, of which each block takes 1 KiB more than it asks for.
template <class Job, TileShape kShape>
constexpr TileShape fitting_tiles() {
  constexpr size_t kMaxSharedBytes = (size_t(228) << 10) / kShape.blocks_per_sm - (1 << 10);
  constexpr TileShape kFewer = [] {
    TileShape shape = kShape;
    --shape.pending;
    return shape;
  }();
  if constexpr (kShape.pending > 2 &&
                sizeof(typename TilePipeline<Job, kShape>::Shared) > kMaxSharedBytes)
    return fitting_tiles<Job, kFewer>();
  else
    return kShape;
}
template <class Job>
inline constexpr TileShape kLargeTiles = fitting_tiles<Job, large_tiles<Job>()>();

/// Tiles for many items on devices with little shared memory.
template <class Job>
constexpr TileShape small_tiles() {
  TileShape shape{.compute_threads = threads_within(256, thread_bytes<Job>((Job::kChunks + 1) / 2),
                                                    kMaxSmallTileBytes),
                  .chunks = (Job::kChunks + 1) / 2,
                  .ahead = 1,
                  .pending = 2,
                  .blocks_per_sm = 2,
                  .reads = Job::kReads};
  if constexpr (has_segments<Job>(Job::kChunks)) {
    shape.compute_threads = Job::kTileThreads / kSmallParts;
    shape.chunks = Job::kChunks;
    shape.blocks_per_sm = 3;
    shape.reads = 2;
  }
  return shape;
}
template <class Job>
inline constexpr TileShape kSmallTiles = small_tiles<Job>();

/// Resident threads of a wave per multiprocessor: 1024 with 64 registers each, fewer if one item
/// takes many registers.
template <class Job>
inline constexpr unsigned kWaveThreadsPerSm = sizeof(typename Job::Total) > simt::kVectorBytes
                                                  ? kWaveThreads
                                              : thread_bytes<Job>(Job::kFewChunks) >
                                                      2 * kMaxFewBytes
                                                  ? 2 * kWaveThreads
                                                  : 4 * kWaveThreads;

/// Threads of a single block in a fixed order.
template <class Job>
inline constexpr unsigned kOneTileThreads = Job::kFewThreads;
template <class Job>
requires(Job::kOneTileThreads >
         0) inline constexpr unsigned kOneTileThreads<Job> = Job::kOneTileThreads;

/// Returns the tile of a single block: up to 16 KiB like a tile of kFewTiles, but with a thread for
/// each chunk as far as registers allow. In a fixed order, warps have whole segments.
template <class Job>
constexpr WaveShape one_tile() {
  if (has_segments<Job>(Job::kFewChunks))
    return {.compute_threads = kOneTileThreads<Job>,
            .chunks = Job::kFewChunks,
            .blocks_per_sm = 1,
            .single_block = true};
  const unsigned chunks = Job::kFewThreads * Job::kFewChunks;
  const unsigned threads = std::min(kWaveThreadsPerSm<Job>, chunks);
  return {.compute_threads = threads,
          .chunks = simt::ceil_div(chunks, threads),
          .blocks_per_sm = 1,
          .single_block = true};
}
template <class Job>
inline constexpr WaveShape kOneTile = one_tile<Job>();

/// Whether reading the totals of a wave takes so long that fewer tiles are faster. Few tiles are
/// then at most one per multiprocessor, and many tiles have Job::kManyThreads threads.
template <class Job>
inline constexpr bool kHasFewerTiles = false;
template <class Job>
requires(Job::kManyThreads > 0) inline constexpr bool kHasFewerTiles<Job> = true;

/// Blocks per multiprocessor with few tiles: as many as it holds, unless the job says otherwise.
template <class Job>
inline constexpr unsigned kFewBlocksPerSm =
    kHasFewerTiles<Job> ? 1 : kWaveThreadsPerSm<Job> / Job::kFewThreads;
template <class Job>
requires(Job::kFewInTwoBlocks) inline constexpr unsigned kFewBlocksPerSm<Job> = 2;

/// Tiles for so few items that the device holds all of them at once: up to 8 MiB on an H200 in
/// kFewTiles, up to 16 MiB in kWaveTiles.
template <class Job>
inline constexpr WaveShape kFewTiles{.compute_threads = Job::kFewThreads,
                                     .chunks = Job::kFewChunks,
                                     .blocks_per_sm = kFewBlocksPerSm<Job>};
template <class Job>
inline constexpr unsigned kManyThreads = [] {
  if constexpr (kHasFewerTiles<Job>)
    return Job::kManyThreads;
  else
    return threads_within(kWaveThreads, thread_bytes<Job>(Job::kWaveChunks), kMaxTileBytes);
}();
template <class Job>
inline constexpr WaveShape kWaveTiles{.compute_threads = kManyThreads<Job>,
                                      .chunks = Job::kWaveChunks,
                                      .blocks_per_sm = kWaveThreadsPerSm<Job> / kManyThreads<Job>};

/// The jobs that run in waves: Job::Few and Job::Wave, in which a thread has fewer items, if the
/// job declares them; otherwise the job itself.
template <class Job>
struct WaveJobs {
  using Few = Job;
  using Wave = Job;
};
template <class Job>
requires requires {
  typename Job::Few;
}
struct WaveJobs<Job> {
  using Few = typename Job::Few;
  using Wave = typename Job::Wave;
};

/// Returns the bytes of workspace of run_tiles() for up to `capacity` items; grows with it.
template <class Job>
size_t run_tiles_bytes(uint64_t capacity) {
  using Few = typename WaveJobs<Job>::Few;
  auto tiles = [&](unsigned tile_size) {
    return capacity / tile_size + 2;  // a first and a last tile that are not full
  };
  uint64_t few = tiles(TileWave<Few, kFewTiles<Few>>::kTileSize);
  uint64_t small = tiles(TilePipeline<Job, kSmallTiles<Job>>::kTileSize);
  return TileWorkspace<typename Job::Total>::bytes(std::max(std::min(few, kMaxWaveTiles), small));
}

/// Returns the number of tiles of up to `capacity` items. The first tile may begin before the first
/// item.
template <class Tiles>
uint64_t tiles_of(uint64_t capacity) {
  return simt::ceil_div(capacity + Tiles::Work::kChunkItems - 1, Tiles::kTileSize);
}

/// Runs a job over up to `n.capacity` items as a TilePipeline.
///
/// @param workspace  zeroed before its first use, then used only by the library's functions, one
///                   call at a time, and always passed whole; the calls may be of any kind
/// 1 kernel. Does not synchronize.
template <class Pipeline, class Launcher>
void run_pipeline(Launcher& launcher, const typename Pipeline::Work& job, ItemCount n,
                  Span<std::byte> workspace) {
  [[maybe_unused]] constexpr uint64_t kMaxTiles = uint64_t(1) << 31;  // tickets have 32 bits
  uint64_t tiles = tiles_of<Pipeline>(n.capacity);
  assert(tiles < kMaxTiles && "too many items for one launch");
  uint64_t resident = uint64_t(launcher.multiprocessors()) * Pipeline::kBlocksPerSm;
  uint64_t blocks = std::max(std::min(tiles, resident), uint64_t(1));  // one for an empty result

  TileWorkspace<typename Pipeline::Total> parts(workspace);
  launcher.launch(uint32_t(blocks),
                  Pipeline{.job = job, .count = n, .queue = parts.queue, .states = parts.states});
}

/// Returns the maximum number of tiles of a wave on the device: the blocks that it holds at once if
/// it is idle. More would also work, only slower, as no block waits for a block that has not
/// started.
template <class Wave, class Launcher>
uint64_t max_wave_tiles(Launcher& launcher) {
  const uint64_t fit = launcher.shared_bytes_per_multiprocessor() / sizeof(typename Wave::Shared);
  const uint64_t resident =
      launcher.multiprocessors() * std::min<uint64_t>(Wave::kBlocksPerSm, fit);
  return std::min(resident, kMaxWaveTiles);
}

/// Runs a job over up to `n.capacity` items as a TileWave. Does nothing and returns false if there
/// are too many items. Otherwise like run_pipeline().
template <class Wave, class Launcher>
bool run_wave(Launcher& launcher, const typename Wave::Work& job, ItemCount n,
              Span<std::byte> workspace) {
  const uint64_t tiles = tiles_of<Wave>(n.capacity);
  if (tiles > max_wave_tiles<Wave>(launcher)) return false;

  TileWorkspace<typename Wave::Total> parts(workspace);
  launcher.launch(uint32_t(std::max(tiles, uint64_t(1))),
                  Wave{.job = job, .count = n, .queue = parts.queue, .states = parts.states});
  return true;
}

/// Runs a job as a TileWave of a single block. Otherwise like run_wave().
template <class Wave, class Launcher>
bool run_one_tile(Launcher& launcher, const typename Wave::Work& job, ItemCount n) {
  if (tiles_of<Wave>(n.capacity) > 1 || max_wave_tiles<Wave>(launcher) == 0) return false;
  launcher.launch(1, Wave{.job = job, .count = n, .queue = {}, .states = {}});
  return true;
}

/// Runs a job over up to `n.capacity` items, in tiles that suit their number and the device.
/// Otherwise like run_pipeline().
template <class Job, class Launcher>
void run_tiles(Launcher& launcher, const Job& job, ItemCount n, Span<std::byte> workspace) {
  using Large = TilePipeline<Job, kLargeTiles<Job>>;
  using Small = TilePipeline<Job, kSmallTiles<Job>>;
  using Few = typename WaveJobs<Job>::Few;
  using Wave = typename WaveJobs<Job>::Wave;
  if (run_one_tile<TileWave<Few, kOneTile<Few>>>(launcher, job, n)) return;
  if (run_wave<TileWave<Few, kFewTiles<Few>>>(launcher, job, n, workspace)) return;
  if (run_wave<TileWave<Wave, kWaveTiles<Wave>>>(launcher, job, n, workspace)) return;
  if (sizeof(typename Large::Shared) <= launcher.max_shared_bytes())
    run_pipeline<Large>(launcher, job, n, workspace);
  else
    run_pipeline<Small>(launcher, job, n, workspace);
}

}  // namespace compaction
