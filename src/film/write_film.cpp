// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "film/film_file.h"
#include "film/film_source.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "film files are little-endian");
static_assert(sizeof(glm::dvec3) == 24 && sizeof(FirstHit) == 28, "written as they are in memory");

std::string pack_bits(const std::vector<uint8_t>& flags) {
  std::string bits((flags.size() + 7) / 8, '\0');
  for (size_t i = 0; i < flags.size(); ++i)
    bits[i / 8] = char(bits[i / 8] | (flags[i] != 0) << i % 8);
  return bits;
}

/// Returns the bits of FilmFixedHeader::features.
uint32_t film_feature_bits(const FilmFeatures& f) {
  return uint32_t(f.squares) | uint32_t(f.removed) << 1 | uint32_t(f.first_hits) << 2 |
         uint32_t(f.terminations) << 3 | uint32_t(f.layers) << 4 | uint32_t(f.background) << 5 |
         uint32_t(f.cost) << 6;
}

/// Returns the bytes of a file before its arrays, with their checksum.
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

/// Largest number of threads that pack and write. More do not help: a system writes to a file with
/// one thread at a time, and 16 threads pack faster than that.
constexpr size_t kMaxFilmWriters = 16;
/// Bands read at a time from a source that only one thread may read.
constexpr size_t kBandsOfAGroup = 16;

/// Values of some bands of an array that are read together.
struct FilmGroup {
  struct Bands {
    uint32_t field;
    size_t first, end;  ///< [first, end)
  } bands;
  std::vector<std::byte> values;
};

/// A band of an array on its way into the file.
struct FilmPiece {
  size_t number;  ///< index among all pieces of the file, by position
  FilmChunkHeader header;
  std::shared_ptr<FilmGroup> group;  ///< group with its values
  size_t first_byte, bytes;          ///< bytes in the group
};

/// Writes the arrays of a film. The thread that calls run() hands out pieces, and also reads them
/// if only one thread may. Other threads pack pieces and write them in any order; the position of a
/// piece is known once all pieces before it are packed.
class FilmArraysWriter {
 public:
  /// @param position  position of the first array in the file
  FilmArraysWriter(const OutputFile& file, const FilmSource& source, const FilmTiles& tiles,
                   uint64_t position)
      : file_(file),
        source_(source),
        tiles_(tiles),
        arrays_(fields_of(source.shape().features, {})),
        bands_(film_bands(tiles.width, tiles.height)),
        position_(position) {
    for (const TileRows rows : bands_) band_pixels_.push_back(tiles.pixel_count(rows));
  }

  void run() {
    {
      std::vector<std::jthread> writers;
      const Closing closing{*this};  // destroyed before the writers are joined
      // A pipe needs bytes in their order.
      const size_t writer_count =
          file_.has_positions()
              ? std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMaxFilmWriters)
              : 1;
      constexpr size_t kGroups = 3;  // one being read, one being packed, one waiting
      free_groups_ = source_.is_concurrent() ? writer_count + 1 : kGroups;
      for (size_t i = 0; i < writer_count; ++i) try {
          writers.emplace_back([this] { write_pieces(); });
        } catch (const std::system_error& error) {  // fewer threads are slower, but suffice
          if (writers.empty())
            throw Error(fmt::format("no thread can be started: {}", error.what()));
          break;
        }
      hand_out_pieces();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Bands = FilmGroup::Bands;

  struct Closing {
    FilmArraysWriter& writer;
    ~Closing() {
      const std::scoped_lock lock(writer.mutex_);
      writer.is_closed_ = true;
      writer.changed_.notify_all();
    }
  };

  /// Returns the bands of all arrays in groups that are read together.
  std::vector<Bands> all_bands() const {
    const size_t step = source_.is_concurrent() ? 1 : kBandsOfAGroup;
    std::vector<Bands> all;
    for (uint32_t field = 0; field < arrays_.size(); ++field)
      for (size_t band = 0; band < bands_.size(); band += step)
        all.push_back({field, band, std::min(band + step, bands_.size())});
    return all;
  }

  void hand_out_pieces() {
    const std::vector<Bands> all = all_bands();
    size_t number = 0;
    expect(all.front());
    for (size_t i = 0; i < all.size(); ++i) {
      const std::shared_ptr<FilmGroup> group = free_group();
      if (!group) return;
      group->bands = all[i];
      if (i + 1 < all.size()) expect(all[i + 1]);
      if (!source_.is_concurrent()) read(*group);
      hand_out(group, number);
    }
  }

  void hand_out(const std::shared_ptr<FilmGroup>& group, size_t& number) {
    const auto [field, first, end] = group->bands;
    size_t first_byte = 0;
    const std::scoped_lock lock(mutex_);
    for (size_t band = first; band < end; ++band) {
      const size_t bytes = band_pixels_[band] * arrays_[field].bytes_per_pixel;
      pieces_.push_back({number++, {field, uint32_t(band), 0}, group, first_byte, bytes});
      first_byte += bytes;
    }
    changed_.notify_all();
  }

  size_t pixels_of(const Bands& bands) const {
    return std::accumulate(band_pixels_.begin() + ptrdiff_t(bands.first),
                           band_pixels_.begin() + ptrdiff_t(bands.end), size_t{0});
  }
  FilmTiles tiles_of(const Bands& bands) const {
    return tiles_in(tiles_, {bands_[bands.first].first, bands_[bands.end - 1].end});
  }

  void expect(const Bands& bands) const {
    if (!source_.is_concurrent() && pixels_of(bands) > 0)
      source_.expect(bands.field, tiles_of(bands));
  }

  void read(FilmGroup& group) const {
    const size_t pixels = pixels_of(group.bands);
    group.values.resize(pixels * arrays_[group.bands.field].bytes_per_pixel);
    if (pixels > 0) source_.read(group.bands.field, tiles_of(group.bands), group.values.data());
  }

  /// Waits for a group that no piece refers to. Returns null after a failure.
  std::shared_ptr<FilmGroup> free_group() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || free_groups_ > 0; });
    if (failure_) return nullptr;
    --free_groups_;
    auto group = std::make_unique<FilmGroup>();
    if (!free_values_.empty()) {
      group->values = std::move(free_values_.back());
      free_values_.pop_back();
    }
    return {group.release(), [this](FilmGroup* used) { give_back(used); }};
  }

  void give_back(FilmGroup* group) {
    const std::scoped_lock lock(mutex_);
    free_values_.push_back(std::move(group->values));
    ++free_groups_;
    delete group;
    changed_.notify_all();
  }

  /// Waits for a piece. Returns nothing at the end and after a failure.
  std::optional<FilmPiece> next_piece() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || is_closed_ || !pieces_.empty(); });
    if (failure_ || pieces_.empty()) return std::nullopt;
    FilmPiece piece = std::move(pieces_.front());
    pieces_.pop_front();
    return piece;
  }

  /// Packs and writes pieces until the end or a failure. Each writer thread runs it.
  void write_pieces() try {
    std::vector<std::byte> chunk;
    while (std::optional<FilmPiece> piece = next_piece()) {
      if (source_.is_concurrent()) read(*piece->group);
      const size_t bytes = pack(*piece, chunk);
      piece->group.reset();
      const std::optional<uint64_t> position = take_position(piece->number, bytes);
      if (!position) return;
      file_.write(*position, chunk.data(), bytes);
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    changed_.notify_all();
  }

  /// Packs a piece into the bytes of the file. Returns their number.
  size_t pack(const FilmPiece& piece, std::vector<std::byte>& chunk) const {
    FilmChunkHeader header = piece.header;
    const size_t most = sizeof header + piece.bytes + sizeof(uint64_t);
    if (chunk.size() < most) chunk.resize(most);
    header.bytes = pack_values(piece.group->values.data() + piece.first_byte, piece.bytes,
                               arrays_[header.field].bytes_per_pixel, chunk.data() + sizeof header);
    std::memcpy(chunk.data(), &header, sizeof header);
    const size_t bytes = sizeof header + header.bytes;
    const uint64_t checksum = XXH3_64bits(chunk.data(), bytes);
    std::memcpy(chunk.data() + bytes, &checksum, sizeof checksum);
    return bytes + sizeof checksum;
  }

  /// Waits until all pieces before have positions. Returns nothing after a failure.
  std::optional<uint64_t> take_position(size_t number, size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || placed_count_ == number; });
    if (failure_) return std::nullopt;
    ++placed_count_;
    changed_.notify_all();
    return std::exchange(position_, position_ + bytes);
  }

  const OutputFile& file_;
  const FilmSource& source_;
  const FilmTiles& tiles_;
  const std::vector<FilmField> arrays_;
  const std::vector<TileRows> bands_;
  std::vector<size_t> band_pixels_;

  std::mutex mutex_;  ///< guards all members below
  std::condition_variable changed_;
  size_t free_groups_ = 0;
  std::vector<std::vector<std::byte>> free_values_;  ///< memory of free groups
  std::deque<FilmPiece> pieces_;
  size_t placed_count_ = 0;  ///< pieces that have a position
  uint64_t position_;        ///< position of the next piece
  bool is_closed_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void write_film(const fs::path& file, const FilmFileHeader& header, const FilmSource& film) {
  replace_positioned_file(file, [&](const OutputFile& output) {
    const std::string start = film_header_bytes(header);
    output.write(0, start.data(), start.size());
    FilmArraysWriter(output, film, header.tiles, start.size()).run();
  });
}

}  // namespace winnow
