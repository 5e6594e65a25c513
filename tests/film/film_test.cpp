// SPDX-License-Identifier: MIT
#include "film/film.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "image/image.h"
#include "wavefront/stage/add_to_film.h"

namespace winnow {
namespace {

TEST(Film, IsTheMeanOfThoseSamplesThatThereAre) {
  HostFilm film{.width = 3, .height = 1};
  film.sum = {{3, 6, 9}, {1, 1, 1}, {0, 0, 0}};
  film.samples = {3, 2, 0};
  const Image image = mean_radiance(film);
  EXPECT_EQ(image.width, 3u);
  EXPECT_EQ(image.height, 1u);
  EXPECT_EQ(image.pixels, (std::vector<glm::vec3>{{1, 2, 3}, glm::vec3(0.5f), glm::vec3(0.0f)}));
}

TEST(Film, HasTheArraysOfItsFeatures) {
  auto sizes = [](const FilmFeatures& features) {
    const HostFilm film = make_host_film(3, 2, features);
    return std::vector<size_t>{film.sum.size(),          film.samples.size(),
                               film.squares.size(),      film.removed.size(),
                               film.albedo.size(),       film.normal.size(),
                               film.first_hits.size(),   film.termination_bounces.size(),
                               film.terminations.size(), film.layers.size(),
                               film.background.size(),   film.cost.size()};
  };
  using Sizes = std::vector<size_t>;
  EXPECT_EQ(sizes({}), (Sizes{6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sizes({.squares = true}), (Sizes{6, 6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sizes({.removed = true}), (Sizes{6, 6, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sizes({.first_hits = true}), (Sizes{6, 6, 0, 0, 6, 6, 6, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sizes({.terminations = true}),
            (Sizes{6, 6, 0, 0, 0, 0, 0, 6, 6 * kTerminationCount, 0, 0, 0}));
  EXPECT_EQ(sizes({.layers = true}),
            (Sizes{6, 6, 0, 0, 0, 0, 0, 0, 0, 6 * kBrightnessLayerCount, 0, 0}));
  EXPECT_EQ(sizes({.background = true}), (Sizes{6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0}));
  EXPECT_EQ(sizes({.cost = true}), (Sizes{6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6 * kCostBounces}));
}

TEST(Film, ForegroundLeavesOutTheLightOfCameraRaysThatLeftTheScene) {
  HostFilm film{.width = 3, .height = 1};
  film.sum = {{3, 6, 9}, {2, 2, 2}, {5, 5, 5}};
  film.samples = {4, 2, 0};
  film.background = {{1, 2, 3, 1}, {2, 2, 2, 2}, {0, 0, 0, 0}};
  const Image image = mean_foreground(film);
  EXPECT_EQ(image.pixels,
            (std::vector<glm::vec3>{{0.5f, 1.0f, 1.5f}, glm::vec3(0.0f), glm::vec3(0.0f)}));
  EXPECT_EQ(image.alpha, (std::vector<float>{0.75f, 0.0f, 0.0f}));
}

TEST(Film, TakesTheBytesOfItsArrays) {
  EXPECT_EQ(film_bytes_per_pixel({}), 24u + 4u);
  EXPECT_EQ(film_bytes_per_pixel({true, true, true, true, true, true, true}),
            28u + 24u + 24u + 2 * 24u + sizeof(FirstHit) + 4u + 4 * kTerminationCount +
                12 * kBrightnessLayerCount + 32u + 16 * kCostBounces);
}

TEST(TerminationRecord, HoldsWhyAndWhenAPathEnded) {
  EXPECT_TRUE(TerminationRecord{}.alive());
  for (uint32_t bounce : {0u, 1u, 1000u})
    for (uint32_t cause = 1; cause < kTerminationCount; ++cause) {
      TerminationRecord c = TerminationRecord::of(Termination(cause), bounce);
      EXPECT_FALSE(c.alive());
      EXPECT_EQ(c.cause(), Termination(cause));
      EXPECT_EQ(c.bounce(), bounce);
    }
}

/// A film of 4x4 pixels, and the samples of a wave on it.
class AddToFilmTest : public testing::Test {
 protected:
  AddToFilm stage() {
    return {&state_,
            {results_.data(), results_.size()},
            {.sum = {sum_.data(), kPixels},
             .samples = {samples_.data(), kPixels},
             .squares = {squares_.data(), squares_.size()},
             .removed = {removed_.data(), removed_.size()},
             .termination_bounces = {bounces_.data(), kPixels},
             .terminations = {terminations_.data(), terminations_.size()}},
            {totals_.data(), totals_.size()},
            {indirect_.data(), indirect_.size()},
            max_indirect_};
  }
  /// Adds pixels 0 ... count - 1 of the wave.
  void add(uint32_t count) {
    AddToFilm::Tally tally{};
    for (uint32_t i = 0; i < count; ++i) stage()(i, tally);
    for (uint32_t k = 0; k < AddToFilm::Tally::kSize; ++k) stage().add_tally(tally, k);
  }

  static constexpr size_t kPixels = 16;
  WaveState state_;
  std::vector<PathResult> results_;
  std::vector<glm::vec3> indirect_;
  float max_indirect_ = INFINITY;
  std::vector<glm::dvec3> sum_ = std::vector<glm::dvec3>(kPixels), squares_, removed_;
  std::vector<uint32_t> samples_ = std::vector<uint32_t>(kPixels), bounces_ = samples_,
                        terminations_ = std::vector<uint32_t>(kPixels * kTerminationCount);
  std::vector<BounceTotals> totals_ = std::vector<BounceTotals>(50);
};

TEST_F(AddToFilmTest, AddsTheSamplesOfAPixelToIt) {
  std::fill(sum_.begin(), sum_.end(), glm::dvec3(1.0));
  std::fill(samples_.begin(), samples_.end(), 1);
  for (float radiance : {1, 2, 10, 20}) results_.push_back({glm::vec3(radiance, 0, 0), {}});
  state_.wave = {.width = 4, .height = 4, .first_pixel = 5, .pixel_count = 2, .sample_count = 2};
  add(2);
  for (uint32_t i = 0; i < kPixels; ++i) {
    uint32_t pixel = state_.wave.pixel_at(i);
    double expected = i == 5 ? 12.0 : i == 6 ? 23.0 : 1.0;
    EXPECT_EQ(sum_[pixel].x, expected) << i;
    EXPECT_EQ(samples_[pixel], i == 5 || i == 6 ? 3u : 1u);
  }
}

TEST_F(AddToFilmTest, TakesTheSamplesInTheirOrder) {
  // (1 + 1e20) - 1e20 is 0; backward, the 1 survives.
  for (float radiance : {1.0f, 1e20f, -1e20f}) results_.push_back({glm::vec3(radiance), {}});
  state_.wave = {.width = 4, .height = 4, .pixel_count = 1, .sample_count = 3};
  add(1);
  EXPECT_EQ(sum_[0].x, 0.0);
}

TEST_F(AddToFilmTest, AddsSquaresWhereTheyAreKept) {
  squares_.assign(kPixels, glm::dvec3(0.5));
  for (float radiance : {1, 2, 10, 20}) results_.push_back({glm::vec3(radiance, 0, 0), {}});
  state_.wave = {.width = 4, .height = 4, .pixel_count = 2, .sample_count = 2};
  add(2);
  EXPECT_EQ(squares_[0], glm::dvec3(101.5, 0.5, 0.5));
  EXPECT_EQ(squares_[1], glm::dvec3(404.5, 0.5, 0.5));
}

TEST_F(AddToFilmTest, ClampsIndirectLightAndKeepsItsColour) {
  removed_.resize(kPixels);
  squares_.resize(kPixels);
  max_indirect_ = 4.0f;
  results_ = {{glm::vec3(100, 0, 0), {}}, {glm::vec3(0), {}}, {glm::vec3(1), {}}};
  indirect_ = {{0, 1, 4}, {2, 8, 0}, {0, 0, 0}};
  state_.wave = {.width = 4, .height = 4, .pixel_count = 1, .sample_count = 3};
  add(1);
  EXPECT_EQ(sum_[0], glm::dvec3(100 + 0 + 1 + 1, 1 + 4 + 1, 4 + 0 + 1));
  EXPECT_EQ(removed_[0], glm::dvec3(1, 4, 0));
  EXPECT_EQ(squares_[0].y, 1.0 + 16.0 + 1.0);
}

TEST(RemovedShare, IsOfTheMeansOfPixels) {
  HostFilm film{.width = 3, .height = 1};
  film.samples = {1, 10, 0};
  film.sum = {glm::dvec3(1.0), glm::dvec3(20.0), glm::dvec3(0.0)};
  EXPECT_EQ(removed_share(film), 0.0);
  film.removed = {glm::dvec3(0.0), glm::dvec3(10.0), glm::dvec3(0.0)};
  EXPECT_DOUBLE_EQ(removed_share(film), 1.0 / 4.0);
}

TEST_F(AddToFilmTest, CountsTerminationsByBounceHoweverLate) {
  for (uint32_t bounce : {0u, 3u, 3u, 45u})
    results_.push_back({glm::vec3(0.0f), TerminationRecord::of(Termination::kEscaped, bounce)});
  results_.push_back({glm::vec3(0.0f), TerminationRecord::of(Termination::kRoulette, 3)});
  state_.wave = {.width = 4, .height = 4, .pixel_count = 1, .sample_count = 5};
  add(1);
  EXPECT_EQ(totals_[0].terminations[uint32_t(Termination::kEscaped)], 1u);
  EXPECT_EQ(totals_[3].terminations[uint32_t(Termination::kEscaped)], 2u);
  EXPECT_EQ(totals_[3].terminations[uint32_t(Termination::kRoulette)], 1u);
  EXPECT_EQ(totals_[45].terminations[uint32_t(Termination::kEscaped)], 1u);
  EXPECT_EQ(bounces_[0], 54u);
  EXPECT_EQ(terminations_[uint32_t(Termination::kEscaped)], 4u);
  EXPECT_EQ(terminations_[uint32_t(Termination::kRoulette)], 1u);
}

}  // namespace
}  // namespace winnow
