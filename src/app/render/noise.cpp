// SPDX-License-Identifier: MIT
#include "app/render/noise.h"

#include <algorithm>
#include <bit>

#include "image/compare.h"
#include "wavefront/state/wave.h"

namespace winnow {
namespace {

double max_around(const FilmTiles& tiles, const std::vector<double>& values, uint32_t tile) {
  const int columns = int(tiles.columns()), x = int(tile) % columns, y = int(tile) / columns;
  double max = 0.0;
  for (int row = std::max(y - 1, 0); row <= std::min(y + 1, int(tiles.rows()) - 1); ++row)
    for (int column = std::max(x - 1, 0); column <= std::min(x + 1, columns - 1); ++column)
      max = std::max(max, values[size_t(row) * columns + size_t(column)]);
  return max;
}

/// Returns the mean over the channels of a pixel of variance / (mean^2 + 0.01).
double pixel_error(const HostFilm& film, uint32_t pixel) {
  if (film.samples[pixel] == 0) return 0.0;
  const glm::dvec3 mean = film.sum[pixel] / double(film.samples[pixel]);
  const glm::dvec3 variance =
      variance_of_mean(film.sum[pixel], film.squares[pixel], film.samples[pixel]);
  const glm::dvec3 error = variance / (mean * mean + kRelativeOffset);
  return (error.x + error.y + error.z) / 3.0;
}

}  // namespace

uint32_t next_judgement(uint32_t done) {
  constexpr uint32_t kFirst = 32;
  if (done < kFirst) return kFirst;
  const uint32_t power = std::bit_floor(done), middle = power + power / 2;
  return done < middle ? middle : 2 * power;
}

std::vector<FilmArray> noise_arrays() {
  return {FilmArray::kSum, FilmArray::kSamples, FilmArray::kSquares};
}

std::vector<double> tile_errors(const HostFilm& film) {
  const FilmTiles tiles{film.width, film.height, {}};
  std::vector<double> sums(size_t(tiles.columns()) * tiles.rows()), counts(sums.size());
  for (uint32_t pixel = 0; pixel < film.samples.size(); ++pixel) {
    sums[tiles.tile_of(pixel)] += pixel_error(film, pixel);
    ++counts[tiles.tile_of(pixel)];
  }
  for (size_t tile = 0; tile < sums.size(); ++tile) sums[tile] /= counts[tile];
  return sums;
}

std::vector<uint32_t> noisy_pixels(const HostFilm& film, uint32_t done, double noise) {
  const FilmTiles tiles{film.width, film.height, {}};
  const std::vector<double> errors = tile_errors(film);
  std::vector<bool> noisy;
  for (uint32_t tile = 0; tile < errors.size(); ++tile)
    noisy.push_back(max_around(tiles, errors, tile) > noise * noise);

  const Wave order{.width = film.width, .height = film.height};
  std::vector<uint32_t> pixels;
  for (uint32_t i = 0; i < film.samples.size(); ++i) {
    const uint32_t pixel = order.pixel_at(i);
    if (noisy[tiles.tile_of(pixel)] && film.samples[pixel] >= done) pixels.push_back(pixel);
  }
  return pixels;
}

}  // namespace winnow
