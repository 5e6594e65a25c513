// SPDX-License-Identifier: MIT
#include "film/film_tiles.h"

#include <numeric>

namespace winnow {
namespace {

/// Mixes the bits of a tile's index. It defines the tiles of a share, so it never changes.
/// Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
uint64_t scattered(uint64_t tile) {
  uint64_t z = (tile + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ z >> 27) * 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

}  // namespace

size_t FilmTiles::pixel_count() const {
  return pixel_count(all_rows());
}

size_t FilmTiles::pixel_count(TileRows some_rows) const {
  size_t pixels = 0;
  for_each_run(*this, some_rows, [&](size_t, size_t count) { pixels += count; });
  return pixels;
}

FilmTiles make_film_tiles(uint32_t width, uint32_t height, bool present) {
  FilmTiles tiles{width, height, {}};
  tiles.present.assign(size_t(tiles.columns()) * tiles.rows(), present);
  return tiles;
}

TileRows rows_of(const FilmTiles& tiles) {
  const auto first = std::find(tiles.present.begin(), tiles.present.end(), 1);
  if (first == tiles.present.end()) return {};
  const auto last = std::find(tiles.present.rbegin(), tiles.present.rend(), 1).base() - 1;
  auto row = [&](auto tile) { return uint32_t(tile - tiles.present.begin()) / tiles.columns(); };
  return {row(first), row(last) + 1};
}

FilmTiles tiles_in(const FilmTiles& tiles, TileRows rows) {
  FilmTiles some = make_film_tiles(tiles.width, tiles.height, false);
  const auto row = [&](auto& present, uint32_t y) {
    return present.begin() + ptrdiff_t(y) * tiles.columns();
  };
  std::copy(row(tiles.present, rows.first), row(tiles.present, rows.end),
            row(some.present, rows.first));
  return some;
}

std::vector<TileRows> bands_of(const FilmTiles& tiles, size_t bytes_per_pixel, size_t bytes) {
  const size_t row_bytes = size_t(tiles.width) * kFilmTileSide * bytes_per_pixel;
  const auto step = uint32_t(std::clamp<size_t>(bytes / row_bytes, 1, tiles.rows()));
  std::vector<TileRows> bands;
  for (uint32_t row = 0; row < tiles.rows(); row += step)
    bands.push_back({row, std::min(row + step, tiles.rows())});
  return bands;
}

FilmTiles tiles_of_share(uint32_t width, uint32_t height, const Share& share) {
  FilmTiles tiles = make_film_tiles(width, height, false);
  std::vector<uint32_t> order(tiles.present.size());
  std::iota(order.begin(), order.end(), 0u);
  // The mixing is a bijection, so no two tiles are equal.
  std::sort(order.begin(), order.end(),
            [](uint32_t a, uint32_t b) { return scattered(a) < scattered(b); });
  for (size_t i = share.index; i < order.size(); i += share.count) tiles.present[order[i]] = 1;
  return tiles;
}

FilmTiles both_of(const FilmTiles& a, const FilmTiles& b) {
  FilmTiles both = a;
  for (size_t tile = 0; tile < both.present.size(); ++tile) both.present[tile] &= b.present[tile];
  return both;
}

std::vector<uint32_t> pixels_in_blocks(const FilmTiles& tiles) {
  constexpr uint32_t kBlockWidth = 8, kBlockHeight = 4;
  std::vector<uint32_t> pixels;
  pixels.reserve(tiles.tile_count() * kFilmTileSide * kFilmTileSide);
  for (uint32_t tile = 0; tile < tiles.present.size(); ++tile) {
    if (!tiles.present[tile]) continue;
    const uint32_t left = tile % tiles.columns() * kFilmTileSide;
    const uint32_t top = tile / tiles.columns() * kFilmTileSide;
    for (uint32_t y = top; y < top + kFilmTileSide; y += kBlockHeight)
      for (uint32_t x = left; x < left + kFilmTileSide; x += kBlockWidth)
        for (uint32_t row = y; row < std::min(y + kBlockHeight, tiles.height); ++row)
          for (uint32_t column = x; column < std::min(x + kBlockWidth, tiles.width); ++column)
            pixels.push_back(row * tiles.width + column);
  }
  return pixels;
}

void pack_pixels(const std::byte* whole, const FilmTiles& tiles, size_t bytes_per_pixel,
                 std::byte* packed, size_t first_pixel) {
  for_each_run(tiles, [&](size_t first, size_t count) {
    packed = std::copy_n(whole + (first - first_pixel) * bytes_per_pixel, count * bytes_per_pixel,
                         packed);
  });
}

void place_pixels(const std::byte* packed, const FilmTiles& tiles, size_t bytes_per_pixel,
                  std::byte* whole, size_t first_pixel) {
  for_each_run(tiles, [&](size_t first, size_t count) {
    std::copy_n(packed, count * bytes_per_pixel, whole + (first - first_pixel) * bytes_per_pixel);
    packed += count * bytes_per_pixel;
  });
}

}  // namespace winnow
