// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/bvh_intrinsics.h"
#include "bvh/shapes.h"

namespace winnow {

/// The vertices of a triangle, or the center and radius of a sphere, in the layout of the
/// traversal: a row per axis. Rays with different longest axes read the rows in different order,
/// instead of permuting coordinates in registers.
struct alignas(16) BvhPrimitive {
  static constexpr uint32_t kSphereBit = 1u << 31;

  struct Row {
    glm::vec3 along;  ///< m, coordinate of each vertex; or of the center, then the radius
    uint32_t index;   ///< index in the scene, with kSphereBit for spheres
  };
  Row rows[3];  ///< [axis]

  SIMT_HOST_DEVICE static BvhPrimitive triangle(glm::vec3 p0, glm::vec3 p1, glm::vec3 p2,
                                                uint32_t index) {
    BvhPrimitive primitive;
    for (int axis = 0; axis < 3; ++axis)
      primitive.rows[axis] = {{p0[axis], p1[axis], p2[axis]}, index};
    return primitive;
  }

  SIMT_HOST_DEVICE static BvhPrimitive sphere(glm::vec3 center, float radius, uint32_t index) {
    BvhPrimitive primitive;
    for (int axis = 0; axis < 3; ++axis)
      primitive.rows[axis] = {{center[axis], radius, 0.0f}, index | kSphereBit};
    return primitive;
  }

  SIMT_HOST_DEVICE uint32_t index() const { return rows[0].index & ~kSphereBit; }
};
static_assert(sizeof(BvhPrimitive) == 48);

/// A primitive in registers, its rows permuted to the axes of a ray.
struct PermutedPrimitive {
  glm::uvec4 x, y, z;

  SIMT_HOST_DEVICE PermutedPrimitive(const BvhPrimitive& primitive, const ShearedRay& ray)
      : x(load_16_bytes(&primitive.rows[ray.x_axis])),
        y(load_16_bytes(&primitive.rows[ray.y_axis])),
        z(load_16_bytes(&primitive.rows[ray.z_axis])) {}

  SIMT_HOST_DEVICE bool is_sphere() const { return z.w & BvhPrimitive::kSphereBit; }
  SIMT_HOST_DEVICE uint32_t index() const { return z.w & ~BvhPrimitive::kSphereBit; }
  SIMT_HOST_DEVICE PermutedTriangle triangle() const {
    return {xyz_as_floats(x), xyz_as_floats(y), xyz_as_floats(z)};
  }
  SIMT_HOST_DEVICE glm::vec3 center() const {
    return {xyz_as_floats(x).x, xyz_as_floats(y).x, xyz_as_floats(z).x};
  }
  SIMT_HOST_DEVICE float radius() const { return xyz_as_floats(z).y; }
};

/// Returns the distance along `ray` to a primitive, m; without a hit a value not above 0, or NaN.
SIMT_HOST_DEVICE inline float distance_to(const PermutedPrimitive& primitive,
                                          const ShearedRay& ray) {
  if (primitive.is_sphere())
    return intersect_sphere({ray.origin, ray.direction()}, primitive.center(), primitive.radius());
  const TriangleIntersection intersection(ray, primitive.triangle());
  return intersection.exists() ? intersection.distance(ray) : 0.0f;
}

}  // namespace winnow
