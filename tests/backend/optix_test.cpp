// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "backend/device_group.h"
#include "base/error.h"
#include "load/load_scene.h"
#include "tests/rendering/support/media_scenes.h"
#include "tests/support/message_of.h"
#include "tests/support/stems.h"
#include "tests/support/test_names.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

// Films of --tracer rt. Skipped where a GPU, its driver's OptiX, or the headers are missing.

namespace winnow {
namespace {

RenderSettings with_tracer(RenderSettings settings, Tracer tracer) {
  settings.tracer = tracer;
  return settings;
}

/// For SetUp().
void skip_without_optix() {
  skip_without(Device::kCuda);
  if (testing::Test::IsSkipped()) return;
  const std::string why = message_of(
      [] { make_cuda_renderer(furnace_scene(0.5f, 1.0f), with_tracer(kSmall, Tracer::kRt), 0); });
  if (!why.empty()) GTEST_SKIP() << why;
}

Image film_of(Renderer& renderer, const RenderSettings& settings) {
  renderer.restart(settings);
  RenderControl control;
  renderer.render_samples(0, kSpp, control);
  return renderer.film();
}
std::string film_hash(Renderer& renderer, const RenderSettings& settings) {
  return image_hash(film_of(renderer, settings));
}

class Optix : public OnDevice {
 protected:
  void SetUp() override { skip_without_optix(); }
  /// Expects the bits of Winnow's own tracer, and that neither culling nor waves change them.
  static void expect_the_bits_of_the_bvh(const HostScene& scene) {
    std::unique_ptr<Renderer> renderer = make(scene, kFewPaths);
    const std::string expected = film_hash(*renderer, kFewPaths);
    for (RenderSettings way : every_way(Device::kCuda, with_tracer(kFewPaths, Tracer::kRt))) {
      if (way.loop == Loop::kPath) continue;
      SCOPED_TRACE(name_of(way));
      for (const uint32_t wave_size : {0u, kFewPathsWave}) {
        way.wave_size = wave_size;
        EXPECT_EQ(film_hash(*renderer, way), expected) << wave_size;
      }
    }
    EXPECT_EQ(film_hash(*renderer, kFewPaths), expected) << "back to the BVH";
  }
};
INSTANTIATE_TEST_SUITE_P(Gpu, Optix, testing::Values(Device::kCuda), device_name);

/// Needs a GPU only.
class WithoutOptix : public OnDevice {};
INSTANTIATE_TEST_SUITE_P(Gpu, WithoutOptix, testing::Values(Device::kCuda), device_name);

TEST_P(WithoutOptix, SaysInALineWhatIsMissingAndRendersWithTheBvh) {
  const HostScene scene = furnace_scene(0.5f, 1.0f);
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  const std::string expected = film_hash(*renderer, kSmall);
  const std::string why = message_of([&] { renderer->restart(with_tracer(kSmall, Tracer::kRt)); });
  if (why.empty()) GTEST_SKIP() << "OptiX is here";
  EXPECT_THAT(why, testing::StartsWith("--tracer rt: "));
  EXPECT_THAT(why, testing::EndsWith("use --tracer bvh"));
  EXPECT_EQ(film_hash(*renderer, kSmall), expected);
}

TEST_P(Optix, RendersEveryMaterialWithTheBitsOfTheBvh) {
  expect_the_bits_of_the_bvh(mixed_scene());
}

TEST_P(Optix, RendersInstancesWithTheBitsOfTheBvh) {
  expect_the_bits_of_the_bvh(mixed_scene_with_instances());
}

TEST_P(Optix, RendersMediaWithTheBitsOfTheBvh) {
  expect_the_bits_of_the_bvh(foggy_scene());
}

TEST_P(Optix, RendersCutoutsWithTheBitsOfTheBvh) {
  HostScene scene = mixed_scene();
  for (Material& material : scene.materials)
    if (material.emission == glm::vec3(0.0f)) material.alpha = 0.6f;
  expect_the_bits_of_the_bvh(scene);
}

TEST_P(Optix, AutoTriesBothTracersWithTheBitsOfTheBvh) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = with_tracer(kFewPaths, Tracer::kAuto);
  settings.wave_size = kFewPathsWave;
  settings.expected_spp = 200;  // many waves
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  const Image image = render(*renderer, settings.expected_spp);
  EXPECT_EQ(renderer->settings().tracer, Tracer::kAuto);
  EXPECT_EQ(image_hash(image), image_hash(render(scene, kFewPaths, settings.expected_spp)));
}

TEST_P(Optix, RendersOnTwoDevicesWithTheBitsOfOne) {
  const HostScene scene = mixed_scene_with_instances();
  const RenderSettings settings = with_tracer(kSmall, Tracer::kRt);
  DeviceGroup group(make_cuda_renderers(scene, settings, {0, 0}),
                    [](const std::string& failure) { ADD_FAILURE() << failure; });
  EXPECT_EQ(image_hash(render(group, kSpp)), image_hash(render(scene, settings, kSpp)));
}

TEST_P(Optix, RendersWithoutGeometry) {
  HostScene scene;
  scene.materials.resize(1);
  scene.sky = {.zenith = glm::vec3(0.25f), .horizon = glm::vec3(0.25f), .ground = glm::vec3(0.25f)};
  std::unique_ptr<Renderer> renderer = make(scene, with_tracer(kSmall, Tracer::kRt));
  EXPECT_FLOAT_EQ(float(mean_red(render(*renderer, 1))), 0.25f);
}

/// A scene of the project by its name.
class OptixScenes : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { skip_without_optix(); }
};
INSTANTIATE_TEST_SUITE_P(Gpu, OptixScenes, testing::ValuesIn(stems_of(WINNOW_SCENES_DIR, ".json")),
                         [](const auto& info) { return test_name(info.param); });

/// Scenes whose films have the bits of the BVH. The others have overlapping coplanar faces, a
/// million small triangles or instances, of which OptiX may find others at their edges.
constexpr const char* kSameBits[] = {"cloud",     "cornell-box", "furnace", "many-lights",
                                     "materials", "media",       "open"};

TEST_P(OptixScenes, HaveTheBitsOfTheBvhExceptAtEdges) {
  const HostScene scene =
      load_scene(std::filesystem::path(WINNOW_SCENES_DIR) / (GetParam() + ".json"));
  const RenderSettings settings{.width = 160, .height = 90, .max_bounces = scene.max_bounces};
  std::unique_ptr<Renderer> renderer = make_cuda_renderer(scene, settings, 0);
  const Image expected = film_of(*renderer, settings);
  const Image image = film_of(*renderer, with_tracer(settings, Tracer::kRt));
  size_t differing = 0;
  for (size_t i = 0; i < image.pixels.size(); ++i)
    differing += image.pixels[i] != expected.pixels[i];
  const bool is_same = std::ranges::count(kSameBits, GetParam()) > 0;
  EXPECT_LE(differing, is_same ? 0 : image.pixels.size() / 100);
}

}  // namespace
}  // namespace winnow
