// SPDX-License-Identifier: MIT
// Instances: intersection, surfaces at hits, and bounds.

#include <gtest/gtest.h>

#include "bvh/accel.h"
#include "bvh/build/build_instanced_bvh.h"
#include "bvh/embree_accel.h"
#include "bvh/instance_table.h"
#include "device_scene/surface.h"
#include "scene/scene_bounds.h"
#include "tests/bvh/support/instanced_scenes.h"
#include "tests/bvh/support/test_every_primitive.h"

namespace winnow {
namespace {

template <Features kFeatures>
DeviceScene<kFeatures> view(const HostScene& scene, const InstanceTable& table) {
  return make_device_scene<kFeatures>(scene, {{}, table, {}}, 1, 1,
                                      []<class T>(const std::vector<T>& items) {
                                        return Span<const T>(items.data(), items.size());
                                      });
}

TEST(Instances, AreFoundByPrimitiveIndex) {
  for (uint32_t count : {1u, 2u, 3u, 5u, 64u, 1000u}) {
    std::vector<uint32_t> firsts;
    for (uint32_t i = 0; i < count; ++i) firsts.push_back(7 + 10 * i);
    std::vector<Instance> instances(count);
    DeviceInstances scene;
    scene.instances = {instances.data(), instances.size()};
    scene.first_primitives = {firsts.data(), firsts.size()};
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t k : {0u, 1u, 9u}) EXPECT_EQ(scene.instance_of(7 + 10 * i + k), i);
  }
}

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
    const bool same = hit.primitive == expected.primitive &&
                      (hit.primitive == kNoPrimitive ||
                       (std::abs(hit.t - expected.t) <= 1e-4f * expected.t &&
                        std::abs(hit.u - expected.u) + std::abs(hit.v - expected.v) < 1e-3f));
    mismatches += !same || embree.accel().occluded(ray) != (expected.primitive != kNoPrimitive);
    instanced += hit.primitive != kNoPrimitive && hit.primitive >= table.first_primitives[0];
  }
  EXPECT_LE(mismatches, kRays / 1000);  // exactly through an edge
  EXPECT_GT(instanced, kRays / 10);
}

TEST(Instances, LookLikeCopies) {
  RandomScene random(32);
  const HostScene scene = instanced_scene(random, 60), flat = flattened(scene);
  const InstanceTable table = build_instance_table(scene);
  const auto device = view<kInstanced>(scene, table);
  const auto flat_device = view<kBasic>(flat, {});
  const EmbreeScene embree(scene), flat_embree(flat);
  int instanced = 0, other = 0;
  constexpr int kRays = 5000;
  for (int i = 0; i < kRays; ++i) {
    const Ray ray = random.ray();
    const Hit hit = embree.accel().intersect(ray), copy = flat_embree.accel().intersect(ray);
    if (hit.primitive != instanced_index(scene, flat, copy.primitive)) {
      ++other;
      continue;
    }
    if (hit.primitive == kNoPrimitive) continue;
    instanced += device.is_instanced(hit.primitive);
    const auto a = surface_at(device, ray, hit);
    const auto b = surface_at(flat_device, ray, copy);
    EXPECT_NEAR(hit.t, copy.t, 1e-4f * copy.t);
    EXPECT_LT(glm::distance(a.p, b.p), 1e-4f);
    EXPECT_LT(glm::distance(a.n, b.n), 1e-3f) << hit.primitive;
    EXPECT_LT(glm::distance(a.ns, b.ns), 1e-3f) << hit.primitive;
    EXPECT_EQ(a.material, b.material);
    EXPECT_EQ(needs_origin(device, hit.primitive), needs_origin(flat_device, copy.primitive));
  }
  EXPECT_LE(other, kRays / 1000);
  EXPECT_GT(instanced, kRays / 10);
}

TEST(Instances, HavePointsWithinTheErrorThatTheyState) {
  RandomScene random(33);
  HostScene scene = instanced_scene(random, 60);
  for (MeshInstance& instance : scene.instances) instance.to_world[3] *= 100.0f;
  const InstanceTable table = build_instance_table(scene);
  const auto device = view<kInstanced>(scene, table);
  for (uint32_t i = 0; i < table.instances.size(); ++i)
    for (uint32_t k = 0; k < scene.meshes[scene.instances[i].mesh].triangle_count; k += 7) {
      Hit hit{.t = 1.0f, .u = random.uniform(0, 0.5f), .v = random.uniform(0, 0.5f)};
      hit.primitive = table.first_primitives[i] + k;
      const auto surface = surface_at(device, Ray{}, hit);
      const glm::uvec3 t =
          scene.shared.triangles[scene.meshes[scene.instances[i].mesh].first_triangle + k];
      const glm::dvec3 p0(scene.shared.positions[t.x]), p1(scene.shared.positions[t.y]),
          p2(scene.shared.positions[t.z]);
      const double u = hit.u, v = hit.v;
      const glm::dvec3 exact = glm::dmat4x3(scene.instances[i].to_world) *
                               glm::dvec4((1 - u - v) * p0 + u * p1 + v * p2, 1.0);
      for (int axis = 0; axis < 3; ++axis)
        ASSERT_LE(std::abs(double(surface.p[axis]) - exact[axis]), double(surface.p_error[axis]));
    }
}

/// Shoots rays into the scene and, from where they end, away from the surface: none may meet it
/// again.
template <Accel A>
void expect_no_self_hits(const HostScene& scene, const DeviceScene<kInstanced>& device, A accel,
                         RandomScene& random) {
  const std::vector<Bounds> boxes = shared_mesh_bounds(scene);
  int left = 0;
  for (int i = 0; i < 4000; ++i) {
    const MeshInstance& aim = scene.instances[size_t(i) % scene.instances.size()];
    const Bounds& box = boxes[aim.mesh];
    Ray ray{.origin =
                aim.to_world * glm::vec4(box.center() + random.point(2.0f) * box.size(), 1.0f)};
    const glm::vec3 target =
        aim.to_world * glm::vec4(box.center() + random.point(0.5f) * box.size(), 1.0f);
    if (ray.origin == target) continue;
    ray.direction = glm::normalize(target - ray.origin);
    const Hit hit = accel.intersect(ray);
    if (!device.is_instanced(hit.primitive)) continue;
    const auto surface = surface_at(device, ray, hit);
    glm::vec3 leaving = random.direction();
    if (i % 2) {  // nearly along the surface
      leaving -= 0.999f * glm::dot(leaving, surface.n) * surface.n;
      leaving = glm::normalize(leaving);
    }
    const glm::vec3 origin = offset_origin(surface.p, surface.p_error, surface.n, leaving);
    const Hit again = accel.intersect({.origin = origin, .direction = leaving});
    left += again.primitive != hit.primitive;
    ASSERT_NE(again.primitive, hit.primitive) << "t " << again.t;
  }
  EXPECT_GT(left, 500);
}

/// Scenes of one size that are `scale` large, `away` from the origin, and made of meshes of size
/// `mesh_scale` that lie `off` sizes away from their own origin.
HostScene moved_scene(RandomScene& random, float scale, float away, float mesh_scale, float off) {
  HostScene scene = instanced_scene(random, 30);
  const glm::vec3 shift = away * random.direction(), mesh_shift = off * random.direction();
  for (glm::vec3& p : scene.positions) p = scale * p + shift;
  for (Sphere& s : scene.spheres) s.center = scale * s.center + shift, s.radius *= scale;
  for (glm::vec3& p : scene.shared.positions) p = mesh_scale * (p + mesh_shift);
  for (MeshInstance& instance : scene.instances) {
    const glm::mat3 linear(instance.to_world);
    const glm::vec3 translation = instance.to_world[3];
    instance.to_world = glm::mat4x3(scale / mesh_scale * linear);
    instance.to_world[3] = scale * (translation - linear * mesh_shift) + shift;
  }
  return scene;
}

TEST(Instances, LetNoRayMeetTheSurfaceItLeaves) {
  for (float mesh_scale : {1e-3f, 1.0f, 1e4f})
    for (float scale : {1e-3f, 1.0f, 100.0f})
      for (float away : {0.0f, 1e3f})
        for (float off : {0.0f, 1e3f}) {
          SCOPED_TRACE(testing::Message()
                       << "a mesh of size " << mesh_scale << ", " << off << " sizes off, scaled to "
                       << scale << ", " << away << " m away");
          RandomScene random(34);
          const HostScene scene = moved_scene(random, scale, away, mesh_scale, off);
          const InstanceTable table = build_instance_table(scene);
          const auto device = view<kInstanced>(scene, table);
          const EmbreeScene embree(scene);
          expect_no_self_hits(scene, device, embree.accel(), random);
          const InstancedBvhArrays bvh = build_instanced_bvh(
              scene, table, [](const HostScene& mesh) { return build_wide_bvh(mesh); });
          expect_no_self_hits(scene, device, bvh.view(), random);
        }
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
