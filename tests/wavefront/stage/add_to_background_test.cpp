// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/wavefront/support/array_in_every_way.h"
#include "tests/wavefront/support/test_scenes.h"
#include "wavefront/stage/add_to_film.h"

namespace winnow {
namespace {

TEST(AddToBackground, AddsOnlyCameraRaysThatLeftTheScene) {
  using enum Termination;
  std::vector<PathResult> results = {{glm::vec3(1.0f), TerminationRecord::of(kEscaped, 0)},
                                     {glm::vec3(2.0f), TerminationRecord::of(kEscaped, 1)},
                                     {glm::vec3(4.0f), TerminationRecord::of(kHitLight, 0)},
                                     {glm::vec3(8.0f), TerminationRecord::of(kEscaped, 0)}};
  std::vector<glm::dvec4> background(1, glm::dvec4(1.0));
  WaveState state;
  state.wave = {.width = 1, .height = 1, .pixel_count = 1, .sample_count = 4};
  const AddToBackground stage{&state,
                              {results.data(), results.size()},
                              {.background = {background.data(), background.size()}}};
  stage(0);
  EXPECT_EQ(background[0], glm::dvec4(10.0, 10.0, 10.0, 3.0));
}

using BackgroundSums = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, BackgroundSums, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, BackgroundSums, testing::Values(Device::kCuda), device_name);

TEST_P(BackgroundSums, AreTheSameInEveryWayAndKeepTheFilm) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kFewPaths;
  const std::string without = image_hash(render(scene, settings, kSpp));
  settings.keep_background = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), without);
  expect_same_array_in_every_way(*renderer, GetParam(), settings, &HostFilm::background);
}

TEST_P(BackgroundSums, LeaveNothingOfPixelsThatNothingCovers) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kFewPaths;
  settings.keep_background = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();
  const Image foreground = mean_foreground(film);
  size_t uncovered = 0;
  for (size_t i = 0; i < film.sum.size(); ++i)
    if (film.background[i].w == film.samples[i]) {
      EXPECT_EQ(glm::dvec3(film.background[i]), film.sum[i]);
      EXPECT_EQ(foreground.alpha[i], 0.0f);
      ++uncovered;
    }
  EXPECT_GT(uncovered, 0u);
  EXPECT_LT(uncovered, film.sum.size());
}

TEST_P(BackgroundSums, SampleCentersMakeAllSamplesOfAPixelTheSameRay) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kFewPaths;
  settings.sample_centers = settings.keep_first_hits = settings.keep_background = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();
  for (size_t i = 0; i < film.sum.size(); ++i) {
    const double missed = film.background[i].w;
    EXPECT_TRUE(missed == 0.0 || missed == double(film.samples[i])) << i;
    EXPECT_EQ(missed > 0.0, film.first_hits[i].primitive == 0) << i;
  }
}

}  // namespace
}  // namespace winnow
