// SPDX-License-Identifier: MIT
#include "app/display/display.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace winnow {
namespace {

/// Adds samples of mean 1 and variance 1/3 to each pixel.
void add_samples(HostFilm& film, uint32_t count, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 2.0);
  for (size_t pixel = 0; pixel < film.samples.size(); ++pixel)
    for (uint32_t i = 0; i < count; ++i, ++film.samples[pixel])
      film.sum[pixel] += glm::dvec3(uniform(random), uniform(random), uniform(random));
}

TEST(ErrorEstimate, IsTheErrorOfTheMean) {
  std::mt19937 random(5);
  HostFilm film = make_host_film(128, 128, {});
  for (const auto& [before, more] : {std::pair(4u, 4u), std::pair(8u, 24u), std::pair(32u, 8u)}) {
    film = make_host_film(128, 128, {});
    add_samples(film, before, random);
    const HostFilm earlier = film;
    add_samples(film, more, random);
    const double variance = 1.0 / 3.0 / double(before + more);
    const double expected = std::sqrt(variance / 1.01);  // relative to a mean of 1
    EXPECT_NEAR(estimated_error(earlier, film).value(), expected, 0.1 * expected);
  }
}

TEST(ErrorEstimate, NeedsSamplesBeforeAndSince) {
  std::mt19937 random(5);
  HostFilm film = make_host_film(8, 8, {});
  const HostFilm empty = film;
  add_samples(film, 2, random);
  EXPECT_FALSE(estimated_error(empty, film));
  EXPECT_FALSE(estimated_error(film, film));
}

}  // namespace
}  // namespace winnow
