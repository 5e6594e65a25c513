// SPDX-License-Identifier: MIT
#include "film/tile_owners.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/morton.h"

namespace winnow {
namespace {

/// Returns the tiles of an image along the Morton curve, which keeps neighbours close.
std::vector<uint32_t> tiles_along_curve(uint32_t columns, uint32_t rows) {
  std::vector<uint32_t> tiles(size_t(columns) * rows);
  std::iota(tiles.begin(), tiles.end(), 0u);
  auto place = [&](uint32_t tile) { return morton_code(tile % columns, tile / columns); };
  std::sort(tiles.begin(), tiles.end(),
            [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
  return tiles;
}

/// Returns the pixels of each tile: those at the right and lower edge have fewer.
std::vector<uint32_t> pixels_of_tiles(const FilmTiles& image) {
  std::vector<uint32_t> pixels;
  for (uint32_t y = 0; y < image.height; y += kFilmTileSide)
    for (uint32_t x = 0; x < image.width; x += kFilmTileSide)
      pixels.push_back(std::min(kFilmTileSide, image.width - x) *
                       std::min(kFilmTileSide, image.height - y));
  return pixels;
}

/// Assigns tiles one by one, so that each owner always has its part of the pixels, to within the
/// pixels of a tile.
class Dealer {
 public:
  explicit Dealer(const std::vector<double>& speeds)
      : speeds_(speeds),
        owed_(speeds.size(), 0.0),
        sum_(std::accumulate(speeds.begin(), speeds.end(), 0.0)) {}

  /// Returns the owner of the next tile: the one to which most pixels are owed.
  uint32_t next(uint32_t pixels) {
    uint32_t best = 0;
    for (uint32_t one = 0; one < speeds_.size(); ++one) {
      owed_[one] += double(pixels) * speeds_[one] / sum_;
      if (speeds_[one] > 0.0 && (speeds_[best] == 0.0 || owed_[one] > owed_[best])) best = one;
    }
    owed_[best] -= double(pixels);
    return best;
  }

 private:
  const std::vector<double>& speeds_;
  std::vector<double> owed_;  ///< pixels
  double sum_;
};

}  // namespace

FilmTiles TileOwners::tiles_of(uint32_t one) const {
  FilmTiles tiles = make_film_tiles(width, height, false);
  for (size_t tile = 0; tile < owner.size(); ++tile) tiles.present[tile] = owner[tile] == one;
  return tiles;
}

TileOwners spread_tiles(const FilmTiles& active, const std::vector<double>& speeds) {
  TileOwners owners{active.width, active.height, std::vector<uint32_t>(active.present.size())};
  const std::vector<uint32_t> pixels = pixels_of_tiles(active);
  Dealer of_active(speeds), of_others(speeds);
  for (const uint32_t tile : tiles_along_curve(active.columns(), active.rows()))
    owners.owner[tile] = (active.present[tile] ? of_active : of_others).next(pixels[tile]);
  return owners;
}

std::vector<TileMove> rebalance(TileOwners& owners, const FilmTiles& active,
                                const std::vector<double>& seconds) {
  constexpr double kTolerance = 1.01;
  const size_t count = seconds.size();
  const std::vector<uint32_t> pixels = pixels_of_tiles(active);
  std::vector<std::vector<uint32_t>> owned(count);  // active tiles along the curve
  std::vector<double> owned_pixels(count, 0.0);
  for (const uint32_t tile : tiles_along_curve(active.columns(), active.rows()))
    if (active.present[tile]) {
      owned[owners.owner[tile]].push_back(tile);
      owned_pixels[owners.owner[tile]] += pixels[tile];
    }

  // Each owner should have as many pixels as it renders in the time that all need together.
  double speed_sum = 0.0, second_sum = 0.0, longest = 0.0;  // speeds in pixels per second
  double pixel_sum = 0.0;
  size_t takes_part = 0;
  for (size_t one = 0; one < count; ++one) {
    if (seconds[one] <= 0.0 || owned[one].empty()) continue;
    speed_sum += owned_pixels[one] / seconds[one];
    second_sum += seconds[one];
    longest = std::max(longest, seconds[one]);
    pixel_sum += owned_pixels[one];
    ++takes_part;
  }
  if (takes_part < 2 || longest <= kTolerance * second_sum / double(takes_part)) return {};
  constexpr double kTilePixels = double(kFilmTileSide) * kFilmTileSide;
  std::vector<ptrdiff_t> surplus(count, 0);  // tiles
  for (size_t one = 0; one < count; ++one)
    if (seconds[one] > 0.0 && !owned[one].empty()) {
      const double speed = owned_pixels[one] / seconds[one];
      const double wanted = pixel_sum * speed / speed_sum;
      // Each owner keeps at least one tile, by which its speed is measured.
      surplus[one] = std::min<ptrdiff_t>(std::lround((owned_pixels[one] - wanted) / kTilePixels),
                                         ptrdiff_t(owned[one].size()) - 1);
    }

  std::vector<TileMove> moves;
  for (uint32_t from = 0; from < count; ++from) {
    // The tiles that leave are spread evenly over all that the owner has.
    const ptrdiff_t leaving = std::max<ptrdiff_t>(surplus[from], 0);
    const size_t owned_count = owned[from].size();
    ptrdiff_t gone = 0;
    for (uint32_t to = 0; to < count && gone < leaving; ++to) {
      if (surplus[to] >= 0) continue;
      TileMove move{from, to, make_film_tiles(active.width, active.height, false)};
      for (; gone < leaving && surplus[to] < 0; ++gone, ++surplus[to]) {
        const uint32_t tile = owned[from][size_t(gone) * owned_count / size_t(leaving)];
        owners.owner[tile] = to;
        move.tiles.present[tile] = 1;
      }
      moves.push_back(std::move(move));
    }
  }
  return moves;
}

FilmTiles pass_on_tiles(TileOwners& owners, const std::vector<double>& speeds) {
  FilmTiles lost = make_film_tiles(owners.width, owners.height, false);
  const std::vector<uint32_t> pixels = pixels_of_tiles(lost);
  Dealer dealer(speeds);
  for (const uint32_t tile : tiles_along_curve(lost.columns(), lost.rows()))
    if (speeds[owners.owner[tile]] == 0.0) {
      lost.present[tile] = 1;
      owners.owner[tile] = dealer.next(pixels[tile]);
    }
  return lost;
}

}  // namespace winnow
