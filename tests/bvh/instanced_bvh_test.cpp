// SPDX-License-Identifier: MIT
#include "bvh/instanced_bvh.h"

#include <gtest/gtest.h>

#include "bvh/accel.h"
#include "bvh/build/build_instanced_bvh.h"
#include "bvh/embree_accel.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/instanced_scenes.h"
#include "tests/bvh/support/test_every_primitive.h"
#include "tests/support/rounds.h"

namespace winnow {
namespace {

static_assert(Accel<InstancedBvh>);

InstancedBvhArrays build(const HostScene& scene) {
  return build_instanced_bvh(scene, build_instance_table(scene));
}

/// Compares the hits of HardRays with a brute-force test.
void expect_the_hits_of_a_test_of_everything(const HostScene& scene, unsigned rays) {
  const InstancedBvhArrays arrays = build(scene);
  const std::vector<Hit> hits =
      expect_hits(arrays.view(), flattened(scene), 1, int(rays),
                  [&](const Ray& ray) { return intersect_all(scene, ray); });
  const auto instanced = std::count_if(hits.begin(), hits.end(), [&](const Hit& hit) {
    return hit.primitive != kNoPrimitive &&
           hit.primitive >= scene.triangles.size() + scene.spheres.size();
  });
  EXPECT_GT(instanced, int(rays) / 10);
}

TEST(InstancedBvh, FindsTheHitThatATestOfEveryTriangleFinds) {
  RandomScene random(51);
  expect_the_hits_of_a_test_of_everything(instanced_scene(random, 30), rounds(1000));
  expect_the_hits_of_a_test_of_everything(instanced_scene(random, 100), rounds(600));
}

TEST(InstancedBvh, FindsTheHitWithoutGeometryOutsideOfInstances) {
  RandomScene random(52);
  HostScene scene = instanced_scene(random, 40);
  scene.triangles.clear();
  scene.triangle_materials.clear();
  scene.spheres.clear();
  expect_the_hits_of_a_test_of_everything(scene, rounds(500));
}

TEST(InstancedBvh, FindsTheLowestOfCoincidentPrimitives) {
  // Squares that touch at their edges or coincide, each of them twice.
  RandomScene random(53);
  HostScene scene = random.scene(1, 0);
  add_shared_mesh(scene, flat_grid(2), 0);
  for (int again = 0; again < 2; ++again)
    for (int i = 0; i < 16; ++i) {
      glm::mat4x3 place(0.25f);
      place[3] = glm::vec3(0.5f * float(i % 4) - 0.75f, 0.5f * float(i / 4) - 0.75f, 0.0f);
      if (i % 3 == 0) place[0] = -place[0];
      scene.instances.push_back({.mesh = 0, .to_world = place});
    }
  expect_the_hits_of_a_test_of_everything(scene, 4000);
}

TEST(InstancedBvh, FindsWhatAWideBvhFindsWithoutInstances) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const WideBvhArrays one_level = build_wide_bvh(nasty.scene);
    const InstancedBvhArrays two_levels = build(nasty.scene);
    expect_hits(two_levels.view(), nasty.scene, 2, 2000,
                [&](const Ray& ray) { return one_level.view().intersect(ray); });
  }
}

TEST(InstancedBvh, HoldsAHundredThousandInstances) {
  RandomScene random(55);
  HostScene scene = random.scene(10, 0);
  scene.instances.clear();
  add_shared_mesh(scene, bumpy_sphere(8, 12), 0);
  for (int i = 0; i < 100'000; ++i)
    scene.instances.push_back({.mesh = 0, .to_world = random_placement(random, 1.0f, 0.01f)});
  const InstancedBvhArrays arrays = build(scene);
  EXPECT_EQ(arrays.instances.size(), 100'001u);
  const EmbreeScene embree(scene);
  constexpr int kRays = 20'000;
  int others = 0;
  for (int i = 0; i < kRays; ++i) {
    const Ray ray = random.ray();
    others += arrays.view().intersect(ray).primitive != embree.accel().intersect(ray).primitive;
  }
  EXPECT_LE(others, kRays / 5'000);
}

TEST(InstancedBvh, HasNothingToHitInAnEmptyScene) {
  const InstancedBvhArrays arrays = build(HostScene{});
  EXPECT_EQ(arrays.view().intersect(Ray{.direction = {0, 0, 1}}).primitive, kNoPrimitive);
  EXPECT_FALSE(arrays.view().occluded(Ray{.direction = {0, 0, 1}}));
}

}  // namespace
}  // namespace winnow
