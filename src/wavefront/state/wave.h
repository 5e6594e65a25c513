// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"
#include "math/fast_divisor.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// The paths that are traced together: some samples of some pixels. Path ids count sample by
/// sample, pixel by pixel, so that neighbouring ids belong to neighbouring pixels.
struct Wave {
  FastDivisor width = {};    ///< pixels of the film
  uint32_t height = 0;       ///< pixels of the film
  uint32_t first_pixel = 0;  ///< index into `pixels`, or in tile order, see `pixel_at`
  FastDivisor pixel_count = {};
  uint32_t first_sample = 0, sample_count = 0;
  const uint32_t* pixels = nullptr;  ///< film positions of the pixels to render; null: all pixels

  SIMT_HOST_DEVICE uint32_t path_count() const { return pixel_count * sample_count; }
  SIMT_HOST_DEVICE uint32_t sample_of(uint32_t path) const {
    return first_sample + path / pixel_count;
  }
  /// Returns the film position of a path, [0, width * height), row by row.
  SIMT_HOST_DEVICE uint32_t pixel_of(uint32_t path) const {
    const uint32_t i = first_pixel + path % pixel_count;
    return pixels ? pixels[i] : pixel_at(i);
  }

  /// Returns the film position of the i-th pixel in tile order. Tiles of 8x4 pixels keep the camera
  /// rays of a warp close together; the film cuts off tiles at its right and lower edge.
  SIMT_HOST_DEVICE uint32_t pixel_at(uint32_t i) const {
    constexpr uint32_t kTileWidth = 8, kTileHeight = 4;
    uint32_t band = i / width / kTileHeight;
    uint32_t in_band = i - band * kTileHeight * width;
    uint32_t rows_left = height - band * kTileHeight;
    uint32_t tile_height = rows_left < kTileHeight ? rows_left : kTileHeight;

    uint32_t tile = divide(in_band, kTileWidth * tile_height, kTileWidth * kTileHeight);
    uint32_t in_tile = in_band - tile * kTileWidth * tile_height;
    uint32_t columns_left = width - tile * kTileWidth;
    uint32_t tile_width = columns_left < kTileWidth ? columns_left : kTileWidth;

    uint32_t row = divide(in_tile, tile_width, kTileWidth);
    uint32_t x = tile * kTileWidth + in_tile - row * tile_width;
    uint32_t y = band * kTileHeight + row;
    return y * width + x;
  }

  /// Returns n / d, fast where `d` equals `common`, a compile-time constant.
  SIMT_HOST_DEVICE static constexpr uint32_t divide(uint32_t n, uint32_t d, uint32_t common) {
    return d == common ? n / common : n / d;
  }
};

enum class SlotList : uint32_t {
  kAllSlots,  ///< in no list: entry i is slot i
  kFirst,     ///< in WorkQueue::lists[0]
  kSecond,    ///< in WorkQueue::lists[1]
};

/// Returns the list to which the survivors of a queue in `list` are written.
SIMT_HOST_DEVICE inline SlotList other_list(SlotList list) {
  return list == SlotList::kFirst ? SlotList::kSecond : SlotList::kFirst;
}

/// One iteration of the loop over bounces: the input of its stages, and what they count. Without
/// regeneration, iteration i computes bounce i of all paths.
struct Iteration {
  uint32_t index = 0;
  uint32_t queued = 0;  ///< entries of the work queue; 0 ends the loop
  SlotList list = SlotList::kAllSlots;
  uint32_t ping_pong = 0;  ///< index of the Paths::columns that hold the path state
  bool all_alive = true;   ///< whether all entries of the queue are active
  uint32_t cull_entries =
      0;  ///< entries to cull: all of the queue, or 0 if this iteration does not cull

  // Updated by all threads, so in cache lines of their own.
  alignas(128) uint32_t survivors = 0;                ///< entries whose paths stay active
  uint32_t shadow_rays = 0;                           ///< pushed by the shading stage
  uint32_t unoccluded = 0;                            ///< shadow rays that reached their light
  uint32_t busy_warps = 0;                            ///< see BounceStats::busy_warps
  uint32_t culled_to = 0;                             ///< entries left by culling
  alignas(128) uint32_t next_item[kStageCount] = {};  ///< [Stage], first item not yet fetched
  alignas(128) uint64_t start[kStageCount] = {};      ///< [Stage], ns; 0: has not started
  uint64_t group_start = 0;                           ///< ns, start of grouping; 0: no grouping

  SIMT_HOST_DEVICE uint64_t start_of(Stage stage) const { return start[uint32_t(stage)]; }
};

/// The mutable state of the current wave, in device memory; the host initializes it at the
/// start of a wave and does not read it before the end.
struct WaveState {
  Wave wave = {};
  uint32_t slot_count = 0;              ///< paths in flight
  uint32_t waves = 0;                   ///< waves completed before this one
  alignas(128) uint32_t next_path = 0;  ///< id of the first path that has not started
  Iteration iteration;
};

/// The counters of one bounce, summed over all waves.
struct BounceTotals {
  uint64_t queued = 0, survivors = 0, busy_warps = 0, waves = 0, culls = 0, shadow_rays = 0,
           unoccluded = 0;
  uint64_t terminations[kTerminationCount] = {};  ///< [Termination]
  uint64_t nanoseconds[kStageCount] = {};         ///< [Stage]
};

}  // namespace winnow
