// SPDX-License-Identifier: MIT
#include "bvh/instances.h"

#include <gtest/gtest.h>

#include "bvh/embree_accel.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/instanced_scenes.h"
#include "tests/bvh/support/test_every_primitive.h"

namespace winnow {
namespace {

TEST(Instances, AreHitByEmbreeWhereATestOfEveryTriangleHitsThem) {
  RandomScene random(31);
  const HostScene scene = instanced_scene(random, 40);
  const InstanceTable table = build_instance_table(scene);
  const EmbreeScene embree(scene);
  int instanced = 0, mismatches = 0;
  constexpr int kRays = 2000;
  for (int i = 0; i < kRays; ++i) {
    Ray ray = random.ray();
    if (i % 3 == 0) ray.t_max = random.uniform(0.01f, 2.0f);
    const Hit expected = intersect_all(scene, ray), hit = embree.accel().intersect(ray);
    const bool same = nearly_equal(hit, expected) &&
                      std::abs(hit.u - expected.u) + std::abs(hit.v - expected.v) < 1e-3f;
    mismatches += !same || embree.accel().occluded(ray) != (expected.primitive != kNoPrimitive);
    instanced += hit.primitive != kNoPrimitive && hit.primitive >= table.first_primitives[0];
  }
  EXPECT_LE(mismatches, kRays / 1000);  // exactly through an edge
  EXPECT_GT(instanced, kRays / 10);
}

TEST(Instances, LieInTheirBounds) {
  RandomScene random(35);
  const HostScene scene = instanced_scene(random, 60);
  const InstanceTable table = build_instance_table(scene);
  const std::vector<Bounds> boxes = instance_bounds(scene, table);
  ASSERT_EQ(boxes.size(), scene.instances.size());
  for (size_t i = 0; i < boxes.size(); ++i) {
    const SharedMesh& mesh = scene.meshes[scene.instances[i].mesh];
    glm::dvec3 lower(INFINITY), upper(-INFINITY);
    for (uint32_t k = 0; k < mesh.vertex_count; ++k) {
      const glm::dvec3 p =
          glm::dmat4x3(scene.instances[i].to_world) *
          glm::dvec4(glm::dvec3(scene.shared.positions[mesh.first_vertex + k]), 1.0);
      lower = glm::min(lower, p);
      upper = glm::max(upper, p);
    }
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_LT(double(boxes[i].min[axis]), lower[axis]);
      EXPECT_GT(double(boxes[i].max[axis]), upper[axis]);
      // Tighter than a box around a rotated box.
      EXPECT_LT(double(boxes[i].max[axis] - boxes[i].min[axis]), 1.4 * (upper[axis] - lower[axis]));
    }
  }
}

}  // namespace
}  // namespace winnow
