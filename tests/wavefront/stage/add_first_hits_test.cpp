// SPDX-License-Identifier: MIT
#include "wavefront/stage/add_first_hits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/constants.h"
#include "shading/camera.h"
#include "tests/film/support/random_film.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"
#include "wavefront/stage/generate.h"

namespace winnow {
namespace {

using FirstHitsOnDevice = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, FirstHitsOnDevice, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, FirstHitsOnDevice, testing::Values(Device::kCuda), device_name);

/// A wall behind a sphere; the sky fills the upper half of the image.
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

/// First hit of a ray in that scene, in closed form.
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

TEST_P(FirstHitsOnDevice, MatchTheClosedForm) {
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
                            .log2_samples = SamplerSettings::kMaxLog2Samples,
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

/// On a CPU, paths record the first hits that they find; renders without paths trace camera rays.
TEST_P(FirstHitsOnDevice, OfPathsAreThoseOfCameraRaysAlone) {
  HostScene scene = wall_and_sphere();
  const uint32_t gauze = add_material(scene, {.reflectance = {0.9f, 0.2f, 0.1f}, .alpha = 0.5f});
  for (const float z : {2.0f, 2.5f}) add_rectangle(scene, {-2, -1, z}, {3, 0, 0}, {0, 2, 0}, gauze);
  const uint32_t one_sided =
      add_material(scene, {.reflectance = {0.3f, 0.6f, 0.1f}, .black_back = true});
  add_rectangle(scene, {1.0f, -1.5f, 1.5f}, {0.4f, 0, 0}, {0, 1, 0}, one_sided);
  add_rectangle(scene, {1.5f, -1.5f, 1.5f}, {0, 1, 0}, {0.4f, 0, 0}, one_sided);  // its back
  // The axis of the view is not that of the wall: its right part is behind the far plane.
  scene.camera.look_at = {1.0f, -0.5f, 0.0f};
  scene.camera.lens_radius = 0.1f;
  RenderSettings settings{.width = 32, .height = 24, .max_bounces = 4};
  settings.keep_first_hits = true;
  constexpr uint32_t kManySamples = 70;  // on a CPU, a batch of one pixel and a part of another
  std::vector<int> without_hit;
  for (const float far_clip : {8.0f, kInfinity}) {
    scene.camera.far_clip = far_clip;
    settings.only_first_hits = false;
    std::unique_ptr<Renderer> renderer = make(scene, settings);
    render(*renderer, kManySamples);
    HostFilm expected = renderer->host_film();
    int seen[5] = {};
    for (const FirstHit& hit : expected.first_hits) ++seen[hit.material];
    for (int count : seen) EXPECT_GT(count, 0);
    without_hit.push_back(seen[0]);

    settings.only_first_hits = true;
    renderer->restart(settings);
    render(*renderer, kManySamples);
    expected.sum.assign(expected.sum.size(), glm::dvec3(0.0));
    EXPECT_TRUE(have_same_bits(renderer->host_film(), expected));
  }
  EXPECT_GT(without_hit[0], without_hit[1]) << "the far plane hides a part of the wall";
}

TEST_P(FirstHitsOnDevice, AreTheSameInEveryWay) {
  const HostScene scene = mixed_scene_with_instances();
  RenderSettings settings = kFewPaths;
  settings.keep_first_hits = settings.keep_squares = true;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  const std::string hash = image_hash(render(*renderer, kSpp));
  const HostFilm expected = renderer->host_film();
  uint32_t instances = 0;
  for (const FirstHit& hit : expected.first_hits) instances = std::max(instances, hit.instance);
  EXPECT_GT(instances, 1u);
  for (RenderSettings way : representative_ways(GetParam(), settings)) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = kFewPathsWave;
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
  renderer->restart(kFewPaths);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), hash);
  EXPECT_TRUE(renderer->host_film().squares.empty());
  EXPECT_TRUE(renderer->host_film().first_hits.empty());
}

}  // namespace
}  // namespace winnow
