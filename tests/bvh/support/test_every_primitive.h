// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/instances.h"
#include "bvh/shapes.h"
#include "scene/host_scene.h"

namespace winnow {

/// A triangle's vertices along the axes of a ray.
inline PermutedTriangle permuted_triangle(const ShearedRay& ray, glm::vec3 p0, glm::vec3 p1,
                                          glm::vec3 p2) {
  auto along = [&](uint32_t axis) {
    return glm::vec3(p0[int(axis)], p1[int(axis)], p2[int(axis)]);
  };
  return {along(ray.x_axis), along(ray.y_axis), along(ray.z_axis)};
}

/// Keeps the nearest hit.
struct NearestHit {
  Hit hit;
  float t;  ///< m, the distance by which hits are compared

  void test_triangle(const ShearedRay& ray, glm::vec3 p0, glm::vec3 p1, glm::vec3 p2,
                     uint32_t index) {
    const TriangleIntersection intersection(ray, permuted_triangle(ray, p0, p1, p2));
    if (!intersection.exists()) return;
    const float distance = intersection.distance(ray);
    if (!(distance > 0.0f && distance < t)) return;
    t = distance;
    const TriangleIntersection::PlaneDistance accurate = intersection.plane_distance(ray);
    hit = {.t = accurate.is_accurate()
                    ? accurate.t
                    : precise_plane_distance(ray, permuted_triangle(ray, p0, p1, p2)),
           .u = intersection.weights().x,
           .v = intersection.weights().y,
           .primitive = index};
  }

  void test_sphere(const Ray& ray, const Sphere& sphere, uint32_t index) {
    const ShearedRay sheared(ray);
    const float distance =
        distance_to_sphere({sheared.origin, sheared.direction()}, sheared.permuted(sphere.center),
                           sphere.radius, [&] { return sheared.permuted(ray.direction); });
    if (!(distance > 0.0f && distance < t)) return;
    t = distance;
    hit = {.t = distance, .primitive = index};
  }
};

/// The closest hit by brute force over all triangles, spheres, and triangles of all instances.
inline Hit intersect_all(const HostScene& scene, const Ray& ray) {
  NearestHit nearest{.hit = {}, .t = ray.t_max};
  const ShearedRay sheared(ray);
  for (uint32_t i = 0; i < scene.triangles.size(); ++i) {
    const glm::uvec3 t = scene.triangles[i];
    nearest.test_triangle(sheared, scene.positions[t.x], scene.positions[t.y], scene.positions[t.z],
                          i);
  }
  for (uint32_t i = 0; i < scene.spheres.size(); ++i)
    nearest.test_sphere(ray, scene.spheres[i], uint32_t(scene.triangles.size()) + i);
  const InstanceTable table = build_instance_table(scene);
  for (size_t i = 0; i < table.instances.size(); ++i) {
    const ShearedRay in_mesh(table.instances[i].to_object.ray(ray));
    const SharedMesh& mesh = scene.meshes[scene.instances[i].mesh];
    for (uint32_t k = 0; k < mesh.triangle_count; ++k) {
      const glm::uvec3 t = scene.shared.triangles[mesh.first_triangle + k];
      nearest.test_triangle(in_mesh, scene.shared.positions[t.x], scene.shared.positions[t.y],
                            scene.shared.positions[t.z], table.first_primitives[i] + k);
    }
  }
  return nearest.hit;
}

}  // namespace winnow
