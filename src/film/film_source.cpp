// SPDX-License-Identifier: MIT
#include "film/film_source.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

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

void read_rows_into(HostFilm& film, const FilmSource& source, const std::vector<FilmArray>& arrays,
                    TileRows rows) {
  const FilmShape shape = source.shape();
  const FilmTiles all = all_tiles_of(shape);
  const FilmTiles tiles = tiles_in(all, rows);
  resize_arrays({shape.width, all.end_y(rows) - all.first_y(rows), shape.features}, arrays, film);
  const std::vector<FilmArray> there = arrays_of(shape.features);
  auto is_wanted = [&](size_t field) {
    return std::find(arrays.begin(), arrays.end(), there[field]) != arrays.end();
  };
  for (size_t field = 0; field < there.size(); ++field)
    if (is_wanted(field)) source.expect(field, tiles);
  size_t field = 0;
  auto read = [&](size_t, auto& array) {
    if (is_wanted(field)) source.read(field, tiles, reinterpret_cast<std::byte*>(array.data()));
    ++field;
  };
  for_each_field(shape.features, read, film);
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

HostFilmSource::HostFilmSource(const HostFilm& film, const FilmFeatures& features)
    : shape_{film.width, film.height, features},
      fields_(fields_of(features, view_of(const_cast<HostFilm&>(film)))) {}  // never written

void HostFilmSource::read(size_t field, const FilmTiles& tiles, std::byte* packed) const {
  pack_pixels(fields_[field].data, tiles, fields_[field].bytes_per_pixel, packed);
}

HostFilm read_rows(const FilmSource& source, const std::vector<FilmArray>& arrays, TileRows rows) {
  HostFilm film;
  read_rows_into(film, source, arrays, rows);
  return film;
}

HostFilm read_arrays(const FilmSource& source, const std::vector<FilmArray>& arrays) {
  return read_rows(source, arrays, all_tiles_of(source.shape()).all_rows());
}

void read_arrays(const FilmSource& source, const std::vector<FilmArray>& arrays, HostFilm& film) {
  read_rows_into(film, source, arrays, all_tiles_of(source.shape()).all_rows());
}

void resize_arrays(const FilmShape& shape, const std::vector<FilmArray>& arrays, HostFilm& film) {
  film.width = shape.width, film.height = shape.height;
  const std::vector<FilmArray> there = arrays_of(shape.features);
  size_t field = 0;
  auto resize = [&](size_t per_pixel, auto& array) {
    const bool is_wanted = std::ranges::find(arrays, there[field++]) != arrays.end();
    array.resize(is_wanted ? size_t(shape.width) * shape.height * per_pixel : 0);
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
