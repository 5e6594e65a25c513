#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"
#include "math/fast_divisor.h"

namespace winnow {

/// The paths that are followed together: some samples of some pixels. They are numbered sample by
/// sample, pixel by pixel, so that neighbouring ids see neighbouring pixels.
struct Wave {
  FastDivisor width = {};    ///< pixels of the film
  uint32_t height = 0;       ///< pixels of the film
  uint32_t first_pixel = 0;  ///< among `pixels`, or in tile order, see `pixel_at`
  FastDivisor pixel_count = {};
  uint32_t first_sample = 0, sample_count = 0;
  const uint32_t* pixels = nullptr;  ///< film positions of those that are rendered; null: of all

  SIMT_HOST_DEVICE uint32_t path_count() const { return pixel_count * sample_count; }
  SIMT_HOST_DEVICE uint32_t sample_of(uint32_t path) const {
    return first_sample + path / pixel_count;
  }
  /// Film position of a path, [0, width * height), row by row.
  SIMT_HOST_DEVICE uint32_t pixel_of(uint32_t path) const {
    const uint32_t i = first_pixel + path % pixel_count;
    return pixels ? pixels[i] : pixel_at(i);
  }

  /// Film position of the i-th pixel in tile order: tiles of 8x4, so that a warp's camera rays stay
  /// close together. Tiles at the right and lower edge are as small as the film makes them.
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

  /// n / d, quickly where `d` has its usual value.
  SIMT_HOST_DEVICE static constexpr uint32_t divide(uint32_t n, uint32_t d, uint32_t usual) {
    return d == usual ? n / usual : n / d;
  }
};

}  // namespace winnow
