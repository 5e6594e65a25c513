#pragma once

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "geometry/offset_origin.h"
#include "geometry/ray.h"
#include "scene/device_scene.h"

namespace winnow {

/// A point of a surface and what is needed there to scatter light.
struct Surface {
  glm::vec3 p;        ///< m
  glm::vec3 p_error;  ///< m, how far rounding may have put `p`, per axis
  glm::vec3 n;        ///< geometric normal, unit length, outside
  glm::vec3 ns;       ///< shading normal, unit length, on the side of `n`
  uint32_t material;
};

/// Roundings in a row from a triangle's vertices to the distance that a ray test finds.
inline constexpr int kTestSteps = 16;

SIMT_HOST_DEVICE inline Surface triangle_surface(const DeviceScene& scene, const Hit& hit) {
  glm::uvec3 vertices = scene.triangles[hit.primitive];
  glm::vec3 p0 = scene.positions[vertices.x];
  glm::vec3 p1 = scene.positions[vertices.y];
  glm::vec3 p2 = scene.positions[vertices.z];
  float w0 = 1.0f - hit.u - hit.v;

  // The point from its barycentric weights has a smaller error than the one along the ray. A ray
  // that leaves it is tested against this triangle again, with an error of some ulps of the
  // triangle's size.
  Surface surface;
  surface.p = w0 * p0 + hit.u * p1 + hit.v * p2;
  glm::vec3 size = glm::max(glm::abs(p1 - p0), glm::abs(p2 - p0));
  surface.p_error =
      error_bound(7) * (glm::abs(w0 * p0) + glm::abs(hit.u * p1) + glm::abs(hit.v * p2)) +
      error_bound(kTestSteps) * glm::max(size.x, glm::max(size.y, size.z));
  surface.n = glm::normalize(glm::cross(p1 - p0, p2 - p0));
  glm::vec3 ns = w0 * scene.normals[vertices.x] + hit.u * scene.normals[vertices.y] +
                 hit.v * scene.normals[vertices.z];
  float length = glm::length(ns);
  surface.ns = length > 0.0f ? ns / length : surface.n;
  if (glm::dot(surface.ns, surface.n) < 0.0f) surface.ns = -surface.ns;
  surface.material = scene.triangle_materials[hit.primitive];
  return surface;
}

SIMT_HOST_DEVICE inline Surface sphere_surface(const DeviceScene& scene, const Ray& ray,
                                               const Hit& hit) {
  Sphere sphere = scene.spheres[hit.primitive - scene.triangles.size];
  Surface surface;
  surface.n = glm::normalize(ray.origin + hit.t * ray.direction - sphere.center);
  glm::vec3 local =
      sphere.radius * surface.n;  // back on the sphere: the error along the ray is gone
  surface.p = sphere.center + local;
  surface.p_error = error_bound(5) * glm::abs(local) + error_bound(1) * glm::abs(surface.p);
  surface.ns = surface.n;
  surface.material = sphere.material;
  return surface;
}

/// What `ray` met. `hit` must be one of its hits in `scene`.
SIMT_HOST_DEVICE inline Surface surface_at(const DeviceScene& scene, const Ray& ray,
                                           const Hit& hit) {
  return hit.primitive < scene.triangles.size ? triangle_surface(scene, hit)
                                              : sphere_surface(scene, ray, hit);
}

}  // namespace winnow
