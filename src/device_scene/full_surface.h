#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "bvh/instance.h"
#include "device_scene/full_scene.h"
#include "device_scene/surface.h"

namespace winnow {

/// A point of a surface, and how textures lie there.
struct FullSurface : Surface {
  glm::vec2 uv{0.0f};
  glm::vec3 tangent{0.0f};    ///< m, by how much the point moves with u; zero where that is unknown
  glm::vec3 bitangent{0.0f};  ///< m, the same with v
  float uv_per_meter = 0.0f;  ///< by how much uv changes, the mean of all directions
};

/// A normal of the mesh in the world, of unit length; zero stays zero. Those of mirrored meshes
/// keep to their outside.
SIMT_HOST_DEVICE inline glm::vec3 normal_to_world(const Instance& instance, glm::vec3 n) {
  glm::vec3 world = glm::transpose(instance.to_object.inverse) * n;
  float length = glm::length(world);
  return length > 0.0f ? world / length : glm::vec3(0.0f);
}

/// Each element's absolute value.
SIMT_HOST_DEVICE inline glm::mat3 abs_of(const glm::mat3& m) {
  return {glm::abs(m[0]), glm::abs(m[1]), glm::abs(m[2])};
}

/// How textures lie on a triangle.
///
/// @param edge1, edge2  m, from its first vertex, in the world
/// @param uvs           [vertex] of its mesh, not empty
SIMT_HOST_DEVICE inline void add_uvs(FullSurface& surface, const Hit& hit, glm::uvec3 vertices,
                                     glm::vec3 edge1, glm::vec3 edge2, Span<const glm::vec2> uvs) {
  const glm::vec2 uv = uvs[vertices.x], a = uvs[vertices.y] - uv, b = uvs[vertices.z] - uv;
  surface.uv = uv + hit.u * a + hit.v * b;
  const float uv_area = a.x * b.y - a.y * b.x;
  if (uv_area == 0.0f) return;
  surface.tangent = (b.y * edge1 - a.y * edge2) / uv_area;
  surface.bitangent = (a.x * edge2 - b.x * edge1) / uv_area;
  const float area = glm::length(glm::cross(edge1, edge2));
  surface.uv_per_meter = std::sqrt(std::abs(uv_area) / area);
}

SIMT_HOST_DEVICE inline FullSurface instanced_surface(const FullScene& scene, const Hit& hit) {
  const uint32_t number = scene.instance_of(hit.primitive);
  const Instance& instance = scene.instances[number];
  const uint32_t triangle =
      instance.first_triangle + (hit.primitive - scene.first_primitives[number]);
  const glm::uvec3 vertices = scene.shared_triangles[triangle];
  const glm::vec3 p0 = scene.shared_positions[vertices.x];
  const glm::vec3 p1 = scene.shared_positions[vertices.y];
  const glm::vec3 p2 = scene.shared_positions[vertices.z];
  const float w0 = 1.0f - hit.u - hit.v;
  const glm::vec3 translation = instance.to_object.translation;

  FullSurface surface;
  const TrianglePoint local = triangle_point(p0, p1, p2, w0, hit.u, hit.v);
  const glm::vec3 turned = instance.linear * local.p;
  surface.p = turned + translation;

  // What rounding does to the point: in the mesh, on the way to the world, and, as a ray that
  // leaves it meets the mesh in the mesh's space, on the way back.
  const glm::mat3 size = abs_of(instance.linear);
  const glm::vec3 back = abs_of(instance.to_object.inverse) * glm::abs(surface.p - translation);
  surface.p_error = size * (local.error + error_bound(4) * glm::abs(local.p) +
                            error_bound(kToObjectSteps) * back) +
                    error_bound(1) * glm::abs(surface.p);

  surface.n = normal_to_world(instance, glm::cross(p1 - p0, p2 - p0));
  const glm::vec3 ns = w0 * normal_to_world(instance, scene.shared_normals[vertices.x]) +
                       hit.u * normal_to_world(instance, scene.shared_normals[vertices.y]) +
                       hit.v * normal_to_world(instance, scene.shared_normals[vertices.z]);
  surface.ns = shading_normal(ns, surface.n);
  surface.material = instance.material == MeshInstance::kOwnMaterials
                         ? scene.shared_triangle_materials[triangle]
                         : instance.material;
  if (scene.shared_uvs.size > 0)
    add_uvs(surface, hit, vertices, instance.linear * (p1 - p0), instance.linear * (p2 - p0),
            scene.shared_uvs);
  return surface;
}

/// How textures lie on a sphere: u goes around its z axis, v from the upper pole to the lower.
SIMT_HOST_DEVICE inline void add_sphere_uvs(FullSurface& surface, float radius) {
  const glm::vec3 n = surface.n;
  const float sin_theta = std::sqrt(n.x * n.x + n.y * n.y);
  const float phi = std::atan2(n.y, n.x);
  surface.uv = {phi * kInvTwoPi + (phi < 0.0f ? 1.0f : 0.0f), std::acos(n.z) * kInvPi};
  surface.tangent = kTwoPi * radius * glm::vec3(-n.y, n.x, 0.0f);
  if (!(sin_theta > 0.0f)) return;
  surface.bitangent =
      kPi * radius * glm::vec3(n.x * n.z / sin_theta, n.y * n.z / sin_theta, -sin_theta);
  // The mean of the sphere: its poles would be too fine.
  surface.uv_per_meter = 1.0f / (std::sqrt(4.0f * kPi) * radius);
}

SIMT_HOST_DEVICE inline FullSurface surface_at(const FullScene& scene, const Ray& ray,
                                               const Hit& hit) {
  if (scene.is_instanced(hit.primitive)) return instanced_surface(scene, hit);
  FullSurface surface{surface_at(static_cast<const DeviceScene&>(scene), ray, hit)};
  if (hit.primitive >= scene.triangles.size) {
    add_sphere_uvs(surface, scene.spheres[hit.primitive - scene.triangles.size].radius);
  } else if (scene.uvs.size > 0) {
    const glm::uvec3 vertices = scene.triangles[hit.primitive];
    const glm::vec3 p0 = scene.positions[vertices.x];
    add_uvs(surface, hit, vertices, scene.positions[vertices.y] - p0,
            scene.positions[vertices.z] - p0, scene.uvs);
  }
  return surface;
}

/// Nothing of an instance emits, so where a ray that met one came from does not matter.
SIMT_HOST_DEVICE inline bool needs_origin(const FullScene& scene, uint32_t primitive) {
  return !scene.is_instanced(primitive) &&
         needs_origin(static_cast<const DeviceScene&>(scene), primitive);
}

}  // namespace winnow
