// SPDX-License-Identifier: MIT
#include "film/film_source.h"

#include <lz4.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "image/image.h"

namespace winnow {

namespace {

// Bytes of a band of an array.
constexpr size_t kSmallFilmBand = size_t{4} << 20;   ///< fits a cache and suits a disk; part of the
                                                     ///< file format, so it never changes
constexpr size_t kLargeFilmBand = size_t{64} << 20;  ///< suits several GPUs or processes

/// Largest array element except layers, background and cost, whose bands have more bytes; part of
/// the file format.
constexpr size_t kMaxBytesPerPixel = sizeof(FirstHit);

FilmTiles all_tiles_of(const FilmShape& shape) {
  return make_film_tiles(shape.width, shape.height, true);
}

bool contains(const std::vector<FilmArray>& arrays, FilmArray name) {
  return std::ranges::find(arrays, name) != arrays.end();
}

/// Number of values whose bytes a first-level cache holds while they are split.
constexpr size_t kPlaneBlock = 512;

/// Calls move(value_byte, plane_byte) for each byte of `count` values: its position among the
/// values, and its position among planes, which hold the first bytes of all values, then the second
/// bytes.
///
/// @tparam kStride  bytes of a value, known to the compiler for speed; 0 to use `stride`
template <size_t kStride, class Move>
void for_each_plane_byte(size_t count, size_t stride, Move move) {
  if constexpr (kStride > 0) stride = kStride;
  for (size_t first = 0; first < count; first += kPlaneBlock) {
    const size_t end = std::min(first + kPlaneBlock, count);
    for (size_t plane = 0; plane < stride; ++plane)
      for (size_t value = first; value < end; ++value)
        move(value * stride + plane, plane * count + value);
  }
}

template <class Move>
void for_each_plane_byte(size_t count, size_t stride, Move move) {
  switch (stride) {
    case 4:
      return for_each_plane_byte<4>(count, stride, move);
    case 24:
      return for_each_plane_byte<24>(count, stride, move);
    case 28:
      return for_each_plane_byte<28>(count, stride, move);
    default:
      return for_each_plane_byte<0>(count, stride, move);
  }
}

/// Returns memory of this thread for planes. It only grows: allocating it in each call would take
/// as long as LZ4.
std::byte* planes_for(size_t bytes) {
  thread_local std::vector<std::byte> planes;
  if (planes.size() < bytes) planes.resize(bytes);
  return planes.data();
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
  return mean_radiance(source, bands_of(source));
}

Image mean_radiance(const FilmSource& source, const std::vector<TileRows>& bands) {
  const FilmShape shape = source.shape();
  const FilmTiles all = all_tiles_of(shape);
  Image image{shape.width, shape.height,
              std::vector<glm::vec3>(size_t(shape.width) * shape.height)};
  auto add = [&](size_t band, HostFilm memory) {
    HostFilm film =
        read_rows(source, {FilmArray::kSum, FilmArray::kSamples}, bands[band], std::move(memory));
    const Image part = mean_radiance(film);
    std::copy(part.pixels.begin(), part.pixels.end(),
              image.pixels.begin() + ptrdiff_t(all.first_pixel(bands[band])));
    return film;
  };
  if (source.is_concurrent()) {
    oneapi::tbb::parallel_for(size_t(0), bands.size(), [&](size_t band) { add(band, {}); });
  } else {
    HostFilm memory;
    for (size_t band = 0; band < bands.size(); ++band) memory = add(band, std::move(memory));
  }
  return image;
}

size_t pack_values(const std::byte* values, size_t bytes, size_t bytes_per_value,
                   std::byte* packed) {
  std::byte* planes = planes_for(bytes);
  for_each_plane_byte(bytes / bytes_per_value, bytes_per_value,
                      [values, planes](size_t value_byte, size_t plane_byte) {
                        planes[plane_byte] = values[value_byte];
                      });
  const int used =
      bytes < 2 ? 0
                : LZ4_compress_default(reinterpret_cast<const char*>(planes),
                                       reinterpret_cast<char*>(packed), int(bytes), int(bytes - 1));
  if (used > 0) return size_t(used);
  std::copy_n(values, bytes, packed);
  return bytes;
}

void unpack_values(const std::byte* packed, size_t packed_bytes, size_t bytes_per_value,
                   std::byte* values, size_t bytes) {
  if (packed_bytes == bytes) {
    std::copy_n(packed, bytes, values);
    return;
  }
  std::byte* planes = planes_for(bytes);
  const int found =
      LZ4_decompress_safe(reinterpret_cast<const char*>(packed), reinterpret_cast<char*>(planes),
                          int(packed_bytes), int(bytes));
  if (found < 0 || size_t(found) != bytes) throw Error("is damaged: an array cannot be unpacked");
  for_each_plane_byte(bytes / bytes_per_value, bytes_per_value,
                      [values, planes](size_t value_byte, size_t plane_byte) {
                        values[value_byte] = planes[plane_byte];
                      });
}

}  // namespace winnow
