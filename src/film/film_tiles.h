// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "film/film.h"

namespace winnow {

inline constexpr uint32_t kFilmTileSide = 16;  ///< pixels

/// One of `count` parts into which an image is divided.
struct Share {
  uint32_t index = 0;  ///< [0, count)
  uint32_t count = 1;
  bool operator==(const Share&) const = default;
};

/// Consecutive rows of tiles of an image.
struct TileRows {
  uint32_t first = 0, end = 0;  ///< [first, end)
  bool operator==(const TileRows&) const = default;
};

/// A set of tiles of an image, 16x16 pixels each, cut off at its right and lower edge.
struct FilmTiles {
  uint32_t width = 0, height = 0;  ///< size of the image, pixels
  std::vector<uint8_t> present;    ///< [tile], row by row; 1 if it is in the set

  uint32_t columns() const { return (width + kFilmTileSide - 1) / kFilmTileSide; }
  uint32_t rows() const { return (height + kFilmTileSide - 1) / kFilmTileSide; }

  uint32_t tile_of(uint32_t pixel) const {
    return pixel / width / kFilmTileSide * columns() + pixel % width / kFilmTileSide;
  }
  bool holds(uint32_t pixel) const { return present[tile_of(pixel)] != 0; }

  bool is_whole() const {
    return std::all_of(present.begin(), present.end(), [](uint8_t one) { return one != 0; });
  }
  size_t tile_count() const { return size_t(std::count(present.begin(), present.end(), 1)); }
  size_t pixel_count() const;
  size_t pixel_count(TileRows rows) const;

  TileRows all_rows() const { return {0, rows()}; }
  // Pixel rows [first_y, end_y) that these tile rows cover.
  uint32_t first_y(TileRows rows) const { return rows.first * kFilmTileSide; }
  uint32_t end_y(TileRows rows) const { return std::min(rows.end * kFilmTileSide, height); }

  // First pixel and number of pixels of these tile rows, whether their tiles are present or not.
  size_t first_pixel(TileRows rows) const { return size_t(first_y(rows)) * width; }
  size_t all_pixels(TileRows rows) const { return size_t(end_y(rows) - first_y(rows)) * width; }
  bool operator==(const FilmTiles&) const = default;
};

/// Returns the tiles that are in both sets of one image.
FilmTiles both_of(const FilmTiles& a, const FilmTiles& b);

/// Returns all tiles of an image, or none.
FilmTiles make_film_tiles(uint32_t width, uint32_t height, bool present);

/// Returns the rows from the first present tile to the last one.
TileRows rows_of(const FilmTiles& tiles);

/// Returns the tiles that are in `rows`.
FilmTiles tiles_in(const FilmTiles& tiles, TileRows rows);

/// Divides all rows of an image into bands of about `bytes` bytes and at least a row of tiles.
std::vector<TileRows> bands_of(const FilmTiles& tiles, size_t bytes_per_pixel, size_t bytes);

/// Returns the tiles of one share. Each tile belongs to exactly one share. All shares have the same
/// number of tiles, give or take one, scattered over the image, so that they take about the same
/// time. Depends only on the arguments.
FilmTiles tiles_of_share(uint32_t width, uint32_t height, const Share& share);

/// Calls use(first_pixel, pixel_count) for each maximal run of consecutive pixels in the tiles of
/// some rows, row by row; once for a whole image.
template <class Use>
void for_each_run(const FilmTiles& tiles, TileRows rows, Use use) {
  const uint32_t columns = tiles.columns();
  size_t run = 0, run_end = 0;  // not yet passed to use(): the next row may continue it
  for (uint32_t y = tiles.first_y(rows); y < tiles.end_y(rows); ++y) {
    const uint8_t* row = tiles.present.data() + size_t(y / kFilmTileSide) * columns;
    for (uint32_t first = 0; first < columns; ++first) {
      uint32_t end = first;
      while (end < columns && row[end]) ++end;
      if (end == first) continue;
      const uint32_t x = first * kFilmTileSide, x_end = std::min(end * kFilmTileSide, tiles.width);
      const size_t begin = size_t(y) * tiles.width + x;
      if (begin != run_end) {
        if (run_end > run) use(run, run_end - run);
        run = begin;
      }
      run_end = begin + (x_end - x);
      first = end;
    }
  }
  if (run_end > run) use(run, run_end - run);
}

template <class Use>
void for_each_run(const FilmTiles& tiles, Use use) {
  for_each_run(tiles, rows_of(tiles), use);
}

/// Returns the pixels, tile by tile, in blocks of 8x4: the camera rays of a warp are close.
std::vector<uint32_t> pixels_in_blocks(const FilmTiles& tiles);

/// Copies the pixels of `tiles` from one array of a film of the whole image to `packed`, in the
/// order of for_each_run().
/// @param first_pixel  index in the image of the first pixel in `whole`, which may be a part of it
void pack_pixels(const std::byte* whole, const FilmTiles& tiles, size_t bytes_per_pixel,
                 std::byte* packed, size_t first_pixel = 0);

/// Inverts pack_pixels(): copies the pixels of `tiles` from `packed` to one array of a film.
void place_pixels(const std::byte* packed, const FilmTiles& tiles, size_t bytes_per_pixel,
                  std::byte* whole, size_t first_pixel = 0);

}  // namespace winnow
