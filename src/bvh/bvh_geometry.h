// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/shapes.h"
#include "compaction/simt/span.h"
#include "math/bounds.h"
#include "math/rounded.h"
#include "scene/host_scene.h"

namespace winnow {

/// Returns the smallest box of single precision that contains a sphere.
SIMT_HOST_DEVICE inline Bounds sphere_bounds(const Sphere& sphere) {
  const double radius = sphere.radius;
  Bounds bounds;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.min[axis] = float_at_most(double(sphere.center[axis]) - radius);
    bounds.max[axis] = float_at_least(double(sphere.center[axis]) + radius);
  }
  return bounds;
}

/// The primitives of a BVH, on one device: triangles, then spheres. Does not own its arrays.
struct BvhGeometry {
  simt::Span<const glm::vec3> positions;   ///< [vertex], m
  simt::Span<const glm::uvec3> triangles;  ///< [triangle], vertices
  simt::Span<const Sphere> spheres;        ///< [sphere]

  SIMT_HOST_DEVICE uint32_t primitive_count() const {
    return uint32_t(triangles.size + spheres.size);
  }
  SIMT_HOST_DEVICE bool is_triangle(uint32_t primitive) const { return primitive < triangles.size; }
  SIMT_HOST_DEVICE const Sphere& sphere(uint32_t primitive) const {
    return spheres[primitive - triangles.size];
  }
  SIMT_HOST_DEVICE glm::vec3 vertex(uint32_t triangle, int corner) const {
    return positions[triangles[triangle][corner]];
  }

  /// Returns the box around a primitive; empty if the primitive is not finite.
  SIMT_HOST_DEVICE Bounds bounds(uint32_t primitive) const {
    Bounds bounds;
    bool finite = true;
    auto extend = [&](glm::vec3 p) {
      const glm::vec3 zero = p - p;  // NaN for infinities and NaN
      finite = finite && zero.x == 0.0f && zero.y == 0.0f && zero.z == 0.0f;
      bounds.extend(p);
    };
    if (is_triangle(primitive)) {
      for (int corner = 0; corner < 3; ++corner) extend(vertex(primitive, corner));
    } else {
      const Bounds box = sphere_bounds(sphere(primitive));
      extend(box.min);
      extend(box.max);
    }
    return finite ? bounds : Bounds{};
  }

  SIMT_HOST_DEVICE BvhPrimitive bvh_primitive(uint32_t primitive) const {
    if (is_triangle(primitive))
      return BvhPrimitive::triangle(vertex(primitive, 0), vertex(primitive, 1),
                                    vertex(primitive, 2), primitive);
    const Sphere s = sphere(primitive);
    return BvhPrimitive::sphere(s.center, s.radius, primitive);
  }
};

/// Returns the geometry of a scene without its instances. The scene must outlive it.
inline BvhGeometry geometry_of(const HostScene& scene) {
  return {.positions = {scene.positions.data(), scene.positions.size()},
          .triangles = {scene.triangles.data(), scene.triangles.size()},
          .spheres = {scene.spheres.data(), scene.spheres.size()}};
}

}  // namespace winnow
