// SPDX-License-Identifier: MIT
#include "backend/renderer.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "base/error.h"
#include "compaction/simt/simt.h"
#include "image/compare.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"
#include "wavefront/state/paths.h"

namespace winnow {
namespace {

class Renderers : public OnDevice {
 protected:
  std::unique_ptr<Renderer> make_mixed(const RenderSettings& settings = kSmall) const {
    return make(scene_, settings);
  }
  /// Renders the film anew with other settings.
  static std::string hash_of(Renderer& renderer, const RenderSettings& settings,
                             uint32_t spp = kSpp) {
    renderer.restart(settings);
    return image_hash(render(renderer, spp));
  }
  static RenderStats stats_of(Renderer& renderer, const RenderSettings& settings,
                              uint32_t spp = kSpp) {
    hash_of(renderer, settings, spp);
    return renderer.stats();
  }

  const HostScene scene_ = mixed_scene();
};
INSTANTIATE_TEST_SUITE_P(Cpu, Renderers, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Renderers, testing::Values(Device::kCuda), device_name);

TEST_P(Renderers, GiveTheSameBitsInEveryWay) {
  // AccountForEveryPathAndQueueOnlyActiveOnesInEveryWay renders several waves in every way.
  std::unique_ptr<Renderer> renderer = make_mixed(kFewPaths);
  const std::string expected = image_hash(render(*renderer, kSpp));
  for (const RenderSettings& way : representative_ways(GetParam(), kFewPaths)) {
    SCOPED_TRACE(name_of(way));
    EXPECT_EQ(hash_of(*renderer, way), expected);
  }
}

/// EndLongPathsInEveryWay renders one material without roulette in every way.
TEST_P(Renderers, GiveTheSameBitsWithoutRouletteInBothLoops) {
  RenderSettings settings = kFewPaths;
  settings.roulette = false;
  const std::string expected = image_hash(render(scene_, settings, kSpp));
  settings.loop = Loop::kPath;
  EXPECT_EQ(image_hash(render(scene_, settings, kSpp)), expected);
}

/// On a CPU, waves with 8 samples of a pixel and more trace their camera rays in packets, and those
/// with 32 and more also rays after the first scattering.
TEST_P(Renderers, GiveTheSameBitsWithManySamplesOfAPixelInAWave) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(-1.0f, 1.0f);
  HostScene scene;
  scene.camera = {.position = {0, 0, 4}, .look_at = {0, 0, 0}, .vertical_fov = 40.0f};
  for (int i = 0; i < 100; ++i) {
    const glm::vec3 p{place(random), place(random), place(random)},
        u{0.4f * place(random), 0.3f, 0}, v{0, 0.2f, 0.5f * place(random)};
    for (const float albedo : {0.2f, 0.9f})  // both in the same place
      add_rectangle(scene, p, u, v, add_material(scene, {.reflectance = glm::vec3(albedo)}));
  }
  constexpr uint32_t kManySpp = 64;
  const std::unique_ptr<Renderer> renderer = make(scene, kFewPaths);
  RenderSettings way = kFewPaths;
  way.loop = Loop::kPath;
  const std::string expected = hash_of(*renderer, way, kManySpp);
  way.loop = Loop::kWave;
  const uint32_t pixels = kFewPaths.width * kFewPaths.height;
  for (const uint32_t wave_size : {0u, 4 * pixels, 9 * pixels, 40 * pixels, 64 * pixels}) {
    way.wave_size = wave_size;
    EXPECT_EQ(hash_of(*renderer, way, kManySpp), expected) << wave_size;
  }
}

TEST_P(Renderers, GiveTheSameBitsInEveryWayWithEachSampler) {
  RenderSettings settings = kFewPaths;
  settings.sampler = SamplerType::kHash;
  expect_same_bits_in_every_way(mixed_scene(), settings);
  settings.sampler = SamplerType::kSobol;
  // Culling does not read the sampler, so each loop is tried once with other lengths.
  for (uint32_t sobol_spp : {1u, 4u, 8u}) {
    settings.sobol_spp = sobol_spp;
    settings.loop = Loop::kPath;
    const std::string expected = image_hash(render(scene_, settings, kSpp));
    settings.loop = Loop::kWave;
    for (const uint32_t wave_size : {0u, kFewPathsWave}) {
      settings.wave_size = wave_size;
      EXPECT_EQ(image_hash(render(scene_, settings, kSpp)), expected) << sobol_spp;
    }
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

TEST_P(Renderers, GiveTheSameBitsWhateverPlansAutoChooses) {
  HostScene scene = mixed_scene();
  add_material(scene, {.type = MaterialType::kThinDielectric});  // more features: more plans
  const std::string expected = image_hash(render(scene, kSmall, kSpp));
  for (Driver driver : {Driver::kGraph, Driver::kHost}) {
    RenderSettings settings = kSmall;
    settings.driver = driver;
    settings.wave_size = 100;  // many waves
    settings.measure_stages = driver == Driver::kHost;
    EXPECT_EQ(image_hash(render(scene, settings, kSpp)), expected);
  }
}

TEST_P(Renderers, ShowInstancesAsTheyShowCopies) {
  // The random numbers are the same, so paths differ only by rounding.
  const HostScene scene = mixed_scene_with_instances();
  const RenderSettings settings{.width = 64, .height = 48, .max_bounces = 8};
  constexpr uint32_t kManySpp = 64;
  const Image image = render(scene, settings, kManySpp);
  // An unused material makes this a full scene as well, which samples lights in the same way.
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
  // On a GPU, many more iterations than a graph has nodes for, and nearly all of them are needed.
  HostScene scene = furnace_scene(0.95f, 1.0f);
  const uint32_t bounces = GetParam() == Device::kCuda ? 70 : 6;
  RenderSettings settings{.width = 4, .height = 4, .max_bounces = bounces};
  settings.roulette = false;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  std::string expected = image_hash(render(*renderer, 1));
  for (RenderSettings way : representative_ways(GetParam())) {
    SCOPED_TRACE(name_of(way));
    settings.loop = way.loop;
    settings.cull = way.cull;
    settings.group = way.group;
    settings.driver = way.driver;
    settings.regenerate = way.regenerate;
    settings.wave_size = way.regenerate ? 7 : 0;
    EXPECT_EQ(hash_of(*renderer, settings, 1), expected);
    EXPECT_EQ(renderer->stats().bounces[bounces].terminations[uint32_t(Termination::kMaxDepth)],
              16u);
  }
}

TEST_P(Renderers, StartAgainFromNothing) {
  std::unique_ptr<Renderer> renderer = make_mixed();
  std::string expected = image_hash(render(*renderer, kSpp));
  renderer->restart(kSmall);
  EXPECT_EQ(renderer->stats().paths, 0u);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), expected);
}

TEST_P(Renderers, LookThroughAnotherCameraAsIfTheyHadNoOther) {
  for (HostScene scene : {mixed_scene(), mixed_scene_with_instances()}) {
    CameraDescription other = scene.camera;
    other.position += glm::vec3(0.3f, 0.2f, 40.0f);
    other.vertical_fov = 9.0f;
    other.lens_radius = 0.05f;
    HostScene seen_otherwise = scene;
    seen_otherwise.camera = other;
    const CameraDescription own = scene.camera;
    const std::string expected = image_hash(render(seen_otherwise, kSmall, kSpp));
    const std::string first = image_hash(render(scene, kSmall, kSpp));
    EXPECT_NE(first, expected);
    scene.camera = camera_around({own, other}, 1.6f);
    const std::unique_ptr<Renderer> renderer = make(scene, kSmall);
    render(*renderer, kSpp);
    renderer->choose_pixels({1, 2, 3});
    renderer->set_camera(other);
    EXPECT_EQ(renderer->stats().paths, 0u);
    EXPECT_EQ(image_hash(render(*renderer, kSpp)), expected);
    renderer->set_camera(own);
    EXPECT_EQ(image_hash(render(*renderer, kSpp)), first);
  }
}

TEST(CameraAround, StartsItsRaysWhereverTheCamerasDo) {
  CameraDescription lens, flat;
  lens.position = {-3.0f, 1.0f, 2.0f};
  lens.lens_radius = 0.5f;
  flat.position = {4.0f, 9.0f, -1.0f};
  flat.projection = Projection::kOrthographic;
  flat.view_height = 2.0f;
  const CameraDescription around = camera_around({lens, flat}, 2.0f);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(around.position[axis] - around.lens_radius, lens.position[axis] - 0.5f);
    EXPECT_LE(around.position[axis] - around.lens_radius, flat.position[axis] - 3.0f);
    EXPECT_GE(around.position[axis] + around.lens_radius, flat.position[axis] + 3.0f);
  }
  EXPECT_LT(around.lens_radius, 12.0f);
  EXPECT_EQ(camera_around({lens}, 2.0f).position, lens.position);
}

TEST_P(Renderers, GiveTheSameBitsInOnePassAndInMany) {
  std::unique_ptr<Renderer> many = make_mixed();
  RenderControl control;
  many->render_samples(0, 1, control);
  many->render_samples(1, 3, control);
  many->render_samples(4, 1, control);
  EXPECT_EQ(image_hash(many->film()), image_hash(render(scene_, kSmall, kSpp)));
  EXPECT_EQ(control.paths_done, uint64_t(kSmall.width) * kSmall.height * kSpp);
}

TEST_P(Renderers, GiveOtherNoiseForAnotherSeed) {
  RenderSettings other = kSmall;
  other.seed = 1;
  EXPECT_NE(image_hash(render(scene_, other, kSpp)), image_hash(render(scene_, kSmall, kSpp)));
}

/// Expects that the queues of a way that culls hold active paths only.
void expect_only_active_paths(const RenderSettings& way, const RenderStats& stats) {
  if (way.loop == Loop::kPath || way.regenerate || way.cull == Cull::kAuto) return;
  const bool groups = way.group == Group::kMaterial;
  const bool drops = way.cull != Cull::kNone || groups;
  if (!drops) {
    EXPECT_GT(stats.bounces[2].queued, stats.bounces[2].alive);
  }
  constexpr uint64_t kMaxKernels = 3;
  const uint64_t partial_warps = groups ? 2 * kMaxKernels : 1;  // per wave
  for (const BounceStats& bounce : stats.bounces) {
    if (drops) {
      EXPECT_EQ(bounce.queued, bounce.alive);
    } else {
      EXPECT_GE(bounce.queued, bounce.alive);
    }
    EXPECT_EQ(bounce.culls, way.cull == Cull::kNone ? 0u : bounce.waves);
    EXPECT_LE(bounce.alive, 32 * bounce.busy_warps);
    EXPECT_LE(32 * bounce.busy_warps, bounce.queued + 31 * partial_warps * bounce.waves);
  }
}

TEST_P(Renderers, AccountForEveryPathAndQueueOnlyActiveOnesInEveryWay) {
  RenderSettings settings = kFewPaths;
  settings.loop = Loop::kPath;
  std::unique_ptr<Renderer> renderer = make_mixed(settings);
  const std::string expected_hash = image_hash(render(*renderer, kSpp));
  const RenderStats expected = renderer->stats();
  for (RenderSettings way : every_way(GetParam(), kFewPaths)) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = kFewPathsWave;
    EXPECT_EQ(hash_of(*renderer, way), expected_hash);
    const RenderStats stats = renderer->stats();
    EXPECT_EQ(stats.paths, uint64_t(way.width) * way.height * kSpp);
    EXPECT_GT(stats.waves, 0u);
    ASSERT_EQ(stats.bounces.size(), way.max_bounces + 1);
    uint64_t shadow_rays = 0, expected_shadow_rays = 0;
    for (size_t b = 0; b < stats.bounces.size(); ++b) {
      uint64_t died = 0;
      for (uint64_t terminations : stats.bounces[b].terminations) died += terminations;
      uint64_t next = b + 1 < stats.bounces.size() ? stats.bounces[b + 1].alive : 0;
      EXPECT_EQ(stats.bounces[b].alive, next + died) << "bounce " << b;
      EXPECT_LE(stats.bounces[b].shadow_rays, stats.bounces[b].alive + stats.bounces[b].queued);
      EXPECT_EQ(stats.bounces[b].terminations[uint32_t(Termination::kAlive)], 0u);
      EXPECT_EQ(stats.bounces[b].terminations[uint32_t(Termination::kNotFinite)], 0u);

      EXPECT_EQ(stats.bounces[b].alive, expected.bounces[b].alive);
      EXPECT_EQ(stats.bounces[b].terminations, expected.bounces[b].terminations);
      if (!way.regenerate) {  // there they are counted by iteration
        EXPECT_EQ(stats.bounces[b].shadow_rays, expected.bounces[b].shadow_rays);
      }
      shadow_rays += stats.bounces[b].shadow_rays;
      expected_shadow_rays += expected.bounces[b].shadow_rays;
    }
    EXPECT_EQ(shadow_rays, expected_shadow_rays);
    expect_only_active_paths(way, stats);
  }
}

TEST_P(Renderers, StayFullWhereTheyRegenerate) {
  RenderSettings settings{.width = 32, .height = 32};
  settings.wave_size = 256;
  settings.regenerate = true;
  settings.threads = 1;
  std::unique_ptr<Renderer> renderer = make_mixed(settings);
  render(*renderer, 64);
  RenderStats stats = renderer->stats();
  for (uint32_t i = 1; i < 4; ++i)  // there are enough paths
    EXPECT_EQ(stats.bounces[i].queued, stats.bounces[0].queued) << "iteration " << i;
  EXPECT_LT(stats.bounces[1].alive, stats.bounces[0].alive);
}

TEST_P(Renderers, MoveAtMostTwiceTheStateOfAnActivePath) {
  constexpr size_t kPathBytes = 3 * sizeof(Packed) + sizeof(PathResult);
  std::unique_ptr<Renderer> renderer = make_mixed();
  render(*renderer, kSpp);
  for (const BounceStats& bounce : renderer->stats().bounces) {
    EXPECT_LE(bounce.state_bytes, 2 * kPathBytes * bounce.alive);
    EXPECT_GE(bounce.state_bytes, kPathBytes * bounce.alive);
  }
}

TEST_P(Renderers, AddToChosenPixelsOnly) {
  std::unique_ptr<Renderer> renderer = make_mixed(kFewPaths);
  const Image all = render(*renderer, kSpp);
  std::vector<uint32_t> chosen;
  for (uint32_t pixel = 5; pixel < kFewPaths.width * kFewPaths.height; pixel += 1 + pixel % 3)
    chosen.push_back(pixel);
  for (RenderSettings way : representative_ways(GetParam(), kFewPaths)) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = 299;
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
  renderer->restart(kFewPaths);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), image_hash(all));
}

TEST_P(Renderers, MapWhereAndWhenPathsEnd) {
  RenderSettings settings = kSmall;
  std::unique_ptr<Renderer> renderer = make_mixed(settings);
  render(*renderer, kSpp);
  EXPECT_TRUE(renderer->host_film().terminations.empty());
  settings.map_terminations = true;
  settings.wave_size = 100;
  renderer->restart(settings);
  render(*renderer, kSpp);
  const HostFilm film = renderer->host_film();
  ASSERT_EQ(film.terminations.size(), size_t(settings.width) * settings.height * kTerminationCount);
  std::array<uint64_t, kTerminationCount> terminations{};
  uint64_t bounces = 0, expected_bounces = 0;
  for (size_t pixel = 0; pixel < film.samples.size(); ++pixel) {
    EXPECT_EQ(film.samples[pixel], kSpp);
    uint32_t samples = 0;
    for (uint32_t cause = 0; cause < kTerminationCount; ++cause) {
      terminations[cause] += film.terminations[pixel * kTerminationCount + cause];
      samples += film.terminations[pixel * kTerminationCount + cause];
    }
    EXPECT_EQ(samples, kSpp);
    bounces += film.termination_bounces[pixel];
  }
  RenderStats stats = renderer->stats();
  std::array<uint64_t, kTerminationCount> expected{};
  for (size_t b = 0; b < stats.bounces.size(); ++b)
    for (uint32_t cause = 0; cause < kTerminationCount; ++cause) {
      expected[cause] += stats.bounces[b].terminations[cause];
      expected_bounces += b * stats.bounces[b].terminations[cause];
    }
  EXPECT_EQ(terminations, expected);
  EXPECT_EQ(bounces, expected_bounces);
}

TEST_P(Renderers, RecordTheMasksOfTheFirstWave) {
  RenderSettings settings = kSmall;
  settings.threads = 1;
  settings.wave_size = settings.width * settings.height;
  std::unique_ptr<Renderer> renderer = make_mixed(settings);
  EXPECT_TRUE(renderer->alive_masks().empty());
  settings.record_masks = true;
  for (Cull cull : {Cull::kNone, Cull::kAppend, Cull::kLookBack, Cull::kLookAhead}) {
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

TEST(CpuRenderer, GivesTheSameBitsForEveryNumberOfThreads) {
  const HostScene scene = mixed_scene();
  auto hash = [&](uint32_t threads) {
    RenderSettings settings = kSmall;
    settings.threads = threads;
    RenderControl control;
    std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene, settings);
    renderer->render_samples(0, kSpp, control);
    return image_hash(renderer->film());
  };
  const std::string expected = hash(1);
  for (uint32_t threads : {2u, 3u, 7u}) EXPECT_EQ(hash(threads), expected) << threads << " threads";
}

TEST(CpuRenderer, RefusesCullsThatNeedAGpu) {
  HostScene scene = mixed_scene();
  for (Cull cull : {Cull::kThrust, Cull::kCub}) {
    RenderSettings settings = kSmall;
    settings.cull = cull;
    EXPECT_THROW(make_cpu_renderer(scene, settings), Error);
  }
}

/// The renderer on a GPU, which can record waves.
using CudaRenderers = OnDevice;
INSTANTIATE_TEST_SUITE_P(Gpu, CudaRenderers, testing::Values(Device::kCuda), device_name);

TEST_P(CudaRenderers, RecordAWaveWithoutACopy) {
  const HostScene scene = mixed_scene();
  for (const RenderSettings& settings : every_way(GetParam())) {
    SCOPED_TRACE(name_of(settings));
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    render(*renderer, 1);
    const RecordedWork recorded = renderer->stats().recorded;
    EXPECT_EQ(recorded.others, 0u);
    const bool records = settings.driver == Driver::kGraph && settings.cull != Cull::kThrust;
    EXPECT_EQ(recorded.kernels > 0, records);
    EXPECT_EQ(recorded.loops, records && settings.loop == Loop::kWave ? 1u : 0u);
  }
}

TEST_P(Renderers, ContinueTheFilmOfAnyWayInAnyOther) {
  RenderSettings settings = kFewPaths;
  settings.keep_first_hits = settings.keep_squares = settings.map_terminations = true;
  settings.keep_layers = true;
  settings.clamp_indirect = 0.5f;
  std::unique_ptr<Renderer> first = make_mixed(settings), second = make_mixed(settings);
  render(*first, kSpp);
  const HostFilm expected = first->host_film();
  const RenderStats all = first->stats();
  std::vector<RenderSettings> ways = every_way(GetParam(), settings);
  for (size_t i = 0; i < ways.size(); i += 3) {
    RenderSettings before = ways[i], after = ways[(i + 5) % ways.size()];
    before.wave_size = 200 + uint32_t(i) * 7;
    after.wave_size = kFewPathsWave;
    SCOPED_TRACE(name_of(before) + ", then " + name_of(after));
    // Some pixels have two samples, some one, and some none when the render is stopped.
    RenderControl control;
    first->restart(before);
    first->choose_pixels({3, 4, 5, 36, 37, 200});
    first->render_samples(0, 1, control);
    first->choose_pixels({36, 37});
    first->render_samples(1, 1, control);

    second->restart(after);
    second->continue_from(first->host_film());
    EXPECT_EQ(second->sample_counts(), first->host_film().samples);
    std::map<uint32_t, std::vector<uint32_t>> groups;
    for (uint32_t pixel = 0; pixel < expected.samples.size(); ++pixel)
      groups[second->sample_counts()[pixel]].push_back(pixel);
    EXPECT_EQ(groups.size(), 3u);
    for (const auto& [samples, pixels] : groups) {
      second->choose_pixels(pixels);
      second->render_samples(samples, kSpp - samples, control);
    }
    EXPECT_TRUE(have_same_bits(second->host_film(), expected));
    EXPECT_EQ(first->stats().paths + second->stats().paths, all.paths);
    // All pixels are chosen again.
    second->choose_pixels({});
    second->render_samples(kSpp, 1, control);
    EXPECT_EQ(second->sample_counts(), std::vector<uint32_t>(expected.samples.size(), kSpp + 1));
  }
}

TEST_P(Renderers, FindTheSameFirstHitsWithoutPaths) {
  RenderSettings settings = kFewPaths;
  settings.keep_first_hits = true;
  std::unique_ptr<Renderer> renderer = make_mixed(settings);
  render(*renderer, kSpp);
  HostFilm expected = renderer->host_film();
  expected.sum.assign(expected.sum.size(), glm::dvec3(0.0));
  settings.only_first_hits = true;
  for (const RenderSettings& way : every_way(GetParam(), settings)) {
    SCOPED_TRACE(name_of(way));
    renderer->restart(way);
    render(*renderer, kSpp);
    EXPECT_TRUE(have_same_bits(renderer->host_film(), expected));
  }
}

TEST_P(Renderers, ReadAndWriteThePixelsOfSomeTiles) {
  RenderSettings settings = kSmall;
  settings.keep_first_hits = settings.keep_squares = settings.map_terminations = true;
  settings.keep_layers = true;
  std::unique_ptr<Renderer> from = make_mixed(settings), to = make_mixed(settings);
  render(*from, 2);
  const FilmFeatures features = settings.film_features();
  const HostFilm expected = from->host_film();
  for (uint32_t index = 0; index < 3; ++index) {
    const FilmTiles tiles = tiles_of_share(settings.width, settings.height, {index, 3});
    HostFilm packed = pack_pixels(expected, tiles, features);
    const std::vector<FilmField> fields = fields_of(features, view_of(packed));
    for (size_t field = 0; field < fields.size(); ++field) {
      const size_t bytes = tiles.pixel_count() * fields[field].bytes_per_pixel;
      std::vector<std::byte> found(bytes);
      from->read_pixels(field, tiles, found.data());
      EXPECT_EQ(std::memcmp(found.data(), fields[field].data, bytes), 0) << "array " << field;
      to->write_pixels(field, tiles, found.data());
    }
  }
  EXPECT_TRUE(have_same_bits(to->host_film(), expected));
}

TEST_P(Renderers, ReadAndWriteBandsOfTheFilm) {
  RenderSettings settings = kSmall;
  settings.height = 90;  // 6 rows of tiles
  settings.keep_first_hits = settings.keep_squares = settings.map_terminations = true;
  settings.keep_layers = true;
  std::unique_ptr<Renderer> from = make_mixed(settings), to = make_mixed(settings);
  render(*from, 2);
  const HostFilm expected = from->host_film();
  const FilmFeatures features = settings.film_features();
  const FilmTiles all = make_film_tiles(settings.width, settings.height, true);
  for (const TileRows rows : {TileRows{2, 5}, TileRows{0, 2}, TileRows{5, 6}}) {
    const HostFilm band = read_rows(RendererFilm(*from), arrays_of(features), rows);
    const FilmTiles tiles = tiles_in(all, rows);
    EXPECT_EQ(band.sum, pack_pixels(expected, tiles, features).sum);
    put_film(HostFilmSource(expected, features), tiles, *to);
  }
  EXPECT_TRUE(have_same_bits(to->host_film(), expected));
}

TEST_P(Renderers, StopWhenAsked) {
  std::unique_ptr<Renderer> renderer = make_mixed();
  RenderControl control;
  control.stop = true;
  renderer->render_samples(0, 1000, control);
  EXPECT_LT(control.paths_done, uint64_t(kSmall.width) * kSmall.height * 1000);
  for (glm::vec3 pixel : renderer->film().pixels) EXPECT_TRUE(std::isfinite(pixel.x + pixel.y));
}

TEST_P(Renderers, MeasureTheStagesThatRan) {
  RenderSettings settings = kSmall;
  settings.measure_stages = true;
  std::unique_ptr<Renderer> renderer = make_mixed(settings);
  render(*renderer, kSpp);
  BounceStats first = renderer->stats().bounces[0];
  for (Stage stage :
       {Stage::kGenerate, Stage::kIntersect, Stage::kShade, Stage::kShadow, Stage::kFilm})
    EXPECT_GT(first.milliseconds[uint32_t(stage)], 0.0) << kEnumNames<Stage>[uint32_t(stage)];
  EXPECT_EQ(first.milliseconds[uint32_t(Stage::kPath)], 0.0);
}

}  // namespace
}  // namespace winnow
