// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "film/film.h"
#include "film/film_tiles.h"

namespace winnow {

// Films that are too large to hold twice, or at all, are read in bands: some rows of tiles of one
// array at a time.

/// Size and arrays of a film.
struct FilmShape {
  uint32_t width = 0, height = 0;  ///< pixels
  FilmFeatures features = {};
};

/// The film of an image, wherever it is: in memory, on a GPU, in one file or in several.
class FilmSource {
 public:
  virtual ~FilmSource() = default;

  virtual FilmShape shape() const = 0;

  /// Copies the pixels of `tiles` from one array. Throws Error.
  ///
  /// @param field   position among arrays_of(shape().features)
  /// @param packed  [pixels of `tiles`, in the order of for_each_run()][bytes of the field]
  virtual void read(size_t field, const FilmTiles& tiles, std::byte* packed) const = 0;

  /// Says what read() will be asked for, in this order, so that it can be made ready meanwhile.
  virtual void expect(size_t /*field*/, const FilmTiles& /*tiles*/) const {}

  /// Whether several threads may read at the same time. If not, only the thread that hands the
  /// source to a function reads, so that this may be the one thread that speaks to other processes.
  virtual bool is_concurrent() const { return true; }
};

/// A film in host memory.
class HostFilmSource : public FilmSource {
 public:
  /// @param film  of the whole image; refers to it
  HostFilmSource(const HostFilm& film, const FilmFeatures& features);

  FilmShape shape() const override { return shape_; }
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override;

 private:
  FilmShape shape_;
  std::vector<FilmField> fields_;
};

/// The rows of a film of this size in bands, as film files divide their arrays: part of the format.
std::vector<TileRows> film_bands(uint32_t width, uint32_t height);

/// The rows of a film in bands that are read of one array at a time.
std::vector<TileRows> bands_of(const FilmSource& source);

/// The named arrays of some rows of tiles; the others are empty. The height is that of the rows.
/// Arrays that the source does not have are left out.
HostFilm read_rows(const FilmSource& source, const std::vector<FilmArray>& arrays, TileRows rows);

/// The named arrays of the whole image.
HostFilm read_arrays(const FilmSource& source, const std::vector<FilmArray>& arrays);

/// The same, into the memory of `film`.
void read_arrays(const FilmSource& source, const std::vector<FilmArray>& arrays, HostFilm& film);

/// Memory for the named arrays of an image of this shape; the others are empty.
void resize_arrays(const FilmShape& shape, const std::vector<FilmArray>& arrays, HostFilm& film);

/// The mean of each pixel's samples; black for pixels without samples. Holds a part of the sums at
/// a time.
Image mean_radiance(const FilmSource& source);

}  // namespace winnow
