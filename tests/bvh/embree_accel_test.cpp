// SPDX-License-Identifier: MIT
#include "bvh/embree_accel.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "bvh/build/build_wide_bvh.h"
#include "math/sampler.h"
#include "tests/support/sample_directions.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

/// Triangles at random places in a cube of 2 m.
HostScene triangles_at_random(uint32_t count) {
  HostScene scene;
  const uint32_t material = add_material(scene, {});
  for (uint32_t i = 0; i < count; ++i) {
    const auto vector = [&](uint32_t dimension) {
      return 2.0f * glm::vec3(Sampler{.seed = 1, .pixel = i}.sample4(dimension)) - 1.0f;
    };
    add_rectangle(scene, vector(0), 0.3f * vector(1), 0.3f * vector(2), material);
  }
  return scene;
}

Ray ray_at_random(uint32_t i) {
  const glm::vec4 u = Sampler{.seed = 2, .pixel = i}.sample4(0);
  const glm::vec4 v = Sampler{.seed = 2, .pixel = i}.sample4(1);
  return {.origin = 2.0f * glm::vec3(u) - 1.0f,
          .direction = sample_uniform_sphere({v.x, v.y}),
          .t_max = i % 4 == 0 ? INFINITY : v.z};
}

TEST(EmbreeAccel, OccludesTheRaysOfAPacketAsItDoesOneByOne) {
  const HostScene scene = triangles_at_random(200);
  const EmbreeScene embree(scene);
  const EmbreeAccel accel = embree.accel();
  ASSERT_TRUE(accel.has_packets);
  constexpr uint32_t kPackets = 2000;
  uint32_t hits = 0;
  for (uint32_t packet = 0; packet < kPackets; ++packet) {
    RayPacket rays;
    for (uint32_t i = 0; i <= packet % RayPacket::kSize; ++i)
      rays.add(i, ray_at_random(packet * RayPacket::kSize + i));
    const uint32_t occluded = accel.occluded(rays);
    EXPECT_EQ(occluded >> rays.count, 0u);
    for (uint32_t i = 0; i < rays.count; ++i) {
      EXPECT_EQ(occluded >> i & 1, uint32_t(accel.occluded(rays[i])));
      hits += occluded >> i & 1;
    }
  }
  EXPECT_GT(hits, kPackets);  // about 17,000 rays are traced
}

TEST(EmbreeAccel, TakesPacketsInScenesOfFewTrianglesAlone) {
  HostScene scene = triangles_at_random(2);
  EXPECT_TRUE(EmbreeScene(scene).accel().has_packets);
  scene.spheres.push_back({});
  EXPECT_FALSE(EmbreeScene(scene).accel().has_packets);
}

/// Adds each triangle twice more: with its corners in another order, and facing the other way.
void repeat_triangles(HostScene& scene) {
  for (size_t i = 0, count = scene.triangles.size(); i < count; ++i) {
    const glm::uvec3 t = scene.triangles[i];
    for (const glm::uvec3 again : {glm::uvec3(t.y, t.z, t.x), glm::uvec3(t.z, t.y, t.x)}) {
      scene.triangles.push_back(again);
      scene.triangle_materials.push_back(scene.triangle_materials[i]);
    }
  }
}

/// Returns a point of a room of 1 m that is turned and far from the origin, where it is rounded.
glm::vec3 in_room(glm::vec3 p) {
  return glm::vec3(37.3f) + glm::vec3(0.36f * p.x + 0.48f * p.y - 0.8f * p.z,
                                      -0.8f * p.x + 0.6f * p.y,
                                      0.48f * p.x + 0.64f * p.y + 0.6f * p.z);
}

/// Many rectangles in each wall of that room. They are in the same plane up to rounding.
HostScene rectangles_in_walls() {
  HostScene scene;
  const uint32_t material = add_material(scene, {});
  for (uint32_t i = 0; i < 360; ++i) {
    const glm::vec4 u = Sampler{.seed = 3, .pixel = i}.sample4(0);
    const int axis = int(i % 3), next = (axis + 1) % 3, last = (axis + 2) % 3;
    glm::vec3 corner(0.0f), edge_u(0.0f), edge_v(0.0f);
    corner[axis] = float(i / 3 % 2);
    corner[next] = 0.5f * u.x, corner[last] = 0.5f * u.y;
    edge_u[next] = 0.2f + 0.3f * u.z, edge_v[last] = 0.2f + 0.3f * u.w;
    edge_v[next] = 0.1f * (u.x - u.y);
    const glm::vec3 p = in_room(corner);
    add_rectangle(scene, p, in_room(corner + edge_u) - p, in_room(corner + edge_v) - p, material);
  }
  return scene;
}

TEST(EmbreeAccel, HitsWithTheRaysOfAPacketWhatItHitsOneByOne) {
  HostScene repeated = triangles_at_random(200);
  repeat_triangles(repeated);
  const HostScene walls = rectangles_in_walls();
  for (const HostScene& scene : {triangles_at_random(200), repeated, walls}) {
    SCOPED_TRACE(scene.triangles.size());
    const bool is_room = scene.triangles.size() == walls.triangles.size();
    const EmbreeScene embree(scene);
    const EmbreeAccel accel = embree.accel();
    if (!accel.has_closest_packets) GTEST_SKIP() << "Embree has no packets of 16 rays here";
    constexpr uint32_t kPackets = 2000;
    uint32_t hits = 0;
    for (uint32_t packet = 0; packet < kPackets; ++packet) {
      RayPacket rays;
      for (uint32_t i = 0; i <= packet % RayPacket::kSize; ++i) {
        Ray ray = ray_at_random(packet * RayPacket::kSize + i);
        if (is_room) ray.origin = in_room(0.5f + 0.4f * ray.origin);
        rays.add(i, ray);
      }
      std::vector<Hit> together(rays.count);
      accel.intersect(rays, {together.data(), together.size()});
      for (uint32_t i = 0; i < rays.count; ++i) {
        const Hit alone = accel.intersect(rays[i]);
        EXPECT_EQ(together[i].primitive, alone.primitive);
        EXPECT_EQ(together[i].t, alone.t);
        EXPECT_EQ(together[i].u, alone.u);
        EXPECT_EQ(together[i].v, alone.v);
        hits += alone.primitive != kNoPrimitive;
      }
    }
    EXPECT_GT(hits, kPackets);  // about 17,000 rays are traced
  }
}

/// The vertices of a triangle, in no particular order.
std::set<uint32_t> corners_in(const HostScene& scene, uint32_t triangle) {
  const glm::uvec3 t = scene.triangles[triangle];
  return {t.x, t.y, t.z};
}

TEST(EmbreeAccel, HitsTheTriangleThatOurTreeHitsOrOneInTheSamePlace) {
  HostScene scene = triangles_at_random(50);
  repeat_triangles(scene);
  const EmbreeScene embree(scene);
  const WideBvhArrays tree = build_wide_bvh(scene);
  constexpr uint32_t kRays = 20'000;
  uint32_t hits = 0, others = 0;
  for (uint32_t i = 0; i < kRays; ++i) {
    const Ray ray = ray_at_random(i);
    const Hit hit = embree.accel().intersect(ray), own = tree.view().intersect(ray);
    ASSERT_EQ(hit.primitive == kNoPrimitive, own.primitive == kNoPrimitive) << "ray " << i;
    if (hit.primitive == kNoPrimitive) continue;
    ++hits;
    others += hit.primitive != own.primitive;
    EXPECT_EQ(corners_in(scene, hit.primitive), corners_in(scene, own.primitive)) << "ray " << i;
  }
  EXPECT_GT(hits, kRays / 20);
  EXPECT_GT(others, hits / 100);  // rounding differs
}

}  // namespace
}  // namespace winnow
