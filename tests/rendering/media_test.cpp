// SPDX-License-Identifier: MIT
// Participating media in whole renders.

#include <cmath>
#include <set>

#include "shading/features.h"
#include "shading/phase_function.h"
#include "tests/rendering/support/media_scenes.h"
#include "tests/wavefront/support/on_device.h"

namespace winnow {
namespace {

using MediaOnDevice = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, MediaOnDevice, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, MediaOnDevice, testing::Values(Device::kCuda), device_name);

TEST_P(MediaOnDevice, ASlabOfInkAttenuatesEachChannelByItsAbsorption) {
  const Medium ink{.absorption = {0.2f, 1.0f, 3.0f}};
  HostScene scene = slab_scene(ink);
  scene.sky = kWhiteSky;
  const Image image = render(scene, media_settings(4), 1);
  const glm::dvec3 expected = transmittance_of(ink, kSlabThickness);
  for (const glm::vec3& pixel : image.pixels)  // without noise
    for (int channel = 0; channel < 3; ++channel)
      ASSERT_NEAR(pixel[channel], expected[channel], 1e-5);
}

/// Boundaries that neither refract nor cover anything, as in files of Mitsuba.
TEST_P(MediaOnDevice, ABoundaryOfEqualIndicesOrWithoutCoverageIsClear) {
  const Medium ink{.absorption = {0.2f, 1.0f, 3.0f}};
  for (Material boundary :
       {Material{.type = MaterialType::kDielectric, .reflectance = glm::vec3(1.0f), .ior = 1.0f},
        Material{.reflectance = glm::vec3(0.5f), .alpha = 0.0f}}) {
    HostScene scene = slab_scene(ink);
    boundary.bounds_media = true;
    boundary.interior = 0;
    scene.materials[0] = boundary;
    // Rays start beside a surface, by a distance that grows with its coordinates.
    for (glm::vec3& p : scene.positions) p *= glm::vec3(0.1f, 1.0f, 0.1f);
    scene.sky = kWhiteSky;
    expect_mean_color(render(scene, media_settings(4), 4), transmittance_of(ink, kSlabThickness));
  }
}

TEST_P(MediaOnDevice, InkInAScaledInstanceAttenuatesByItsLengthInTheWorld) {
  const Medium ink{.absorption = {0.2f, 1.0f, 3.0f}};
  HostScene scene, small;
  const uint32_t boundary = add_media_boundary(scene, add_medium(scene, ink));
  add_box(small, {-25, 0, -25}, {25, 0.5f * kSlabThickness, 25}, 0);
  scene.instances = {
      {.mesh = add_shared_mesh(scene, small, boundary), .to_world = glm::mat4x3(glm::mat3(2.0f))}};
  scene.camera = slab_scene(ink).camera;
  scene.sky = kWhiteSky;
  expect_mean_color(render(scene, media_settings(4), 1), transmittance_of(ink, kSlabThickness));
}

TEST_P(MediaOnDevice, ACameraInsideThatIsInNoMediumSeesNone) {
  HostScene scene = slab_scene({.absorption = {0.2f, 1.0f, 3.0f}});
  scene.camera.position.y = 0.5f * kSlabThickness;
  scene.sky = kWhiteSky;
  expect_mean_color(render(scene, media_settings(4), 1), glm::dvec3(1.0));
}

TEST_P(MediaOnDevice, ColouredFogTransmitsEachChannelByItsExtinction) {
  HostScene scene = slab_scene(kChromaticFog);
  scene.sky = kWhiteSky;
  expect_mean_color(render(scene, media_settings(0), 64),
                    transmittance_of(kChromaticFog, kSlabThickness));
}

TEST_P(MediaOnDevice, FogUnderALampScattersOnceAsTheIntegralSays) {
  HostScene scene = slab_scene(kChromaticFog);
  const double irradiance = 3.0;
  scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                         .direction = {0, -1, 0},
                         .intensity = glm::vec3(float(irradiance))}};
  const double phase = double(eval_phase(kChromaticFog.asymmetry, -1.0f));
  expect_mean_color(render(scene, media_settings(1), 64),
                    light_scattered_back_by_slab(kChromaticFog, phase, irradiance));
}

TEST_P(MediaOnDevice, LightReachesTheFloorThroughASlabOfInk) {
  const Medium ink{.absorption = {0.2f, 1.0f, 3.0f}};
  HostScene scene = slab_scene(ink);
  const uint32_t floor = add_material(scene, {.reflectance = glm::vec3(0.5f)});
  add_rectangle(scene, {-50, -1, 50}, {100, 0, 0}, {0, 0, -100}, floor);
  scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                         .direction = {0.6f, -0.8f, 0},
                         .intensity = {7, 7, 7}}};
  // Seen through the slab as well.
  expect_mean_color(render(scene, media_settings(1), 4),
                    0.5 / M_PI * 7.0 * 0.8 * transmittance_of(ink, kSlabThickness / 0.8) *
                        transmittance_of(ink, kSlabThickness));
}

TEST_P(MediaOnDevice, ALampInTheSameFogIsDimmedByItsDistance) {
  HostScene scene;
  const uint32_t lamp =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(2.0f)});
  add_rectangle(scene, {-50, -50, -1.5f}, {100, 0, 0}, {0, 100, 0}, lamp);
  scene.camera_medium = add_medium(scene, {.absorption = {0.1f, 0.5f, 1.0f}});
  scene.camera = {.position = {0, 0, 0},
                  .look_at = {0, 0, -1},
                  .projection = Projection::kOrthographic,
                  .view_height = 1.0f};
  expect_mean_color(render(scene, media_settings(2), 1),
                    2.0 * transmittance_of(scene.media[0], 1.5));
}

/// Fog that absorbs nothing, under a white sky, is invisible: from outside and from inside, with
/// and without a boundary of glass.
TEST_P(MediaOnDevice, WhiteFogUnderAWhiteSkyIsInvisible) {
  const Material kBoundaries[] = {
      {.type = MaterialType::kNull},
      {.type = MaterialType::kDielectric, .reflectance = glm::vec3(1.0f), .ior = 1.3f},
      {.type = MaterialType::kPrincipled,
       .reflectance = glm::vec3(1.0f),
       .roughness = 0.4f,
       .transmission = 1.0f}};
  for (const Material& material : kBoundaries)
    for (float g : {0.0f, 0.7f}) {
      SCOPED_TRACE(testing::Message() << "type " << int(material.type) << ", g " << g);
      HostScene scene;
      const uint32_t fog = add_medium(scene, {.scattering = {0.5f, 1.0f, 2.0f}, .asymmetry = g});
      scene.spheres = {{.center = {0, 0, 0},
                        .radius = 1.0f,
                        .material = add_media_boundary(scene, fog, material)}};
      scene.sky = kWhiteSky;
      scene.camera = {.position = {0, 0, 3}, .look_at = {0, 0, 0}, .vertical_fov = 30.0f};
      RenderSettings settings = media_settings(300);
      expect_mean_color(render(scene, settings, 24), glm::dvec3(1.0));
      if (material.type != MaterialType::kNull) continue;
      scene.camera.position = {0, 0, 0.5f};
      scene.camera_medium = fog;
      expect_mean_color(render(scene, settings, 24), glm::dvec3(1.0));
    }
}

/// Fog that absorbs nothing changes nothing in a furnace, whose walls are lights: light sampling
/// and phase sampling agree.
TEST_P(MediaOnDevice, WhiteFogInAFurnaceIsInvisible) {
  for (LightChoice lights : {LightChoice::kPower, LightChoice::kBvh})
    for (float g : {0.0f, -0.6f, 0.9f}) {
      SCOPED_TRACE(testing::Message() << "lights " << int(lights) << ", g " << g);
      HostScene scene = furnace_scene(0.5f, 0.7f);
      const uint32_t lamp =
          add_material(scene, {.reflectance = glm::vec3(0.5f), .emission = glm::vec3(0.7f)});
      scene.spheres.push_back({.center = {0.7f, -0.3f, -0.8f}, .radius = 0.3f, .material = lamp});
      scene.camera_medium = add_medium(scene, {.scattering = {0.3f, 0.6f, 1.5f}, .asymmetry = g});
      RenderSettings settings = media_settings(300);
      settings.lights = lights;
      expect_mean_color(render(scene, settings, 24), glm::dvec3(1.4));
    }
}

TEST_P(MediaOnDevice, EveryLoopCullingModeAndDriverRendersTheSameBits) {
  expect_same_bits_in_every_way(foggy_scene());
}

TEST_P(MediaOnDevice, EveryLoopCullingModeAndDriverClampsToTheSameBits) {
  RenderSettings clamped = kFewPaths;
  clamped.clamp_indirect = 0.5f;
  expect_same_bits_in_every_way(foggy_scene(), clamped);
}

/// Without alpha and null boundaries, shadow rays end at any hit.
TEST_P(MediaOnDevice, ClosedGlassOfInkRendersTheSameBitsInEveryWay) {
  HostScene scene = mixed_scene_with_instances();
  const uint32_t ink = add_medium(scene, {.absorption = {0.5f, 0.1f, 2.0f}});
  const uint32_t glass = add_media_boundary(
      scene, ink, {.type = MaterialType::kRoughDielectric, .roughness = 0.3f, .ior = 1.4f});
  scene.spheres.push_back({{0.6f, 1.5f, 0.2f}, 0.35f, glass});
  expect_same_bits_in_every_way(scene);
}

TEST_P(MediaOnDevice, WaveSizeAndThreadsDoNotChangeTheBits) {
  const HostScene scene = foggy_scene();
  std::set<std::string> hashes;
  for (uint32_t threads : {1u, 3u}) {
    RenderSettings settings = kSmall;
    settings.threads = threads;
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    for (uint32_t wave_size : {33u, 500u, 5000u}) {
      settings.wave_size = wave_size;
      renderer->restart(settings);
      hashes.insert(image_hash(render(*renderer, kSpp)));
    }
  }
  EXPECT_EQ(hashes.size(), 1u);
}

TEST_P(MediaOnDevice, FirstHitsAreBehindNullBoundaries) {
  HostScene plain = mixed_scene(), foggy = plain;
  const uint32_t null = add_media_boundary(foggy, add_medium(foggy, kChromaticFog));
  add_box(foggy, {-1.9f, 0.01f, -1.9f}, {1.9f, 2.8f, 2.5f}, null);
  RenderSettings settings = kSmall;
  settings.keep_first_hits = true;
  std::unique_ptr<Renderer> a = make(plain, settings), b = make(foggy, settings);
  render(*a, 1);
  render(*b, 1);
  const HostFilm expected = a->host_film(), found = b->host_film();
  ASSERT_EQ(found.first_hits.size(), expected.first_hits.size());
  for (size_t i = 0; i < expected.first_hits.size(); ++i) {
    EXPECT_EQ(found.first_hits[i].material, expected.first_hits[i].material);
    if (std::isfinite(expected.first_hits[i].depth)) {
      EXPECT_NEAR(found.first_hits[i].depth, expected.first_hits[i].depth, 1e-4f);
    }
  }
}

TEST(MediaFeatures, ScenesWithoutMediaHaveKernelsWithoutThem) {
  HostScene scene = mixed_scene();
  EXPECT_FALSE(required_features(scene, LightChoice::kPower).media);
  EXPECT_FALSE(required_features(mixed_scene_with_instances(), LightChoice::kPower).media);
  add_medium(scene, kChromaticFog);
  EXPECT_FALSE(required_features(scene, LightChoice::kPower).media) << "nothing is in it";
  HostScene inside = scene;
  inside.camera_medium = 0;
  EXPECT_TRUE(required_features(inside, LightChoice::kPower).media);
  add_media_boundary(scene, 0);
  EXPECT_TRUE(required_features(scene, LightChoice::kPower).media);
}

}  // namespace
}  // namespace winnow
