// SPDX-License-Identifier: MIT
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/files.h"
#include "film/film_file.h"
#include "film/film_format.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// A system writes to one file with one thread at a time; the others read and hash meanwhile.
constexpr size_t kFilmWriters = 4;

/// A band of an array on its way into the file.
struct FilmPiece {
  size_t number;  ///< of all pieces of the file, in the order of their positions
  const FilmChunk* chunk;
  const FilmTiles* tiles;
  uint64_t position;
  bool is_first, is_last;  ///< of its array
  std::vector<std::byte> bytes;
};

/// Writes the arrays of a film. The thread that calls run() hands out pieces, and reads them if the
/// source needs it; others hash them, in their order, and write them.
class FilmArraysWriter {
 public:
  FilmArraysWriter(const OutputFile& file, const FilmSource& source, const FilmTiles& tiles,
                   const std::vector<FilmChunk>& chunks)
      : file_(file), source_(source), chunks_(chunks) {
    for (const TileRows rows : bands_of(source)) {
      bands_.push_back(tiles_in(tiles, rows));
      band_pixels_.push_back(tiles.pixel_count(rows));
    }
  }

  void run() {
    {
      std::vector<std::jthread> writers;
      const Closing closing{*this};  // before the writers are joined
      const size_t writer_count = file_.has_positions() ? kFilmWriters : 1;
      buffers_.resize(writer_count + 2);
      for (size_t i = 0; i < writer_count; ++i) writers.emplace_back([this] { write_pieces(); });
      hand_out_pieces();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Closing {
    FilmArraysWriter& writer;
    ~Closing() {
      const std::scoped_lock lock(writer.mutex_);
      writer.is_closed_ = true;
      writer.changed_.notify_all();
    }
  };

  void hand_out_pieces() {
    size_t number = 0;
    for (const FilmChunk& chunk : chunks_) {
      uint64_t position = chunk.data();
      for (size_t band = 0; band < bands_.size(); ++band) {
        std::optional<std::vector<std::byte>> buffer = free_buffer();
        if (!buffer) return;
        buffer->resize(band_pixels_[band] * chunk.header.bytes_per_pixel);
        FilmPiece piece{.number = number++,
                        .chunk = &chunk,
                        .tiles = &bands_[band],
                        .position = position,
                        .is_first = band == 0,
                        .is_last = band + 1 == bands_.size(),
                        .bytes = std::move(*buffer)};
        position += piece.bytes.size();
        if (!source_.is_concurrent()) read(piece);
        const std::scoped_lock lock(mutex_);
        pieces_.push_back(std::move(piece));
        changed_.notify_all();
      }
    }
  }

  void read(FilmPiece& piece) const {
    if (!piece.bytes.empty())
      source_.read(piece.chunk->header.field, *piece.tiles, piece.bytes.data());
  }

  /// Waits for a buffer that no piece holds. None after a failure.
  std::optional<std::vector<std::byte>> free_buffer() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || !buffers_.empty(); });
    if (failure_) return std::nullopt;
    std::vector<std::byte> buffer = std::move(buffers_.back());
    buffers_.pop_back();
    return buffer;
  }

  /// Waits for a piece. None at the end and after a failure.
  std::optional<FilmPiece> next_piece() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || is_closed_ || !pieces_.empty(); });
    if (failure_ || pieces_.empty()) return std::nullopt;
    FilmPiece piece = std::move(pieces_.front());
    pieces_.pop_front();
    return piece;
  }

  /// What each writer does.
  void write_pieces() try {
    while (std::optional<FilmPiece> piece = next_piece()) {
      if (source_.is_concurrent()) read(*piece);
      const std::optional<uint64_t> checksum = add_to_checksum(*piece);
      if (!checksum) return;
      write(*piece, *checksum);
      const std::scoped_lock lock(mutex_);
      buffers_.push_back(std::move(piece->bytes));
      changed_.notify_all();
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    changed_.notify_all();
  }

  /// Hashes the piece after those before it. Returns the checksum of its array so far; none after a
  /// failure.
  std::optional<uint64_t> add_to_checksum(const FilmPiece& piece) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || hashed_count_ == piece.number; });
    if (failure_) return std::nullopt;
    lock.unlock();
    if (piece.is_first) {
      checksum_ = FilmChecksum();
      checksum_.add(&piece.chunk->header, sizeof piece.chunk->header);
    }
    checksum_.add(piece.bytes.data(), piece.bytes.size());
    const uint64_t value = checksum_.value();
    lock.lock();
    ++hashed_count_;
    changed_.notify_all();
    return value;
  }

  void write(const FilmPiece& piece, uint64_t checksum) const {
    const FilmChunk& chunk = *piece.chunk;
    if (piece.is_first) file_.write(chunk.position, &chunk.header, sizeof chunk.header);
    file_.write(piece.position, piece.bytes.data(), piece.bytes.size());
    if (piece.is_last) file_.write(chunk.checksum(), &checksum, sizeof checksum);
  }

  const OutputFile& file_;
  const FilmSource& source_;
  const std::vector<FilmChunk>& chunks_;
  std::vector<FilmTiles> bands_;
  std::vector<size_t> band_pixels_;

  std::mutex mutex_;  ///< of all that follows
  std::condition_variable changed_;
  std::deque<FilmPiece> pieces_;
  std::vector<std::vector<std::byte>> buffers_;  ///< that no piece holds
  size_t hashed_count_ = 0;
  FilmChecksum checksum_;  ///< of the pieces of one array; only the piece whose turn it is adds
  bool is_closed_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void write_film(const fs::path& file, const FilmFileHeader& header, const FilmSource& film) {
  replace_positioned_file(file, [&](const OutputFile& output) {
    const std::string start = film_header_bytes(header);
    output.write(0, start.data(), start.size());
    FilmArraysWriter(output, film, header.tiles, film_chunks(header, start.size())).run();
  });
}

}  // namespace winnow
