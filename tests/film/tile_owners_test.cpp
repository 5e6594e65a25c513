// SPDX-License-Identifier: MIT
#include "film/tile_owners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace winnow {
namespace {

constexpr uint32_t kOwnersWidth = 1920, kOwnersHeight = 1080;  // 120 x 68 tiles

/// Tiles of one owner in a rectangle of tiles.
size_t count_in(const TileOwners& owners, uint32_t one, uint32_t x, uint32_t y, uint32_t side) {
  const FilmTiles tiles = owners.tiles_of(one);
  size_t count = 0;
  for (uint32_t row = y; row < y + side; ++row)
    for (uint32_t column = x; column < x + side; ++column)
      count += tiles.present[row * tiles.columns() + column];
  return count;
}

/// The time that each owner takes if each tile takes `cost` and owner i has speed `speeds[i]`.
template <class Cost>
std::vector<double> seconds_of(const TileOwners& owners, const FilmTiles& active,
                               const std::vector<double>& speeds, Cost cost) {
  std::vector<double> seconds(speeds.size(), 0.0);
  for (uint32_t tile = 0; tile < owners.owner.size(); ++tile)
    if (active.present[tile])
      seconds[owners.owner[tile]] += cost(tile) / speeds[owners.owner[tile]];
  return seconds;
}

double excess(const std::vector<double>& seconds) {
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / double(seconds.size());
  return *std::max_element(seconds.begin(), seconds.end()) / mean - 1.0;
}

TEST(TileOwners, EachGetsItsPartOfEveryNeighbourhood) {
  const FilmTiles all = make_film_tiles(kOwnersWidth, kOwnersHeight, true);
  for (const uint32_t count : {1u, 2u, 3u, 4u, 7u, 8u}) {
    const TileOwners owners = spread_tiles(all, std::vector<double>(count, 2.0));
    size_t sum = 0;
    for (uint32_t one = 0; one < count; ++one) {
      // Tiles of the last row have half as many pixels as others.
      const size_t pixels = owners.tiles_of(one).pixel_count();
      sum += pixels;
      EXPECT_NEAR(double(pixels), double(all.pixel_count()) / count, 256.0);
      for (uint32_t x : {0u, 16u, 64u, 96u})
        EXPECT_NEAR(double(count_in(owners, one, x, 32, 16)), 256.0 / count, 2.0) << count;
    }
    EXPECT_EQ(sum, all.pixel_count());
  }
}

TEST(TileOwners, FasterOnesGetMore) {
  const FilmTiles all = make_film_tiles(kOwnersWidth, kOwnersHeight, true);
  const TileOwners owners = spread_tiles(all, {3.0, 0.0, 1.0});
  EXPECT_NEAR(double(owners.tiles_of(0).pixel_count()), 0.75 * 1920 * 1080, 256.0);
  EXPECT_EQ(owners.tiles_of(1).tile_count(), 0u);
}

TEST(TileOwners, ActiveTilesAreSpreadAmongAllWhereverTheyAre) {
  FilmTiles active = make_film_tiles(kOwnersWidth, kOwnersHeight, false);
  for (uint32_t tile = 0; tile < 1001; ++tile) active.present[tile * 2 % 1500] = 1;
  const size_t count = active.tile_count();
  const TileOwners owners = spread_tiles(active, {1.0, 1.0, 1.0, 1.0});
  for (uint32_t one = 0; one < 4; ++one) {
    size_t own = 0;
    for (size_t tile = 0; tile < active.present.size(); ++tile)
      own += active.present[tile] && owners.owner[tile] == one;
    EXPECT_NEAR(double(own), double(count) / 4.0, 1.0);
  }
}

TEST(TileOwners, OfAFilmWithPartialTilesHaveTheSameNumberOfPixels) {
  // With 4 owners, tiles of two neighbouring rows go to the same two owners in turn.
  for (const uint32_t height : {1080u, 1081u, 1095u, 1096u, 1100u})
    for (const uint32_t width : {1904u, 1905u, 1919u})
      for (const uint32_t count : {2u, 4u, 8u}) {
        const FilmTiles all = make_film_tiles(width, height, true);
        const TileOwners owners = spread_tiles(all, std::vector<double>(count, 1.0));
        for (uint32_t one = 0; one < count; ++one)
          EXPECT_NEAR(double(owners.tiles_of(one).pixel_count()) * count / (width * height), 1.0,
                      0.002)
              << width << "x" << height << ", " << count;
      }
}

TEST(Rebalance, CountsThePixelsOfPartialTiles) {
  // Two owners of equal speed: one has the whole tiles and the other one as many of half the size.
  const FilmTiles all = make_film_tiles(320, 24, true);
  TileOwners owners{320, 24, std::vector<uint32_t>(40, 0)};
  std::fill_n(owners.owner.begin() + 20, 20, 1);
  for (const TileMove& move : rebalance(owners, all, {2.0, 1.0})) EXPECT_EQ(move.from, 0u);
  EXPECT_EQ(owners.tiles_of(0).pixel_count(), 15 * 256u);
  EXPECT_TRUE(rebalance(owners, all, {1.5, 1.5}).empty());
}

TEST(Rebalance, EvensOutRenderersOfAnySpeedOnAnyImage) {
  const FilmTiles all = make_film_tiles(kOwnersWidth, kOwnersHeight, true);
  auto lower_half_is_hard = [](uint32_t tile) { return tile > 4000 ? 9.0 + tile % 7 : 1.0; };
  const std::vector<double> speeds = {1.0, 0.97, 0.4, 1.0, 0.1};
  TileOwners owners = spread_tiles(all, std::vector<double>(5, 1.0));
  EXPECT_GT(excess(seconds_of(owners, all, speeds, lower_half_is_hard)), 1.0);
  for (int i = 0; i < 3; ++i) {
    const TileOwners before = owners;
    const std::vector<TileMove> moves =
        rebalance(owners, all, seconds_of(owners, all, speeds, lower_half_is_hard));
    for (const TileMove& move : moves)
      for (size_t tile = 0; tile < all.present.size(); ++tile)
        if (move.tiles.present[tile]) {
          EXPECT_EQ(before.owner[tile], move.from);
          EXPECT_EQ(owners.owner[tile], move.to);
        }
    const size_t moved = std::accumulate(
        moves.begin(), moves.end(), size_t{0},
        [](size_t sum, const TileMove& move) { return sum + move.tiles.tile_count(); });
    size_t changed = 0;
    for (size_t tile = 0; tile < all.present.size(); ++tile)
      changed += before.owner[tile] != owners.owner[tile];
    EXPECT_EQ(moved, changed);
  }
  EXPECT_LT(excess(seconds_of(owners, all, speeds, lower_half_is_hard)), 0.01);
}

TEST(Rebalance, LeavesAloneWhatIsEvenAndWhoeverWasNotMeasured) {
  const FilmTiles all = make_film_tiles(kOwnersWidth, kOwnersHeight, true);
  TileOwners owners = spread_tiles(all, {1.0, 1.0, 1.0});
  const TileOwners before = owners;
  EXPECT_TRUE(rebalance(owners, all, {1.0, 1.009, 1.0}).empty());
  EXPECT_TRUE(rebalance(owners, all, {0.0, 1.0, 0.0}).empty());
  EXPECT_EQ(owners, before);
  for (const TileMove& move : rebalance(owners, all, {0.0, 1.0, 2.0})) {
    EXPECT_EQ(move.from, 2u);
    EXPECT_EQ(move.to, 1u);
  }
  EXPECT_EQ(owners.tiles_of(0), before.tiles_of(0));
}

TEST(Rebalance, MovesActiveTilesAloneAndLeavesNobodyWithout) {
  FilmTiles active = make_film_tiles(kOwnersWidth, kOwnersHeight, false);
  for (uint32_t tile = 0; tile < 40; ++tile) active.present[tile * 100] = 1;
  TileOwners owners = spread_tiles(active, {1.0, 1.0});
  for (const TileMove& move : rebalance(owners, active, {1e6, 1e-6}))
    for (size_t tile = 0; tile < active.present.size(); ++tile)
      EXPECT_LE(move.tiles.present[tile], active.present[tile]);
  size_t left = 0;
  for (size_t tile = 0; tile < active.present.size(); ++tile)
    left += active.present[tile] && owners.owner[tile] == 0;
  EXPECT_EQ(left, 1u);
}

TEST(PassOnTiles, GivesTheTilesOfFailedOwnersToTheOthers) {
  const FilmTiles all = make_film_tiles(kOwnersWidth, kOwnersHeight, true);
  TileOwners owners = spread_tiles(all, {1.0, 1.0, 1.0});
  const TileOwners before = owners;
  const FilmTiles lost = pass_on_tiles(owners, {1.0, 0.0, 1.0});
  EXPECT_EQ(lost, before.tiles_of(1));
  EXPECT_EQ(owners.tiles_of(1).tile_count(), 0u);
  EXPECT_NEAR(double(owners.tiles_of(0).pixel_count()), double(all.pixel_count()) / 2, 512.0);
  for (size_t tile = 0; tile < all.present.size(); ++tile)
    EXPECT_EQ(owners.owner[tile] == before.owner[tile], !lost.present[tile]);
}

}  // namespace
}  // namespace winnow
