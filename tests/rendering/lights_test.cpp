// SPDX-License-Identifier: MIT
// All lights in whole renders.

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include "tests/shading/light/support/lit_scene.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using LightsOnDevice = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, LightsOnDevice, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, LightsOnDevice, testing::Values(Device::kCuda), device_name);

constexpr float kAlbedo = 0.5f;

/// A floor at y = 0; the camera sees little more than its origin.
HostScene floor_scene() {
  HostScene scene;
  const uint32_t floor = add_material(scene, {.reflectance = glm::vec3(kAlbedo)});
  add_rectangle(scene, {-50, 0, 50}, {100, 0, 0}, {0, 0, -100}, floor);
  scene.camera = {.position = {2, 1, 0}, .look_at = {0, 0, 0}, .vertical_fov = 0.01f};
  return scene;
}

const RenderSettings kOneBounce{.width = 4, .height = 4, .max_bounces = 1};

TEST_P(LightsOnDevice, PointGivesItsIrradiance) {
  HostScene scene = floor_scene();
  scene.delta_lights = {{.position = {3, 4, 0}, .intensity = glm::vec3(7.0f)}};
  // E = I cos / d^2, and each sample is exact.
  EXPECT_NEAR(mean_red(render(scene, kOneBounce, 4)), kAlbedo / M_PI * 7.0 * 0.8 / 25.0, 1e-5);
}

TEST_P(LightsOnDevice, SpotGivesItsIrradianceAndFades) {
  HostScene scene = floor_scene();
  for (float off_axis : {5.0f, 25.0f, 35.0f}) {
    const float angle = off_axis * kPi / 180.0f;
    scene.delta_lights = {{.type = DeltaLightType::kSpot,
                           .position = {0, 2, 0},
                           .direction = {std::sin(angle), -std::cos(angle), 0},
                           .intensity = glm::vec3(7.0f),
                           .cone_angle = 30.0f,
                           .falloff_start = 20.0f}};
    const double share = off_axis < 20.0f ? 1.0 : off_axis < 30.0f ? 0.5 : 0.0;
    EXPECT_NEAR(mean_red(render(scene, kOneBounce, 4)), share * kAlbedo / M_PI * 7.0 / 4.0, 2e-4);
  }
}

TEST_P(LightsOnDevice, DirectionalGivesItsIrradiance) {
  HostScene scene = floor_scene();
  for (float angle : {0.0f, 0.53f, 10.0f}) {
    scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                           .direction = {0.6f, -0.8f, 0},
                           .intensity = glm::vec3(7.0f),
                           .disk_angle = angle}};
    EXPECT_NEAR(mean_red(render(scene, kOneBounce, 256)), kAlbedo / M_PI * 7.0 * 0.8,
                angle > 1.0f ? 2e-3 : 2e-4);
  }
}

TEST_P(LightsOnDevice, DiskIsSeen) {
  HostScene scene = floor_scene();
  scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                         .direction = {1, 0, 0},
                         .intensity = glm::vec3(7.0f),
                         .disk_angle = 2.0f}};
  scene.camera.look_at = scene.camera.position - glm::vec3(1, 0, 0);
  const double half = M_PI / 180.0;
  EXPECT_NEAR(mean_red(render(scene, kOneBounce, 1)) * M_PI * std::pow(std::sin(half), 2), 7.0,
              1e-3);
}

// In a furnace, each surface is as bright as the sky: it emits what it does not reflect.
TEST_P(LightsOnDevice, RoomWithAWindowIsAFurnace) {
  const RenderSettings settings{.width = 16, .height = 16, .max_bounces = 64};
  for (const bool has_map : {false, true}) {
    HostScene scene = room_with_window(0.4f);
    scene.materials[0].emission = glm::vec3(0.6f);
    if (has_map) {
      scene.environment.image = {8, 4, std::vector<glm::vec3>(32, glm::vec3(1.0f))};
      scene.sky = {};
    }
    EXPECT_NEAR(mean_red(render(scene, settings, 256)), 1.0, 2e-3);
  }
}

// A sky, and a lamp in its place, send equal light through the window.
TEST_P(LightsOnDevice, SkyThroughAWindowIsALampInTheWindow) {
  const RenderSettings settings{.width = 16, .height = 16, .max_bounces = 3};
  HostScene under_sky = room_with_window(), with_lamp = under_sky;
  with_lamp.sky = {};
  const uint32_t lamp =
      add_material(with_lamp, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(1.0f)});
  add_rectangle(with_lamp, {2, 1, -0.5f}, {0, 0, 1}, {0, 1, 0}, lamp);
  const double expected = mean_red(render(with_lamp, settings, 1024));
  EXPECT_NEAR(mean_red(render(under_sky, settings, 1024)), expected, 5e-3 * expected);
}

TEST_P(LightsOnDevice, UniformMapIsAUniformSky) {
  HostScene scene = mixed_scene(), mapped = scene;
  scene.sky = {.zenith = glm::vec3(0.7f), .horizon = glm::vec3(0.7f), .ground = glm::vec3(0.7f)};
  mapped.sky = {};
  mapped.environment = environment_of(8, [](glm::vec3) { return glm::vec3(0.35f); });
  mapped.environment.scale = 2.0f;
  const RenderSettings settings{.width = 32, .height = 24, .max_bounces = 4};
  EXPECT_NEAR(mean_red(render(mapped, settings, 512)) / mean_red(render(scene, settings, 512)), 1.0,
              0.01);
}

/// A map that is white above and black below, rotated by 90 degrees.
TEST_P(LightsOnDevice, HalfWhiteMapGivesItsIrradiance) {
  HostScene scene = floor_scene();
  scene.environment =
      environment_of(128, [](glm::vec3 w) { return glm::vec3(w.y > 0.0f ? 1.0f : 0.0f); });
  EXPECT_NEAR(mean_red(render(scene, kOneBounce, 1024)), kAlbedo, 0.01);
  scene.environment.to_world =
      glm::mat3(glm::rotate(glm::mat4(1.0f), kPi / 3.0f, glm::vec3(0, 0, 1)));
  EXPECT_NEAR(mean_red(render(scene, kOneBounce, 1024)), kAlbedo * 0.75, 0.01);
}

/// The mixed scene with every kind of light.
HostScene scene_of_all_lights() {
  HostScene scene = mixed_scene();
  scene.sky = {};
  scene.environment = environment_of(8, [](glm::vec3 w) { return 0.3f * (w + 1.0f); });
  scene.delta_lights = {
      {.position = {1, 2, 1}, .intensity = {1, 2, 3}},
      {.type = DeltaLightType::kSpot, .position = {-1, 2, 1}, .intensity = {9, 2, 3}},
      {.type = DeltaLightType::kDirectional,
       .direction = {0, -0.6f, -0.8f},
       .intensity = {1, 1, 0}},
      {.type = DeltaLightType::kDirectional,
       .direction = {0.6f, -0.8f, 0},
       .intensity = {1, 0, 1},
       .disk_angle = 5.0f}};
  return scene;
}

TEST_P(LightsOnDevice, GiveTheSameBitsInEveryWay) {
  // A uniform choice runs the same kernels as one by power.
  for (LightChoice lights : {LightChoice::kPower, LightChoice::kBvh}) {
    RenderSettings settings = kFewPaths;
    settings.lights = lights;
    expect_same_bits_in_every_way(scene_of_all_lights(), settings);
  }
}

TEST_P(LightsOnDevice, EveryChoiceGivesTheSameMean) {
  HostScene lit = scene_of_all_lights();
  HostScene emitters = mixed_scene();  // basic features with the choice by power
  for (HostScene* scene : {&lit, &emitters}) {
    std::vector<Estimate> means;
    for (LightChoice lights : {LightChoice::kPower, LightChoice::kUniform, LightChoice::kBvh}) {
      constexpr uint32_t kRuns = 16, kManySpp = 16;
      means.push_back(estimate(kRuns, [&](uint32_t seed) {
        return mean_red(render(*scene,
                               {.width = 32,
                                .height = 24,
                                .max_bounces = 5,
                                .seed = seed + 100 * uint64_t(lights),
                                .lights = lights},
                               kManySpp));
      }));
      const Estimate first = means.front(), last = means.back();
      EXPECT_LT(last.error, 0.01 * last.mean);
      EXPECT_LT(std::abs(last.mean - first.mean), 4.5 * std::hypot(last.error, first.error))
          << enum_name(lights);
    }
  }
}

/// Half of a lamp is dark, and the other half is transparent by half.
TEST_P(LightsOnDevice, TexturedLightsEmitTheirTexture) {
  HostScene scene = floor_scene();
  Material lamp{.reflectance = glm::vec3(0.0f), .emission = glm::vec3(4.0f)};
  lamp.textures.emission = 0;
  lamp.textures.alpha = 1;
  const uint32_t material = add_material(scene, lamp);
  for (int image = 0; image < 2; ++image) {
    scene.images.push_back({.width = 2, .height = 1, .format = TexelFormat::kLinear8});
    scene.textures.push_back({.image = uint32_t(image), .filter = TextureFilter::kNearest});
  }
  for (int byte : {0, 0, 0, 255, 255, 255, 255, 255})
    scene.images[0].texels.push_back(std::byte(byte));
  for (int byte : {0, 0, 0, 255, 255, 255, 255, 127})
    scene.images[1].texels.push_back(std::byte(byte));
  add_rectangle(scene, {-2, 2, -2}, {4, 0, 0}, {0, 0, 4}, material);
  scene.uvs = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 1}, {0, 1}};
  HostScene even = scene;
  even.materials[material] = {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(4.0f)};
  const double all = mean_red(render(even, kOneBounce, 2048));
  for (LightChoice lights : {LightChoice::kPower, LightChoice::kBvh}) {
    RenderSettings settings = kOneBounce;
    settings.lights = lights;
    EXPECT_NEAR(mean_red(render(scene, settings, 4096)) / all, 0.5 * 127.0 / 255.0, 0.006);
  }
}

}  // namespace
}  // namespace winnow
