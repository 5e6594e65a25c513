#include "geometry/bvh.h"

#include <gtest/gtest.h>

#include "geometry/accel.h"
#include "geometry/build_bvh.h"
#include "geometry/embree_accel.h"
#include "tests/geometry/random_scene.h"

namespace winnow {
namespace {

static_assert(Accel<Bvh> && Accel<EmbreeAccel>);

/// Every primitive, one after the other.
Hit intersect_all(const HostScene& scene, const Ray& ray) {
  Hit closest{.t = ray.t_max};
  for (uint32_t i = 0; i < scene.triangles.size(); ++i) {
    glm::uvec3 t = scene.triangles[i];
    if (intersect_triangle(ShearedRay(ray), scene.positions[t.x], scene.positions[t.y],
                           scene.positions[t.z], closest.t, closest))
      closest.primitive = i;
  }
  for (uint32_t i = 0; i < scene.spheres.size(); ++i) {
    Ray shortened = ray;
    shortened.t_max = closest.t;
    float t = intersect_sphere(shortened, scene.spheres[i].center, scene.spheres[i].radius);
    if (t > 0.0f) closest = {.t = t, .primitive = uint32_t(scene.triangles.size()) + i};
  }
  if (closest.primitive == kNoPrimitive) closest.t = INFINITY;
  return closest;
}

TEST(Bvh, FindsTheHitThatATestOfEveryPrimitiveFinds) {
  RandomScene random(1);
  for (auto [triangles, spheres] : {std::pair{1u, 0u}, {0u, 1u}, {2u, 1u}, {5u, 0u}, {300u, 40u}}) {
    HostScene scene = random.scene(triangles, spheres);
    BvhArrays arrays = build_bvh(scene);
    Bvh bvh = arrays.view();
    for (int i = 0; i < 2000; ++i) {
      Ray ray = random.ray();
      Hit expected = intersect_all(scene, ray), hit = bvh.intersect(ray);
      ASSERT_EQ(hit.primitive, expected.primitive);
      ASSERT_EQ(hit.t, expected.t);
      ASSERT_EQ(bvh.occluded(ray), expected.primitive != kNoPrimitive);
    }
  }
}

TEST(Bvh, StopsAtTheEndOfTheRay) {
  RandomScene random(2);
  HostScene scene = random.scene(200, 20);
  BvhArrays arrays = build_bvh(scene);
  Bvh bvh = arrays.view();
  for (int i = 0; i < 2000; ++i) {
    Ray ray = random.ray();
    ray.t_max = random.uniform(0.0f, 2.0f);
    Hit expected = intersect_all(scene, ray);
    ASSERT_EQ(bvh.intersect(ray).primitive, expected.primitive);
    ASSERT_EQ(bvh.occluded(ray), expected.primitive != kNoPrimitive);
  }
}

TEST(Bvh, AgreesWithEmbree) {
  RandomScene random(3);
  HostScene scene = random.scene(3000, 100);
  BvhArrays arrays = build_bvh(scene);
  Bvh bvh = arrays.view();
  EmbreeScene embree_scene(scene);
  EmbreeAccel embree = embree_scene.accel();
  constexpr int kRays = 50'000;
  int mismatches = 0;
  for (int i = 0; i < kRays; ++i) {
    Ray ray = random.ray();
    Hit ours = bvh.intersect(ray), theirs = embree.intersect(ray);
    bool same = ours.primitive == theirs.primitive &&
                (ours.primitive == kNoPrimitive ||
                 (std::abs(ours.t - theirs.t) <= 1e-4f * theirs.t + 1e-6f &&
                  std::abs(ours.u - theirs.u) < 1e-3f && std::abs(ours.v - theirs.v) < 1e-3f));
    mismatches += !same;
    mismatches += bvh.occluded(ray) != embree.occluded(ray);
  }
  // A ray through the very edge of a triangle may pass on either side.
  EXPECT_LE(mismatches, kRays / 10'000);
}

TEST(Bvh, HasNothingToHitInAnEmptyScene) {
  BvhArrays arrays = build_bvh(HostScene{});
  EXPECT_EQ(arrays.view().intersect(Ray{.direction = {0, 0, 1}}).primitive, kNoPrimitive);
  EXPECT_FALSE(arrays.view().occluded(Ray{.direction = {0, 0, 1}}));
}

TEST(Bvh, MeetsAFlatBoxAlongItsFaces) {
  // Two triangles in the plane z = 0: their box has no thickness, and these rays run along axes.
  HostScene scene;
  scene.materials.resize(1);
  scene.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  scene.normals.resize(4, glm::vec3(0.0f));
  scene.triangles = {{0, 1, 2}, {0, 2, 3}};
  scene.triangle_materials = {0, 0};
  BvhArrays arrays = build_bvh(scene);
  for (float x : {0.0f, 0.25f, 0.5f, 1.0f})
    for (float y : {0.0f, 0.25f, 0.5f, 1.0f}) {
      Hit hit = arrays.view().intersect({.origin = {x, y, 2.0f}, .direction = {0, 0, -1}});
      EXPECT_EQ(hit.t, 2.0f) << x << ", " << y;
    }
}

TEST(Bvh, HoldsManyPrimitivesInOnePlace) {
  RandomScene random(4);
  HostScene one = random.scene(1, 0), scene = one;
  for (uint32_t i = 1; i < 5000; ++i) {
    scene.triangles.push_back(one.triangles[0]);
    scene.triangle_materials.push_back(0);
  }
  BvhArrays arrays = build_bvh(scene);
  glm::vec3 middle = (one.positions[0] + one.positions[1] + one.positions[2]) / 3.0f;
  glm::vec3 origin(0.0f, 0.0f, 5.0f);
  Hit hit =
      arrays.view().intersect({.origin = origin, .direction = glm::normalize(middle - origin)});
  EXPECT_NEAR(hit.t, glm::length(middle - origin), 1e-5f);
}

}  // namespace
}  // namespace winnow
