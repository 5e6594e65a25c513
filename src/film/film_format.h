// SPDX-License-Identifier: MIT
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/limits.h"
#include "film/film_file.h"

namespace winnow {

// Byte layout of film files for their reader and writer. README.md describes it.

inline constexpr char kFilmMagic[8] = {'\x89', 'w', 'f', 'i', 'l', 'm', '\r', '\n'};
inline constexpr uint32_t kAllFilmFeatureBits = 31;
inline constexpr uint32_t kOldestFilmFileVersion = 1;

/// Start of a file. A bit per tile, the description and the checksum of all this follow.
struct FilmFixedHeader {
  char magic[sizeof kFilmMagic];
  uint32_t version;
  uint32_t features;  ///< bits, see film_feature_bits()
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

/// 64-bit XXH3 checksum of all added bytes.
class FilmChecksum {
 public:
  FilmChecksum() { XXH3_64bits_reset(state_.get()); }
  void add(const void* data, size_t bytes) { XXH3_64bits_update(state_.get(), data, bytes); }
  uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_{XXH3_createState()};
};

/// Position of a band of an array in a file; in files of version 1, of a whole array.
struct FilmChunk {
  FilmChunkHeader header;
  uint64_t position;  ///< position of the header

  uint64_t data() const { return position + sizeof header; }
  uint64_t checksum() const { return data() + header.bytes; }
  uint64_t end() const { return checksum() + sizeof(uint64_t); }
};

uint32_t film_feature_bits(const FilmFeatures& features);
FilmFeatures film_features_of(uint32_t bits);

/// Returns the bytes of a file before its arrays, with their checksum.
std::string film_header_bytes(const FilmFileHeader& header);

/// Returns the arrays of a file of version 1 whose header has `header_bytes` bytes.
std::vector<FilmChunk> film_arrays_of_version_1(const FilmFileHeader& header,
                                                uint64_t header_bytes);

}  // namespace winnow
