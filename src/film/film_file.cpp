// SPDX-License-Identifier: MIT
#include "film/film_file.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <ostream>
#include <system_error>
#include <type_traits>

#include "base/error.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "film files are little-endian");
static_assert(sizeof(glm::dvec3) == 24 && sizeof(FirstHit) == 28, "written as they are in memory");

constexpr char kFilmMagic[8] = {'\x89', 'w', 'f', 'i', 'l', 'm', '\r', '\n'};

/// The start of a file. A bit for each tile, the description and the checksum of all this follow.
struct FixedHeader {
  char magic[sizeof kFilmMagic];
  uint32_t version;
  uint32_t features;  ///< bits, see feature_bits()
  uint32_t width, height;
  uint32_t tile_side;
  uint32_t description_bytes;
};
static_assert(std::has_unique_object_representations_v<FixedHeader>);

/// Precedes each array; its checksum follows.
struct ChunkHeader {
  uint32_t field;  ///< position of the array in for_each_field() with all features
  uint32_t bytes_per_pixel;
  uint64_t bytes;
};
static_assert(std::has_unique_object_representations_v<ChunkHeader>);

constexpr uint32_t kMaxDescription = 1u << 26;  // bytes
constexpr size_t kBlock = size_t{1} << 20;      // bytes that are hashed while a cache holds them
constexpr uint32_t kMaxSamples = 0x7fffffff;

constexpr uint32_t feature_bits(const FilmFeatures& f) {
  return uint32_t(f.squares) | uint32_t(f.removed) << 1 | uint32_t(f.first_hits) << 2 |
         uint32_t(f.deaths) << 3;
}
constexpr uint32_t kAllFeatureBits = 15;

FilmFeatures features_of(uint32_t bits) {
  return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
}

/// XXH3 of all that is added, 64 bits.
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

/// Writes bytes and hashes them.
class FilmWriter {
 public:
  explicit FilmWriter(std::ostream& stream) : stream_(stream) {}

  void write(const void* data, size_t bytes) {
    const char* begin = static_cast<const char*>(data);
    for (size_t done = 0; done < bytes; done += kBlock) {
      const size_t count = std::min(kBlock, bytes - done);
      checksum_.add(begin + done, count);
      stream_.write(begin + done, std::streamsize(count));
    }
    if (!stream_) throw Error("the write failed");
  }
  void end_chunk() {
    const uint64_t checksum = checksum_.value();
    stream_.write(reinterpret_cast<const char*>(&checksum), sizeof checksum);
    checksum_ = FilmChecksum();
  }

 private:
  std::ostream& stream_;
  FilmChecksum checksum_;
};

/// Reads bytes and hashes them.
class FilmReader {
 public:
  FilmReader(std::istream& stream, uint64_t size) : stream_(stream), left_(size) {}

  uint64_t left() const { return left_; }  ///< bytes to the end of the file

  void read(void* data, size_t bytes) {
    if (bytes > left_) throw_truncated();
    char* begin = static_cast<char*>(data);
    for (size_t done = 0; done < bytes; done += kBlock) {
      const size_t count = std::min(kBlock, bytes - done);
      if (!stream_.read(begin + done, std::streamsize(count))) throw_truncated();
      checksum_.add(begin + done, count);
    }
    left_ -= bytes;
  }
  void end_chunk(const char* what) {
    const uint64_t expected = checksum_.value();
    uint64_t found = 0;
    read(&found, sizeof found);
    checksum_ = FilmChecksum();
    if (found != expected)
      throw Error(fmt::format("is damaged: the checksum of {} does not match", what));
  }
  [[noreturn]] static void throw_truncated() { throw Error("is truncated"); }

 private:
  std::istream& stream_;
  uint64_t left_;
  FilmChecksum checksum_;
};

std::vector<uint8_t> pack_bits(const std::vector<uint8_t>& flags) {
  std::vector<uint8_t> bits((flags.size() + 7) / 8);
  for (size_t i = 0; i < flags.size(); ++i) bits[i / 8] |= uint8_t((flags[i] != 0) << i % 8);
  return bits;
}

/// Reads the header up to its checksum.
FilmFileHeader read_header(FilmReader& reader) {
  FixedHeader fixed;
  if (reader.left() < sizeof fixed.magic) throw Error("is not a film file");
  reader.read(&fixed.magic, sizeof fixed.magic);
  if (std::memcmp(fixed.magic, kFilmMagic, sizeof kFilmMagic) != 0)
    throw Error("is not a film file");
  reader.read(&fixed.version, sizeof fixed - sizeof fixed.magic);
  if (fixed.version != kFilmFileVersion)
    throw Error(fmt::format("is a film file of version {}; this program reads version {}",
                            fixed.version, kFilmFileVersion));
  check_image_size(fixed.width, fixed.height);
  if (fixed.features > kAllFeatureBits || fixed.tile_side != kFilmTileSide ||
      fixed.description_bytes > kMaxDescription)
    throw Error("is damaged: its header makes no sense");

  FilmFileHeader header{
      features_of(fixed.features), make_film_tiles(fixed.width, fixed.height, false), {}};
  std::vector<uint8_t> bits((header.tiles.present.size() + 7) / 8);
  if (reader.left() < bits.size() + fixed.description_bytes) FilmReader::throw_truncated();
  reader.read(bits.data(), bits.size());
  header.description.resize(fixed.description_bytes);
  reader.read(header.description.data(), header.description.size());
  reader.end_chunk("its header");
  for (size_t tile = 0; tile < header.tiles.present.size(); ++tile)
    header.tiles.present[tile] = bits[tile / 8] >> tile % 8 & 1;
  return header;
}

/// Bytes of the arrays with their headers and checksums.
uint64_t array_bytes(const FilmFeatures& features, uint64_t pixels) {
  uint64_t bytes = pixels * film_bytes_per_pixel(features);
  const Film none;
  for_each_field(
      features, [&](size_t, auto&) { bytes += sizeof(ChunkHeader) + sizeof(uint64_t); }, none);
  return bytes;
}

/// Calls use(array of `film`, its chunk header without sizes) for each array.
template <class FilmType, class Use>
void for_each_chunk(const FilmFeatures& features, FilmType& film, Use use) {
  uint32_t field = 0;
  auto visit = [&](size_t per_pixel, auto& array) {
    using T = typename std::remove_cvref_t<decltype(array)>::value_type;
    use(array, per_pixel, ChunkHeader{field++, uint32_t(per_pixel * sizeof(T)), 0});
  };
  for_each_field(features, visit, film);
}

HostFilm read_arrays(FilmReader& reader, const FilmFileHeader& header) {
  const uint64_t pixels = header.tiles.pixel_count();
  const uint64_t expected = array_bytes(header.features, pixels);
  if (reader.left() < expected) FilmReader::throw_truncated();
  if (reader.left() > expected)
    throw Error(fmt::format("is damaged: {} bytes follow its end", reader.left() - expected));
  HostFilm film{.width = header.tiles.width, .height = header.tiles.height};
  for_each_chunk(header.features, film, [&](auto& array, size_t per_pixel, ChunkHeader wanted) {
    ChunkHeader found;
    reader.read(&found, sizeof found);
    wanted.bytes = pixels * wanted.bytes_per_pixel;
    if (std::memcmp(&found, &wanted, sizeof found) != 0)
      throw Error("is damaged: an array is not where it should be");
    array.resize(pixels * per_pixel);
    reader.read(array.data(), wanted.bytes);
    reader.end_chunk("an array");
  });
  if (std::any_of(film.samples.begin(), film.samples.end(),
                  [](uint32_t samples) { return samples > kMaxSamples; }))
    throw Error("is damaged: a pixel has more samples than any render");
  return film;
}

/// Calls read(reader) for a file and puts its name before the reason of an Error.
template <class Read>
auto read_film_with(const fs::path& file, Read read) {
  std::error_code failure;
  if (fs::is_directory(file, failure))
    throw Error(fmt::format("{}: is a folder, not a film file", file.string()));
  errno = 0;
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream)
    throw Error(fmt::format("{}: cannot be opened: {}", file.string(),
                            std::generic_category().message(errno)));
  const std::streamoff size = stream.tellg();
  stream.seekg(0);
  if (size < 0 || !stream)
    throw Error(fmt::format("{}: is not a file that can be read twice", file.string()));
  try {
    FilmReader reader(stream, uint64_t(size));
    return read(reader);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: is too large for this machine's memory", file.string()));
  }
}

}  // namespace

void write_film(std::ostream& stream, const FilmFileHeader& header, const HostFilm& film) {
  const FilmTiles& tiles = header.tiles;
  if (header.description.size() > kMaxDescription) throw Error("the description is too long");
  FilmWriter writer(stream);
  FixedHeader fixed{.magic = {},
                    .version = kFilmFileVersion,
                    .features = feature_bits(header.features),
                    .width = tiles.width,
                    .height = tiles.height,
                    .tile_side = kFilmTileSide,
                    .description_bytes = uint32_t(header.description.size())};
  std::copy(std::begin(kFilmMagic), std::end(kFilmMagic), fixed.magic);
  writer.write(&fixed, sizeof fixed);
  const std::vector<uint8_t> bits = pack_bits(tiles.present);
  writer.write(bits.data(), bits.size());
  writer.write(header.description.data(), header.description.size());
  writer.end_chunk();

  const uint64_t pixels = tiles.pixel_count();
  for_each_chunk(header.features, film,
                 [&](const auto& array, size_t per_pixel, ChunkHeader chunk) {
                   chunk.bytes = pixels * chunk.bytes_per_pixel;
                   writer.write(&chunk, sizeof chunk);
                   for_each_run(tiles, [&](size_t first, size_t count) {
                     writer.write(array.data() + first * per_pixel, count * chunk.bytes_per_pixel);
                   });
                   writer.end_chunk();
                 });
}

FilmFile read_film(const fs::path& file) {
  return read_film_with(file, [](FilmReader& reader) {
    FilmFile result{read_header(reader), {}};
    result.film = read_arrays(reader, result);
    return result;
  });
}

FilmFileHeader read_film_header(const fs::path& file) {
  return read_film_with(file, [](FilmReader& reader) { return read_header(reader); });
}

bool is_film_file(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return char(std::tolower(letter)); });
  return extension == ".film";
}

}  // namespace winnow
