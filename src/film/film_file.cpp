// SPDX-License-Identifier: MIT
#include "film/film_file.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/for_each_at_once.h"
#include "base/limits.h"
#include "film/film_source.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHashedBytes = size_t{1} << 20;  // bytes hashed at a time, which a cache holds
constexpr uint32_t kMaxFilmSamples = 0x7fffffff;

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

[[noreturn]] void throw_truncated() {
  throw Error("is truncated");
}

FilmFeatures film_features_of(uint32_t bits) {
  return {(bits & 1) != 0,  (bits & 2) != 0,  (bits & 4) != 0, (bits & 8) != 0,
          (bits & 16) != 0, (bits & 32) != 0, (bits & 64) != 0};
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

/// Reads the start of a file. Throws Error if it is not valid.
FilmFixedHeader read_fixed_header(const InputFile& file) {
  FilmFixedHeader fixed;
  if (file.size() < sizeof fixed.magic) throw Error("is not a film file");
  file.read(0, &fixed.magic, sizeof fixed.magic);
  if (std::memcmp(fixed.magic, kFilmMagic, sizeof kFilmMagic) != 0)
    throw Error("is not a film file");
  if (file.size() < sizeof fixed) throw_truncated();
  file.read(0, &fixed, sizeof fixed);
  if (fixed.version < kOldestFilmFileVersion || fixed.version > kFilmFileVersion)
    throw Error(fmt::format("is a film file of version {}; this program reads versions {} to {}",
                            fixed.version, kOldestFilmFileVersion, kFilmFileVersion));
  check_image_size(fixed.width, fixed.height);
  if (fixed.features > kAllFilmFeatureBits || fixed.tile_side != kFilmTileSide ||
      fixed.description_bytes > kMaxFilmDescription)
    throw Error("is damaged: its header is not valid");
  return fixed;
}

bool are_same(const FilmTiles& a, const FilmTiles& b, TileRows rows) {
  const auto row = [&](const FilmTiles& tiles, uint32_t y) {
    return tiles.present.begin() + ptrdiff_t(y) * tiles.columns();
  };
  return std::equal(row(a, rows.first), row(a, rows.end), row(b, rows.first));
}

}  // namespace

template <class Use>
auto FilmFileReader::named(Use use) const {
  try {
    return use();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file_.string(), error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: is too large for this machine's memory", file_.string()));
  }
}

FilmFileReader::FilmFileReader(const fs::path& file) : file_(file) {
  named([&] {
    std::error_code failure;
    if (fs::is_directory(file, failure)) throw Error("is a folder, not a film file");
    input_ = std::make_unique<InputFile>(file);
    read_header();
  });
}

void FilmFileReader::read_header() {
  const FilmFixedHeader fixed = read_fixed_header(*input_);
  header_.features = film_features_of(fixed.features);
  header_.tiles = make_film_tiles(fixed.width, fixed.height, false);
  std::vector<uint8_t>& present = header_.tiles.present;
  const size_t tile_bytes = (present.size() + 7) / 8;
  const uint64_t bytes = sizeof fixed + tile_bytes + fixed.description_bytes;
  uint64_t checksum = 0;
  if (input_->size() < bytes + sizeof checksum) throw_truncated();
  std::string start(bytes, '\0');
  input_->read(0, start.data(), bytes);
  input_->read(bytes, &checksum, sizeof checksum);
  if (XXH3_64bits(start.data(), start.size()) != checksum)
    throw Error("is damaged: the checksum of its header does not match");
  for (size_t tile = 0; tile < present.size(); ++tile)
    present[tile] = uint8_t(start[sizeof fixed + tile / 8]) >> tile % 8 & 1;
  header_.description = start.substr(sizeof fixed + tile_bytes);
  first_pixels_ = {0};
  for (uint32_t row = 0; row < header_.tiles.rows(); ++row)
    first_pixels_.push_back(first_pixels_.back() + header_.tiles.pixel_count({row, row + 1}));
  bands_ = film_bands(fixed.width, fixed.height);
  version_ = fixed.version;
  if (version_ == 1)
    find_bands_of_version_1(bytes + sizeof checksum);
  else
    find_bands(bytes + sizeof checksum);
}

/// Finds the bands by following the chunks from one to the next.
void FilmFileReader::find_bands(uint64_t position) {
  uint32_t field = 0;
  for (const FilmField& array : fields_of(header_.features, {})) {
    for (uint32_t band = 0; band < bands_.size(); ++band) {
      FilmChunk chunk{.header = {}, .position = position};
      if (input_->size() < chunk.data()) throw_truncated();
      input_->read(position, &chunk.header, sizeof chunk.header);
      const FilmChunkHeader& found = chunk.header;
      if (found.field != field || found.band != band ||
          found.bytes > present_count(bands_[band]) * array.bytes_per_pixel)
        throw Error("is damaged: an array is not where it should be");
      if (input_->size() < chunk.end()) throw_truncated();
      chunks_.push_back(chunk);
      stored_.push_back({chunk.data(), found.bytes});
      position = chunk.end();
    }
    ++field;
  }
}

void FilmFileReader::find_bands_of_version_1(uint64_t position) {
  chunks_ = film_arrays_of_version_1(header_, position);
  for (const FilmChunk& array : chunks_)
    for (const TileRows& rows : bands_) {
      const uint64_t bytes_per_pixel = array.header.band;
      stored_.push_back({array.data() + first_pixels_[rows.first] * bytes_per_pixel,
                         present_count(rows) * bytes_per_pixel});
    }
}

void FilmFileReader::check_chunk(const FilmChunk& chunk) const {
  FilmChunkHeader found;
  input_->read(chunk.position, &found, sizeof found);
  if (std::memcmp(&found, &chunk.header, sizeof found) != 0)
    throw Error("is damaged: an array is not where it should be");
  FilmChecksum checksum;
  checksum.add(&found, sizeof found);
  std::vector<std::byte> block(std::min<uint64_t>(kHashedBytes, found.bytes));
  for (uint64_t done = 0; done < found.bytes; done += kHashedBytes) {
    const size_t bytes = std::min<uint64_t>(kHashedBytes, found.bytes - done);
    input_->read(chunk.data() + done, block.data(), bytes);
    checksum.add(block.data(), bytes);
  }
  uint64_t expected = 0;
  input_->read(chunk.checksum(), &expected, sizeof expected);
  if (checksum.value() != expected)
    throw Error("is damaged: the checksum of an array does not match");
}

void FilmFileReader::check_samples(size_t band) const {
  std::vector<uint32_t> samples(present_count(bands_[band]));
  read_band(kSamplesField, band, bands_[band], reinterpret_cast<std::byte*>(samples.data()));
  if (std::any_of(samples.begin(), samples.end(),
                  [](uint32_t count) { return count > kMaxFilmSamples; }))
    throw Error("is damaged: a pixel has more samples than any render");
}

void FilmFileReader::check() const {
  named([&] {
    const uint64_t end = chunks_.back().end();
    if (input_->size() < end) throw_truncated();
    if (input_->size() > end)
      throw Error(fmt::format("is damaged: {} bytes follow its end", input_->size() - end));
    for_each_at_once(chunks_.size(), [&](size_t chunk) { check_chunk(chunks_[chunk]); });
    for_each_at_once(bands_.size(), [&](size_t band) { check_samples(band); });
  });
}

FilmShape FilmFileReader::shape() const {
  return {header_.tiles.width, header_.tiles.height, header_.features};
}

size_t FilmFileReader::present_count(TileRows rows) const {
  return first_pixels_[rows.end] - first_pixels_[rows.first];
}

void FilmFileReader::read_band(size_t field, size_t band, TileRows rows, std::byte* packed) const {
  const size_t per_pixel = fields_of(header_.features, {})[field].bytes_per_pixel;
  const Band& stored = stored_[field * bands_.size() + band];
  const size_t whole = present_count(bands_[band]) * per_pixel;
  const size_t skipped = present_count({bands_[band].first, rows.first}) * per_pixel;
  const size_t bytes = present_count(rows) * per_pixel;
  if (stored.bytes == whole) return input_->read(stored.position + skipped, packed, bytes);
  const auto data = std::make_unique_for_overwrite<std::byte[]>(stored.bytes);
  input_->read(stored.position, data.get(), stored.bytes);
  if (bytes == whole) return unpack_values(data.get(), stored.bytes, per_pixel, packed, bytes);
  const auto values = std::make_unique_for_overwrite<std::byte[]>(whole);
  unpack_values(data.get(), stored.bytes, per_pixel, values.get(), whole);
  std::copy_n(values.get() + skipped, bytes, packed);
}

void FilmFileReader::read_present(size_t field, TileRows rows, std::byte* packed) const {
  const size_t per_pixel = fields_of(header_.features, {})[field].bytes_per_pixel;
  if (rows.first == rows.end) return;
  const auto ends_later = [](uint32_t row, const TileRows& band) { return row < band.end; };
  const size_t first = size_t(
      std::upper_bound(bands_.begin(), bands_.end(), rows.first, ends_later) - bands_.begin());
  const size_t last = size_t(
      std::upper_bound(bands_.begin(), bands_.end(), rows.end - 1, ends_later) - bands_.begin());
  auto read_part = [&](size_t band) {
    const TileRows part{std::max(rows.first, bands_[band].first),
                        std::min(rows.end, bands_[band].end)};
    read_band(field, band, part, packed + present_count({rows.first, part.first}) * per_pixel);
  };
  named([&] {
    if (first == last) return read_part(first);
    for_each_at_once(last - first + 1, [&](size_t i) { read_part(first + i); });
  });
}

void FilmFileReader::read(size_t field, const FilmTiles& tiles, std::byte* packed) const {
  const TileRows rows = rows_of(tiles);
  if (are_same(tiles, header_.tiles, rows)) return read_present(field, rows, packed);
  const size_t per_pixel = fields_of(header_.features, {})[field].bytes_per_pixel;
  const size_t first = tiles.first_pixel(rows);
  std::vector<std::byte> present(present_count(rows) * per_pixel);
  std::vector<std::byte> band(tiles.all_pixels(rows) * per_pixel);
  read_present(field, rows, present.data());
  place_pixels(present.data(), tiles_in(header_.tiles, rows), per_pixel, band.data(), first);
  pack_pixels(band.data(), tiles, per_pixel, packed, first);
}

bool is_film_file(const fs::path& file) {
  return extension_of(file) == ".film";
}

}  // namespace winnow
