// SPDX-License-Identifier: MIT
#include "film/film_source.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <utility>

namespace winnow {
namespace {

// Bytes of a band of an array.
constexpr size_t kSmallFilmBand = size_t{4} << 20;   ///< fits a cache and suits a disk; part of the
                                                     ///< file format, so it never changes
constexpr size_t kLargeFilmBand = size_t{64} << 20;  ///< suits several GPUs or processes

/// Largest array element except layers, whose bands have more bytes; part of the file format.
constexpr size_t kMaxBytesPerPixel = sizeof(FirstHit);

FilmTiles all_tiles_of(const FilmShape& shape) {
  return make_film_tiles(shape.width, shape.height, true);
}

bool contains(const std::vector<FilmArray>& arrays, FilmArray name) {
  return std::ranges::find(arrays, name) != arrays.end();
}

}  // namespace

std::vector<TileRows> film_bands(uint32_t width, uint32_t height) {
  return bands_of(make_film_tiles(width, height, true), kMaxBytesPerPixel, kSmallFilmBand);
}

std::vector<TileRows> bands_of(const FilmSource& source) {
  const FilmShape shape = source.shape();
  if (source.is_concurrent()) return film_bands(shape.width, shape.height);
  return bands_of(all_tiles_of(shape), kMaxBytesPerPixel, kLargeFilmBand);
}

HostFilm read_rows(const FilmSource& source, const std::vector<FilmArray>& arrays, TileRows rows,
                   HostFilm film) {
  const FilmShape shape = source.shape();
  const FilmTiles all = all_tiles_of(shape);
  const FilmTiles tiles = tiles_in(all, rows);
  resize_arrays({shape.width, all.end_y(rows) - all.first_y(rows), shape.features}, arrays, film);
  const std::vector<FilmArray> there = arrays_of(shape.features);
  for (size_t field = 0; field < there.size(); ++field)
    if (contains(arrays, there[field])) source.expect(field, tiles);
  size_t field = 0;
  auto read = [&](FilmArray name, size_t, auto& array) {
    if (contains(arrays, name))
      source.read(field, tiles, reinterpret_cast<std::byte*>(array.data()));
    ++field;
  };
  for_each_field(shape.features, read, film);
  return film;
}

HostFilm read_arrays(const FilmSource& source, const std::vector<FilmArray>& arrays,
                     HostFilm memory) {
  return read_rows(source, arrays, all_tiles_of(source.shape()).all_rows(), std::move(memory));
}

void resize_arrays(const FilmShape& shape, const std::vector<FilmArray>& arrays, HostFilm& film) {
  film.width = shape.width, film.height = shape.height;
  auto resize = [&](FilmArray name, size_t per_pixel, auto& array) {
    array.resize(contains(arrays, name) ? size_t(shape.width) * shape.height * per_pixel : 0);
  };
  for_each_field(shape.features, resize, film);
}

Image mean_radiance(const FilmSource& source) {
  const FilmShape shape = source.shape();
  const FilmTiles all = all_tiles_of(shape);
  const std::vector<TileRows> bands = bands_of(source);
  Image image{shape.width, shape.height,
              std::vector<glm::vec3>(size_t(shape.width) * shape.height)};
  auto add = [&](size_t band) {
    const HostFilm film = read_rows(source, {FilmArray::kSum, FilmArray::kSamples}, bands[band]);
    const Image part = mean_radiance(film);
    std::copy(part.pixels.begin(), part.pixels.end(),
              image.pixels.begin() + ptrdiff_t(all.first_pixel(bands[band])));
  };
  if (source.is_concurrent())
    oneapi::tbb::parallel_for(size_t(0), bands.size(), add);
  else
    for (size_t band = 0; band < bands.size(); ++band) add(band);
  return image;
}

}  // namespace winnow
