// SPDX-License-Identifier: MIT
#include "backend/cuda/found_hits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "bvh/build/build_instanced_bvh.h"
#include "tests/bvh/support/hard_rays.h"
#include "tests/bvh/support/instanced_scenes.h"
#include "tests/support/span_of.h"

namespace winnow {
namespace {

constexpr int kRays = 3000;

TEST(OptixCenter, IsWhereNoDifferenceOfCoordinatesRounds) {
  EXPECT_EQ(optix_center({{-1.0f, 1.0f, -36003.0f}, {2.0f, 1.75f, -36000.0f}}),
            glm::vec3(0.0f, 1.375f, -36001.5f));
  EXPECT_EQ(optix_center({{1.0f, -9.0f, 0.0f}, {2.5f, -4.0f, 0.0f}}), glm::vec3(0.0f));
  EXPECT_EQ(optix_center(Bounds()), glm::vec3(0.0f));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> coordinate(36000.0f, 36010.0f);
  for (int i = 0; i < 1000; ++i) {
    const float a = coordinate(random), b = coordinate(random);
    const float center = optix_center({glm::vec3(std::min(a, b)), glm::vec3(std::max(a, b))}).x;
    EXPECT_EQ(double(a - center), double(a) - double(center));
  }
}

OptixGeometry optix_geometry_of(const HostScene& scene, const InstanceTable& table) {
  auto mesh_of = [](const Mesh& mesh) {
    return DeviceMesh{.positions = span_of(mesh.positions),
                      .normals = {},
                      .triangles = span_of(mesh.triangles),
                      .triangle_materials = {}};
  };
  return {.mesh = mesh_of(scene),
          .spheres = span_of(scene.spheres),
          .instanced = {.mesh = mesh_of(scene.shared),
                        .instances = span_of(table.instances),
                        .first_primitives = span_of(table.first_primitives)},
          .has_instances = !scene.instances.empty()};
}

/// What OptiX would find where Winnow's tracer finds `hit`.
FoundHit found_of(const OptixGeometry& geometry, const Hit& hit) {
  if (hit.primitive == kNoPrimitive) return {};
  const auto triangles = uint32_t(geometry.mesh.triangles.size);
  if (hit.primitive < triangles) return {geometry.triangles_id(), hit.primitive};
  if (hit.primitive < triangles + geometry.spheres.size)
    return {geometry.spheres_id(), hit.primitive - triangles};
  const uint32_t instance = geometry.instanced.instance_of(hit.primitive);
  return {instance, hit.primitive - geometry.instanced.first_primitives[instance]};
}

/// Rays whose results CompleteHits replaces.
template <class Bvh>
struct OneRay {
  Bvh accel;
  Ray the_ray;
  Span<Hit> hits;

  Ray ray(uint32_t) const { return the_ray; }
  void store(uint32_t item, const Hit& hit) const { hits[item] = hit; }
};

/// The hit that CompleteHits makes of what was found.
template <class Bvh>
Hit completed_hit(const Bvh& bvh, const OptixGeometry& geometry, const Ray& ray, FoundHit found) {
  Hit hit = found.packed();
  CompleteHits<OneRay<Bvh>>{{bvh, ray, {&hit, 1}}, geometry}(0);
  return hit;
}

template <class Bvh>
void expect_the_bits_of_the_traversal(const Bvh& bvh, const HostScene& scene,
                                      const HostScene& aimed_at) {
  const InstanceTable table = build_instance_table(scene);
  const OptixGeometry geometry = optix_geometry_of(scene, table);
  HardRays rays(aimed_at, 7);
  int hits = 0;
  for (int i = 0; i < kRays; ++i) {
    const Ray ray = rays.next();
    const Hit expected = bvh.intersect(ray);
    const FoundHit found = found_of(geometry, expected);
    if (found.index != kNoPrimitive) {
      ASSERT_EQ(geometry.complete(ray, found), expected) << i;
      ++hits;
    }
    ASSERT_EQ(completed_hit(bvh, geometry, ray, found), expected) << i;
  }
  EXPECT_GT(hits, kRays / 10);
}

TEST(FoundHits, HaveTheBitsOfTheTraversal) {
  const HostScene scene = RandomScene(11).scene(400, 40);
  const WideBvhArrays arrays = build_wide_bvh(scene);
  expect_the_bits_of_the_traversal(arrays.view(), scene, scene);
}

TEST(FoundHits, InInstancesHaveTheBitsOfTheTraversal) {
  RandomScene random(12);
  const HostScene scene = instanced_scene(random, 30);
  const InstancedBvhArrays arrays =
      build_instanced_bvh(scene, build_instance_table(scene),
                          [](const HostScene& mesh) { return build_wide_bvh(mesh); });
  expect_the_bits_of_the_traversal(arrays.view(), scene, flattened(scene));
}

TEST(FoundHits, ThatWinnowsTestRefutesAreTracedAgain) {
  const HostScene scene = RandomScene(13).scene(400, 40);
  const WideBvhArrays arrays = build_wide_bvh(scene);
  const OptixGeometry geometry = optix_geometry_of(scene, {});
  HardRays rays(scene, 3);
  int refuted = 0;
  for (int i = 0; i < kRays; ++i) {
    const Ray ray = rays.next();
    const FoundHit other{i % 2 ? geometry.spheres_id() : geometry.triangles_id(), uint32_t(i % 40)};
    if (geometry.complete(ray, other).primitive != kNoPrimitive) continue;
    ++refuted;
    ASSERT_EQ(completed_hit(arrays.view(), geometry, ray, other), arrays.view().intersect(ray))
        << i;
  }
  EXPECT_GT(refuted, kRays / 2);
}

SharedMesh whole_of(const Mesh& mesh) {
  return {.triangle_count = uint32_t(mesh.triangles.size()),
          .vertex_count = uint32_t(mesh.positions.size())};
}

/// A grid three times in one place, each time with the corners of its triangles in another order.
HostScene three_grids() {
  HostScene scene = flat_grid(4);
  const std::vector<glm::uvec3> once = scene.triangles;
  for (const auto& [x, y, z] : {std::array{1, 2, 0}, std::array{0, 2, 1}})
    for (const glm::uvec3& triangle : once)
      scene.triangles.push_back({triangle[x], triangle[y], triangle[z]});
  scene.triangle_materials.resize(scene.triangles.size(), 0);
  return scene;
}

TEST(FoundHits, OfCoincidentTrianglesAreThoseOfTheTraversal) {
  const HostScene scene = three_grids();
  const WideBvhArrays arrays = build_wide_bvh(scene);
  const std::vector<uint32_t> twins = twins_of(scene, whole_of(scene));
  OptixGeometry geometry = optix_geometry_of(scene, {});
  geometry.twins = span_of(twins);
  const auto count = uint32_t(scene.triangles.size()), once = count / 3;
  HardRays rays(scene, 5);
  for (int i = 0; i < kRays; ++i) {
    Ray ray = rays.next();
    ray.direction = glm::normalize(ray.direction + glm::vec3(0.01f, 0.02f, 0.03f));
    const Hit expected = arrays.view().intersect(ray);
    if (expected.primitive == kNoPrimitive) continue;
    for (uint32_t copy = 0; copy < 3; ++copy) {
      const uint32_t found = (expected.primitive + copy * once) % count;
      ASSERT_EQ(geometry.complete(ray, {geometry.triangles_id(), found}), expected) << i;
    }
  }
}

TEST(Twins, AreRingsOfTheTrianglesWithTheSameVertices) {
  HostScene scene = triangle_scene({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, -0.0f, 0}},
                                   {{0, 1, 2}, {1, 2, 3}, {2, 0, 1}, {4, 2, 1}});
  EXPECT_EQ(twins_of(scene, whole_of(scene)), (std::vector<uint32_t>{2, 1, 3, 0}));
  EXPECT_EQ(twins_of(scene, {.first_triangle = 1, .triangle_count = 3}),
            (std::vector<uint32_t>{1, 3, 2}));
  EXPECT_TRUE(twins_of(scene, {.triangle_count = 2}).empty());
  EXPECT_TRUE(twins_of(scene, {}).empty());
}

/// Rays towards -z from above the triangle (0, 0), (1, 0), (0, 1) at z = 0, the last one beside it.
struct ThreeShadowRays {
  mutable std::vector<std::string> calls;

  Ray ray(uint32_t item) const {
    return {.origin = {item == 2 ? 3.0f : 0.25f, 0.25f, 1.0f}, .direction = {0.0f, 0.0f, -1.0f}};
  }

  bool store(uint32_t item, bool is_occluded) const {
    calls.push_back("store " + std::to_string(item));
    return !is_occluded;
  }
  bool operator()(uint32_t item) const {
    calls.push_back("trace " + std::to_string(item));
    return item == 2;
  }
};

TEST(ConfirmOccluders, TracesRaysAgainThatMayPassTheirOccluder) {
  const HostScene scene = triangle_scene({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const OptixGeometry geometry = optix_geometry_of(scene, {});
  const FoundHit triangle{geometry.triangles_id(), 0};
  const std::vector<FoundHit> found = {{}, triangle, triangle};
  using Calls = std::vector<std::string>;
  for (const bool may_be_passed : {false, true}) {
    ConfirmOccluders<ThreeShadowRays> stage{{}, span_of(found), geometry, may_be_passed};
    EXPECT_TRUE(stage(0));
    EXPECT_FALSE(stage(1));
    EXPECT_TRUE(stage(2));
    EXPECT_EQ(stage.rays.calls, may_be_passed ? Calls({"store 0", "trace 1", "trace 2"})
                                              : Calls({"store 0", "trace 2"}));
  }
}

}  // namespace
}  // namespace winnow
