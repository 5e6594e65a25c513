// SPDX-License-Identifier: MIT
#include "film/film_format.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/error.h"

namespace winnow {
namespace {

static_assert(std::endian::native == std::endian::little, "film files are little-endian");
static_assert(sizeof(glm::dvec3) == 24 && sizeof(FirstHit) == 28, "written as they are in memory");

std::string pack_bits(const std::vector<uint8_t>& flags) {
  std::string bits((flags.size() + 7) / 8, '\0');
  for (size_t i = 0; i < flags.size(); ++i)
    bits[i / 8] = char(bits[i / 8] | (flags[i] != 0) << i % 8);
  return bits;
}

}  // namespace

uint32_t film_feature_bits(const FilmFeatures& f) {
  return uint32_t(f.squares) | uint32_t(f.removed) << 1 | uint32_t(f.first_hits) << 2 |
         uint32_t(f.terminations) << 3 | uint32_t(f.layers) << 4;
}

FilmFeatures film_features_of(uint32_t bits) {
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0};
}

std::string film_header_bytes(const FilmFileHeader& header) {
  if (header.description.size() > kMaxFilmDescription) throw Error("the description is too long");
  FilmFixedHeader fixed{.magic = {},
                        .version = kFilmFileVersion,
                        .features = film_feature_bits(header.features),
                        .width = header.tiles.width,
                        .height = header.tiles.height,
                        .tile_side = kFilmTileSide,
                        .description_bytes = uint32_t(header.description.size())};
  std::copy(std::begin(kFilmMagic), std::end(kFilmMagic), fixed.magic);
  std::string bytes(reinterpret_cast<const char*>(&fixed), sizeof fixed);
  bytes += pack_bits(header.tiles.present) + header.description;
  const uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
  return bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
}

std::vector<FilmChunk> film_arrays_of_version_1(const FilmFileHeader& header,
                                                uint64_t header_bytes) {
  const uint64_t pixels = header.tiles.pixel_count();
  std::vector<FilmChunk> arrays;
  for (const FilmField& field : fields_of(header.features, {})) {
    const uint64_t position = arrays.empty() ? header_bytes : arrays.back().end();
    arrays.push_back({{.field = uint32_t(arrays.size()),
                       .band = uint32_t(field.bytes_per_pixel),
                       .bytes = pixels * field.bytes_per_pixel},
                      position});
  }
  return arrays;
}

}  // namespace winnow
