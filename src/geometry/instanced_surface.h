#pragma once

#include <glm/matrix.hpp>

#include "geometry/instance.h"
#include "geometry/surface.h"
#include "scene/instanced_scene.h"

namespace winnow {

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

SIMT_HOST_DEVICE inline Surface instanced_surface(const InstancedScene& scene, const Hit& hit) {
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

  Surface surface;
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
  return surface;
}

SIMT_HOST_DEVICE inline Surface surface_at(const InstancedScene& scene, const Ray& ray,
                                           const Hit& hit) {
  return scene.is_instanced(hit.primitive)
             ? instanced_surface(scene, hit)
             : surface_at(static_cast<const DeviceScene&>(scene), ray, hit);
}

/// Nothing of an instance emits, so where a ray that met one came from does not matter.
SIMT_HOST_DEVICE inline bool needs_origin(const InstancedScene& scene, uint32_t primitive) {
  return !scene.is_instanced(primitive) &&
         needs_origin(static_cast<const DeviceScene&>(scene), primitive);
}

}  // namespace winnow
