#pragma once

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "bvh/offset_origin.h"
#include "device_scene/device_scene.h"
#include "math/ray.h"

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
/// From a direction to a point of a sphere: a sum of squares, a root and a quotient that may be off
/// by two ulps each, two products.
inline constexpr int kSphereSteps = 12;

/// A point of a triangle.
struct TrianglePoint {
  glm::vec3 p;      ///< m
  glm::vec3 error;  ///< m, per axis: how far rounding may have put it from the triangle that the
                    ///< ray test sees
};

/// The point from its barycentric weights, which has a smaller error than the one along the ray. A
/// ray that leaves it is tested against this triangle again, with an error of some ulps of the
/// triangle's size.
SIMT_HOST_DEVICE inline TrianglePoint triangle_point(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2,
                                                     float w0, float w1, float w2) {
  TrianglePoint point;
  point.p = w0 * p0 + w1 * p1 + w2 * p2;
  glm::vec3 size = glm::max(glm::abs(p1 - p0), glm::abs(p2 - p0));
  point.error = error_bound(7) * (glm::abs(w0 * p0) + glm::abs(w1 * p1) + glm::abs(w2 * p2)) +
                error_bound(kTestSteps) * glm::max(size.x, glm::max(size.y, size.z));
  return point;
}

/// Of unit length and on the side of `n`, which it is where there is none.
///
/// @param ns  of any length
SIMT_HOST_DEVICE inline glm::vec3 shading_normal(glm::vec3 ns, glm::vec3 n) {
  float length = glm::length(ns);
  glm::vec3 unit = length > 0.0f ? ns / length : n;
  if (glm::dot(unit, n) < 0.0f) unit = -unit;
  return unit;
}

SIMT_HOST_DEVICE inline Surface triangle_surface(const DeviceScene& scene, const Hit& hit) {
  glm::uvec3 vertices = scene.triangles[hit.primitive];
  glm::vec3 p0 = scene.positions[vertices.x];
  glm::vec3 p1 = scene.positions[vertices.y];
  glm::vec3 p2 = scene.positions[vertices.z];
  float w0 = 1.0f - hit.u - hit.v;

  TrianglePoint point = triangle_point(p0, p1, p2, w0, hit.u, hit.v);
  Surface surface;
  surface.p = point.p;
  surface.p_error = point.error;
  surface.n = glm::normalize(glm::cross(p1 - p0, p2 - p0));
  glm::vec3 ns = w0 * scene.normals[vertices.x] + hit.u * scene.normals[vertices.y] +
                 hit.v * scene.normals[vertices.z];
  surface.ns = shading_normal(ns, surface.n);
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
  surface.p_error =
      error_bound(kSphereSteps) * glm::abs(local) + error_bound(1) * glm::abs(surface.p);
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

/// Whether it matters where a ray came from that met this primitive, or kNoPrimitive: only for
/// light and spheres.
SIMT_HOST_DEVICE inline bool needs_origin(const DeviceScene& scene, uint32_t primitive) {
  return primitive >= scene.triangles.size ||
         emits(scene.materials[scene.triangle_materials[primitive]]);
}

}  // namespace winnow
