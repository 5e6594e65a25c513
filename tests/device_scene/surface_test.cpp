// SPDX-License-Identifier: MIT
#include "device_scene/surface.h"

#include <gtest/gtest.h>

#include "bvh/accel.h"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/embree_accel.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

DeviceScene<kBasic> view(const HostScene& scene) {
  return make_device_scene<kBasic>(scene, {{}, {}, {}}, 1, 1,
                                   []<class T>(const std::vector<T>& items) {
                                     return Span<const T>(items.data(), items.size());
                                   });
}

TEST(Surface, InterpolatesShadingNormalsAndKeepsThemOnTheSideOfTheFace) {
  HostScene scene;
  scene.materials.resize(2);
  scene.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  scene.normals = {{0, 0, -1}, {0, 0, -1}, {0, -0.6f, -0.8f}};
  scene.triangles = {{0, 1, 2}};
  scene.triangle_materials = {1};
  const auto s = surface_at(view(scene), Ray{}, {.t = 1, .u = 0.0f, .v = 1.0f, .primitive = 0});
  EXPECT_EQ(s.p, glm::vec3(0, 1, 0));
  EXPECT_EQ(s.n, glm::vec3(0, 0, 1));  // counter-clockwise seen from +z
  EXPECT_NEAR(glm::distance(s.ns, glm::vec3(0, 0.6f, 0.8f)), 0.0f, 1e-6f);
  EXPECT_EQ(s.material, 1u);
}

TEST(Surface, UsesTheFaceWhereThereAreNoNormals) {
  HostScene scene;
  scene.materials.resize(1);
  scene.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
  scene.normals.resize(3, glm::vec3(0.0f));
  scene.triangles = {{0, 1, 2}};
  scene.triangle_materials = {0};
  const auto s = surface_at(view(scene), Ray{}, {.t = 1, .u = 0.2f, .v = 0.2f, .primitive = 0});
  EXPECT_EQ(s.ns, glm::vec3(0, 1, 0));
}

/// Traces rays into the scene and, from their hits, away from the surface: none may hit it again.
template <Accel A>
void expect_no_self_hits(const HostScene& scene, A accel, float scale, glm::vec3 shift,
                         RandomScene& random) {
  const DeviceScene<kBasic> device = view(scene);
  int left = 0;
  for (int i = 0; i < 5000; ++i) {
    Ray ray = random.ray();
    ray.origin = scale * ray.origin + shift;
    Hit hit = accel.intersect(ray);
    if (hit.primitive == kNoPrimitive) continue;
    const auto surface = surface_at(device, ray, hit);
    glm::vec3 leaving = random.direction();
    if (glm::dot(leaving, surface.n) < 0.0f) leaving = -leaving;
    glm::vec3 origin = offset_origin(surface.p, surface.p_error, surface.n, leaving);
    Hit again = accel.intersect({.origin = origin, .direction = leaving});
    left += again.primitive != hit.primitive;
    ASSERT_NE(again.primitive, hit.primitive) << "scale " << scale << ", t " << again.t;
  }
  EXPECT_GT(left, 500);
}

TEST(OffsetOrigin, LetsNoRayMeetTheSurfaceItLeaves) {
  // Near the origin and far from it, on small and large shapes.
  RandomScene random(11);
  for (float scale : {1e-3f, 1.0f, 1e4f})
    for (float away : {0.0f, 1e3f}) {
      HostScene scene = random.scene(200, 50);
      glm::vec3 shift = away * random.direction();
      for (glm::vec3& p : scene.positions) p = scale * p + shift;
      for (Sphere& s : scene.spheres) s.center = scale * s.center + shift, s.radius *= scale;
      WideBvhArrays arrays = build_wide_bvh(scene);
      expect_no_self_hits(scene, arrays.view(), scale, shift, random);
      EmbreeScene embree(scene);
      expect_no_self_hits(scene, embree.accel(), scale, shift, random);
    }
}

TEST(OffsetOrigin, LetsNoRayMeetALargeFlatFloor) {
  // All heights are 0, so the rounding error there is none, and the rays start in the plane.
  RandomScene random(12);
  for (float size : {1.0f, 50.0f, 1e4f}) {
    HostScene scene;
    scene.materials.resize(1);
    scene.positions = {{-size, 0, size}, {size, 0, size}, {size, 0, -size}, {-size, 0, -size}};
    scene.normals.resize(4, glm::vec3(0.0f));
    scene.triangles = {{0, 1, 2}, {0, 2, 3}};
    scene.triangle_materials = {0, 0};
    WideBvhArrays arrays = build_wide_bvh(scene);
    expect_no_self_hits(scene, arrays.view(), 1.0f, glm::vec3(0.0f), random);
    EmbreeScene embree(scene);
    expect_no_self_hits(scene, embree.accel(), 1.0f, glm::vec3(0.0f), random);
  }
}

}  // namespace
}  // namespace winnow
