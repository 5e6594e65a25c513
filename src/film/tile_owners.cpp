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

/// Assigns items one by one, so that each owner always has its part of them, give or take one.
class Dealer {
 public:
  explicit Dealer(const std::vector<double>& speeds)
      : speeds_(speeds),
        owed_(speeds.size(), 0.0),
        sum_(std::accumulate(speeds.begin(), speeds.end(), 0.0)) {}

  /// Returns the owner of the next item: the one to which most items are owed.
  uint32_t next() {
    uint32_t best = 0;
    for (uint32_t one = 0; one < speeds_.size(); ++one) {
      owed_[one] += speeds_[one] / sum_;
      if (speeds_[one] > 0.0 && (speeds_[best] == 0.0 || owed_[one] > owed_[best])) best = one;
    }
    owed_[best] -= 1.0;
    return best;
  }

 private:
  const std::vector<double>& speeds_;
  std::vector<double> owed_;  ///< items
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
  Dealer of_active(speeds), of_others(speeds);
  for (const uint32_t tile : tiles_along_curve(active.columns(), active.rows()))
    owners.owner[tile] = (active.present[tile] ? of_active : of_others).next();
  return owners;
}

std::vector<TileMove> rebalance(TileOwners& owners, const FilmTiles& active,
                                const std::vector<double>& seconds) {
  constexpr double kTolerance = 1.01;
  const size_t count = seconds.size();
  std::vector<std::vector<uint32_t>> owned(count);  // active tiles along the curve
  for (const uint32_t tile : tiles_along_curve(active.columns(), active.rows()))
    if (active.present[tile]) owned[owners.owner[tile]].push_back(tile);

  // Each owner should have as many tiles as it renders in the time that all need together.
  double speed_sum = 0.0, second_sum = 0.0, longest = 0.0;  // speeds in tiles per second
  size_t tile_sum = 0, takes_part = 0;
  for (size_t one = 0; one < count; ++one) {
    if (seconds[one] <= 0.0 || owned[one].empty()) continue;
    speed_sum += double(owned[one].size()) / seconds[one];
    second_sum += seconds[one];
    longest = std::max(longest, seconds[one]);
    tile_sum += owned[one].size();
    ++takes_part;
  }
  if (takes_part < 2 || longest <= kTolerance * second_sum / double(takes_part)) return {};
  std::vector<ptrdiff_t> surplus(count, 0);
  for (size_t one = 0; one < count; ++one)
    if (seconds[one] > 0.0 && !owned[one].empty()) {
      const double speed = double(owned[one].size()) / seconds[one];
      const double wanted = double(tile_sum) * speed / speed_sum;
      // Each owner keeps at least one tile, by which its speed is measured.
      surplus[one] = ptrdiff_t(owned[one].size()) - std::max<ptrdiff_t>(1, std::lround(wanted));
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
  Dealer dealer(speeds);
  for (const uint32_t tile : tiles_along_curve(lost.columns(), lost.rows()))
    if (speeds[owners.owner[tile]] == 0.0) {
      lost.present[tile] = 1;
      owners.owner[tile] = dealer.next();
    }
  return lost;
}

}  // namespace winnow
