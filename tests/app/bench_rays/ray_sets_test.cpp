// SPDX-License-Identifier: MIT
#include "app/bench_rays/ray_sets.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <vector>

#include "scene/scene_bounds.h"
#include "shading/camera.h"
#include "tests/support/chi_square.h"
#include "wavefront/state/wave.h"

namespace winnow {
namespace {

constexpr uint32_t kFilmWidth = 130, kFilmHeight = 70;  // not multiples of the sides of a tile

/// A square at height 0 with sides of 2 `half` around the y axis, seen from below and from above.
HostScene floor_scene(float half) {
  HostScene scene;
  scene.materials.resize(2);
  scene.materials[1].emission = glm::vec3(1.0f);
  scene.positions = {
      {-half, 0.0f, -half}, {half, 0.0f, -half}, {half, 0.0f, half}, {-half, 0.0f, half}};
  scene.normals.resize(4, glm::vec3(0.0f));
  scene.triangles = {{0, 2, 1}, {0, 3, 2}};
  scene.triangle_materials = {0, 0};
  scene.camera = {.position = {0.0f, 3.0f, 0.0f}, .look_at = {0.0f, 0.0f, 0.1f}};
  return scene;
}

/// floor_scene() inside a sphere that no ray leaves.
HostScene closed_scene() {
  HostScene scene = floor_scene(4.0f);
  scene.spheres.push_back({.center = glm::vec3(0.0f), .radius = 20.0f, .material = 0});
  return scene;
}

RaySetSettings settings_for(const HostScene& scene) {
  return {.camera = scene.camera,
          .light = {.center = {0.0f, 5.0f, 1.0f}, .u = {2.0f, 0.0f, 0.0f}, .v = {0.0f, 0.0f, 3.0f}},
          .width = kFilmWidth,
          .height = kFilmHeight,
          .spp = 2,
          .seed = 5};
}

std::array<RaySet, kRayKindCount> ray_sets(const HostScene& scene, const RaySetSettings& settings) {
  const EmbreeScene embree(scene);
  return make_ray_sets(scene, embree.accel(), settings);
}

const RaySet& set(const std::array<RaySet, kRayKindCount>& sets, RayKind kind) {
  return sets[size_t(kind)];
}

Ray ray(const RaySet& set, size_t i) {
  return set.columns().ray(i);
}

TEST(RaySets, EachHitSendsARayOfEachKind) {
  const HostScene scene = closed_scene();
  RaySetSettings settings = settings_for(scene);
  settings.light = {.center = {0, 0, 0}, .u = {0, 0, 0}, .v = {0, 0, 0}};  // in the plane of no hit
  const auto sets = ray_sets(scene, settings);
  for (size_t kind = 0; kind < kRayKindCount; ++kind) {
    EXPECT_EQ(sets[kind].kind, RayKind(kind));
    EXPECT_EQ(sets[kind].size(), kFilmWidth * kFilmHeight * 2) << kRayKindNames[kind];
    for (size_t i = 0; i < sets[kind].size(); ++i) {
      const Ray r = ray(sets[kind], i);
      ASSERT_NEAR(glm::length(r.direction), 1.0f, 1e-5f);
      ASSERT_EQ(std::isinf(r.t_max), !is_shadow(RayKind(kind)));
    }
  }
}

TEST(RaySets, PointsInThePlaneOfTheLightSendNoShadowRays) {
  const HostScene scene = closed_scene();
  const RaySetSettings settings = settings_for(scene);
  const glm::vec3 normal = glm::normalize(glm::cross(settings.light.u, settings.light.v));
  const RaySet shadows = set(ray_sets(scene, settings), RayKind::kShadow2);
  EXPECT_LT(shadows.size(), kFilmWidth * kFilmHeight * 2);  // some points of the sphere
  EXPECT_GT(shadows.size(), kFilmWidth * kFilmHeight * 3 / 2);
  for (size_t i = 0; i < shadows.size(); ++i)
    ASSERT_GT(std::abs(glm::dot(ray(shadows, i).direction, normal)), 0.9e-2f);
}

TEST(RaySets, ARayWithoutAHitSendsNone) {
  const HostScene scene = floor_scene(1.0f);
  const auto sets = ray_sets(scene, settings_for(scene));
  EXPECT_EQ(set(sets, RayKind::kPrimary).size(), kFilmWidth * kFilmHeight * 2);
  const size_t hits = set(sets, RayKind::kDiffuse1).size();
  EXPECT_GT(hits, 0u);
  EXPECT_LT(hits, kFilmWidth * kFilmHeight * 2);
  EXPECT_EQ(set(sets, RayKind::kShadow1).size(), hits);
  EXPECT_EQ(set(sets, RayKind::kDiffuse2).size(), 0u);  // nothing is above a floor
  EXPECT_EQ(set(sets, RayKind::kShadow2).size(), 0u);
}

TEST(RaySets, PrimaryRaysGoThroughTheirPixelsTileByTile) {
  const HostScene scene = closed_scene();
  RaySetSettings settings = settings_for(scene);
  settings.camera.lens_radius = 0.5f;  // treated as a pinhole
  const auto sets = ray_sets(scene, settings);
  const Camera camera = make_camera(scene.camera, kFilmWidth, kFilmHeight);
  const Wave wave{
      .width = kFilmWidth, .height = kFilmHeight, .pixel_count = kFilmWidth * kFilmHeight};
  double sum_x = 0.0, sum_y = 0.0;
  const RaySet& primary = set(sets, RayKind::kPrimary);
  for (size_t i = 0; i < primary.size(); ++i) {
    const Ray r = ray(primary, i);
    EXPECT_EQ(r.origin, scene.camera.position);
    // The ray crosses the plane at distance 1 at top_left + x pixel_x + y pixel_y.
    const glm::vec3 forward = glm::normalize(glm::cross(camera.up, camera.right));
    const glm::vec3 ahead = r.direction / glm::dot(r.direction, forward) - camera.top_left;
    const float x = glm::dot(ahead, camera.pixel_x) / glm::dot(camera.pixel_x, camera.pixel_x);
    const float y = glm::dot(ahead, camera.pixel_y) / glm::dot(camera.pixel_y, camera.pixel_y);
    const uint32_t pixel = wave.pixel_at(uint32_t(i % (kFilmWidth * kFilmHeight)));
    const float in_x = x - float(pixel % kFilmWidth), in_y = y - float(pixel / kFilmWidth);
    constexpr float kRounding = 1e-3f;  // pixels
    ASSERT_TRUE(in_x > -kRounding && in_x < 1.0f + kRounding) << i << ": " << in_x;
    ASSERT_TRUE(in_y > -kRounding && in_y < 1.0f + kRounding) << i << ": " << in_y;
    sum_x += in_x, sum_y += in_y;
  }
  constexpr double kSigma = 0.2887;  // standard deviation of a uniform variable
  EXPECT_NEAR(sum_x / double(primary.size()), 0.5, 4.0 * kSigma / std::sqrt(primary.size()));
  EXPECT_NEAR(sum_y / double(primary.size()), 0.5, 4.0 * kSigma / std::sqrt(primary.size()));
}

TEST(RaySets, ARayFromAHitStartsThereInTheOrderOfTheHits) {
  const HostScene scene = floor_scene(1.0f);
  const EmbreeScene embree(scene);
  const auto sets = make_ray_sets(scene, embree.accel(), settings_for(scene));
  const RaySet& primary = set(sets, RayKind::kPrimary);
  const RaySet& diffuse = set(sets, RayKind::kDiffuse1);
  const RaySet& shadow = set(sets, RayKind::kShadow1);
  size_t next = 0;
  for (size_t i = 0; i < primary.size(); ++i) {
    const Ray r = ray(primary, i);
    const Hit hit = embree.accel().intersect(r);
    if (hit.primitive == kNoPrimitive) continue;
    ASSERT_LT(next, diffuse.size());
    const glm::vec3 p = r.origin + hit.t * r.direction, origin = ray(diffuse, next).origin;
    EXPECT_LT(glm::length(p - origin), 1e-5f);
    EXPECT_GT(origin.y, 0.0f);  // the side that the camera sees
    EXPECT_EQ(ray(shadow, next).origin, origin);
    ++next;
  }
  EXPECT_EQ(next, diffuse.size());
}

TEST(RaySets, DiffuseRaysAreCosineWeightedAboutTheNormalThatIsSeen) {
  for (float side : {1.0f, -1.0f}) {  // from above and from below
    HostScene scene = floor_scene(100.0f);
    scene.camera.position.y *= side;
    const auto sets = ray_sets(scene, settings_for(scene));
    const RaySet& diffuse = set(sets, RayKind::kDiffuse1);
    ASSERT_EQ(diffuse.size(), kFilmWidth * kFilmHeight * 2);
    const DirectionBins bins{.axis = {0.0f, side, 0.0f}};
    const std::vector<double> shares =
        bins.integrate([&](glm::vec3 w) { return cosine_hemisphere_pdf(glm::dot(w, bins.axis)); });
    std::vector<HistogramBin> histogram(bins.count());
    for (int bin = 0; bin < bins.count(); ++bin)
      histogram[bin].expected = shares[bin] * double(diffuse.size());
    for (size_t i = 0; i < diffuse.size(); ++i)
      histogram[bins.bin_of(ray(diffuse, i).direction)].observed += 1.0;
    EXPECT_TRUE(fits_density(histogram, 2));
  }
}

TEST(RaySets, ShadowRaysEndShortOfUniformPointsOfTheLight) {
  const HostScene scene = closed_scene();
  const RaySetSettings settings = settings_for(scene);
  const auto sets = ray_sets(scene, settings);
  constexpr int kCells = 8;
  for (RayKind kind : {RayKind::kShadow1, RayKind::kShadow2}) {
    const RaySet& shadow = set(sets, kind);
    std::vector<HistogramBin> histogram(kCells * kCells);
    for (HistogramBin& bin : histogram) bin.expected = double(shadow.size()) / histogram.size();
    for (size_t i = 0; i < shadow.size(); ++i) {
      const Ray r = ray(shadow, i);
      // The light is horizontal, so the height of the ray determines the distance of the point.
      const float distance = (settings.light.center.y - r.origin.y) / r.direction.y;
      ASSERT_GT(distance, r.t_max);
      ASSERT_LT(distance * 0.999f, r.t_max);
      const glm::vec3 point = r.origin + distance * r.direction - settings.light.center;
      const float a = 0.5f * point.x / settings.light.u.x + 0.5f;
      const float b = 0.5f * point.z / settings.light.v.z + 0.5f;
      ASSERT_TRUE(a > -1e-4f && a < 1.0001f && b > -1e-4f && b < 1.0001f) << a << " " << b;
      auto cell = [](float x) { return std::clamp(int(x * kCells), 0, kCells - 1); };
      histogram[cell(a) * kCells + cell(b)].observed += 1.0;
    }
    EXPECT_TRUE(fits_density(histogram, 2)) << kRayKindNames[size_t(kind)];
  }
}

bool same_rays(const RaySet& a, const RaySet& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const Ray x = ray(a, i), y = ray(b, i);
    if (x.origin != y.origin || x.direction != y.direction || x.t_max != y.t_max) return false;
  }
  return true;
}

TEST(RaySets, AreTheSameForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  const HostScene scene = closed_scene();
  RaySetSettings settings = settings_for(scene);
  const auto sets = ray_sets(scene, settings);
  std::array<RaySet, kRayKindCount> alone;
  {
    oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism, 1);
    alone = ray_sets(scene, settings);
  }
  settings.seed = 6;
  const auto others = ray_sets(scene, settings);
  for (size_t kind = 0; kind < kRayKindCount; ++kind) {
    EXPECT_TRUE(same_rays(sets[kind], alone[kind])) << kRayKindNames[kind];
    EXPECT_FALSE(same_rays(sets[kind], others[kind])) << kRayKindNames[kind];
  }
}

TEST(SortedRays, AreTheSameRaysByCellAndOctant) {
  const HostScene scene = closed_scene();
  const EmbreeScene embree(scene);
  const RaySet rays = make_ray_sets(scene, embree.accel(), settings_for(scene))[1];
  const Bounds bounds = scene_bounds(scene);
  const RaySet sorted = sorted_rays(rays, RayOrder(bounds.min, bounds.size()));
  EXPECT_EQ(sorted.name(), "diffuse1 (s)");
  ASSERT_EQ(sorted.size(), rays.size());

  // Each ray occurs as often as before.
  auto all = [](const RaySet& set) {
    std::vector<std::array<float, 7>> values;
    for (size_t i = 0; i < set.size(); ++i) {
      const Ray ray = set.columns().ray(i);
      values.push_back({ray.origin.x, ray.origin.y, ray.origin.z, ray.direction.x, ray.direction.y,
                        ray.direction.z, ray.t_max});
    }
    std::sort(values.begin(), values.end());
    return values;
  };
  EXPECT_EQ(all(sorted), all(rays));
  size_t turns = 0, turns_before = 0;  // changes of octant from one ray to the next
  auto octant = [](const Ray& ray) { return glm::greaterThan(ray.direction, glm::vec3(0.0f)); };
  for (size_t i = 1; i < rays.size(); ++i) {
    turns += octant(sorted.columns().ray(i)) != octant(sorted.columns().ray(i - 1));
    turns_before += octant(rays.columns().ray(i)) != octant(rays.columns().ray(i - 1));
  }
  EXPECT_LT(turns, turns_before / 4);
}

TEST(DefaultLight, IsTheRectangleThatTheFirstEmittingTriangleIsHalfOf) {
  for (glm::uvec3 order : {glm::uvec3(0, 1, 2), glm::uvec3(1, 2, 0), glm::uvec3(2, 0, 1)}) {
    HostScene scene = floor_scene(2.0f);
    scene.triangles = {{order.x, order.y, order.z}};
    scene.triangle_materials = {1};
    const LightRectangle light = default_light(scene);
    EXPECT_EQ(light.center, glm::vec3(0.0f));
    EXPECT_FLOAT_EQ(glm::length(light.u), 2.0f);
    EXPECT_FLOAT_EQ(glm::length(light.v), 2.0f);
    EXPECT_EQ(glm::dot(light.u, light.v), 0.0f);
    EXPECT_EQ(light.origin, "the first emitting triangle");
  }
}

TEST(DefaultLight, LiesWithinTheFirstEmittingSphere) {
  HostScene scene = floor_scene(2.0f);
  scene.spheres.push_back({.center = {1.0f, 2.0f, 3.0f}, .radius = 0.5f, .material = 1});
  const LightRectangle light = default_light(scene);
  EXPECT_EQ(light.center, glm::vec3(1.0f, 2.0f, 3.0f));
  EXPECT_FLOAT_EQ(glm::length(light.u + light.v), 0.5f);
  EXPECT_EQ(light.origin, "the first emitting sphere");
}

TEST(DefaultLight, IsNearTheTopOfASceneThatDoesNotEmit) {
  HostScene scene = floor_scene(2.0f);
  scene.positions.push_back({0.0f, 10.0f, 0.0f});
  scene.triangles.push_back({0, 1, 4});
  scene.triangle_materials.push_back(0);
  const LightRectangle light = default_light(scene);
  EXPECT_EQ(light.center, glm::vec3(0.0f, 9.0f, 0.0f));
  EXPECT_EQ(light.u, glm::vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(light.v, glm::vec3(0.0f, 0.0f, 1.0f));
  EXPECT_EQ(light.origin, "the scene's bounds");
}

}  // namespace
}  // namespace winnow
