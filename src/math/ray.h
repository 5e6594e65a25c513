// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// The points origin + t direction, 0 < t < t_max.
struct Ray {
  glm::vec3 origin{0.0f};     ///< m, world space
  glm::vec3 direction{0.0f};  ///< unit length
  float t_max = INFINITY;     ///< m
};

inline constexpr uint32_t kNoPrimitive = ~0u;

/// The closest intersection of a ray with the scene.
struct Hit {
  float t = INFINITY;        ///< m
  float u = 0.0f, v = 0.0f;  ///< barycentric weights of a triangle's second and third vertex
  uint32_t primitive = kNoPrimitive;  ///< index: triangles first, then spheres
};

}  // namespace winnow
