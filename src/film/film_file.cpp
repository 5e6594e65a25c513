// SPDX-License-Identifier: MIT
#include "film/film_file.h"

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "film/film_format.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHashedBytes = size_t{1} << 20;  // at a time, while a cache holds them
constexpr uint32_t kMaxFilmSamples = 0x7fffffff;

[[noreturn]] void throw_truncated() {
  throw Error("is truncated");
}

/// The start of a file, if it makes sense.
FilmFixedHeader read_fixed_header(const InputFile& file) {
  FilmFixedHeader fixed;
  if (file.size() < sizeof fixed.magic) throw Error("is not a film file");
  file.read(0, &fixed.magic, sizeof fixed.magic);
  if (std::memcmp(fixed.magic, kFilmMagic, sizeof kFilmMagic) != 0)
    throw Error("is not a film file");
  if (file.size() < sizeof fixed) throw_truncated();
  file.read(0, &fixed, sizeof fixed);
  if (fixed.version != kFilmFileVersion)
    throw Error(fmt::format("is a film file of version {}; this program reads version {}",
                            fixed.version, kFilmFileVersion));
  check_image_size(fixed.width, fixed.height);
  if (fixed.features > kAllFilmFeatureBits || fixed.tile_side != kFilmTileSide ||
      fixed.description_bytes > kMaxFilmDescription)
    throw Error("is damaged: its header makes no sense");
  return fixed;
}

/// Whether two sets of tiles of one image are the same in these rows.
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

FilmFileReader::FilmFileReader(FilmFileReader&&) noexcept = default;
FilmFileReader& FilmFileReader::operator=(FilmFileReader&&) noexcept = default;
FilmFileReader::~FilmFileReader() = default;

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
  chunks_ = film_chunks(header_, bytes + sizeof checksum);
  first_pixels_ = {0};
  for (uint32_t row = 0; row < header_.tiles.rows(); ++row)
    first_pixels_.push_back(first_pixels_.back() + header_.tiles.pixel_count({row, row + 1}));
}

void FilmFileReader::check_chunk(const FilmChunk& chunk) const {
  FilmChunkHeader found;
  input_->read(chunk.position, &found, sizeof found);
  if (std::memcmp(&found, &chunk.header, sizeof found) != 0)
    throw Error("is damaged: an array is not where it should be");
  FilmChecksum checksum;
  checksum.add(&found, sizeof found);
  std::vector<uint32_t> block(kHashedBytes / sizeof(uint32_t));
  bool has_too_many_samples = false;
  for (uint64_t done = 0; done < found.bytes; done += kHashedBytes) {
    const size_t bytes = std::min<uint64_t>(kHashedBytes, found.bytes - done);
    input_->read(chunk.data() + done, block.data(), bytes);
    checksum.add(block.data(), bytes);
    if (found.field == kSamplesField)
      has_too_many_samples |=
          std::any_of(block.begin(), block.begin() + ptrdiff_t(bytes / sizeof(uint32_t)),
                      [](uint32_t samples) { return samples > kMaxFilmSamples; });
  }
  uint64_t expected = 0;
  input_->read(chunk.checksum(), &expected, sizeof expected);
  if (checksum.value() != expected)
    throw Error("is damaged: the checksum of an array does not match");
  if (has_too_many_samples) throw Error("is damaged: a pixel has more samples than any render");
}

void FilmFileReader::check() const {
  named([&] {
    const uint64_t end = chunks_.back().end();
    if (input_->size() < end) throw_truncated();
    if (input_->size() > end)
      throw Error(fmt::format("is damaged: {} bytes follow its end", input_->size() - end));
    std::vector<std::exception_ptr> failures(chunks_.size());
    oneapi::tbb::parallel_for(size_t(0), chunks_.size(), [&](size_t field) {
      try {
        check_chunk(chunks_[field]);
      } catch (...) {
        failures[field] = std::current_exception();
      }
    });
    for (const std::exception_ptr& failure : failures)
      if (failure) std::rethrow_exception(failure);
  });
}

FilmShape FilmFileReader::shape() const {
  return {header_.tiles.width, header_.tiles.height, header_.features};
}

size_t FilmFileReader::present_count(TileRows rows) const {
  return first_pixels_[rows.end] - first_pixels_[rows.first];
}

void FilmFileReader::read_present(size_t field, TileRows rows, std::byte* packed) const {
  const FilmChunk& chunk = chunks_[field];
  const uint64_t per_pixel = chunk.header.bytes_per_pixel;
  named([&] {
    input_->read(chunk.data() + first_pixels_[rows.first] * per_pixel, packed,
                 present_count(rows) * per_pixel);
  });
}

void FilmFileReader::read(size_t field, const FilmTiles& tiles, std::byte* packed) const {
  const TileRows rows = rows_of(tiles);
  if (are_same(tiles, header_.tiles, rows)) return read_present(field, rows, packed);
  const size_t per_pixel = chunks_[field].header.bytes_per_pixel;
  const size_t first = tiles.first_pixel(rows);
  std::vector<std::byte> present(present_count(rows) * per_pixel);
  std::vector<std::byte> band(tiles.all_pixels(rows) * per_pixel);
  read_present(field, rows, present.data());
  place_pixels(present.data(), tiles_in(header_.tiles, rows), per_pixel, band.data(), first);
  pack_pixels(band.data(), tiles, per_pixel, packed, first);
}

FilmFile read_film(const fs::path& file) {
  const FilmFileReader reader(file);
  reader.check();
  FilmFile result{reader.header(), {}};
  const TileRows rows = result.tiles.all_rows();
  result.film.width = result.tiles.width;
  result.film.height = result.tiles.height;
  size_t field = 0;
  auto read = [&](size_t per_pixel, auto& array) {
    array.resize(reader.present_count(rows) * per_pixel);
    reader.read_present(field++, rows, reinterpret_cast<std::byte*>(array.data()));
  };
  for_each_field(result.features, read, result.film);
  return result;
}

bool is_film_file(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return char(std::tolower(letter)); });
  return extension == ".film";
}

}  // namespace winnow
