// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/files.h"
#include "film/film_source.h"

namespace winnow {

// Film files hold the sums and counts of a film, bit for bit, so that a render can be continued and
// parts of an image can be merged. README.md in this folder describes the format. The newest
// version is written; all versions are read.

inline constexpr uint32_t kOldestFilmFileVersion = 1, kFilmFileVersion = 2;
inline constexpr char kFilmMagic[8] = {'\x89', 'w', 'f', 'i', 'l', 'm', '\r', '\n'};
inline constexpr uint32_t kAllFilmFeatureBits = 127;

/// Start of a file. A bit per tile, the description and the checksum of all this follow.
struct FilmFixedHeader {
  char magic[sizeof kFilmMagic];
  uint32_t version;
  uint32_t features;  ///< bits of FilmFeatures from the lowest: squares, removed, first_hits,
                      ///< terminations, layers, background, cost
  uint32_t width, height;
  uint32_t tile_side;
  uint32_t description_bytes;
};
static_assert(std::has_unique_object_representations_v<FilmFixedHeader>);

/// Precedes the values of a band of an array; its checksum follows.
struct FilmChunkHeader {
  uint32_t field;  ///< index of the array in for_each_field() with the film's features
  uint32_t band;   ///< index in film_bands(); in files of version 1, bytes per pixel
  uint64_t bytes;
};
static_assert(std::has_unique_object_representations_v<FilmChunkHeader>);

/// Position of a band of an array in a file; in files of version 1, of a whole array.
struct FilmChunk {
  FilmChunkHeader header;
  uint64_t position;  ///< position of the header

  uint64_t data() const { return position + sizeof header; }
  uint64_t checksum() const { return data() + header.bytes; }
  uint64_t end() const { return checksum() + sizeof(uint64_t); }
};

struct FilmFileHeader {
  FilmFeatures features;
  FilmTiles tiles;          ///< tiles whose pixels the file holds
  std::string description;  ///< how the film was made; the format does not interpret it
};

/// Writes the pixels of `header.tiles`. Replaces the file completely or not at all. Uses a thread
/// per processor, at most 16, and holds a few bands of an array for each. Throws Error, which names
/// the file.
/// @param film  film of the whole image, with the features of the header
void write_film(const std::filesystem::path& file, const FilmFileHeader& header,
                const FilmSource& film);

/// An open film file. As a source, it is black without samples where it holds no pixels. Errors
/// name the file and any damage: a checksum covers each byte, and nothing is allocated that the
/// size of the file does not justify.
class FilmFileReader : public FilmSource {
 public:
  /// Reads and checks the header.
  explicit FilmFileReader(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return file_; }
  uint32_t version() const { return version_; }  ///< version of the format
  const FilmFileHeader& header() const { return header_; }

  /// Checks all arrays, with several threads. Call it before using any of them.
  void check() const;

  FilmShape shape() const override;
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override;

  /// Copies the pixels of some rows of tiles that the file holds.
  /// @param packed  [pixels of header().tiles in `rows`][bytes of the field]
  void read_present(size_t field, TileRows rows, std::byte* packed) const;

  /// Returns the number of pixels that read_present() copies.
  size_t present_count(TileRows rows) const;

 private:
  /// Calls use() and prefixes the reason of an Error with the name of the file.
  template <class Use>
  auto named(Use use) const;
  void read_header();
  void find_bands(uint64_t position);
  void find_bands_of_version_1(uint64_t position);
  void check_chunk(const FilmChunk& chunk) const;
  void check_samples(size_t band) const;
  void read_band(size_t field, size_t band, TileRows rows, std::byte* packed) const;

  /// Stored values of a band of an array: packed if their bytes are fewer than those of the values.
  struct Band {
    uint64_t position, bytes;
  };

  std::filesystem::path file_;
  std::unique_ptr<InputFile> input_;
  uint32_t version_ = kFilmFileVersion;
  FilmFileHeader header_;
  std::vector<FilmChunk> chunks_;       ///< chunks of the file after its header
  std::vector<TileRows> bands_;         ///< rows of each band
  std::vector<Band> stored_;            ///< [field][band]
  std::vector<uint64_t> first_pixels_;  ///< [row of tiles], present pixels before it; then of all
};

/// True if a file name has the extension of a film file.
bool is_film_file(const std::filesystem::path& file);

}  // namespace winnow
