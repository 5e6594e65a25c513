// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/triangle.h"

namespace winnow {

/// A triangle's vertices along the axes of a ray.
inline PermutedTriangle permuted_triangle(const ShearedRay& ray, glm::vec3 p0, glm::vec3 p1,
                                          glm::vec3 p2) {
  auto along = [&](uint32_t axis) {
    return glm::vec3(p0[int(axis)], p1[int(axis)], p2[int(axis)]);
  };
  return {along(ray.x_axis), along(ray.y_axis), along(ray.z_axis)};
}

}  // namespace winnow
