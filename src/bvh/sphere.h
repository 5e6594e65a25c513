// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "math/ray.h"
#include "math/rounded.h"

namespace winnow {

/// Distance to the nearest intersection with a sphere in (0, t_max), from outside or inside; 0 if
/// there is none. The discriminant is computed from the closest approach of the ray, which stays
/// accurate for small or distant spheres: Haines et al., "Precision Improvements for Ray/Sphere
/// Intersection", 2019.
///
/// @param ray  its direction has unit length
SIMT_HOST_DEVICE inline float intersect_sphere(const Ray& ray, glm::vec3 center, float radius) {
  glm::vec3 from_center = ray.origin - center;
  float to_closest = -glm::dot(from_center, ray.direction);
  glm::vec3 closest = from_center + to_closest * ray.direction;
  float discriminant = radius * radius - glm::dot(closest, closest);
  if (!(discriminant >= 0.0f)) return 0.0f;

  float half_chord = rounded_sqrt(discriminant);
  float far = to_closest + std::copysign(half_chord, to_closest);
  float near = rounded_quotient(glm::dot(from_center, from_center) - radius * radius, far);
  float t0 = near < far ? near : far, t1 = near < far ? far : near;
  float t = t0 > 0.0f ? t0 : t1;
  return t > 0.0f && t < ray.t_max ? t : 0.0f;
}

}  // namespace winnow
