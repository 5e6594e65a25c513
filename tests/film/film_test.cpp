#include "film/film.h"

#include <gtest/gtest.h>

#include "wavefront/add_to_film.h"

namespace winnow {
namespace {

TEST(Film, IsTheMeanOfThoseSamplesThatThereAre) {
  std::vector<glm::dvec3> sum = {{3, 6, 9}, {1, 1, 1}, {0, 0, 0}};
  std::vector<uint32_t> samples = {3, 2, 0};
  Image image = mean_radiance({{sum.data(), 3}, {samples.data(), 3}}, 3, 1);
  EXPECT_EQ(image.width, 3u);
  EXPECT_EQ(image.height, 1u);
  EXPECT_EQ(image.pixels, (std::vector<glm::vec3>{{1, 2, 3}, glm::vec3(0.5f), glm::vec3(0.0f)}));
}

TEST(AddToFilm, AddsTheSamplesOfAPixelToIt) {
  std::vector<glm::dvec3> sum(16, glm::dvec3(1.0));
  std::vector<uint32_t> samples(16, 1);
  std::vector<glm::vec3> radiance = {{1, 0, 0}, {2, 0, 0}, {10, 0, 0}, {20, 0, 0}};
  Wave wave{.width = 4,
            .height = 4,
            .first_pixel = 5,
            .pixel_count = 2,
            .first_sample = 0,
            .sample_count = 2};
  Paths paths;
  paths.radiance = {radiance.data(), radiance.size()};
  AddToFilm stage{wave, paths, {{sum.data(), 16}, {samples.data(), 16}}};
  stage(0);
  stage(1);
  for (uint32_t i = 0; i < 16; ++i) {
    uint32_t pixel = wave.pixel_at(i);
    double expected = i == 5 ? 12.0 : i == 6 ? 23.0 : 1.0;
    EXPECT_EQ(sum[pixel].x, expected) << i;
    EXPECT_EQ(samples[pixel], i == 5 || i == 6 ? 3u : 1u);
  }
}

TEST(AddToFilm, TakesTheSamplesInTheirOrder) {
  glm::dvec3 sum(0.0);
  uint32_t samples = 0;
  // (1 + 1e20) - 1e20 is 0; backward, the 1 survives.
  std::vector<glm::vec3> radiance = {glm::vec3(1.0f), glm::vec3(1e20f), glm::vec3(-1e20f)};
  Wave wave{.width = 1,
            .height = 1,
            .first_pixel = 0,
            .pixel_count = 1,
            .first_sample = 0,
            .sample_count = 3};
  Paths paths;
  paths.radiance = {radiance.data(), radiance.size()};
  AddToFilm{wave, paths, {{&sum, 1}, {&samples, 1}}}(0);
  EXPECT_EQ(sum.x, 0.0);
}

}  // namespace
}  // namespace winnow
