#pragma once

#include <cmath>
#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/bvh_box.h"
#include "bvh/wide_bvh.h"
#include "scene/host_scene.h"

namespace winnow {

/// What a BVH is built over, on one device: triangles first, then spheres. Does not own them.
struct BvhGeometry {
  Span<const glm::vec3> positions;   ///< [vertex], m
  Span<const glm::uvec3> triangles;  ///< [triangle], vertices
  Span<const Sphere> spheres;        ///< [sphere]

  SIMT_HOST_DEVICE uint32_t primitive_count() const {
    return uint32_t(triangles.size + spheres.size);
  }
  SIMT_HOST_DEVICE bool is_triangle(uint32_t primitive) const { return primitive < triangles.size; }
  SIMT_HOST_DEVICE const Sphere& sphere(uint32_t primitive) const {
    return spheres[primitive - triangles.size];
  }
  SIMT_HOST_DEVICE glm::vec3 corner(uint32_t triangle, int number) const {
    return positions[triangles[triangle][number]];
  }

  /// The box around a primitive; one with nothing in it where the primitive is not finite.
  SIMT_HOST_DEVICE BvhBox box(uint32_t primitive) const {
    BvhBox box;
    bool finite = true;
    auto add = [&](glm::vec3 p) {
      // Infinities and what is not a number give what is not a number.
      const glm::vec3 zero = p - p;
      finite = finite && zero.x == 0.0f && zero.y == 0.0f && zero.z == 0.0f;
      box.add(p);
    };
    if (is_triangle(primitive)) {
      for (int i = 0; i < 3; ++i) add(corner(primitive, i));
    } else {
      const Sphere s = sphere(primitive);
      add(s.center - s.radius);
      add(s.center + s.radius);
    }
    return finite ? box : BvhBox{};
  }

  /// As the traversal needs it.
  SIMT_HOST_DEVICE BvhPrimitive traversal_primitive(uint32_t primitive) const {
    if (is_triangle(primitive))
      return BvhPrimitive::triangle(corner(primitive, 0), corner(primitive, 1),
                                    corner(primitive, 2), primitive);
    const Sphere s = sphere(primitive);
    return BvhPrimitive::sphere(s.center, s.radius, primitive);
  }
};

}  // namespace winnow
