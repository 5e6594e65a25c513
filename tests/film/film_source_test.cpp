// SPDX-License-Identifier: MIT
#include "film/film_source.h"

#include <gtest/gtest.h>

#include <thread>

#include "image/image.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"

namespace winnow {
namespace {

/// A film that only the thread that made it may read.
class OneThreadSource : public HostFilmSource {
 public:
  using HostFilmSource::HostFilmSource;

  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override {
    EXPECT_EQ(std::this_thread::get_id(), owner_);
    HostFilmSource::read(field, tiles, packed);
  }
  bool is_concurrent() const override { return false; }

 private:
  std::thread::id owner_ = std::this_thread::get_id();
};

// Wide enough for several bands.
constexpr uint32_t kSourceWidth = 3000, kSourceHeight = 100;

TEST(FilmSource, HasTheArraysThatItsFeaturesName) {
  for (uint32_t bits = 0; bits < 128; ++bits) {
    const FilmFeatures features{(bits & 1) != 0, (bits & 2) != 0,  (bits & 4) != 0,
                                (bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0,
                                (bits & 64) != 0};
    const HostFilm film = random_film(21, 40, features);
    const HostFilmSource source(film, features);
    const std::vector<FilmArray> all = arrays_of(kAllFilmFeatures);
    EXPECT_EQ(all.size(), size_t(FilmArray::kCost) + 1);
    EXPECT_TRUE(have_same_bits(read_arrays(source, all), film));
  }
}

TEST(FilmSource, ReadsTheArraysThatAreNamedAndNoOther) {
  const HostFilm film = random_film(40, 50, kAllFilmFeatures);
  const HostFilmSource source(film, kAllFilmFeatures);
  const HostFilm rows =
      read_rows(source, {FilmArray::kTerminations, FilmArray::kSamples}, TileRows{2, 4});
  EXPECT_EQ(rows.width, 40u);
  EXPECT_EQ(rows.height, 18u);
  EXPECT_EQ(rows.samples, std::vector(film.samples.begin() + 32 * 40, film.samples.end()));
  EXPECT_EQ(rows.terminations.front(), film.terminations[32 * 40 * kTerminationCount]);
  EXPECT_EQ(rows.terminations.size(), rows.samples.size() * kTerminationCount);
  EXPECT_TRUE(rows.sum.empty() && rows.squares.empty() && rows.first_hits.empty());
}

TEST(FilmSource, HasTheMeanOfItsFilmHoweverItIsRead) {
  const HostFilm film = random_film(kSourceWidth, kSourceHeight, {});
  const Image expected = mean_radiance(film);
  EXPECT_EQ(mean_radiance(HostFilmSource(film, {})).pixels, expected.pixels);
  EXPECT_EQ(mean_radiance(OneThreadSource(film, {})).pixels, expected.pixels);
}

}  // namespace
}  // namespace winnow
