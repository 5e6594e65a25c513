// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "film/film_tiles.h"
#include "processes/processes.h"

namespace winnow {

// Transfer of film pixels from one process to another: packed as in film files, and in parts of a
// few MB, one for each band of rows. Where a network is the bottleneck, this takes a third of the
// time or less; all processors of both processes take part.

/// Copies pixels of `tiles` to their places in a part of the image, with several threads.
///
/// @param values       [pixels of `tiles`, in the order of for_each_run()][bytes_per_pixel]
/// @param first_pixel  position in the image of the first pixel of `whole`
void place_at_once(const FilmTiles& tiles, size_t bytes_per_pixel, const std::byte* values,
                   std::byte* whole, size_t first_pixel);

/// The sending side. Can be used repeatedly, and keeps its memory.
class PixelSender {
 public:
  /// Packs pixels with several threads. The previous send must be complete.
  ///
  /// @param values  [pixels of `tiles`, in the order of for_each_run()][bytes_per_pixel]
  void pack(const FilmTiles& tiles, size_t bytes_per_pixel, const std::byte* values);

  void send(Processes& processes, uint32_t to);

  /// Advances the transfer. Returns whether all of it is sent.
  bool is_complete();

 private:
  std::vector<std::vector<std::byte>> parts_;  ///< [part], packed bytes; may have unused parts
  std::vector<size_t> part_bytes_;             ///< [part]
  std::vector<std::unique_ptr<Transfer>> transfers_;
};

/// The receiving side. Can be used repeatedly, and keeps its memory.
class PixelReceiver {
 public:
  /// Starts receiving the pixels of `tiles`, which the other process packs.
  void start(Processes& processes, uint32_t from, const FilmTiles& tiles, size_t bytes_per_pixel);

  /// Advances the transfer. Returns whether all of it has arrived.
  bool is_complete();

  /// Copies the received pixels to their places, as place_at_once() does. Throws Error if they are
  /// not what the other process has packed.
  void place(std::byte* whole, size_t first_pixel) const;

 private:
  FilmTiles tiles_;
  size_t bytes_per_pixel_ = 0;
  std::vector<TileRows> rows_;                 ///< [part]
  std::vector<std::vector<std::byte>> parts_;  ///< [part], packed bytes; may have unused parts
  std::vector<std::unique_ptr<Transfer>> transfers_;
};

}  // namespace winnow
