// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "film/film.h"
#include "film/film_tiles.h"

namespace winnow {

// Access to films in bands, rows of tiles of one array: a film may be too large to hold twice.

struct FilmShape {
  uint32_t width = 0, height = 0;  ///< pixels
  FilmFeatures features = {};
};

/// A film in memory, on a GPU, or in one or several files.
class FilmSource {
 public:
  virtual ~FilmSource() = default;
  virtual FilmShape shape() const = 0;

  /// Copies the pixels of `tiles` from one array. Throws Error.
  /// @param field   index in arrays_of(shape().features)
  /// @param packed  [pixels of `tiles`, in the order of for_each_run()][bytes of the field]
  virtual void read(size_t field, const FilmTiles& tiles, std::byte* packed) const = 0;

  /// Announces a later call of read() to the source. Calls of read() follow in the same order.
  virtual void expect(size_t /*field*/, const FilmTiles& /*tiles*/) const {}

  /// True if several threads may read at the same time. If not, only the thread that passes the
  /// source to a function reads; it may be the only thread that communicates with other processes.
  virtual bool is_concurrent() const { return true; }
};

/// Returns the bands into which film files divide arrays of this size. Part of the format.
std::vector<TileRows> film_bands(uint32_t width, uint32_t height);

/// Returns the bands in which the arrays of a film are read.
std::vector<TileRows> bands_of(const FilmSource& source);

/// Reads the named arrays of some rows of tiles; other arrays are empty. The film has the height of
/// the rows. Arrays that the source does not have are left out.
/// @param memory  film whose memory is used again
HostFilm read_rows(const FilmSource& source, const std::vector<FilmArray>& arrays, TileRows rows,
                   HostFilm memory = {});

/// Reads the named arrays of the whole image.
HostFilm read_arrays(const FilmSource& source, const std::vector<FilmArray>& arrays,
                     HostFilm memory = {});

/// Resizes the named arrays to an image of this shape; other arrays become empty.
void resize_arrays(const FilmShape& shape, const std::vector<FilmArray>& arrays, HostFilm& film);

/// Returns the mean of each pixel's samples, or black. Holds only the sums of a band at a time, or
/// of several if the source is concurrent.
Image mean_radiance(const FilmSource& source, const std::vector<TileRows>& bands);
Image mean_radiance(const FilmSource& source);  ///< in bands_of(source)

// Lossless compression of pixel values.

/// Packs values with LZ4: first the first bytes of all values, then the second bytes, and so on.
/// Signs, exponents and ids of neighbours are similar, as are the low bytes of sums of few samples;
/// LZ4 finds that only if they are adjacent. A core packs about 1.1 GB/s and unpacks 2.4 GB/s.
///
/// @param bytes            bytes of all values, less than 2^30
/// @param bytes_per_value  at least 1
/// @param packed           [bytes], must not overlap `values`
/// @return                 bytes used in `packed`; `bytes` if the values do not shrink, which are
///                         then copied unchanged
size_t pack_values(const std::byte* values, size_t bytes, size_t bytes_per_value,
                   std::byte* packed);

/// Unpacks what pack_values() has packed. Throws Error, with only the reason, if the bytes are
/// damaged.
///
/// @param values  [bytes], must not overlap `packed`
void unpack_values(const std::byte* packed, size_t packed_bytes, size_t bytes_per_value,
                   std::byte* values, size_t bytes);

}  // namespace winnow
