// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"

namespace compaction {

/// How a TilePipeline cuts items into tiles, and how many tiles of a block are in flight.
struct TileShape {
  unsigned compute_threads;  ///< threads of a block that hold items; the block has two more warps
  unsigned chunks;           ///< chunks of consecutive items per compute thread and tile
  unsigned ahead;            ///< tiles per block that are prefetched
  unsigned pending;          ///< tiles per block that may wait for their prefix, >= 2
  unsigned blocks_per_sm;    ///< blocks that reside on one multiprocessor
  unsigned reads;            ///< tiles that a lane of the look-ahead warp reads at once

  /// One buffer is for the tile that is being ranked.
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

/// Maximum that a thread of a TileWave holds if there are few items; twice as much if there are
/// many.
inline constexpr unsigned kMaxFewItems = 16, kMaxFewBytes = 64;

/// Maximum bytes of items in a tile, if there are many items: 8,192 items of 4 bytes (select of
/// 1-byte items: 16 KiB). A tile has fewer threads if one chunk alone is large.
inline constexpr unsigned kMaxTileBytes = 32 << 10;
/// Tile size in a TileWave of few tiles, and in the small shape of a TilePipeline. Bytes.
inline constexpr unsigned kMaxFewTileBytes = kWaveThreads * kMaxFewBytes,
                          kMaxSmallTileBytes = 12 << 10;

/// Returns the largest of `chunks`, `chunks` / 2, `chunks` / 4, ... whose size is at most
/// `max_bytes`; at least 1.
constexpr unsigned chunks_within(unsigned chunks, unsigned chunk_bytes, unsigned max_bytes) {
  while (chunks > 1 && chunks * chunk_bytes > max_bytes) chunks /= 2;
  return chunks;
}

/// Returns the largest of `threads`, `threads` / 2, ... whose size is at most `max_bytes`; at least
/// one warp.
constexpr unsigned threads_within(unsigned threads, unsigned thread_bytes, unsigned max_bytes) {
  while (threads > simt::kWarpSize && threads * thread_bytes > max_bytes) threads /= 2;
  return threads;
}

/// Returns the most threads up to `threads`, in steps of 2 warps, whose size is at most
/// `max_bytes`; at least one warp.
constexpr unsigned warps_within(unsigned threads, unsigned thread_bytes, unsigned max_bytes) {
  constexpr unsigned kStep = 2 * simt::kWarpSize;
  while (threads > kStep && threads * thread_bytes > max_bytes) threads -= kStep;
  return threads_within(threads, thread_bytes, max_bytes);
}

/// Whether a job combines in a fixed order (README.md, "Order of combination"). It then defines
/// kSegmentRows and kTileThreads:
///
/// - A *segment* is kSegmentRows rows of a warp, in each of which a lane has one chunk.
/// - The segments of a tile form a tree. A tile in the order has kTileThreads / 32 segments, in any
///   shape; the tiles of a shape may be a half, a quarter or an eighth of it.
/// - Rows of 32 such tiles form a tree, and rows are combined one after another.
///
/// If kSegmentRows is 0, every order gives the same result, and each shape has its own. If the job
/// also has `kFolds`, it folds totals like a job without an order.
template <class Job>
inline constexpr bool kFixedOrder = false;
template <class Job>
requires requires {
  Job::kSegmentRows;
}
inline constexpr bool kFixedOrder<Job> = [] {
  if constexpr (requires { Job::kFolds; })
    return !Job::kFolds;
  else
    return true;
}();

/// Returns kTileThreads of a job whose threads have this many bytes of items in a segment.
constexpr unsigned order_threads(size_t bytes) {
  return bytes > kMaxFewBytes ? kPipelineThreads / 2 : kPipelineThreads;
}

/// The rows of a segment; 0 without a fixed order.
template <class Job>
inline constexpr unsigned kRowsOfSegment = [] {
  if constexpr (kFixedOrder<Job>)
    return Job::kSegmentRows;
  else
    return 0u;
}();

/// Returns whether a warp with that many chunks per thread has whole segments of the job.
template <class Job>
constexpr bool has_segments(unsigned chunks) {
  constexpr unsigned kRows = kRowsOfSegment<Job>;
  if constexpr (kRows > 0)
    return chunks % kRows == 0;
  else
    return false;
}

/// Returns the number of segments of a warp with that many chunks per thread; 1 if they are not
/// whole.
template <class Job>
constexpr unsigned warp_segments(unsigned chunks) {
  constexpr unsigned kRows = kRowsOfSegment<Job>;
  if constexpr (kRows > 0)
    if (chunks % kRows == 0) return chunks / kRows;
  return 1;
}

/// Returns whether the items of a job that is not aligned are copied to shared memory one by one.
template <class Job>
SIMT_HOST_DEVICE constexpr bool copies_items() {
  if constexpr (requires { Job::kCopiesItems; })
    return Job::kCopiesItems;
  else
    return false;
}

/// Returns the tiles of a shape that are one tile in the order, which a lane combines first; 1 if
/// the shape does not divide it.
template <class Job>
constexpr unsigned tile_parts(unsigned threads, unsigned chunks) {
  if constexpr (kRowsOfSegment < Job >> 0) {
    constexpr unsigned kMaxParts = 8;
    const unsigned part = threads * warp_segments<Job>(chunks);
    for (unsigned parts = 2; parts <= kMaxParts; parts *= 2)
      if (has_segments<Job>(chunks) && part * parts == Job::kTileThreads) return parts;
  }
  return 1;
}

/// The chunks of a tile in which each slot holds an item.
struct FullChunks {
  unsigned begin, end;  ///< index in the tile

  /// One comparison suffices: an index before `begin` wraps around.
  SIMT_HOST_DEVICE bool contain(unsigned chunk) const {
    return begin < end && chunk - begin < end - begin;
  }
};

/// The tiles of one call. Slots are counted from an aligned address, so that every tile is read by
/// aligned vector loads; `head` slots before the first item are empty.
struct TileRange {
  unsigned tile_size;  ///< slots
  uint32_t head;
  uint64_t end;    ///< one past the slot of the last item
  uint32_t tiles;  ///< 0 if there are no items
  uint32_t first_full, full_end;
  bool aligned;  ///< whether the address of slot 0 is aligned; if not, no tile or chunk counts as
                 ///< full
  SIMT_HOST_DEVICE TileRange(unsigned tile_size, uint32_t head, uint64_t n, bool aligned = true)
      : tile_size(tile_size),
        head(head),
        end(n > 0 ? head + n : 0),
        tiles(uint32_t(simt::ceil_div(end, tile_size))),
        first_full(head > 0 ? 1 : 0),
        full_end(aligned ? uint32_t(end / tile_size) : 0),
        aligned(aligned) {}

  /// Returns whether each slot of the tile holds an item.
  SIMT_HOST_DEVICE bool is_full(uint32_t tile) const {
    return tile >= first_full && tile < full_end;
  }
  SIMT_HOST_DEVICE bool is_full_but_misaligned(uint32_t tile) const {
    return !aligned && tile >= first_full && first_slot(tile) + tile_size <= end;
  }
  SIMT_HOST_DEVICE bool holds_item(uint64_t slot) const { return slot >= head && slot < end; }
  /// Returns whether each of `slots` slots from `slot` on holds an item.
  SIMT_HOST_DEVICE bool holds_items(uint64_t slot, unsigned slots) const {
    return slot >= head && slot + slots <= end;
  }
  /// Returns the full chunks of a tile, which vectors can load. A chunk has `chunk_items` slots,
  /// which is more than `head`.
  SIMT_HOST_DEVICE FullChunks full_chunks(uint32_t tile, unsigned chunk_items) const {
    const uint64_t left = aligned ? end - first_slot(tile) : 0;
    return {.begin = tile < first_full ? 1u : 0u,
            .end = (left < tile_size ? unsigned(left) : tile_size) / chunk_items};
  }
  SIMT_HOST_DEVICE unsigned items_of(uint32_t tile) const {
    const uint64_t begin = tile == 0 ? head : first_slot(tile);
    return unsigned((tile == tiles - 1 ? end : first_slot(tile + 1)) - begin);
  }
  SIMT_HOST_DEVICE uint64_t first_slot(uint32_t tile) const { return uint64_t(tile) * tile_size; }
};

/// Calls job.finish() with the prefix and the total of the segment that holds the last item.
/// `prefix`, `segments` and `totals` are those of the last tile. All lanes of a warp call it.
template <class Job, class Segments>
SIMT_KERNEL void finish_segments(simt::Warp auto warp, const Job& job, const TileRange& range,
                                 const typename Job::Prefix& prefix, const Segments& segments,
                                 const typename Job::Total* totals, unsigned count) {
  const uint64_t slots = range.end - range.first_slot(range.tiles - 1);
  const unsigned last = unsigned(slots - 1) / (range.tile_size / count);
  const typename Job::Prefix before = segments.prefix_of(last, prefix);
  if (warp.thread_rank() == 0) job.finish(before, totals[last]);
}

/// Returns whether slot 0 of a job or source has an aligned address, see TileRange. True by
/// default.
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
  unsigned first_chunk;  ///< first chunk of this thread, index in the tile

  SIMT_HOST_DEVICE unsigned chunk(unsigned c) const { return first_chunk + c * simt::kWarpSize; }
};

/// Whether a job copies the items of a tile to shared memory by itself, with one chunk per thread:
/// `copy(copies, bytes, view)` starts the kCopies copies of a thread, and `take(registers, bytes,
/// view)` reads its items. `copied_bytes(tile_size, warps)` is the memory of a tile.
template <class Job>
inline constexpr bool kCopiesItself = requires {
  Job::kCopies;
};

/// Bytes to which a job with kAsync copies the item before those of a warp
/// (SelectJob::copy_before), or 0.
template <class Job>
inline constexpr unsigned kBeforeBytes = 0;
template <class Job>
requires Job::Before::kIsNeeded inline constexpr unsigned kBeforeBytes<Job> =
    Job::Before::Copied::kBeforeBytes;

/// Loads a thread's chunks of a tile for a job without kAsync, or a misaligned one: by job.load();
/// by job.load_whole() if the job has it and the tile is full; or by job.load_across() if the job
/// has it and the tile is full but misaligned, with chunks before and after it. A branch for each
/// chunk would keep the loads from being in flight together.
template <class Job, unsigned kChunks>
SIMT_KERNEL void load_chunks(const Job& job, const ThreadView& view,
                             typename Job::Chunk (&chunks)[kChunks]) {
  const uint64_t first = view.range.first_slot(view.tile);
  if constexpr (requires { job.load_whole(first, view.range); }) {
    if (view.range.is_full(view.tile)) {
      for (unsigned c = 0; c < kChunks; ++c)
        chunks[c] = job.load_whole(first + view.chunk(c) * Job::kChunkItems, view.range);
      return;
    }
  }
  if constexpr (requires { job.load_across(first); }) {
    if (view.range.is_full_but_misaligned(view.tile) && first > 0 &&
        view.range.holds_items(first, view.range.tile_size + Job::kChunkItems)) {
      for (unsigned c = 0; c < kChunks; ++c)
        chunks[c] = job.load_across(first + view.chunk(c) * Job::kChunkItems);
      return;
    }
  }
  for (unsigned c = 0; c < kChunks; ++c)
    chunks[c] = job.load(first + view.chunk(c) * Job::kChunkItems, view.range);
}

}  // namespace compaction
