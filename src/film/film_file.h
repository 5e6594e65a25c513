// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/positioned_file.h"
#include "film/film_source.h"

namespace winnow {

// Film files: the sums and counts of a film, bit for bit, so that a render can be continued and
// parts of an image can be put together. README.md in this folder describes the format, of which
// the newest version is written and all are read.

inline constexpr uint32_t kFilmFileVersion = 2;

/// What a film file holds besides its arrays.
struct FilmFileHeader {
  FilmFeatures features;
  FilmTiles tiles;          ///< those whose pixels the file holds
  std::string description;  ///< how the film was made; for those who write and read it
};

/// Writes the pixels of `header.tiles`. Replaces the file completely or not at all, with a thread
/// for each processor up to 16, and holds a few bands of an array for each. Throws Error that names
/// the file.
///
/// @param film  of the whole image, with the features of the header
void write_film(const std::filesystem::path& file, const FilmFileHeader& header,
                const FilmSource& film);

struct FilmChunk;

/// A film file that is open. As a source, it is black without samples where it holds no pixels. All
/// Errors name the file, and the damage if it is damaged: each byte is covered by a checksum, and
/// nothing is allocated that the size of the file does not justify.
class FilmFileReader : public FilmSource {
 public:
  /// Reads the header, which it checks.
  explicit FilmFileReader(const std::filesystem::path& file);
  FilmFileReader(FilmFileReader&&) noexcept;
  FilmFileReader& operator=(FilmFileReader&&) noexcept;
  ~FilmFileReader() override;

  const std::filesystem::path& file() const { return file_; }
  uint32_t version() const { return version_; }  ///< of the format
  const FilmFileHeader& header() const { return header_; }

  /// Checks all arrays, with several threads. To be called before any of them is used.
  void check() const;

  FilmShape shape() const override;
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override;

  /// Copies the pixels that the file holds of some rows of tiles.
  ///
  /// @param packed  [pixels of header().tiles in `rows`][bytes of the field]
  void read_present(size_t field, TileRows rows, std::byte* packed) const;

  /// How many pixels these are.
  size_t present_count(TileRows rows) const;

 private:
  /// Calls use() and puts the name of the file before the reason of an Error.
  template <class Use>
  auto named(Use use) const;
  void read_header();
  void find_bands(uint64_t position);
  void find_bands_of_version_1(uint64_t position);
  void check_chunk(const FilmChunk& chunk) const;
  void check_samples(size_t band) const;
  void read_band(size_t field, size_t band, TileRows rows, std::byte* packed) const;

  /// The values of a band of an array: packed if these are fewer bytes than the values.
  struct Band {
    uint64_t position, bytes;
  };

  std::filesystem::path file_;
  std::unique_ptr<InputFile> input_;
  uint32_t version_ = kFilmFileVersion;
  FilmFileHeader header_;
  std::vector<FilmChunk> chunks_;       ///< all of the file after its header
  std::vector<TileRows> bands_;         ///< of each array
  std::vector<Band> stored_;            ///< [field][band]
  std::vector<uint64_t> first_pixels_;  ///< [row of tiles], present pixels before it; and of all
};

/// A film file in memory.
struct FilmFile : FilmFileHeader {
  HostFilm
      film;  ///< of the present pixels alone, see place_pixels(); of the whole image if all are
};

/// Reads and checks a whole film file. Throws Error as FilmFileReader does.
FilmFile read_film(const std::filesystem::path& file);

/// Whether a file name ends like that of a film file.
bool is_film_file(const std::filesystem::path& file);

}  // namespace winnow
