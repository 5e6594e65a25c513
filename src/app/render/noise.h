#pragma once

#include <cstdint>
#include <vector>

#include "film/film.h"

namespace winnow {

// When --noise ends the samples of a pixel. Tiles of pixels are judged by the error that their
// samples estimate, and only after certain numbers of samples, so that neither clock nor chance
// takes part.

inline constexpr uint32_t kNoiseTileSide = 16;  ///< pixels

/// Samples at which tiles are judged: 32, 48, 64, 96, 128, ... Before the first of these, rare
/// bright samples that have not shown yet would end too many tiles.
///
/// @return  the least of them above `done`
uint32_t next_judgement(uint32_t done);

/// Mean over a tile's pixels and channels of variance / (mean^2 + 0.01): its part of the relMSE
/// that `winnow diff` would find, if samples were independent.
///
/// @return  [tile], row by row
std::vector<double> tile_errors(const HostFilm& film);

/// Pixels that need more samples: those of tiles that, or a neighbour of which, err more than
/// `noise`, a root mean square. A tile that has missed a bright spot is likely to have a neighbour
/// that has not. Tiles that have fewer than `done` samples were left before, and stay so.
///
/// @return  film positions, in the order of Wave::pixel_at
std::vector<uint32_t> noisy_pixels(const HostFilm& film, uint32_t done, double noise);

}  // namespace winnow
