// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>

#include "film/film.h"
#include "film/film_tiles.h"

namespace winnow {

// Film files: the sums and counts of a film, bit for bit, so that a render can be continued and
// parts of an image can be put together. README.md in this folder describes the format.

inline constexpr uint32_t kFilmFileVersion = 1;

/// What a film file holds besides its arrays.
struct FilmFileHeader {
  FilmFeatures features;
  FilmTiles tiles;          ///< those whose pixels the file holds
  std::string description;  ///< how the film was made; for those who write and read it
};

struct FilmFile : FilmFileHeader {
  HostFilm
      film;  ///< of the present pixels alone, see place_pixels(); of the whole image if all are
};

/// Writes the pixels of `header.tiles`. Throws Error with the reason alone.
///
/// @param film  of the whole image, with the features of the header
void write_film(std::ostream& stream, const FilmFileHeader& header, const HostFilm& film);

/// Reads a film file. Throws Error that names the file, and the damage if it is damaged: each byte
/// is covered by a checksum, and nothing is allocated that the size of the file does not justify.
FilmFile read_film(const std::filesystem::path& file);

/// The same without the arrays, whose checksums are not tested.
FilmFileHeader read_film_header(const std::filesystem::path& file);

/// Whether a file name ends like that of a film file.
bool is_film_file(const std::filesystem::path& file);

}  // namespace winnow
