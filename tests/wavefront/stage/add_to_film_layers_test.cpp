// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "compaction/simt/host/executor.h"
#include "tests/wavefront/support/array_in_every_way.h"
#include "tests/wavefront/support/test_scenes.h"
#include "wavefront/stage/add_to_film.h"

namespace winnow {
namespace {

/// A film of two pixels, and the samples of a wave on it.
class AddToLayersTest : public testing::Test {
 protected:
  void add() {
    const AddToLayers stage{&state_,
                            {results_.data(), results_.size()},
                            {.layers = {layers_.data(), layers_.size()}},
                            {indirect_.data(), indirect_.size()},
                            max_indirect_};
    for (uint32_t i = 0; i < state_.wave.pixel_count; ++i) stage(i);
  }
  glm::vec3 layer(uint32_t pixel, uint32_t layer) const {
    return layers_[pixel * kBrightnessLayerCount + layer];
  }

  WaveState state_;
  std::vector<PathResult> results_;
  std::vector<glm::vec3> indirect_;
  float max_indirect_ = INFINITY;
  std::vector<glm::vec3> layers_ = std::vector<glm::vec3>(2 * kBrightnessLayerCount);
};

TEST_F(AddToLayersTest, SplitsTheSamplesOfEachPixel) {
  for (const float radiance : {1.0f, 8.0f, 4.0f, 8.0f})
    results_.push_back({glm::vec3(radiance), {}});
  state_.wave = {.width = 2, .height = 1, .pixel_count = 2, .sample_count = 2};
  add();
  EXPECT_EQ(layer(1, 3), glm::vec3(16.0f));
  EXPECT_EQ(layer(1, 2), glm::vec3(0.0f));
  // 4 is (8 - 4) / 7 of a sample of brightness 1, and (4 - 1) / 7 of one of 8.
  EXPECT_NEAR(layer(0, 2).x, 1.0f + 4.0f / 7.0f, 1e-6f);
  EXPECT_NEAR(layer(0, 3).x, 8.0f * 3.0f / 7.0f, 1e-6f);
}

TEST_F(AddToLayersTest, ChoosesLayersByLuminanceAndKeepsColours) {
  results_ = {{{0, 1.0f / 0.7152f, 0}, {}}};  // luminance of green, Rec. 709
  state_.wave = {.width = 2, .height = 1, .pixel_count = 1, .sample_count = 1};
  add();
  EXPECT_NEAR(layer(0, 2).y, results_[0].radiance.y, 1e-5f);
  EXPECT_EQ(layer(0, 2).x, 0.0f);
}

TEST_F(AddToLayersTest, AddsClampedLightAsTheFilmDoes) {
  max_indirect_ = 7.0f;
  results_ = {{glm::vec3(1.0f), {}}};
  indirect_ = {glm::vec3(1e4f)};
  state_.wave = {.width = 2, .height = 1, .pixel_count = 1, .sample_count = 1};
  add();
  EXPECT_NEAR(layer(0, 3).x, 8.0f, 1e-3f);  // luminances round
}

TEST_F(AddToLayersTest, IsTimedAsPartOfTheStageThatAddsToTheFilm) {
  uint64_t& start = state_.iteration.start[size_t(Stage::kFilm)];
  start = 1;
  const AddToLayers stage{.state = &state_, .results = {}, .film = {}};
  CpuBackend(RenderSettings{}, nullptr).for_each(&state_, AllPixels{}, stage);
  EXPECT_EQ(start, 1u);
  simt::host::Executor().launch(1, ForEach<AllPixels, AddToLayers>{&state_, {}, stage});
  EXPECT_EQ(start, 1u);
}

using LayerSums = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, LayerSums, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, LayerSums, testing::Values(Device::kCuda), device_name);

TEST_P(LayerSums, AddUpToTheFilmWhichKeepsItsBits) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  const std::string without = image_hash(render(scene, settings, kSpp));
  settings.keep_layers = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), without);
  const HostFilm film = renderer->host_film();
  ASSERT_EQ(film.layers.size(), film.sum.size() * kBrightnessLayerCount);
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel) {
    glm::dvec3 sum(0.0);
    for (uint32_t layer = 0; layer < kBrightnessLayerCount; ++layer)
      sum += glm::dvec3(film.layers[pixel * kBrightnessLayerCount + layer]);
    EXPECT_LT(glm::distance(sum, film.sum[pixel]), 1e-6 * glm::length(sum) + 1e-9) << pixel;
  }
}

TEST_P(LayerSums, AreTheSameInEveryWay) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kFewPaths;
  settings.keep_layers = true;
  settings.clamp_indirect = 2.0f;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  expect_same_array_in_every_way(*renderer, GetParam(), settings, &HostFilm::layers);
  renderer->restart(kFewPaths);
  render(*renderer, kSpp);
  EXPECT_TRUE(renderer->host_film().layers.empty());
}

}  // namespace
}  // namespace winnow
