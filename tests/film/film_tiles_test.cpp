// SPDX-License-Identifier: MIT
#include "film/film_tiles.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"

namespace winnow {
namespace {

TEST(FilmTiles, EachBelongsToOneShareAndSharesHaveEquallyMany) {
  for (const auto& [width, height] :
       {std::pair(100u, 70u), std::pair(16u, 16u), std::pair(1u, 333u)})
    for (uint32_t count : {1u, 2u, 7u, 64u}) {
      const FilmTiles all = make_film_tiles(width, height, true);
      std::vector<uint32_t> owners(all.present.size());
      size_t pixels = 0;
      for (uint32_t index = 0; index < count; ++index) {
        const FilmTiles share = tiles_of_share(width, height, {index, count});
        EXPECT_GE(share.tile_count(), all.present.size() / count);
        EXPECT_LE(share.tile_count(), all.present.size() / count + 1);
        for (size_t tile = 0; tile < owners.size(); ++tile) owners[tile] += share.present[tile];
        pixels += share.pixel_count();
      }
      EXPECT_EQ(owners, std::vector<uint32_t>(owners.size(), 1));
      EXPECT_EQ(pixels, size_t(width) * height);
    }
}

TEST(FilmTiles, OfAShareAreScatteredAndNeverChange) {
  // Film files of other versions and machines must agree on them.
  const FilmTiles share = tiles_of_share(64, 64, {1, 4});
  const std::vector<uint8_t> expected = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0};
  EXPECT_EQ(share.present, expected);
  // In a large image, each quarter of the rows has about a quarter of them.
  const FilmTiles large = tiles_of_share(1920, 1080, {3, 16});
  const size_t quarter = large.present.size() / 4;
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(std::accumulate(large.present.begin() + i * int(quarter),
                                large.present.begin() + (i + 1) * int(quarter), 0.0),
                double(large.tile_count()) / 4.0, 25.0);
}

TEST(FilmTiles, RunsVisitThePixelsOfTheTilesInTheirOrder) {
  const FilmTiles share = tiles_of_share(37, 50, {0, 3});
  std::vector<size_t> pixels, expected;
  for_each_run(share, [&](size_t first, size_t count) {
    for (size_t pixel = first; pixel < first + count; ++pixel) pixels.push_back(pixel);
  });
  for (uint32_t pixel = 0; pixel < 37 * 50; ++pixel)
    if (share.holds(pixel)) expected.push_back(pixel);
  EXPECT_EQ(pixels, expected);
  EXPECT_EQ(share.pixel_count(), expected.size());
}

TEST(FilmTiles, RunsAreAsLongAsTheyCanBe) {
  auto run_count = [](const FilmTiles& tiles) {
    size_t runs = 0;
    for_each_run(tiles, [&](size_t, size_t) { ++runs; });
    return runs;
  };
  FilmTiles tiles = make_film_tiles(37, 50, true);  // 3 x 4 tiles
  EXPECT_EQ(run_count(tiles), 1u);
  tiles.present[4] = 0;  // in the middle of the second row of tiles
  EXPECT_EQ(run_count(tiles), 17u);
  EXPECT_EQ(run_count(make_film_tiles(37, 50, false)), 0u);
}

TEST(FilmTiles, AreDividedIntoBandsOfRows) {
  const FilmTiles tiles = make_film_tiles(37, 50, true);  // 4 rows of 37 * 16 pixels
  using Bands = std::vector<TileRows>;
  EXPECT_EQ(bands_of(tiles, 10, 2 * 37 * 16 * 10), (Bands{{0, 2}, {2, 4}}));
  EXPECT_EQ(bands_of(tiles, 10, 3 * 37 * 16 * 10), (Bands{{0, 3}, {3, 4}}));
  EXPECT_EQ(bands_of(tiles, 10, 1), (Bands{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(bands_of(tiles, 10, size_t(1) << 40), (Bands{{0, 4}}));
}

TEST(FilmTiles, OfSomeRowsHaveThePixelsOfThese) {
  const FilmTiles share = tiles_of_share(37, 50, {1, 3});
  size_t pixels = 0;
  for (const TileRows rows : bands_of(share, 1, 37 * 16)) {
    const FilmTiles some = tiles_in(share, rows);
    EXPECT_EQ(some.pixel_count(), share.pixel_count(rows));
    pixels += some.pixel_count();
    for (uint32_t pixel = 0; pixel < 37 * 50; ++pixel) {
      const uint32_t row = pixel / 37 / kFilmTileSide;
      EXPECT_EQ(some.holds(pixel), share.holds(pixel) && rows.first <= row && row < rows.end);
    }
  }
  EXPECT_EQ(pixels, share.pixel_count());
}

TEST(FilmTiles, BeginAndEndWithTheirRows) {
  FilmTiles tiles = make_film_tiles(37, 80, false);  // 3 x 5 tiles
  EXPECT_EQ(rows_of(tiles), (TileRows{0, 0}));
  tiles.present[5] = 1;
  EXPECT_EQ(rows_of(tiles), (TileRows{1, 2}));
  tiles.present[12] = 1;
  EXPECT_EQ(rows_of(tiles), (TileRows{1, 5}));
}

TEST(FilmTiles, PackedPixelsReturnToTheirPlaces) {
  const HostFilm film = random_film(61, 47, kAllFilmFeatures);
  HostFilm joined = make_host_film(61, 47, kAllFilmFeatures);
  for (uint32_t index : {2u, 0u, 1u}) {
    const FilmTiles share = tiles_of_share(61, 47, {index, 3});
    const HostFilm packed = pack_pixels(film, share, kAllFilmFeatures);
    EXPECT_EQ(packed.sum.size(), share.pixel_count());
    EXPECT_EQ(packed.terminations.size(), share.pixel_count() * kTerminationCount);
    EXPECT_FALSE(have_same_bits(joined, film));
    place_pixels(packed, share, kAllFilmFeatures, joined);
  }
  EXPECT_TRUE(have_same_bits(joined, film));
}

}  // namespace
}  // namespace winnow
