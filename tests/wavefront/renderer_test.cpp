#include "wavefront/renderer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "compaction/simt/simt.h"
#include "error.h"
#include "film/image_hash.h"
#include "shading/camera.h"
#include "tests/wavefront/on_device.h"
#include "tests/wavefront/test_scenes.h"
#include "wavefront/generate.h"
#include "wavefront/paths.h"

namespace winnow {
namespace {

using Renderers = OnDevice;
using ClosedForms = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, Renderers, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Renderers, testing::Values(Device::kCuda), device_name);
INSTANTIATE_TEST_SUITE_P(Cpu, ClosedForms, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, ClosedForms, testing::Values(Device::kCuda), device_name);

TEST_P(Renderers, GiveTheSameBitsInEveryWayAndWaveSize) {
  HostScene scene = mixed_scene();
  for (bool roulette : {true, false}) {
    RenderSettings settings = kSmall;
    settings.roulette = roulette;
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    std::string expected = image_hash(render(*renderer, kSpp));
    for (RenderSettings way : every_way(GetParam()))
      for (uint32_t wave_size : {0u, 33u, 1000u, 100'000u}) {
        SCOPED_TRACE(name_of(way) + ", wave size " + std::to_string(wave_size));
        way.roulette = roulette;
        way.wave_size = wave_size;
        renderer->restart(way);
        EXPECT_EQ(image_hash(render(*renderer, kSpp)), expected);
      }
  }
}

TEST_P(Renderers, GiveTheSameBitsInEveryWayWithEachSampler) {
  RenderSettings settings = kSmall;
  settings.sampler = SamplerType::kHash;
  expect_same_bits_in_every_way(mixed_scene(), settings);
  settings.sampler = SamplerType::kSobol;
  for (uint32_t sobol_spp : {1u, 4u, 8u}) {  // fewer than there are, and more
    settings.sobol_spp = sobol_spp;
    expect_same_bits_in_every_way(mixed_scene(), settings);
  }
}

TEST_P(Renderers, GiveTheSameBitsInEveryWayThroughALensAndAFilter) {
  HostScene scene = mixed_scene();
  scene.filter = {.type = FilterType::kGaussian, .radius = 1.5f};
  scene.camera.lens_radius = 0.2f;
  scene.camera.blades = 6;
  scene.camera.projection = Projection::kOrthographic;
  scene.camera.view_height = 4.0f;
  expect_same_bits_in_every_way(scene);
}

TEST_P(Renderers, GiveTheSameBitsInEveryWayWithInstances) {
  expect_same_bits_in_every_way(mixed_scene_with_instances());
}

TEST_P(Renderers, ShowInstancesAsTheyShowCopies) {
  // The same random numbers: where paths differ, rounding has turned them.
  const HostScene scene = mixed_scene_with_instances();
  const RenderSettings settings{.width = 64, .height = 48, .max_bounces = 8};
  constexpr uint32_t kManySpp = 64;
  const Image image = render(scene, settings, kManySpp);
  // A material that nothing has, so that both are full scenes, which choose lights in the same way.
  HostScene flat = flattened(scene);
  add_material(flat, {.type = MaterialType::kThinDielectric});
  const Image copies = render(flat, settings, kManySpp);
  const Image none = render(mixed_scene(), settings, kManySpp);
  double sum = 0.0, difference = 0.0, visible = 0.0;
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    sum += glm::length(copies.pixels[i]);
    difference += glm::distance(image.pixels[i], copies.pixels[i]);
    visible += glm::distance(image.pixels[i], none.pixels[i]);
  }
  EXPECT_LE(difference, 1e-3 * sum);
  EXPECT_GE(visible, 0.1 * sum);
}

TEST_P(Renderers, EndLongPathsInEveryWay) {
  // Many more turns than a graph has nodes for, and nearly all of them needed.
  HostScene scene = furnace_scene(0.95f, 1.0f);
  constexpr uint32_t kBounces = 70;
  RenderSettings settings{.width = 8, .height = 8, .max_bounces = kBounces};
  settings.roulette = false;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  std::string expected = image_hash(render(*renderer, 1));
  for (RenderSettings way : every_way(GetParam())) {
    SCOPED_TRACE(name_of(way));
    settings.loop = way.loop;
    settings.cull = way.cull;
    settings.driver = way.driver;
    settings.regenerate = way.regenerate;
    settings.wave_size = way.regenerate ? 7 : 0;
    renderer->restart(settings);
    EXPECT_EQ(image_hash(render(*renderer, 1)), expected);
    EXPECT_EQ(renderer->stats().bounces[kBounces].deaths[uint32_t(Death::kMaxDepth)], 64u);
  }
}

TEST_P(Renderers, StartAgainFromNothing) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  std::string expected = image_hash(render(*renderer, kSpp));
  renderer->restart(kSmall);
  EXPECT_EQ(renderer->stats().paths, 0u);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), expected);
}

TEST_P(Renderers, GiveTheSameBitsForEveryNumberOfThreads) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.threads = 1;
  std::string expected = image_hash(render(scene, settings, kSpp));
  for (uint32_t threads : {2u, 3u, 7u}) {
    settings.threads = threads;
    EXPECT_EQ(image_hash(render(scene, settings, kSpp)), expected) << threads << " threads";
  }
}

TEST_P(Renderers, GiveTheSameBitsInOnePassAndInMany) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> many = make(scene, kSmall);
  RenderControl control;
  many->render_samples(0, 1, control);
  many->render_samples(1, 3, control);
  many->render_samples(4, 1, control);
  EXPECT_EQ(image_hash(many->film()), image_hash(render(scene, kSmall, kSpp)));
  EXPECT_EQ(control.paths_done, uint64_t(kSmall.width) * kSmall.height * kSpp);
}

TEST_P(Renderers, GiveOtherNoiseForAnotherSeed) {
  RenderSettings other = kSmall;
  other.seed = 1;
  HostScene scene = mixed_scene();
  EXPECT_NE(image_hash(render(scene, other, kSpp)), image_hash(render(scene, kSmall, kSpp)));
}

TEST_P(Renderers, AccountForEveryPathInEveryWay) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  for (RenderSettings way : every_way(GetParam())) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = 300;  // several waves
    renderer->restart(way);
    render(*renderer, kSpp);
    RenderStats stats = renderer->stats();
    EXPECT_EQ(stats.paths, uint64_t(way.width) * way.height * kSpp);
    EXPECT_GT(stats.waves, 0u);
    ASSERT_EQ(stats.bounces.size(), way.max_bounces + 1);
    for (size_t b = 0; b < stats.bounces.size(); ++b) {
      uint64_t died = 0;
      for (uint64_t deaths : stats.bounces[b].deaths) died += deaths;
      uint64_t next = b + 1 < stats.bounces.size() ? stats.bounces[b + 1].alive : 0;
      EXPECT_EQ(stats.bounces[b].alive, next + died) << "bounce " << b;
      EXPECT_LE(stats.bounces[b].shadow_rays, stats.bounces[b].alive + stats.bounces[b].queued);
      EXPECT_EQ(stats.bounces[b].deaths[uint32_t(Death::kAlive)], 0u);
      EXPECT_EQ(stats.bounces[b].deaths[uint32_t(Death::kNotFinite)], 0u);
    }
  }
}

TEST_P(Renderers, CountTheSameInEveryWay) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.loop = Loop::kPath;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  RenderStats expected = renderer->stats();
  for (const RenderSettings& way : every_way(GetParam())) {
    SCOPED_TRACE(name_of(way));
    renderer->restart(way);
    render(*renderer, kSpp);
    RenderStats stats = renderer->stats();
    uint64_t shadow_rays = 0, expected_shadow_rays = 0;
    for (size_t b = 0; b < stats.bounces.size(); ++b) {
      EXPECT_EQ(stats.bounces[b].alive, expected.bounces[b].alive);
      EXPECT_EQ(stats.bounces[b].deaths, expected.bounces[b].deaths);
      if (!way.regenerate) {  // there they are counted by turn
        EXPECT_EQ(stats.bounces[b].shadow_rays, expected.bounces[b].shadow_rays);
      }
      shadow_rays += stats.bounces[b].shadow_rays;
      expected_shadow_rays += expected.bounces[b].shadow_rays;
    }
    EXPECT_EQ(shadow_rays, expected_shadow_rays);
  }
}

TEST_P(Renderers, QueueOnlyTheLivingWhereTheyCull) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  for (const RenderSettings& way : every_way(GetParam())) {
    if (way.loop == Loop::kPath || way.regenerate || way.cull == Cull::kAuto) continue;
    SCOPED_TRACE(name_of(way));
    renderer->restart(way);
    render(*renderer, kSpp);
    RenderStats stats = renderer->stats();
    if (way.cull == Cull::kNone) {
      EXPECT_GT(stats.bounces[2].queued, stats.bounces[2].alive);
    }
    for (const BounceStats& bounce : stats.bounces) {
      if (way.cull == Cull::kNone) {
        EXPECT_GE(bounce.queued, bounce.alive);
        EXPECT_EQ(bounce.culls, 0u);
      } else {
        EXPECT_EQ(bounce.queued, bounce.alive);
        EXPECT_EQ(bounce.culls, bounce.waves);
      }
      EXPECT_LE(bounce.alive, 32 * bounce.busy_warps);
      EXPECT_LE(32 * bounce.busy_warps, bounce.queued + 31 * bounce.waves);
    }
  }
}

TEST_P(Renderers, StayFullWhereTheyRegenerate) {
  HostScene scene = mixed_scene();
  RenderSettings settings{.width = 32, .height = 32};
  settings.wave_size = 256;
  settings.regenerate = true;
  settings.threads = 1;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, 64);
  RenderStats stats = renderer->stats();
  for (uint32_t turn = 1; turn < 4; ++turn)  // there are paths to spare
    EXPECT_EQ(stats.bounces[turn].queued, stats.bounces[0].queued) << "turn " << turn;
  EXPECT_LT(stats.bounces[1].alive, stats.bounces[0].alive);
}

TEST_P(Renderers, MoveAtMostTwiceTheStateOfALivingPath) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  render(*renderer, kSpp);
  for (const BounceStats& bounce : renderer->stats().bounces) {
    EXPECT_LE(bounce.state_bytes, 2 * kPathBytes * bounce.alive);
    EXPECT_GE(bounce.state_bytes, kPathBytes * bounce.alive);
  }
}

/// A wall behind a sphere, seen from afar; the camera's upper half sees the sky.
HostScene wall_and_sphere() {
  HostScene scene;
  const uint32_t blue = add_material(scene, {.reflectance = {0.1f, 0.2f, 0.7f}});
  const uint32_t mirror =
      add_material(scene, {.type = MaterialType::kMirror, .reflectance = glm::vec3(0.9f)});
  add_rectangle(scene, {-20, -10, -3}, {40, 0, 0}, {0, 10, 0}, blue);
  scene.spheres.push_back({{0, 0, 0}, 1.0f, mirror});
  scene.sky.zenith = glm::vec3(1.0f);
  scene.camera = {.position = {0, 0, 5}, .look_at = {0, 0, 0}, .vertical_fov = 60.0f};
  return scene;
}

/// Where a ray meets that scene, in closed form.
FirstHit expected_hit(glm::dvec3 origin, glm::dvec3 direction, glm::dvec3& normal) {
  const double b = glm::dot(origin, direction), c = glm::dot(origin, origin) - 1.0;
  glm::dvec3 p;
  FirstHit hit;
  if (b * b > c) {
    p = origin + (-b - std::sqrt(b * b - c)) * direction;
    normal = p;
    hit.material = 2, hit.primitive = 3;
  } else {
    p = origin + (-3.0 - origin.z) / direction.z * direction;
    if (p.y > 0.0) return {};
    normal = {0, 0, 1};
    hit.material = 1, hit.primitive = (p.x + 20.0) / 40.0 > (p.y + 10.0) / 10.0 ? 1 : 2;
  }
  hit.position = p;
  hit.depth = float(origin.z - p.z);
  return hit;
}

TEST_P(Renderers, KeepWhatCameraRaysMeetFirst) {
  const HostScene scene = wall_and_sphere();
  RenderSettings settings{.width = 32, .height = 24, .max_bounces = 2};
  settings.keep_first_hits = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();
  const Camera camera = make_camera(scene.camera, settings.width, settings.height);
  int seen[4] = {};
  for (uint32_t pixel = 0; pixel < settings.width * settings.height; ++pixel) {
    glm::dvec3 albedo(0.0), normals(0.0);
    for (uint32_t sample = 0; sample < kSpp; ++sample) {
      const Sampler sampler{.seed = 0,
                            .pixel = pixel,
                            .sample = sample,
                            .type = settings.sampler,
                            .log2_samples = SamplerSettings::kMostLog2Samples,
                            .width = settings.width};
      const Ray ray = start_path(camera, {}, settings.width, sampler).ray;
      glm::dvec3 normal(0.0);
      const FirstHit hit = expected_hit(ray.origin, ray.direction, normal);
      normals += normal;
      if (hit.material > 0) albedo += scene.materials[hit.material - 1].reflectance;
      if (sample > 0) continue;
      const FirstHit& kept = film.first_hits[pixel];
      EXPECT_EQ(kept.material, hit.material) << pixel;
      EXPECT_EQ(kept.primitive, hit.primitive) << pixel;
      EXPECT_EQ(kept.instance, 0u);
      EXPECT_LT(glm::distance(kept.position, hit.position), 1e-3f) << pixel;
      if (hit.primitive > 0) {
        EXPECT_NEAR(kept.depth, hit.depth, 1e-3f) << pixel;
      }
      ++seen[hit.primitive];
    }
    EXPECT_LT(glm::distance(film.albedo[pixel], albedo), 1e-5) << pixel;
    EXPECT_LT(glm::distance(film.normal[pixel], normals), 1e-2) << pixel;
  }
  for (int count : seen) EXPECT_GT(count, 0);
}

TEST_P(Renderers, KeepTheSameOfPixelsInEveryWay) {
  const HostScene scene = mixed_scene_with_instances();
  RenderSettings settings = kSmall;
  settings.keep_first_hits = settings.keep_squares = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  const std::string hash = image_hash(render(*renderer, kSpp));
  const HostFilm expected = renderer->host_film();
  uint32_t instances = 0;
  for (const FirstHit& hit : expected.first_hits) instances = std::max(instances, hit.instance);
  EXPECT_GT(instances, 1u);
  for (RenderSettings way : every_way(GetParam(), settings)) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = 1000;
    renderer->restart(way);
    EXPECT_EQ(image_hash(render(*renderer, kSpp)), hash);
    const HostFilm film = renderer->host_film();
    EXPECT_EQ(film.squares, expected.squares);
    EXPECT_EQ(film.albedo, expected.albedo);
    EXPECT_EQ(film.normal, expected.normal);
    for (size_t pixel = 0; pixel < film.first_hits.size(); ++pixel) {
      const FirstHit &a = film.first_hits[pixel], &b = expected.first_hits[pixel];
      EXPECT_TRUE(a.position == b.position && a.depth == b.depth && a.material == b.material &&
                  a.primitive == b.primitive && a.instance == b.instance);
    }
  }
  renderer->restart(kSmall);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), hash);
  EXPECT_TRUE(renderer->host_film().squares.empty());
  EXPECT_TRUE(renderer->host_film().first_hits.empty());
}

/// How far an image is from another, as a share of its light.
double relative_distance(const Image& a, const Image& b) {
  double sum = 0.0, difference = 0.0;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    sum += glm::length(b.pixels[i]);
    difference += glm::distance(a.pixels[i], b.pixels[i]);
  }
  return difference / sum;
}

TEST_P(Renderers, ClampIndirectLightOnly) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.roulette = false;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  const Image all = render(*renderer, kSpp);
  EXPECT_TRUE(renderer->host_film().removed.empty());
  EXPECT_EQ(removed_share(renderer->host_film()), 0.0);

  // By a limit that is never reached nothing changes but roundings.
  settings.clamp_indirect = 1e30f;
  renderer->restart(settings);
  EXPECT_LT(relative_distance(render(*renderer, kSpp), all), 1e-6);
  EXPECT_EQ(removed_share(renderer->host_film()), 0.0);

  // By one of almost nothing, light that was scattered once is left.
  settings.clamp_indirect = 1e-30f;
  renderer->restart(settings);
  const Image clamped = render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();
  RenderSettings direct = kSmall;
  direct.max_bounces = 1;
  EXPECT_LT(relative_distance(clamped, render(scene, direct, kSpp)), 1e-6);
  EXPECT_GT(relative_distance(clamped, all), 0.05);

  // What was removed is what is missing.
  Image both{kSmall.width, kSmall.height, {}};
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel)
    both.pixels.push_back((film.sum[pixel] + film.removed[pixel]) / double(kSpp));
  EXPECT_LT(relative_distance(both, all), 1e-6);
  double lost = 0.0, whole = 0.0;
  for (size_t pixel = 0; pixel < film.sum.size(); ++pixel)
    for (int c = 0; c < 3; ++c) {
      lost += all.pixels[pixel][c] - clamped.pixels[pixel][c];
      whole += all.pixels[pixel][c];
    }
  EXPECT_NEAR(removed_share(film), lost / whole, 1e-5);
}

TEST_P(Renderers, ClampToTheSameBitsInEveryWay) {
  RenderSettings settings = kSmall;
  settings.clamp_indirect = 0.1f;
  settings.keep_squares = true;
  expect_same_bits_in_every_way(mixed_scene(), settings);
}

TEST_P(Renderers, AddToChosenPixelsOnly) {
  const HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  const Image all = render(*renderer, kSpp);
  std::vector<uint32_t> chosen;
  for (uint32_t pixel = 5; pixel < kSmall.width * kSmall.height; pixel += 1 + pixel % 3)
    chosen.push_back(pixel);
  for (RenderSettings way : every_way(GetParam())) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = 100;
    renderer->restart(way);
    renderer->choose_pixels(chosen);
    const Image image = render(*renderer, kSpp);
    const HostFilm film = renderer->host_film();
    auto next = chosen.begin();
    for (uint32_t pixel = 0; pixel < image.pixels.size(); ++pixel) {
      const bool is_chosen = next != chosen.end() && *next == pixel;
      EXPECT_EQ(image.pixels[pixel], is_chosen ? all.pixels[pixel] : glm::vec3(0.0f));
      EXPECT_EQ(film.samples[pixel], is_chosen ? kSpp : 0);
      if (is_chosen) ++next;
    }
    EXPECT_EQ(renderer->stats().paths, uint64_t(chosen.size()) * kSpp);
  }
  renderer->restart(kSmall);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), image_hash(all));
}

TEST_P(Renderers, KnowTheVarianceOfTheirPixels) {
  const HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.keep_squares = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();

  // The same samples, one by one.
  std::vector<std::vector<glm::dvec3>> samples(film.sum.size());
  for (uint32_t sample = 0; sample < kSpp; ++sample) {
    renderer->restart(settings);
    RenderControl control;
    renderer->render_samples(sample, 1, control);
    const Image image = renderer->film();
    for (size_t pixel = 0; pixel < samples.size(); ++pixel)
      samples[pixel].push_back(image.pixels[pixel]);
  }
  for (size_t pixel = 0; pixel < samples.size(); ++pixel) {
    glm::dvec3 mean(0.0), squares(0.0);
    for (const glm::dvec3& sample : samples[pixel]) mean += sample / double(kSpp);
    for (const glm::dvec3& sample : samples[pixel]) squares += (sample - mean) * (sample - mean);
    const glm::dvec3 expected = squares / (kSpp - 1.0) / double(kSpp);
    const glm::dvec3 variance =
        variance_of_mean(film.sum[pixel], film.squares[pixel], film.samples[pixel]);
    EXPECT_LT(glm::distance(variance, expected), 1e-9 + 1e-9 * glm::length(expected)) << pixel;
  }
}

TEST_P(Renderers, MapWhereAndWhenPathsEnd) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  EXPECT_TRUE(renderer->death_maps().deaths.empty());
  settings.map_deaths = true;
  settings.wave_size = 100;
  renderer->restart(settings);
  render(*renderer, kSpp);
  DeathMaps maps = renderer->death_maps();
  ASSERT_EQ(maps.deaths.size(), size_t(settings.width) * settings.height);
  std::array<uint64_t, kDeathCount> deaths{};
  uint64_t bounces = 0, expected_bounces = 0;
  for (size_t pixel = 0; pixel < maps.deaths.size(); ++pixel) {
    EXPECT_EQ(maps.samples[pixel], kSpp);
    uint32_t samples = 0;
    for (uint32_t cause = 0; cause < kDeathCount; ++cause) {
      deaths[cause] += maps.deaths[pixel][cause];
      samples += maps.deaths[pixel][cause];
    }
    EXPECT_EQ(samples, kSpp);
    bounces += maps.bounces[pixel];
  }
  RenderStats stats = renderer->stats();
  std::array<uint64_t, kDeathCount> expected{};
  for (size_t b = 0; b < stats.bounces.size(); ++b)
    for (uint32_t cause = 0; cause < kDeathCount; ++cause) {
      expected[cause] += stats.bounces[b].deaths[cause];
      expected_bounces += b * stats.bounces[b].deaths[cause];
    }
  EXPECT_EQ(deaths, expected);
  EXPECT_EQ(bounces, expected_bounces);
}

TEST_P(Renderers, RecordTheMasksOfTheFirstWave) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.threads = 1;
  settings.wave_size = settings.width * settings.height;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  EXPECT_TRUE(renderer->alive_masks().empty());
  settings.record_masks = true;
  for (Cull cull : {Cull::kNone, Cull::kAppend, Cull::kLookBack}) {
    settings.cull = cull;
    renderer->restart(settings);
    render(*renderer, 3);
    std::vector<AliveMask> masks = renderer->alive_masks();
    std::vector<BounceStats> bounces = renderer->stats().bounces;
    ASSERT_FALSE(masks.empty());
    ASSERT_LE(masks.size(), bounces.size());
    uint32_t alive = settings.wave_size;
    for (const AliveMask& mask : masks) {
      EXPECT_EQ(mask.entries, cull == Cull::kNone ? settings.wave_size : alive);
      alive = 0;
      for (uint32_t word : mask.words) alive += simt::popcount(word);
    }
    EXPECT_EQ(alive, 0u);
  }
}

TEST(CpuRenderer, RefusesCullsThatNeedAGpu) {
  HostScene scene = mixed_scene();
  for (Cull cull : {Cull::kThrust, Cull::kCub}) {
    RenderSettings settings = kSmall;
    settings.cull = cull;
    EXPECT_THROW(make_cpu_renderer(scene, settings), Error);
  }
}

TEST_P(Renderers, RecordAWaveWithoutACopy) {
  const HostScene scene = mixed_scene();
  for (const RenderSettings& settings : every_way(GetParam())) {
    SCOPED_TRACE(name_of(settings));
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    render(*renderer, 1);
    const RecordedWork recorded = renderer->stats().recorded;
    EXPECT_EQ(recorded.others, 0u);
    const bool records = GetParam() == Device::kCuda && settings.driver == Driver::kGraph &&
                         settings.cull != Cull::kThrust;
    EXPECT_EQ(recorded.kernels > 0, records);
    EXPECT_EQ(recorded.loops, records && settings.loop == Loop::kWave ? 1u : 0u);
  }
}

TEST_P(Renderers, StopWhenAsked) {
  HostScene scene = mixed_scene();
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  RenderControl control;
  control.stop = true;
  renderer->render_samples(0, 1000, control);
  EXPECT_LT(control.paths_done, uint64_t(kSmall.width) * kSmall.height * 1000);
  for (glm::vec3 pixel : renderer->film().pixels) EXPECT_TRUE(std::isfinite(pixel.x + pixel.y));
}

TEST_P(Renderers, MeasureTheStagesThatRan) {
  HostScene scene = mixed_scene();
  RenderSettings settings = kSmall;
  settings.measure_stages = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  render(*renderer, kSpp);
  BounceStats first = renderer->stats().bounces[0];
  for (Stage stage :
       {Stage::kGenerate, Stage::kIntersect, Stage::kShade, Stage::kShadow, Stage::kFilm})
    EXPECT_GT(first.milliseconds[uint32_t(stage)], 0.0) << kStageNames[uint32_t(stage)];
  EXPECT_EQ(first.milliseconds[uint32_t(Stage::kPath)], 0.0);
}

/// Mean over all channels and pixels, and the standard error of that mean.
struct Estimate {
  double mean, error;
};
Estimate estimate(const Image& image) {
  double sum = 0, sum_of_squares = 0;
  for (glm::vec3 pixel : image.pixels) {
    double grey = (pixel.x + pixel.y + pixel.z) / 3;
    sum += grey;
    sum_of_squares += grey * grey;
  }
  double n = double(image.pixels.size()), mean = sum / n;
  return {mean, std::sqrt(std::max(sum_of_squares / n - mean * mean, 0.0) / n)};
}

/// A right renderer misses this once in 10^7 tests.
constexpr double kSigmas = 5.3;

TEST_P(ClosedForms, FurnaceGivesItsGeometricSeries) {
  RenderSettings settings{.width = 64, .height = 64, .max_bounces = 200};
  for (float albedo : {0.0f, 0.5f, 0.8f}) {
    Estimate e = estimate(render(furnace_scene(albedo, 0.7f), settings, 16));
    double expected = 0.7 / (1.0 - albedo);
    EXPECT_NEAR(e.mean, expected, kSigmas * e.error + 1e-5 * expected) << "albedo " << albedo;
    EXPECT_LT(e.error, 0.01 * expected);  // else the line above says nothing
  }
}

TEST_P(ClosedForms, FurnaceIsCutOffExactlyAtTheLastBounce) {
  for (uint32_t bounces : {0u, 1u, 2u, 5u}) {
    RenderSettings settings{.width = 64, .height = 64, .max_bounces = bounces};
    double albedo = 0.8, emission = 0.7;
    Estimate e = estimate(render(furnace_scene(float(albedo), float(emission)), settings, 16));
    double expected = emission * (1 - std::pow(albedo, bounces + 1)) / (1 - albedo);
    EXPECT_NEAR(e.mean, expected, kSigmas * e.error + 1e-5 * expected) << bounces << " bounces";
    EXPECT_LT(e.error, 0.01 * expected);
  }
}

TEST_P(ClosedForms, SphereLightGivesItsIrradiance) {
  RenderSettings settings{.width = 64, .height = 64, .max_bounces = 1};
  for (auto [radius, distance] : {std::pair{0.5, 2.0}, {1.5, 2.0}, {0.01, 3.0}}) {
    double albedo = 0.6, radiance = 10;
    HostScene scene =
        sphere_light_scene(float(albedo), float(radius), float(distance), float(radiance));
    Estimate e = estimate(render(scene, settings, 16));
    // E = pi L (r / d)^2 straight below the light; a diffuse floor sends albedo E / pi to all
    // sides.
    double expected = albedo * radiance * (radius * radius) / (distance * distance);
    EXPECT_NEAR(e.mean, expected, kSigmas * e.error + 1e-4 * expected) << "radius " << radius;
    EXPECT_LT(e.error, 0.01 * expected);
  }
}

/// Filters, and by how much of it each is left of x: by hand for the first two, by many midpoints
/// for the others. x is in pixels from the middle.
struct FilterCase {
  FilterDescription filter;
  double (*shape)(double t);  ///< of |x| / radius, up to a factor
};
const std::vector<FilterCase> kFilters = {
    {{FilterType::kBox, 0.5f}, [](double) { return 1.0; }},
    {{FilterType::kBox, 1.7f}, [](double) { return 1.0; }},
    {{FilterType::kTent, 1.0f}, [](double t) { return 1.0 - t; }},
    {{FilterType::kGaussian, 1.5f}, [](double t) { return std::exp(-4.5 * t * t); }},
    {{FilterType::kBlackmanHarris, 2.0f}, [](double t) {
       return 0.35875 + 0.48829 * std::cos(M_PI * t) + 0.14128 * std::cos(2.0 * M_PI * t) +
              0.01168 * std::cos(3.0 * M_PI * t);
     }}};

double share_left_of(double x, const FilterCase& filter) {
  constexpr int kSteps = 20'000;
  double left = 0.0, all = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double t = 2.0 * (i + 0.5) / kSteps - 1.0, value = filter.shape(std::abs(t));
    all += value;
    if (t * double(filter.filter.radius) < x) left += value;
  }
  return left / all;
}

/// A lamp covers the film from the edge on; a pixel shows what of its filter lies there.
TEST_P(ClosedForms, ASharpEdgeHasTheProfileOfTheFilter) {
  constexpr uint32_t kWidth = 12, kHeight = 16, kSamples = 256;
  constexpr double kEdge = 6.3;  // pixels
  HostScene scene;
  uint32_t lamp =
      add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = glm::vec3(1.0f)});
  add_rectangle(scene, {float(kEdge) - 6.0f, -100, 0}, {200, 0, 0}, {0, 200, 0}, lamp);
  // A pixel is a metre wide.
  scene.camera = {.position = {0, 0, 5},
                  .look_at = {0, 0, 0},
                  .projection = Projection::kOrthographic,
                  .view_height = float(kHeight)};
  for (const FilterCase& filter : kFilters) {
    scene.filter = filter.filter;
    Image image = render(scene, {.width = kWidth, .height = kHeight, .max_bounces = 0}, kSamples);
    for (uint32_t x = 0; x < kWidth; ++x) {
      double mean = 0.0;
      for (uint32_t y = 0; y < kHeight; ++y) mean += image.pixels[y * kWidth + x].x / kHeight;
      const double expected = 1.0 - share_left_of(kEdge - (x + 0.5), filter);
      const double error = std::sqrt(expected * (1.0 - expected) / (kHeight * kSamples));
      EXPECT_NEAR(mean, expected, kSigmas * error + 1e-4)
          << filter_names()[size_t(filter.filter.type)] << ", column " << x;
    }
  }
}

/// A sky so narrow that it is linear: its mean over a filter is its value in the middle of it.
TEST_P(ClosedForms, AFilterLeavesALinearRampAsItIs) {
  constexpr uint32_t kSide = 32, kSamples = 64;
  constexpr float kZenith = 1000.0f;
  HostScene scene;
  add_rectangle(scene, {-1, -1, 9}, {2, 0, 0}, {0, 2, 0}, add_material(scene, {}));  // behind
  scene.sky = {.zenith = glm::vec3(kZenith)};
  scene.camera = {.position = {0, 0, 0}, .look_at = {0, 1, -2}, .vertical_fov = 0.2f};
  const Camera camera = make_camera(scene.camera, kSide, kSide);
  auto sky_at = [&](double x, double y) {
    return double(kZenith * generate_camera_ray(camera, {float(x), float(y)}, {}).direction.y);
  };
  const double slope = (sky_at(16.0, 0.0) - sky_at(16.0, 32.0)) / kSide;  // per pixel
  for (const FilterCase& filter : kFilters) {
    scene.filter = filter.filter;
    Image image = render(scene, {.width = kSide, .height = kSide, .max_bounces = 0}, kSamples);
    // None of them spreads more than a box of its radius.
    const double error = slope * filter.filter.radius / std::sqrt(3.0 * kSamples);
    double sum = 0.0;
    for (uint32_t y = 0; y < kSide; ++y)
      for (uint32_t x = 0; x < kSide; ++x) {
        const double off = image.pixels[y * kSide + x].x - sky_at(x + 0.5, y + 0.5);
        EXPECT_NEAR(off, 0.0, kSigmas * error + 1e-3 * slope) << x << ", " << y;
        sum += off;
      }
    EXPECT_NEAR(sum / (kSide * kSide), 0.0, kSigmas * error / kSide + 1e-3 * slope)
        << filter_names()[size_t(filter.filter.type)];
  }
}

TEST_P(ClosedForms, ConstantSkyLightsAnOpenFloorEvenly) {
  HostScene scene;
  uint32_t floor = add_material(scene, {.reflectance = glm::vec3(0.5f)});
  add_rectangle(scene, {-50, 0, 50}, {100, 0, 0}, {0, 0, -100}, floor);
  scene.sky = {.zenith = glm::vec3(2.0f), .horizon = glm::vec3(2.0f), .ground = glm::vec3(2.0f)};
  scene.camera = {.position = {2, 1, 0}, .look_at = {0, 0, 0}, .vertical_fov = 10.0f};
  Estimate e = estimate(render(scene, {.width = 64, .height = 64, .max_bounces = 1}, 16));
  EXPECT_NEAR(e.mean, 1.0, kSigmas * e.error + 1e-5);
  EXPECT_LT(e.error, 0.01);
}

}  // namespace
}  // namespace winnow
