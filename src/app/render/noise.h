// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "film/film.h"
#include "film/film_tiles.h"

namespace winnow {

// Adaptive sampling for --noise: tiles whose estimated error is low enough get no more samples. The
// error is estimated from the samples, and only at fixed sample counts, so that the decision does
// not depend on time or on the number of threads.

struct NoiseState {
  uint32_t judged = 0;          ///< samples per pixel at the last estimate; 0: there was none
  std::vector<uint8_t> active;  ///< [tile], 1 if it gets more samples; empty before an estimate

  bool operator==(const NoiseState&) const = default;
};

/// Returns the smallest sample count above `done` at which errors are estimated: one of 32, 48, 64,
/// 96, 128, ... With fewer samples, tiles would end before their rare bright samples have occurred.
uint32_t next_judgement(uint32_t done);

/// Returns the arrays of a film that the functions below use.
std::vector<FilmArray> noise_arrays();

/// Estimates the error of each tile, the mean over its pixels and channels of variance / (mean^2 +
/// 0.01): the relMSE that `winnow diff` would report if samples were independent.
///
/// @return  [tile], row by row
std::vector<double> tile_errors(const HostFilm& film);

/// Returns the pixels that need more samples: those of tiles whose root-mean-square error, or that
/// of a neighbouring tile, exceeds `noise`. If a tile has missed a bright feature, a neighbour has
/// probably found it. Tiles with fewer than `done` samples ended earlier and stay ended.
///
/// @return  indices into the film, in the order of Wave::pixel_at
std::vector<uint32_t> noisy_pixels(const HostFilm& film, uint32_t done, double noise);

}  // namespace winnow
