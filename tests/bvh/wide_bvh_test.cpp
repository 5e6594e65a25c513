// SPDX-License-Identifier: MIT
#include "bvh/wide_bvh.h"

#include <gtest/gtest.h>

#include "bvh/accel.h"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/embree_accel.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/nasty_scenes.h"
#include "tests/bvh/support/test_every_primitive.h"

namespace winnow {
namespace {

static_assert(Accel<WideBvh> && Accel<EmbreeAccel>);

TEST(WideBvh, FindsTheHitThatATestOfEveryPrimitiveFinds) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const WideBvhArrays arrays = build_wide_bvh(nasty.scene);
    expect_hits(arrays.view(), nasty.scene, 1, 1500,
                [&](const Ray& ray) { return intersect_all(nasty.scene, ray); });
  }
}

TEST(WideBvh, FindsTheSameAtEveryScaleAndFarFromTheOrigin) {
  for (float scale : {1e-9f, 1e-6f, 1e4f, 1e12f})
    for (float away : {0.0f, 1.0f, 300.0f}) {
      SCOPED_TRACE(testing::Message() << "scale " << scale << ", " << away << " sizes away");
      RandomScene random(2);
      HostScene scene = random.scene(400, 40);
      const glm::vec3 shift = scale * away * random.direction();
      move_scene(scene, scale, shift);
      const WideBvhArrays arrays = build_wide_bvh(scene);
      int hits = 0;
      for (int i = 0; i < 1000; ++i) {
        Ray ray = random.ray();
        ray.origin = scale * ray.origin + (i % 2 ? shift : glm::vec3(0.0f));
        if (i % 4 == 0 && away > 0.0f)
          ray.direction = glm::normalize(shift + scale * random.point(1.0f));
        const Hit expected = intersect_all(scene, ray);
        hits += expected.primitive != kNoPrimitive;
        ASSERT_EQ(arrays.view().intersect(ray).primitive, expected.primitive) << "ray " << i;
      }
      EXPECT_GT(hits, 50);
    }
}

TEST(WideBvh, FindsTheSameFromFarAway) {
  // The rounding error of distances exceeds the size of small boxes.
  RandomScene random(7);
  HostScene scene = bumpy_sphere(30, 40);
  for (glm::vec3& p : scene.positions) p *= 1e-3f;
  const WideBvhArrays arrays = build_wide_bvh(scene);
  int hits = 0;
  for (float away : {1.0f, 30.0f, 1000.0f})
    for (int i = 0; i < 1500; ++i) {
      Ray ray{.origin = away * random.direction()};
      ray.direction = glm::normalize(1e-3f * random.point(0.5f) - ray.origin);
      const Hit expected = intersect_all(scene, ray);
      hits += expected.primitive != kNoPrimitive;
      ASSERT_EQ(arrays.view().intersect(ray).primitive, expected.primitive) << "from " << away;
    }
  EXPECT_GT(hits, 1000);
}

TEST(WideBvh, LetsNoRayIntoAClosedSurfaceOrOut) {
  // The surface is closed: every ray from inside must hit it, also at edges and vertices.
  const HostScene scene = bumpy_sphere(60, 80);
  const WideBvhArrays arrays = build_wide_bvh(scene);
  RandomScene random(3);
  for (int i = 0; i < 30'000; ++i) {
    Ray ray{.origin = random.point(0.3f), .direction = random.direction()};
    const glm::uvec3 t = scene.triangles[size_t(i) % scene.triangles.size()];
    const glm::vec3 a = scene.positions[t.x], b = scene.positions[t.y];
    if (i % 3 == 1) ray.direction = glm::normalize(a - ray.origin);
    if (i % 3 == 2)
      ray.direction = glm::normalize(glm::mix(a, b, random.uniform(0, 1)) - ray.origin);
    ASSERT_TRUE(arrays.view().occluded(ray)) << "ray " << i;
    ASSERT_NE(arrays.view().intersect(ray).primitive, kNoPrimitive) << "ray " << i;
  }
}

TEST(WideBvh, AgreesWithEmbree) {
  int rays = 0, mismatches = 0;
  for (const NastyScene& nasty : nasty_scenes()) {
    if (nasty.name == "coplanar, twice") continue;  // either copy is correct
    const WideBvhArrays arrays = build_wide_bvh(nasty.scene);
    const EmbreeScene embree_scene(nasty.scene);
    const EmbreeAccel embree = embree_scene.accel();
    RandomScene random(4);
    for (int i = 0; i < 20'000; ++i, ++rays) {
      const Ray ray = random.ray();
      const Hit ours = arrays.view().intersect(ray), theirs = embree.intersect(ray);
      mismatches +=
          !nearly_equal(ours, theirs) || arrays.view().occluded(ray) != embree.occluded(ray);
    }
  }
  // A ray exactly through an edge may hit either triangle.
  EXPECT_LE(mismatches, rays / 10'000);
}

TEST(WideBvh, GivesTheDistanceOfALargeTriangleJustInFrontOfARay) {
  // Slivers of 10 m, and rays that start 10^-5 to 10^-2 m away: vertices are up to 10^6 times as
  // far as the hit, and single precision cancels.
  RandomScene random(8);
  int hits = 0;
  for (int i = 0; i < 3000; ++i) {
    const glm::vec3 a = random.point(40.0f), b = a + random.point(5.0f);
    const glm::vec3 c =
        a + random.uniform(0.0f, 1.0f) * (b - a) + random.point(i % 2 ? 0.02f : 5.0f);
    const WideBvhArrays arrays = build_wide_bvh(triangle_scene({a, b, c}));
    const glm::vec3 direction = random.direction();
    const float before = std::exp(random.uniform(-11.5f, -4.6f));
    const Ray ray{.origin = glm::vec3(random.point_on(a, b, c)) - before * direction,
                  .direction = direction};
    const Hit hit = arrays.view().intersect(ray);
    if (hit.primitive == kNoPrimitive) continue;
    ++hits;
    using Vec = glm::vec<3, long double>;
    const Vec from = Vec(a) - Vec(ray.origin), n = glm::cross(Vec(b) - Vec(a), Vec(c) - Vec(a));
    const long double expected = glm::dot(n, from) / glm::dot(n, Vec(direction));
    ASSERT_NEAR(hit.t / expected, 1.0L, 1e-4L) << "triangle " << i << " at " << double(expected);
  }
  EXPECT_GT(hits, 1000);
}

TEST(WideBvh, HasNothingToHitInAnEmptyScene) {
  const WideBvhArrays arrays = build_wide_bvh(HostScene{});
  EXPECT_EQ(arrays.view().intersect(Ray{.direction = {0, 0, 1}}).primitive, kNoPrimitive);
  EXPECT_EQ(arrays.view().intersect(Ray{.direction = {0, 0, 1}}).t, INFINITY);
  EXPECT_FALSE(arrays.view().occluded(Ray{.direction = {0, 0, 1}}));
}

TEST(WideBvh, HitsNothingWithARayThatEndsWhereItStarts) {
  const WideBvhArrays arrays = build_wide_bvh(flat_grid(1));
  for (float t_max : {0.0f, -1.0f, NAN})
    EXPECT_FALSE(arrays.view().occluded(
        {.origin = {0.1f, 0.2f, 1}, .direction = {0, 0, -1}, .t_max = t_max}));
  EXPECT_FALSE(
      arrays.view().occluded({.origin = {0.1f, 0.2f, 1}, .direction = {0, 0, -1}, .t_max = 1.0f}));
  EXPECT_TRUE(arrays.view().occluded(
      {.origin = {0.1f, 0.2f, 1}, .direction = {0, 0, -1}, .t_max = std::nextafter(1.0f, 2.0f)}));
}

TEST(WideBvh, HitsAFlatBoxAlongItsFaces) {
  // Two triangles in the plane z = 0: their box has no thickness, and these rays run along axes.
  const WideBvhArrays arrays = build_wide_bvh(flat_grid(1));
  for (float x : {-1.0f, 0.25f, 0.5f, 1.0f})
    for (float y : {-1.0f, 0.25f, 0.5f, 1.0f}) {
      Hit hit = arrays.view().intersect({.origin = {x, y, 2.0f}, .direction = {0, 0, -1}});
      EXPECT_EQ(hit.t, 2.0f) << x << ", " << y;
    }
}

}  // namespace
}  // namespace winnow
