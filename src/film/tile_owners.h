// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "film/film_tiles.h"

namespace winnow {

// The division of an image among several renderers (GPUs, or processes of several hosts). Each tile
// has one owner, which renders all its samples, so that the film does not depend on the division.

/// The owner of each tile.
struct TileOwners {
  uint32_t width = 0, height = 0;  ///< of the image, pixels
  std::vector<uint32_t> owner;     ///< [tile], row by row

  FilmTiles tiles_of(uint32_t one) const;

  bool operator==(const TileOwners&) const = default;
};

/// Divides all tiles of an image among owners. Each gets its part of the tiles in `active` and of
/// the others, in proportion to the speeds, give or take one, and out of each neighbourhood. So it
/// gets about this part of the work as well, wherever that is. A function of the arguments alone.
///
/// @param active  tiles that are rendered
/// @param speeds  [owner], not negative and not all 0, in any unit; those of speed 0 get no tiles
TileOwners spread_tiles(const FilmTiles& active, const std::vector<double>& speeds);

/// Tiles that change their owner.
struct TileMove {
  uint32_t from = 0, to = 0;
  FilmTiles tiles;
};

/// Moves active tiles from owners that took long to those that did not, so that all are likely to
/// take equally long from now on. Does nothing if the longest time is at most 1 % above the mean,
/// which moving does not pay for. A function of the arguments alone.
///
/// @param seconds  [owner], that each took for its active tiles; owners with 0 stay as they are
/// @return         each pair of owners at most once
std::vector<TileMove> rebalance(TileOwners& owners, const FilmTiles& active,
                                const std::vector<double>& seconds);

/// Divides the tiles of owners that have failed among the others, as spread_tiles() does. Returns
/// these tiles.
///
/// @param speeds  [owner], 0 for those that have failed, not all 0
FilmTiles pass_on_tiles(TileOwners& owners, const std::vector<double>& speeds);

}  // namespace winnow
