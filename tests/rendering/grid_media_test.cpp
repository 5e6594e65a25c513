// SPDX-License-Identifier: MIT
// Media with grids in whole renders.

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <set>

#include "tests/rendering/support/media_scenes.h"
#include "tests/scene/volumes/support/grids.h"
#include "tests/wavefront/support/on_device.h"

namespace winnow {
namespace {

using GridMediaOnDevice = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, GridMediaOnDevice, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, GridMediaOnDevice, testing::Values(Device::kCuda), device_name);

/// Gives a medium of the scene a grid in the box from `low` to `high`.
void add_grid(HostScene& scene, uint32_t medium, const DensityGrid& grid, glm::vec3 low,
              glm::vec3 high) {
  scene.grid_placements.resize(scene.media.size());
  scene.grid_placements[medium] = {
      .grid = uint32_t(scene.grids.size()),
      .to_world = glm::mat4x3(glm::scale(glm::translate(glm::mat4(1.0f), low), high - low))};
  scene.grids.push_back(grid);
}

const DensityGrid& ramp_in_y() {
  static const DensityGrid grid = grid_of(
      {3, 25, 2}, GridBorder::kClamp, [](auto, auto j, auto) { return (float(j) + 0.5f) / 12.5f; });
  return grid;
}

/// The slab of slab_scene(), whose density grows from 0 at the bottom to 2 at the top: 1 on
/// average.
HostScene ramp_slab(const Medium& medium) {
  HostScene scene = slab_scene(medium);
  add_grid(scene, 0, ramp_in_y(), {-60, 0, -60}, {60, kSlabThickness, 60});
  return scene;
}

TEST_P(GridMediaOnDevice, ASlabOfSmokeTransmitsEachChannelByItsMeanDensity) {
  const Medium ink{.absorption = {0.2f, 1.0f, 3.0f}};
  for (const Medium& medium : {ink, kChromaticFog}) {
    HostScene scene = ramp_slab(medium);
    scene.sky = kWhiteSky;
    expect_mean_color(render(scene, media_settings(0), 64),
                      transmittance_of(medium, kSlabThickness));
  }
}

/// From below and from above: light that is scattered once, and passes the slab on both ways.
TEST_P(GridMediaOnDevice, SmokeUnderALampScattersOnceAsTheIntegralSays) {
  HostScene scene = ramp_slab(kChromaticFog);
  const double irradiance = 3.0;
  scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                         .direction = {0, -1, 0},
                         .intensity = glm::vec3(float(irradiance))}};
  const double g = kChromaticFog.asymmetry;
  const double phase = (1.0 - g * g) / (4.0 * M_PI * std::pow(1.0 + 2.0 * g + g * g, 1.5));
  expect_mean_color(render(scene, media_settings(1), 96),
                    light_scattered_back_by_slab(kChromaticFog, phase, irradiance));
}

/// The factors grow from the bottom of the slab to its top. The density is even: a number or a
/// grid.
TEST_P(GridMediaOnDevice, AnAlbedoThatVariesScattersOnceAsTheIntegralSays) {
  const double irradiance = 3.0, g = kChromaticFog.asymmetry;
  const double phase = (1.0 - g * g) / (4.0 * M_PI * std::pow(1.0 + 2.0 * g + g * g, 1.5));
  constexpr int kSteps = 10000;
  glm::dvec3 expected(0.0);
  for (int i = 0; i < kSteps; ++i) {
    const double y = (i + 0.5) / kSteps, factor = std::clamp(y, 0.5 / 25.0, 24.5 / 25.0);
    expected += factor * phase * irradiance * kSlabThickness / kSteps *
                glm::dvec3(kChromaticFog.scattering) *
                transmittance_of(kChromaticFog, 2.0 * kSlabThickness * (1.0 - y));
  }
  for (const bool has_density : {false, true}) {
    HostScene scene = slab_scene(kChromaticFog);
    const glm::vec3 low(-60, 0, -60), high(60, kSlabThickness, 60);
    if (has_density)
      add_grid(scene, 0, grid_of({2, 2, 2}, GridBorder::kClamp, [](auto...) { return 1.0f; }), low,
               high);
    scene.scattering_factors.push_back({.medium = 0, .channels = {}});
    scene.scattering_factors[0].channels.fill(
        {.grid = uint32_t(scene.grids.size()),
         .to_world = glm::mat4x3(glm::scale(glm::translate(glm::mat4(1.0f), low), high - low))});
    scene.grids.push_back(grid_of({1, 25, 1}, GridBorder::kClamp,
                                  [](auto, auto j, auto) { return (float(j) + 0.5f) / 25.0f; }));
    scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                           .direction = {0, -1, 0},
                           .intensity = glm::vec3(float(irradiance))}};
    expect_mean_color(render(scene, media_settings(1), 96), expected);
  }
}

TEST_P(GridMediaOnDevice, AConstantGridLooksLikeTheHomogeneousMedium) {
  HostScene homogeneous = slab_scene(kChromaticFog);
  homogeneous.sky = {.zenith = {1, 2, 3}, .horizon = glm::vec3(0.5f), .ground = {0.2f, 1, 0}};
  HostScene constant = homogeneous;
  const DensityGrid ones = grid_of({9, 2, 3}, GridBorder::kClamp, [](auto...) { return 1.0f; });
  add_grid(constant, 0, ones, {-50, 0, -50}, {50, kSlabThickness, 50});
  const Image expected = render(homogeneous, media_settings(30), 256);
  glm::dvec3 mean(0.0);
  for (const glm::vec3& pixel : expected.pixels)
    mean += glm::dvec3(pixel) / double(expected.pixels.size());
  // The reference is noisy, too.
  RenderSettings settings = media_settings(30);
  settings.seed = 5;
  const Image image = render(constant, settings, 256);
  for (int channel = 0; channel < 3; ++channel) {
    const Estimate a = estimate(uint32_t(image.pixels.size()),
                                [&](uint32_t i) { return image.pixels[i][channel]; });
    EXPECT_NEAR(a.mean, mean[channel], 7.5 * a.error) << channel;
    EXPECT_LT(a.error, 0.005 * a.mean);
  }
}

/// Smoke that absorbs nothing is invisible in a furnace: from outside, from inside, in glass.
TEST_P(GridMediaOnDevice, WhiteSmokeInAFurnaceIsInvisible) {
  const Material kBoundaries[] = {
      {.type = MaterialType::kNull},
      {.type = MaterialType::kDielectric, .reflectance = glm::vec3(1.0f), .ior = 1.3f}};
  for (const Material& material : kBoundaries)
    for (const GridBorder border : {GridBorder::kFade, GridBorder::kClamp}) {
      SCOPED_TRACE(testing::Message() << "type " << int(material.type) << ", " << int(border));
      HostScene scene = furnace_scene(0.5f, 0.7f);
      const uint32_t smoke =
          add_medium(scene, {.scattering = {2.0f, 4.0f, 8.0f}, .asymmetry = 0.4f});
      scene.spheres.push_back({.center = {0, 0, 0},
                               .radius = 0.8f,
                               .material = add_media_boundary(scene, smoke, material)});
      add_grid(scene, smoke, random_grid({17, 6, 9}, border, 4), {-0.7f, -0.5f, 0.6f},
               {0.5f, 0.7f, -0.7f});
      scene.camera = {.position = {0, 0, 1.5f}, .look_at = {0, 0, 0}, .vertical_fov = 60.0f};
      RenderSettings settings = media_settings(300);
      expect_mean_color(render(scene, settings, 24), glm::dvec3(1.4));
      scene.camera.position = {0.1f, 0, 0.2f};
      scene.camera_medium = smoke;
      // In glass, light fills the cone of its refraction only: radiance is ior^2 as large.
      const double ior = material.type == MaterialType::kNull ? 1.0 : double(material.ior);
      expect_mean_color(render(scene, settings, 24), glm::dvec3(1.4 * ior * ior));
    }
}

/// foggy_scene(), whose milk and ink have grids, as instances of one grid.
HostScene smoky_scene() {
  HostScene scene = foggy_scene();
  add_grid(scene, 1, random_grid({20, 11, 13}, GridBorder::kFade, 5), {-0.6f, 0.8f, 0.1f},
           {0.3f, 1.9f, 1.0f});
  scene.grid_placements[2] = {
      .grid = 0,
      .to_world = glm::mat4x3(glm::rotate(glm::translate(glm::mat4(1.0f), {0.3f, 1.2f, 0.0f}), 0.4f,
                                          glm::vec3(0, 1, 0)))};
  return scene;
}

/// A slab of constant emission L has the radiance (a / e) L (1 - T), seen without scattering.
TEST_P(GridMediaOnDevice, AGlowingSlabHasTheRadianceOfItsDepth) {
  const glm::vec3 radiance{1.0f, 2.0f, 0.7f};
  for (const bool has_grid : {false, true})
    for (const Medium& medium :
         {Medium{.absorption = {0.2f, 1.0f, 3.0f}},
          Medium{.absorption = {0.1f, 0.3f, 0.2f}, .scattering = {0.4f, 0.0f, 2.0f}}}) {
      HostScene scene = has_grid ? ramp_slab(medium) : slab_scene(medium);
      scene.emission = {{.medium = 0, .placement = {}, .radiances = {radiance}}};
      const Image image = render(scene, media_settings(0), 64);
      glm::dvec3 expected = glm::dvec3(radiance * medium.absorption) /
                            (glm::dvec3(medium.absorption) + glm::dvec3(medium.scattering)) *
                            (1.0 - transmittance_of(medium, kSlabThickness));
      expect_mean_color(image, expected);
    }
}

/// In thermal equilibrium, all radiance is that of the black body: what a medium absorbs, it emits.
/// In glass, radiance is ior^2 as large.
TEST_P(GridMediaOnDevice, SmokeAsHotAsItsFurnaceIsInvisible) {
  const Material kBoundaries[] = {
      {.type = MaterialType::kNull},
      {.type = MaterialType::kDielectric, .reflectance = glm::vec3(1.0f), .ior = 1.3f}};
  for (const Material& material : kBoundaries)
    for (const glm::vec3 scattering : {glm::vec3(0.0f), glm::vec3(2.0f, 4.0f, 8.0f)}) {
      const double ior = material.type == MaterialType::kNull ? 1.0 : double(material.ior);
      const double inside = 1.4 * ior * ior;
      HostScene scene = furnace_scene(0.5f, 0.7f);
      const uint32_t smoke = add_medium(
          scene, {.absorption = {3.0f, 1.0f, 0.5f}, .scattering = scattering, .asymmetry = 0.4f});
      scene.spheres.push_back({.center = {0, 0, 0},
                               .radius = 0.8f,
                               .material = add_media_boundary(scene, smoke, material)});
      add_grid(scene, smoke, random_grid({17, 6, 9}, GridBorder::kFade, 4), {-0.7f, -0.5f, 0.6f},
               {0.5f, 0.7f, -0.7f});
      scene.emission = {
          {.medium = smoke, .placement = {}, .radiances = {glm::vec3(float(inside))}}};
      scene.camera = {.position = {0, 0, 1.5f}, .look_at = {0, 0, 0}, .vertical_fov = 60.0f};
      expect_mean_color(render(scene, media_settings(300), 24), glm::dvec3(1.4));
      scene.camera.position = {0.1f, 0, 0.2f};
      scene.camera_medium = smoke;
      expect_mean_color(render(scene, media_settings(300), 24), glm::dvec3(inside));
    }
}

/// smoky_scene() with a fire in one medium, and one that glows everywhere.
HostScene burning_scene() {
  HostScene scene = smoky_scene();
  scene.media[1].absorption = {0.5f, 1.0f, 2.0f};
  EmissionPart fire =
      black_body_emission({.radiance = glm::vec3(30.0f), .kelvin = 2500.0f, .offset = 0.1f},
                          largest_value(scene.grids[0]));
  fire.medium = 1;
  fire.placement = scene.grid_placements[1];
  scene.emission = {fire, {.medium = 2, .placement = {}, .radiances = {{1.0f, 0.3f, 0.1f}}}};
  return scene;
}

TEST_P(GridMediaOnDevice, FireRendersTheSameBitsInEveryWay) {
  expect_same_bits_in_every_way(burning_scene());
}

TEST_P(GridMediaOnDevice, EveryLoopCullingModeAndDriverRendersTheSameBits) {
  expect_same_bits_in_every_way(smoky_scene());
}

TEST_P(GridMediaOnDevice, PathsWhoseCostsAreMeasuredRenderTheSameBits) {
  RenderSettings measured = kFewPaths;
  measured.keep_cost = true;
  for (const HostScene& scene : {foggy_scene(), smoky_scene(), burning_scene()})
    EXPECT_EQ(image_hash(render(scene, measured, kSpp)),
              image_hash(render(scene, kFewPaths, kSpp)));
}

/// Without alpha and null boundaries, shadow rays end at any hit.
TEST_P(GridMediaOnDevice, ClosedGlassOfSmokeRendersTheSameBitsInEveryWay) {
  HostScene scene = mixed_scene_with_instances();
  const uint32_t smoke = add_medium(scene, kChromaticFog);
  const uint32_t glass = add_media_boundary(
      scene, smoke, {.type = MaterialType::kRoughDielectric, .roughness = 0.3f, .ior = 1.4f});
  scene.spheres.push_back({{0.6f, 1.5f, 0.2f}, 0.35f, glass});
  add_grid(scene, smoke, random_grid({9, 9, 9}, GridBorder::kClamp, 6), {0.2f, 1.1f, -0.2f},
           {1.0f, 1.9f, 0.6f});
  expect_same_bits_in_every_way(scene);
}

TEST_P(GridMediaOnDevice, WaveSizeAndThreadsDoNotChangeTheBits) {
  const HostScene scene = smoky_scene();
  std::set<std::string> hashes;
  for (uint32_t threads : {1u, 3u}) {
    RenderSettings settings = kSmall;
    settings.threads = threads;
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    for (uint32_t wave_size : {33u, 5000u}) {
      settings.wave_size = wave_size;
      renderer->restart(settings);
      hashes.insert(image_hash(render(*renderer, kSpp)));
    }
  }
  EXPECT_EQ(hashes.size(), 1u);
}

/// Where two boundaries overlap, the medium that was entered last replaces the other one.
TEST_P(GridMediaOnDevice, MediaThatOverlapDoNotAddUp) {
  HostScene scene = ramp_slab({.absorption = glm::vec3(1.0f)});
  const uint32_t other = add_medium(scene, {.absorption = {0.5f, 2.0f, 1.0f}});
  // From above: smoke down to the middle, then only the other medium; clear at the bottom.
  const uint32_t boundary = add_media_boundary(scene, other);
  add_box(scene, {-40, -1, -40}, {40, 0.5f * kSlabThickness, 40}, boundary);
  scene.grid_placements.resize(scene.media.size());
  scene.sky = kWhiteSky;
  const double above = 0.75 * kSlabThickness;  // three quarters of the depth are above the middle
  const double below = 0.5 * kSlabThickness;
  expect_mean_color(
      render(scene, media_settings(4), 64),
      glm::dvec3(std::exp(-above)) *
          glm::dvec3(std::exp(-0.5 * below), std::exp(-2.0 * below), std::exp(-below)));
}

/// Two fires in one boundary each, of which the second overlaps the first: light of the first is
/// absorbed in the second, which replaces it there.
TEST_P(GridMediaOnDevice, FiresThatOverlapDoNotAddUp) {
  const Medium absorbing{.absorption = glm::vec3(1.0f)};
  HostScene scene = ramp_slab(absorbing);  // 1.5 and 0.5 on average above and below the middle
  const uint32_t other = add_medium(scene, {.absorption = {0.5f, 2.0f, 1.0f}});
  add_box(scene, {-40, -1, -40}, {40, 0.5f * kSlabThickness, 40}, add_media_boundary(scene, other));
  add_grid(scene, other, grid_of({2, 2, 2}, GridBorder::kClamp, [](auto...) { return 2.0f; }),
           {-45, 0, -45}, {45, kSlabThickness, 45});
  const glm::vec3 first{1, 2, 3}, second{3, 1, 2};
  scene.emission = {{.medium = 0, .placement = {}, .radiances = {first}},
                    {.medium = other, .placement = {}, .radiances = {second}}};
  const double above = std::exp(-1.5 * 0.5 * kSlabThickness);
  const glm::dvec3 depth = glm::dvec3(1.0, 4.0, 2.0) * 0.5 * double(kSlabThickness);
  const glm::dvec3 below(std::exp(-depth.x), std::exp(-depth.y), std::exp(-depth.z));
  expect_mean_color(render(scene, media_settings(4), 64),
                    glm::dvec3(first) * (1.0 - above) + above * glm::dvec3(second) * (1.0 - below));
}

/// A room whose floor, and a block on it, are lit by a glowing ball of smoke and by two lamps.
HostScene room_with_glow(bool has_grid) {
  HostScene scene = furnace_scene(0.6f, 0.0f);
  const uint32_t smoke = add_medium(
      scene, {.absorption = {4.0f, 2.0f, 1.0f}, .scattering = {1, 2, 3}, .asymmetry = 0.3f});
  scene.spheres.push_back(
      {.center = {0.3f, 0.1f, 0}, .radius = 0.25f, .material = add_media_boundary(scene, smoke)});
  const uint32_t lamp = add_material(scene, {.emission = glm::vec3(1.0f)});
  for (const float x : {-0.8f, 0.8f})
    scene.spheres.push_back({.center = {x, 0.7f, -0.6f}, .radius = 0.08f, .material = lamp});
  const uint32_t gray = add_material(scene, {.reflectance = glm::vec3(0.5f)});
  add_box(scene, {-0.3f, -0.9f, -0.4f}, {0.1f, 0, 0.1f}, gray);
  if (has_grid)
    add_grid(scene, smoke, grid_of({3, 3, 3}, GridBorder::kClamp, [](auto...) { return 1.0f; }),
             {0.05f, -0.15f, -0.25f}, {0.55f, 0.35f, 0.25f});
  scene.emission = {{.medium = smoke, .placement = {}, .radiances = {{3, 6, 9}}}};
  scene.camera = {.position = {0, 0, 0.9f}, .look_at = {0, -0.3f, 0}, .vertical_fov = 70.0f};
  return scene;
}

/// Shadow rays go to points of media with grids only: a homogeneous medium is the reference. The
/// corners of the grid are outside of the ball, where the points are in no medium.
TEST_P(GridMediaOnDevice, ShadowRaysToAGlowingGridChangeTheNoiseOnly) {
  RenderSettings settings = media_settings(6);
  const Image expected = render(room_with_glow(false), settings, 512);
  settings.seed = 3;
  const Image image = render(room_with_glow(true), settings, 256);
  for (int channel = 0; channel < 3; ++channel) {
    const auto mean_of = [&](const Image& any) {
      return estimate(uint32_t(any.pixels.size()),
                      [&](uint32_t i) { return any.pixels[i][channel]; })
          .mean;
    };
    EXPECT_NEAR(mean_of(image), mean_of(expected), 0.01 * mean_of(expected)) << channel;
  }
  double noise[2];
  for (const bool has_grid : {false, true}) {
    HostScene scene = room_with_glow(has_grid);
    scene.camera = {.position = {0.3f, 0.9f, 0}, .look_at = {0.3f, 2, 0.1f}, .vertical_fov = 60.0f};
    Image images[2];
    for (uint32_t seed : {0u, 1u}) {
      settings = media_settings(1);
      settings.seed = seed;
      images[seed] = render(scene, settings, 16);
    }
    noise[has_grid] = 0.0;
    for (size_t i = 0; i < images[0].pixels.size(); ++i) {
      const glm::dvec3 off(images[0].pixels[i] - images[1].pixels[i]);
      noise[has_grid] += glm::dot(off, off);
    }
  }
  EXPECT_LT(noise[1], 0.5 * noise[0]);
}

/// The origin, a point of a white floor, seen from near above.
HostScene point_of_a_white_floor() {
  HostScene scene;
  const uint32_t white = add_material(scene, {.reflectance = glm::vec3(1.0f)});
  add_rectangle(scene, {-9, 0, -9}, {0, 0, 18}, {18, 0, 0}, white);
  scene.camera = {.position = {0, 0.05f, 0},
                  .look_at = {0, 0, 0},
                  .up = {0, 0, 1},
                  .projection = Projection::kOrthographic,
                  .view_height = 1e-4f};
  return scene;
}

/// A point of a white floor under a cube of flame that only absorbs, with fog in between: the
/// integral over the points of the cube.
TEST_P(GridMediaOnDevice, AFlameBehindFogLightsAFloorAsTheIntegralSays) {
  const Medium flame{.absorption = {1.0f, 3.0f, 6.0f}}, fog{.absorption = {0.8f, 0.2f, 0.5f}};
  const glm::vec3 radiance{4.0f, 2.0f, 3.0f};
  constexpr float kLow = 0.6f, kHigh = 1.0f, kHalf = 0.2f, kFogTop = 0.4f;
  const glm::vec3 middle{0.3f, 0.5f * (kLow + kHigh), 0.0f};
  HostScene scene = point_of_a_white_floor();
  const uint32_t in_flame = add_medium(scene, flame), in_fog = add_medium(scene, fog);
  add_box(scene, {-8, 0.1f, -8}, {8, kFogTop, 8}, add_media_boundary(scene, in_fog));
  add_box(scene, {middle.x - kHalf, kLow, -kHalf}, {middle.x + kHalf, kHigh, kHalf},
          add_media_boundary(scene, in_flame));
  add_grid(scene, in_flame, grid_of({5, 9, 2}, GridBorder::kClamp, [](auto...) { return 1.0f; }),
           {middle.x - kHalf, kLow, -kHalf}, {middle.x + kHalf, kHigh, kHalf});
  scene.emission = {{.medium = in_flame, .placement = {}, .radiances = {radiance}}};

  constexpr int kPoints = 60;
  glm::dvec3 expected(0.0);
  for (int i = 0; i < kPoints * kPoints * kPoints; ++i) {
    const glm::dvec3 in_cube =
        (glm::dvec3(i % kPoints, i / kPoints % kPoints, i / (kPoints * kPoints)) + 0.5) /
        double(kPoints);
    const glm::dvec3 p = glm::dvec3(middle) + 2.0 * kHalf * (in_cube - 0.5);
    const double distance = glm::length(p), cosine = p.y / distance;
    // Backwards from the point to where the ray leaves the cube.
    double in_flame_length = distance;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = p[axis] / distance;
      const double face = double(middle[axis]) - (d > 0.0 ? kHalf : -kHalf);
      if (d != 0.0) in_flame_length = std::min(in_flame_length, (p[axis] - face) / d);
    }
    const double in_fog_length = (double(kFogTop) - double(0.1f)) / cosine;
    const glm::dvec3 depth =
        glm::dvec3(flame.absorption) * in_flame_length + glm::dvec3(fog.absorption) * in_fog_length;
    expected += cosine / (distance * distance) *
                glm::dvec3(std::exp(-depth.x), std::exp(-depth.y), std::exp(-depth.z));
  }
  const double volume = std::pow(2.0 * double(kHalf), 3.0);
  expected *=
      volume / std::pow(double(kPoints), 3.0) / M_PI * glm::dvec3(flame.absorption * radiance);
  expect_mean_color(render(scene, media_settings(1), 256), expected);
}

/// A point of a white floor, 10 m under a sheet of flame that is 2 mm thick.
TEST_P(GridMediaOnDevice, AThinFlameFarAwayLightsAFloorByAllOfItsPoints) {
  constexpr float kHeight = 10.0f, kHalf = 0.5f, kDepth = 0.002f;
  const glm::vec3 absorption{1.0f, 2.0f, 3.0f}, radiance{400.0f, 200.0f, 300.0f};
  HostScene scene = point_of_a_white_floor();
  const uint32_t flame = add_medium(scene, {.absorption = absorption});
  const glm::vec3 low{-kHalf, kHeight, -kHalf}, high{kHalf, kHeight + kDepth, kHalf};
  add_box(scene, low, high, add_media_boundary(scene, flame));
  add_grid(scene, flame, grid_of({2, 2, 2}, GridBorder::kClamp, [](auto...) { return 1.0f; }), low,
           high);
  scene.emission = {{.medium = flame, .placement = {}, .radiances = {radiance}}};

  constexpr int kPoints = 60;
  const double height = double(kHeight) + 0.5 * double(kDepth);
  double per_area = 0.0;  // mean of cosine / distance^2, m^-2
  for (int i = 0; i < kPoints * kPoints; ++i) {
    const double x = double(kHalf) * (2.0 * (i % kPoints + 0.5) / kPoints - 1.0),
                 z = double(kHalf) * (2.0 * (i / kPoints + 0.5) / kPoints - 1.0);
    const double distance2 = x * x + z * z + height * height;
    per_area += height / (distance2 * std::sqrt(distance2)) / double(kPoints * kPoints);
  }
  const double area = 4.0 * double(kHalf) * double(kHalf);
  const glm::dvec3 depth = glm::dvec3(absorption) * double(kDepth);
  // A point in the middle of the sheet is behind half of it.
  const glm::dvec3 emitted = glm::dvec3(radiance) * depth * (1.0 - 0.5 * depth);
  expect_mean_color(render(scene, media_settings(1), 256), area * per_area / M_PI * emitted);
}

/// Direct and indirect light are separate sums, which loops fill in a different order.
TEST_P(GridMediaOnDevice, FireOfWhichIndirectLightIsClampedHasTheSameBitsInBothLoops) {
  std::set<std::string> hashes;
  for (const Loop loop : {Loop::kWave, Loop::kPath}) {
    RenderSettings settings = kSmall;
    settings.loop = loop;
    settings.clamp_indirect = 0.7f;
    hashes.insert(image_hash(render(*make(burning_scene(), settings), kSpp)));
  }
  EXPECT_EQ(hashes.size(), 1u);
}

}  // namespace
}  // namespace winnow
