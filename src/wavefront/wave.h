#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// The paths that are in flight together: some samples of some pixels. A path's id is its slot in
/// the wave; sample by sample, pixel by pixel, so that neighbouring ids see neighbouring pixels.
struct Wave {
  uint32_t width, height;             ///< pixels of the film
  uint32_t first_pixel, pixel_count;  ///< in tile order, see `pixel_at`
  uint32_t first_sample, sample_count;

  SIMT_HOST_DEVICE uint32_t path_count() const { return pixel_count * sample_count; }
  SIMT_HOST_DEVICE uint32_t sample_of(uint32_t path) const {
    return first_sample + path / pixel_count;
  }
  /// Film position of a path, [0, width * height), row by row.
  SIMT_HOST_DEVICE uint32_t pixel_of(uint32_t path) const {
    return pixel_at(first_pixel + path % pixel_count);
  }

  /// Film position of the i-th pixel in tile order: tiles of 8x4, so that a warp's camera rays stay
  /// close together. Tiles at the right and lower edge are as small as the film makes them.
  SIMT_HOST_DEVICE uint32_t pixel_at(uint32_t i) const {
    constexpr uint32_t kTileWidth = 8, kTileHeight = 4;
    uint32_t band = i / (kTileHeight * width);
    uint32_t in_band = i - band * kTileHeight * width;
    uint32_t rows_left = height - band * kTileHeight;
    uint32_t tile_height = rows_left < kTileHeight ? rows_left : kTileHeight;

    uint32_t tile = in_band / (kTileWidth * tile_height);
    uint32_t in_tile = in_band - tile * kTileWidth * tile_height;
    uint32_t columns_left = width - tile * kTileWidth;
    uint32_t tile_width = columns_left < kTileWidth ? columns_left : kTileWidth;

    uint32_t x = tile * kTileWidth + in_tile % tile_width;
    uint32_t y = band * kTileHeight + in_tile / tile_width;
    return y * width + x;
  }
};

}  // namespace winnow
