// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "film/film_tiles.h"

namespace winnow {

// Division of an image among several renderers (GPUs, or processes on several hosts). Each tile has
// one owner, which renders all its samples, so that the film does not depend on the division.

struct TileOwners {
  uint32_t width = 0, height = 0;  ///< size of the image, pixels
  std::vector<uint32_t> owner;     ///< [tile], row by row
  FilmTiles tiles_of(uint32_t one) const;
  bool operator==(const TileOwners&) const = default;
};

/// Divides the tiles of an image among owners, so that the pixels of each are in proportion to its
/// speed, to within one tile: the tiles in `active`, and separately the others. Each owner gets its
/// share of every region, and so about its share of the work wherever the work is. Depends only on
/// the arguments.
/// @param active  tiles that are rendered
/// @param speeds  [owner], not negative and not all 0, in any unit; owners of speed 0 get no tiles
TileOwners spread_tiles(const FilmTiles& active, const std::vector<double>& speeds);

struct TileMove {
  uint32_t from = 0, to = 0;
  FilmTiles tiles;
};

/// Moves active tiles from slow owners to fast ones, so that all are likely to take equally long.
/// Does nothing if the longest time is at most 1 % above the mean: moving would cost more. Depends
/// only on the arguments.
/// @param seconds  [owner], time for its active tiles; owners with 0 keep their tiles
/// @return         moves; each pair of owners at most once
std::vector<TileMove> rebalance(TileOwners& owners, const FilmTiles& active,
                                const std::vector<double>& seconds);

/// Divides the tiles of failed owners among the others like spread_tiles(). Returns these tiles.
/// @param speeds  [owner], 0 for failed owners, not all 0
FilmTiles pass_on_tiles(TileOwners& owners, const std::vector<double>& speeds);

}  // namespace winnow
