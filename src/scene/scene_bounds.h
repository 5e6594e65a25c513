// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat4x3.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "math/bounds.h"
#include "scene/host_scene.h"

namespace winnow {

/// Calls `visit` once for each vertex of `mesh` that is a corner of a triangle.
template <class Visit>
void for_each_corner(const Mesh& mesh, Visit visit) {
  std::vector<uint8_t> is_corner(mesh.positions.size());
  for (glm::uvec3 triangle : mesh.triangles)
    is_corner[triangle.x] = is_corner[triangle.y] = is_corner[triangle.z] = 1;
  for (size_t i = 0; i < is_corner.size(); ++i)
    if (is_corner[i]) visit(mesh.positions[i]);
}

inline Bounds mesh_bounds(const Mesh& mesh) {
  Bounds bounds;
  for_each_corner(mesh, [&](glm::vec3 point) { bounds.extend(point); });
  return bounds;
}

/// Returns the bounds of each shared mesh of `scene` in its own space: [mesh].
inline std::vector<Bounds> shared_mesh_bounds(const HostScene& scene) {
  std::vector<Bounds> bounds(scene.meshes.size());
  for (size_t i = 0; i < bounds.size(); ++i)
    for (uint32_t k = 0; k < scene.meshes[i].triangle_count; ++k)
      for (int corner = 0; corner < 3; ++corner)
        bounds[i].extend(
            scene.shared
                .positions[scene.shared.triangles[scene.meshes[i].first_triangle + k][corner]]);
  return bounds;
}

inline std::array<glm::vec3, 8> placed_corners(const Bounds& box, const glm::mat4x3& to_world) {
  std::array<glm::vec3, 8> corners;
  for (int i = 0; i < 8; ++i)
    corners[size_t(i)] =
        to_world * glm::vec4(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                             i & 4 ? box.max.z : box.min.z, 1.0f);
  return corners;
}

/// Calls `visit` for points whose convex hull contains the scene: the corners of its triangles and
/// of the boxes around its spheres and instances.
template <class Visit>
void for_each_outline_point(const HostScene& scene, Visit visit) {
  for_each_corner(scene, visit);
  for (const Sphere& sphere : scene.spheres)
    for (int i = 0; i < 8; ++i)
      visit(sphere.center +
            sphere.radius * glm::vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  const std::vector<Bounds> meshes = shared_mesh_bounds(scene);
  for (const MeshInstance& instance : scene.instances)
    for (glm::vec3 corner : placed_corners(meshes[instance.mesh], instance.to_world)) visit(corner);
}

/// Returns the bounds of all triangles, spheres and boxes of instances.
inline Bounds scene_bounds(const HostScene& scene) {
  Bounds bounds;
  for_each_outline_point(scene, [&](glm::vec3 point) { bounds.extend(point); });
  return bounds;
}

/// Returns the largest distance of a camera ray's origin from the camera's position, m.
/// @param aspect  width / height of the film
/// @param filter  reach of the pixel filter beyond the film's edge, in heights of the film
inline float ray_start_radius(const CameraDescription& camera, float aspect, float filter) {
  const bool is_flat = camera.projection == Projection::kOrthographic;
  float radius = camera.lens_radius;
  if (is_flat)
    radius += camera.view_height * (0.5f * std::sqrt(1.0f + aspect * aspect) + filter +
                                    std::hypot(aspect * camera.shift.x, camera.shift.y));
  if (camera.near_clip == 0.0f) return radius;
  if (is_flat && camera.lens_radius == 0.0f) return std::hypot(radius, camera.near_clip);
  // Rays start on the near plane, where lenses out of focus may widen them.
  const float slope =
      is_flat ? 0.0f : 2.0f * std::tan(glm::radians(0.5f * camera.vertical_fov)) * (0.5f + filter);
  const float in_focus = camera.focus_distance > 0.0f
                             ? camera.focus_distance
                             : glm::distance(camera.position, camera.look_at);
  const float across = 1.0f + 2.0f * std::max(std::abs(camera.shift.x), std::abs(camera.shift.y));
  return radius + camera.near_clip * (camera.lens_radius / in_focus +
                                      std::hypot(1.0f, slope * across, slope * across * aspect));
}

}  // namespace winnow
