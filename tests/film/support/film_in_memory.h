// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "film/film_file.h"
#include "film/film_source.h"
#include "film/film_tiles.h"

namespace winnow {

/// A film in host memory as a source.
class HostFilmSource : public FilmSource {
 public:
  /// @param film  film of the whole image; must outlive the source
  HostFilmSource(const HostFilm& film, const FilmFeatures& features)
      : shape_{film.width, film.height, features},
        fields_(fields_of(features, view_of(const_cast<HostFilm&>(film)))) {}  // never written

  FilmShape shape() const override { return shape_; }
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override {
    pack_pixels(fields_[field].data, tiles, fields_[field].bytes_per_pixel, packed);
  }

 private:
  FilmShape shape_;
  std::vector<FilmField> fields_;
};

/// A film file in memory.
struct FilmFile : FilmFileHeader {
  HostFilm film;  ///< present pixels only, see place_pixels(); the whole image if all are present
};

/// Reads and checks a whole film file.
inline FilmFile read_film(const std::filesystem::path& file) {
  const FilmFileReader reader(file);
  reader.check();
  FilmFile result{reader.header(), {}};
  const TileRows rows = result.tiles.all_rows();
  result.film.width = result.tiles.width;
  result.film.height = result.tiles.height;
  size_t field = 0;
  auto read = [&](FilmArray, size_t per_pixel, auto& array) {
    array.resize(reader.present_count(rows) * per_pixel);
    reader.read_present(field++, rows, reinterpret_cast<std::byte*>(array.data()));
  };
  for_each_field(result.features, read, result.film);
  return result;
}

/// Copies the pixels of `tiles` from a film that holds only these, in the order of for_each_run(),
/// to their places in a film of the whole image. Both films have these features.
inline void place_pixels(const HostFilm& packed, const FilmTiles& tiles,
                         const FilmFeatures& features, HostFilm& whole) {
  auto place = [&](FilmArray, size_t per_pixel, const auto& from, auto& to) {
    place_pixels(reinterpret_cast<const std::byte*>(from.data()), tiles, per_pixel * sizeof(to[0]),
                 reinterpret_cast<std::byte*>(to.data()));
  };
  for_each_field(features, place, packed, whole);
}

/// Writes what read_film() returns.
inline void write_film(const std::filesystem::path& file, const FilmFile& film) {
  HostFilm whole = make_host_film(film.tiles.width, film.tiles.height, film.features);
  place_pixels(film.film, film.tiles, film.features, whole);
  write_film(file, film, HostFilmSource(whole, film.features));
}

/// Returns a film that holds only the pixels of `tiles`, in the order of for_each_run().
inline HostFilm pack_pixels(const HostFilm& whole, const FilmTiles& tiles,
                            const FilmFeatures& features) {
  HostFilm packed{.width = whole.width, .height = whole.height};
  const size_t pixels = tiles.pixel_count();
  auto pack = [&](FilmArray, size_t per_pixel, const auto& from, auto& to) {
    to.resize(pixels * per_pixel);
    pack_pixels(reinterpret_cast<const std::byte*>(from.data()), tiles, per_pixel * sizeof(to[0]),
                reinterpret_cast<std::byte*>(to.data()));
  };
  for_each_field(features, pack, whole, packed);
  return packed;
}

}  // namespace winnow
