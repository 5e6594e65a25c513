// SPDX-License-Identifier: MIT
#include "backend/pixel_transfer.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "film/film_source.h"

namespace winnow {
namespace {

/// Returns the rows of the parts of these tiles: bands of film files with any of their pixels.
std::vector<TileRows> parts_of(const FilmTiles& tiles) {
  std::vector<TileRows> parts;
  for (const TileRows& rows : film_bands(tiles.width, tiles.height))
    if (tiles.pixel_count(rows) > 0) parts.push_back(rows);
  return parts;
}

/// Returns the offset of each part among the bytes of all, [part], and the end of the last one.
std::vector<size_t> starts_of(const std::vector<TileRows>& parts, const FilmTiles& tiles,
                              size_t bytes_per_pixel) {
  std::vector<size_t> starts = {0};
  for (const TileRows& rows : parts)
    starts.push_back(starts.back() + tiles.pixel_count(rows) * bytes_per_pixel);
  return starts;
}

void make_room(std::vector<std::vector<std::byte>>& memory, size_t part, size_t bytes) {
  if (memory.size() <= part) memory.resize(part + 1);
  if (memory[part].size() < bytes) memory[part].resize(bytes);
}

bool are_complete(std::vector<std::unique_ptr<Transfer>>& transfers) {
  return std::ranges::all_of(transfers,
                             [](const auto& transfer) { return transfer->is_complete(); });
}

}  // namespace

void place_at_once(const FilmTiles& tiles, size_t bytes_per_pixel, const std::byte* values,
                   std::byte* whole, size_t first_pixel) {
  const std::vector<TileRows> parts = parts_of(tiles);
  const std::vector<size_t> starts = starts_of(parts, tiles, bytes_per_pixel);
  oneapi::tbb::parallel_for(size_t(0), parts.size(), [&](size_t part) {
    place_pixels(values + starts[part], tiles_in(tiles, parts[part]), bytes_per_pixel, whole,
                 first_pixel);
  });
}

void PixelSender::pack(const FilmTiles& tiles, size_t bytes_per_pixel, const std::byte* values) {
  const std::vector<TileRows> parts = parts_of(tiles);
  const std::vector<size_t> starts = starts_of(parts, tiles, bytes_per_pixel);
  part_bytes_.assign(parts.size(), 0);
  for (size_t part = 0; part < parts.size(); ++part)
    make_room(parts_, part, starts[part + 1] - starts[part]);
  oneapi::tbb::parallel_for(size_t(0), parts.size(), [&](size_t part) {
    part_bytes_[part] = pack_values(values + starts[part], starts[part + 1] - starts[part],
                                    bytes_per_pixel, parts_[part].data());
  });
}

void PixelSender::send(Processes& processes, uint32_t to) {
  transfers_.clear();
  for (size_t part = 0; part < part_bytes_.size(); ++part)
    transfers_.push_back(processes.start_send({parts_[part].data(), part_bytes_[part]}, to));
}

bool PixelSender::is_complete() {
  return are_complete(transfers_);
}

void PixelReceiver::start(Processes& processes, uint32_t from, const FilmTiles& tiles,
                          size_t bytes_per_pixel) {
  tiles_ = tiles;
  bytes_per_pixel_ = bytes_per_pixel;
  rows_ = parts_of(tiles);
  transfers_.clear();
  for (size_t part = 0; part < rows_.size(); ++part) {
    const size_t bytes = tiles.pixel_count(rows_[part]) * bytes_per_pixel;
    make_room(parts_, part, bytes);
    transfers_.push_back(processes.start_receive({parts_[part].data(), bytes}, from));
  }
}

bool PixelReceiver::is_complete() {
  return are_complete(transfers_);
}

void PixelReceiver::place(std::byte* whole, size_t first_pixel) const {
  oneapi::tbb::parallel_for(size_t(0), rows_.size(), [&](size_t part) {
    const FilmTiles tiles = tiles_in(tiles_, rows_[part]);
    std::vector<std::byte> values(tiles.pixel_count() * bytes_per_pixel_);
    unpack_values(parts_[part].data(), transfers_[part]->bytes(), bytes_per_pixel_, values.data(),
                  values.size());
    place_pixels(values.data(), tiles, bytes_per_pixel_, whole, first_pixel);
  });
}

}  // namespace winnow
