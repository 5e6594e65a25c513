#pragma once

#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <limits>

#include "scene/host_scene.h"

namespace winnow {

/// Axis-aligned box; holds nothing until it is extended.
struct Bounds {
  glm::vec3 min{std::numeric_limits<float>::max()};     ///< m
  glm::vec3 max{std::numeric_limits<float>::lowest()};  ///< m

  void extend(glm::vec3 p) {
    min = glm::min(min, p);
    max = glm::max(max, p);
  }
  glm::vec3 center() const { return 0.5f * (min + max); }
  glm::vec3 size() const { return max - min; }
};

/// Bounds of all triangles and spheres.
inline Bounds scene_bounds(const HostScene& scene) {
  Bounds bounds;
  for (glm::uvec3 triangle : scene.triangles)
    for (int corner = 0; corner < 3; ++corner) bounds.extend(scene.positions[triangle[corner]]);
  for (const Sphere& sphere : scene.spheres) {
    bounds.extend(sphere.center - sphere.radius);
    bounds.extend(sphere.center + sphere.radius);
  }
  return bounds;
}

}  // namespace winnow
