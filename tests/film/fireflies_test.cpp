// SPDX-License-Identifier: MIT
#include "film/fireflies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/sampling.h"
#include "tests/film/support/film_in_memory.h"

namespace winnow {
namespace {

constexpr FilmFeatures kWithLayers{.layers = true};

void add_sample(HostFilm& film, size_t pixel, float radiance) {
  const glm::vec3 grey(radiance);
  const LayerSplit split = split_by_brightness(luminance(grey));
  film.sum[pixel] += glm::dvec3(grey);
  ++film.samples[pixel];
  film.layers[pixel * kBrightnessLayerCount + split.layer] += split.share * grey;
  if (split.share < 1.0f)
    film.layers[pixel * kBrightnessLayerCount + split.layer + 1] += (1.0f - split.share) * grey;
}

/// A film on which each pixel has so many samples of radiance 1.
HostFilm grey_film(uint32_t width, uint32_t height, uint32_t samples) {
  HostFilm film = make_host_film(width, height, kWithLayers);
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel) {
    film.sum[pixel] = glm::dvec3(samples);
    film.samples[pixel] = samples;
    film.layers[pixel * kBrightnessLayerCount + 2] = glm::vec3(samples);
  }
  return film;
}

Image reweighted(const HostFilm& film) {
  return reweighted_radiance(HostFilmSource(film, kWithLayers));
}

/// Nine pixels of 64 samples: `count` samples are in `layer`, the others have brightness 1.
Neighbourhood neighbourhood_with(uint32_t layer, double count) {
  Neighbourhood around{.samples = 64 * kNeighbourhoodPixels, .pixels = kNeighbourhoodPixels};
  around.counts[2] = 64.0 * kNeighbourhoodPixels;
  around.counts[layer] += count;
  return around;
}

TEST(LayerWeights, AreTheSharesOfAReliableCount) {
  for (const double count : {0.5, 1.0, 8.0, 16.0, 100.0}) {
    const auto weights = layer_weights(neighbourhood_with(6, count));
    EXPECT_EQ(weights[6], std::min(count / kReliableCount, 1.0)) << count;
    EXPECT_EQ(weights[5], weights[6]);  // the sample is split between them
    for (const uint32_t layer : {0u, 1u, 2u, 3u}) EXPECT_EQ(weights[layer], 1.0) << layer;
  }
}

TEST(LayerWeights, CountTheSamplesOfTheLayersBeside) {
  // Layer 3 is next to the one that most samples are in, which counts them, too.
  EXPECT_EQ(layer_weights(neighbourhood_with(3, 0.5))[3], 1.0);
  EXPECT_EQ(layer_weights(neighbourhood_with(4, 0.5))[4], 0.5 / kReliableCount);
  Neighbourhood few = neighbourhood_with(4, 0.5);
  few.counts[3] = 4.0;
  few.counts[5] = 2.0;
  EXPECT_EQ(layer_weights(few)[4], (4.0 + 0.5 + 2.0) / kReliableCount);
}

TEST(LayerWeights, TrustALayerThatHoldsAPartOfFewSamples) {
  Neighbourhood around{.samples = 9, .pixels = 9};
  around.counts[1] = 5.0;
  around.counts[4] = 4.0;
  EXPECT_EQ(layer_weights(around)[4], 1.0);
  around.counts[4] = 1.0;
  EXPECT_EQ(layer_weights(around)[4], 1.0 / (kReliableShare * 9));
}

TEST(LayerWeights, NeedFewerSamplesOfFewerPixels) {
  Neighbourhood corner{.samples = 4 * 64, .pixels = 4};
  corner.counts[6] = 4.0;
  EXPECT_EQ(layer_weights(corner)[6], 4.0 / (kReliableCount * 4 / 9));
}

TEST(LayerWeights, NeverTouchTheDarkestSamples) {
  Neighbourhood dark{.samples = 576, .pixels = 9};
  dark.counts[0] = 1e-3;  // darker than the layer
  EXPECT_EQ(layer_weights(dark)[0], 1.0);
}

TEST(ReweightedImages, HaveTheBitsOfTheMeanWhereNothingIsRare) {
  HostFilm film = make_host_film(40, 30, kWithLayers);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> radiance(0.1f, 6.0f);
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel)
    for (int sample = 0; sample < 8; ++sample) add_sample(film, pixel, radiance(random));
  EXPECT_EQ(reweighted(film).pixels, mean_radiance(film).pixels);
}

TEST(ReweightedImages, HoldAFireflyBack) {
  constexpr uint32_t kSamples = 63;
  HostFilm film = grey_film(5, 5, kSamples);
  add_sample(film, 12, 4096.0f);
  const Image mean = mean_radiance(film), image = reweighted(film);
  EXPECT_NEAR(mean.pixels[12].x, 64.98f, 0.01f);
  EXPECT_NEAR(image.pixels[12].x, (kSamples + 4096.0f / kReliableCount) / (kSamples + 1.0f), 0.01f);
  for (size_t pixel = 0; pixel < 25; ++pixel)
    if (pixel != 12) {
      EXPECT_EQ(image.pixels[pixel], mean.pixels[pixel]) << pixel;
    }
}

TEST(ReweightedImages, KeepWhatIsBrightInAllOfANeighbourhood) {
  HostFilm film = grey_film(5, 5, 60);
  for (size_t pixel = 0; pixel < 25; ++pixel)
    for (int sample = 0; sample < 4; ++sample) add_sample(film, pixel, 4096.0f);
  EXPECT_EQ(reweighted(film).pixels, mean_radiance(film).pixels);
}

TEST(ReweightedImages, BecomeTheMeanAsSamplesAreAdded) {
  // One sample of a thousand is a thousand times as bright as the others.
  constexpr uint32_t kPeriod = 1000;
  double before = 1.0;
  for (const uint32_t periods : {1u, 4u, 16u}) {
    HostFilm film = grey_film(1, 1, periods * kPeriod);
    for (uint32_t i = 0; i < periods; ++i) add_sample(film, 0, float(kPeriod));
    const float mean = mean_radiance(film).pixels[0].x;
    const double lost = 1.0 - reweighted(film).pixels[0].x / mean;
    EXPECT_LE(lost, before) << periods;
    if (periods == 1) {
      EXPECT_GT(lost, 0.1);
    }
    before = lost;
  }
  EXPECT_EQ(before, 0.0);
}

TEST(ReweightedImages, AreBlackWithoutSamplesAndIgnoreSuchNeighbours) {
  HostFilm film = grey_film(3, 3, 64);
  for (size_t pixel : {0u, 1u, 2u, 3u, 6u}) {
    film.samples[pixel] = 0;
    film.sum[pixel] = glm::dvec3(0.0);
    for (uint32_t layer = 0; layer < kBrightnessLayerCount; ++layer)
      film.layers[pixel * kBrightnessLayerCount + layer] = glm::vec3(0.0f);
  }
  add_sample(film, 4, 4096.0f);
  const Image image = reweighted(film);
  EXPECT_EQ(image.pixels[0], glm::vec3(0.0f));
  const double weight = 1.0 / (kReliableCount * 4 / 9);  // a corner has four pixels
  EXPECT_NEAR(image.pixels[4].x, (64 + weight * 4096) / 65, 0.01);
}

TEST(ReweightedImages, DoNotDependOnTheBandsInWhichAFilmIsRead) {
  // The film is so wide that each row of tiles is a band. Each border has a firefly on both sides.
  constexpr uint32_t kWidth = 10'000, kHeight = 48;
  HostFilm film = grey_film(kWidth, kHeight, 8);
  ASSERT_EQ(bands_of(HostFilmSource(film, kWithLayers)).size(), 3u);
  for (const uint32_t y : {8u, 15u, 16u, 31u, 32u})
    for (uint32_t x = 100 * y; x < 100 * y + 3; ++x)
      for (uint32_t row : {y - 1, y, y + 1}) add_sample(film, size_t(row) * kWidth + x, 500.0f);
  const Image image = reweighted(film);
  for (const uint32_t y : {15u, 16u, 31u, 32u})
    for (uint32_t row : {0u, 1u, 2u})
      for (uint32_t x = 0; x < 5; ++x)
        EXPECT_EQ(image.pixels[size_t(y + row - 1) * kWidth + 100 * y - 1 + x],
                  image.pixels[size_t(8 + row - 1) * kWidth + 800 - 1 + x])
            << y;
  EXPECT_LT(image.pixels[8 * kWidth + 801].x, mean_radiance(film).pixels[8 * kWidth + 801].x);
}

}  // namespace
}  // namespace winnow
