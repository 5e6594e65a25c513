// SPDX-License-Identifier: MIT
#include "app/bench_rays/ray_check.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

namespace winnow {
namespace {

/// Limit on the rays that are tested against all primitives. Further ones count as wrong.
constexpr size_t kMaxTested = 256;

bool agree(float t, float reference) {
  if (std::isinf(t) || std::isinf(reference)) return t == reference;
  return std::abs(t - reference) <= kDistanceTolerance * reference;
}

/// Distance to a triangle, infinite without a hit.
/// Moller & Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
double triangle_distance(const HostScene& scene, glm::uvec3 triangle, glm::dvec3 origin,
                         glm::dvec3 direction) {
  const glm::dvec3 p0 = scene.positions[triangle.x];
  const glm::dvec3 edge1 = glm::dvec3(scene.positions[triangle.y]) - p0;
  const glm::dvec3 edge2 = glm::dvec3(scene.positions[triangle.z]) - p0;
  const glm::dvec3 p = glm::cross(direction, edge2);
  const double determinant = glm::dot(edge1, p);
  if (determinant == 0.0) return INFINITY;
  const glm::dvec3 from_p0 = origin - p0, q = glm::cross(from_p0, edge1);
  const double u = glm::dot(from_p0, p) / determinant, v = glm::dot(direction, q) / determinant;
  if (u < 0.0 || v < 0.0 || u + v > 1.0) return INFINITY;
  const double t = glm::dot(edge2, q) / determinant;
  return t > 0.0 ? t : INFINITY;
}

double sphere_distance(const Sphere& sphere, glm::dvec3 origin, glm::dvec3 direction) {
  const glm::dvec3 from_center = origin - glm::dvec3(sphere.center);
  const double a = glm::dot(direction, direction), b = glm::dot(from_center, direction);
  const double radius = sphere.radius;
  const double discriminant = b * b - a * (glm::dot(from_center, from_center) - radius * radius);
  if (discriminant < 0.0) return INFINITY;
  const double near = (-b - std::sqrt(discriminant)) / a, far = (-b + std::sqrt(discriminant)) / a;
  return near > 0.0 ? near : far > 0.0 ? far : INFINITY;
}

/// Distance to the closest hit, by brute force in double precision.
float true_distance(const HostScene& scene, const Ray& ray) {
  const glm::dvec3 origin(ray.origin), direction(ray.direction);
  double nearest = INFINITY;
  for (const glm::uvec3& triangle : scene.triangles)
    nearest = std::min(nearest, triangle_distance(scene, triangle, origin, direction));
  for (const Sphere& sphere : scene.spheres)
    nearest = std::min(nearest, sphere_distance(sphere, origin, direction));
  return nearest < double(ray.t_max) ? float(nearest) : INFINITY;
}

}  // namespace

RayCheck check_rays(const HostScene& scene, const RaySet& rays, const RayResults& results,
                    const RayResults& reference) {
  const bool shadow = is_shadow(rays.kind);
  std::vector<size_t> different;
  for (size_t i = 0; i < rays.size(); ++i) {
    const bool same = shadow ? bool(results.occluded[i]) == bool(reference.occluded[i])
                             : agree(results.hits[i].t, reference.hits[i].t);
    if (!same) different.push_back(i);
  }

  const size_t tested = std::min(different.size(), kMaxTested);
  std::atomic<uint64_t> wrong{different.size() - tested};
  oneapi::tbb::parallel_for(size_t(0), tested, [&](size_t k) {
    const size_t i = different[k];
    const float truth = true_distance(scene, rays.columns().ray(i));
    const bool right =
        shadow ? bool(results.occluded[i]) == !std::isinf(truth) : agree(results.hits[i].t, truth);
    if (!right) ++wrong;
  });
  return {.differ = different.size(), .wrong = wrong};
}

}  // namespace winnow
