// SPDX-License-Identifier: MIT
#include "app/render/noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/render/render_passes.h"
#include "tests/wavefront/support/test_scenes.h"
#include "wavefront/state/wave.h"

namespace winnow {
namespace {

/// A film whose pixels have `samples` samples of mean 1, with squares of mean `square`.
HostFilm even_film(uint32_t width, uint32_t height, uint32_t samples, double square) {
  HostFilm film{.width = width, .height = height};
  film.sum.assign(size_t(width) * height, glm::dvec3(samples));
  film.squares.assign(film.sum.size(), glm::dvec3(square * samples));
  film.samples.assign(film.sum.size(), samples);
  return film;
}

TEST(NextJudgement, ComesTwiceWhileSamplesDouble) {
  std::vector<uint32_t> judgements;
  for (uint32_t done = 0; judgements.size() < 6; done = judgements.back())
    judgements.push_back(next_judgement(done));
  EXPECT_EQ(judgements, (std::vector<uint32_t>{32, 48, 64, 96, 128, 192}));
  EXPECT_EQ(next_judgement(1), 32u);
  EXPECT_EQ(next_judgement(31), 32u);
  EXPECT_EQ(next_judgement(100), 128u);
}

TEST(TileErrors, AreMeansOfRelativeVariance) {
  // Variance of the samples 100 / 99 (5 - 1), of the mean a hundredth.
  const double expected = 4.0 / 99.0 / 1.01;
  HostFilm film = even_film(20, 17, 100, 5.0);
  ASSERT_EQ(tile_errors(film).size(), 4u);
  for (double error : tile_errors(film)) EXPECT_NEAR(error, expected, 1e-12);
  // The last tile has 4 by 1 pixels, one of them without noise.
  film.squares[16 * 20 + 18] = glm::dvec3(100.0);
  EXPECT_NEAR(tile_errors(film)[3], 0.75 * expected, 1e-12);
  EXPECT_NEAR(tile_errors(film)[2], expected, 1e-12);
}

TEST(NoisyPixels, AreThoseOfNoisyTilesAndTheirNeighbours) {
  constexpr uint32_t kSide = 5 * kFilmTileSide;
  HostFilm film = even_film(kSide, kSide, 64, 1.0);
  EXPECT_TRUE(noisy_pixels(film, 64, 0.01).empty());
  film.squares[(2 * kFilmTileSide + 3) * kSide + 3 * kFilmTileSide + 1].x *= 100.0;
  std::vector<uint32_t> pixels = noisy_pixels(film, 64, 0.01), expected;
  const Wave order{.width = kSide, .height = kSide};
  for (uint32_t i = 0; i < kSide * kSide; ++i) {
    const uint32_t pixel = order.pixel_at(i);
    const uint32_t x = pixel % kSide / kFilmTileSide, y = pixel / kSide / kFilmTileSide;
    if (x >= 2 && y >= 1 && y <= 3) expected.push_back(pixel);
  }
  EXPECT_EQ(pixels, expected);
  EXPECT_TRUE(noisy_pixels(film, 64, 0.1).empty());  // the error of the tile is 0.04
}

TEST(NoisyPixels, DoNotComeBack) {
  HostFilm film = even_film(3 * kFilmTileSide, kFilmTileSide, 64, 100.0);
  for (uint32_t pixel = 0; pixel < film.samples.size(); ++pixel)
    if (pixel % film.width < kFilmTileSide) film.samples[pixel] = 32;
  EXPECT_EQ(noisy_pixels(film, 64, 0.1).size(), 2u * kFilmTileSide * kFilmTileSide);
  EXPECT_EQ(noisy_pixels(film, 32, 0.1).size(), 3u * kFilmTileSide * kFilmTileSide);
}

class NoiseLimit : public testing::Test {
 protected:
  HostFilm render(RenderSettings settings, const RenderGoal& goal) {
    settings.keep_squares = true;
    std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene_, settings);
    Interrupt interrupt;
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    PassPlan plan;
    render_passes(*renderer, goal, interrupt, printer, plan);
    return renderer->host_film();
  }

  static RenderSettings settings() { return {.width = 70, .height = 50, .max_bounces = 4}; }
  static RenderGoal goal(uint32_t spp, std::optional<double> noise) {
    return {.pixel_count = 70 * 50, .spp = spp, .noise = noise};
  }

  HostScene scene_ = mixed_scene();
};

TEST_F(NoiseLimit, EndsTilesAtTheirJudgements) {
  const HostFilm film = render(settings(), goal(100, 0.08));
  std::vector<uint32_t> counts = film.samples;
  std::sort(counts.begin(), counts.end());
  EXPECT_LT(counts.front(), 96u);
  EXPECT_EQ(counts.back(), 100u);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  for (uint32_t count : counts)
    EXPECT_TRUE(count == 100 || count == next_judgement(count - 1)) << count;
  EXPECT_GT(counts.size(), 2u);
}

TEST_F(NoiseLimit, HasTheSameBitsInEveryWay) {
  const HostFilm expected = render(settings(), goal(64, 0.12));
  RenderSettings ways[4] = {settings(), settings(), settings(), settings()};
  ways[0].threads = 1;
  ways[1].loop = Loop::kPath;
  ways[2].cull = Cull::kNone;
  ways[2].wave_size = 100;
  ways[3].regenerate = true;
  for (const RenderSettings& way : ways) {
    const HostFilm film = render(way, goal(64, 0.12));
    EXPECT_EQ(film.sum, expected.sum);
    EXPECT_EQ(film.samples, expected.samples);
  }
}

TEST_F(NoiseLimit, LeavesPixelsAsAllSamplesUpToThereMakeThem) {
  RenderSettings same = settings();
  same.sobol_spp = 256;  // both renders use the same sequence
  const HostFilm film = render(same, goal(96, 0.085));
  size_t ended = 0;
  std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene_, same);
  RenderControl control;
  for (uint32_t done = 0; uint32_t samples : {32u, 48u, 64u, 96u}) {
    renderer->render_samples(done, samples - done, control);
    const HostFilm all = renderer->host_film();
    for (size_t pixel = 0; pixel < film.sum.size(); ++pixel) {
      if (film.samples[pixel] != samples) continue;
      EXPECT_EQ(film.sum[pixel], all.sum[pixel]);
      ended += samples < 96;
    }
    done = samples;
  }
  EXPECT_GT(ended, 0u);
  EXPECT_LT(ended, film.sum.size());
}

TEST_F(NoiseLimit, ErrsAboutAsMuchAsItSaysAndIsNotBiased) {
  constexpr double kNoise = 0.12;
  constexpr uint32_t kRuns = 8, kReferenceSpp = 768;
  RenderSettings with_hash = settings();
  with_hash.sampler = SamplerType::kHash;  // its error can be estimated from the samples
  with_hash.seed = 1000;
  const HostFilm reference = render(with_hash, goal(kReferenceSpp, {}));
  double squares = 0.0, sum = 0.0, sum_of_squares = 0.0, reference_sum = 0.0, samples = 0.0;
  for (const glm::dvec3& pixel : reference.sum)
    reference_sum += (pixel.x + pixel.y + pixel.z) / kReferenceSpp;
  for (uint32_t run = 0; run < kRuns; ++run) {
    with_hash.seed = run;
    const HostFilm film = render(with_hash, goal(1024, kNoise));
    double run_sum = 0.0;
    for (size_t pixel = 0; pixel < film.sum.size(); ++pixel) {
      const glm::dvec3 mean = film.sum[pixel] / double(film.samples[pixel]),
                       true_mean = reference.sum[pixel] / double(kReferenceSpp),
                       error =
                           (mean - true_mean) * (mean - true_mean) / (true_mean * true_mean + 0.01);
      squares += (error.x + error.y + error.z) / 3.0;
      run_sum += mean.x + mean.y + mean.z;
      samples += film.samples[pixel];
    }
    sum += run_sum / reference_sum;
    sum_of_squares += run_sum * run_sum / (reference_sum * reference_sum);
  }
  const double relative_mse = squares / kRuns / double(reference.sum.size());
  EXPECT_LT(relative_mse, kNoise * kNoise);
  EXPECT_LT(samples / kRuns / double(reference.sum.size()), 512.0);
  const double mean = sum / kRuns;
  const double deviation = std::sqrt((sum_of_squares / kRuns - mean * mean) / (kRuns - 1));
  EXPECT_LT(std::abs(mean - 1.0), 5.0 * deviation + 0.002) << deviation;
}

}  // namespace
}  // namespace winnow
