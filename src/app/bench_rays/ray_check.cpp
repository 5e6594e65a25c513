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

/// Maximum number of rays that are tested against all primitives. Further ones count as wrong.
constexpr size_t kMaxTested = 1024;

bool agree(float t, float reference) {
  if (std::isinf(t) || std::isinf(reference)) return t == reference;
  return std::abs(t - reference) <= kDistanceTolerance * reference;
}

struct Truth {
  double t = INFINITY;        ///< m, distance of the nearest certain hit
  std::vector<double> edges;  ///< m, distances of hits on edges

  bool has_edge_before(double limit) const {
    return std::ranges::any_of(edges, [&](double edge) { return edge < limit; });
  }
  /// Returns whether a distance can be that of the nearest hit; hits on edges may count or not.
  bool confirms(float distance, float t_max) const {
    const auto within = [&](double hit) { return hit < double(t_max) ? float(hit) : INFINITY; };
    const auto is_hit = [&](double edge) { return edge < t && agree(distance, within(edge)); };
    return agree(distance, within(t)) || std::ranges::any_of(edges, is_hit);
  }
  /// Returns whether there can be a hit, or no hit.
  bool confirms_occlusion(bool occluded, float t_max) const {
    return t < double(t_max) ? occluded : !occluded || has_edge_before(t_max);
  }
};

/// Tests a triangle by the signed volumes of the ray and each edge. Differences of coordinates are
/// exact unless floats of very different size cancel; the error of a volume is a few roundings of
/// its terms.
void test_triangle(const HostScene& scene, glm::uvec3 triangle, glm::dvec3 origin,
                   glm::dvec3 direction, Truth& truth) {
  constexpr double kRounding = 0x1p-50;
  const glm::dvec3 p[] = {glm::dvec3(scene.positions[triangle.x]) - origin,
                          glm::dvec3(scene.positions[triangle.y]) - origin,
                          glm::dvec3(scene.positions[triangle.z]) - origin};
  bool positive = false, negative = false, edge = false;
  for (int corner = 0; corner < 3; ++corner) {
    const glm::dvec3 a = p[corner], b = p[(corner + 1) % 3];
    const double volume = glm::dot(glm::cross(a, b), direction);
    const glm::dvec3 x = glm::abs(a), y = glm::abs(b);
    const glm::dvec3 terms(x.y * y.z + x.z * y.y, x.z * y.x + x.x * y.z, x.x * y.y + x.y * y.x);
    if (std::abs(volume) <= kRounding * glm::dot(terms, glm::abs(direction)))
      edge = true;
    else
      (volume > 0.0 ? positive : negative) = true;
    if (positive && negative) return;
  }
  const glm::dvec3 n = glm::cross(p[1] - p[0], p[2] - p[0]);
  const double along = glm::dot(n, direction), t = glm::dot(n, p[0]) / along;
  if (along == 0.0 || !(t > 0.0)) return;
  if (edge)
    truth.edges.push_back(t);
  else
    truth.t = std::min(truth.t, t);
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

/// Tests every primitive in double precision.
Truth test_everything(const HostScene& scene, const Ray& ray) {
  const glm::dvec3 origin(ray.origin), direction(ray.direction);
  Truth truth;
  for (const glm::uvec3& triangle : scene.triangles)
    test_triangle(scene, triangle, origin, direction, truth);
  for (const Sphere& sphere : scene.spheres)
    truth.t = std::min(truth.t, sphere_distance(sphere, origin, direction));
  return truth;
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
  std::atomic<uint64_t> wrong{different.size() - tested}, reference_wrong{0}, on_edge{0};
  oneapi::tbb::parallel_for(size_t(0), tested, [&](size_t k) {
    const size_t i = different[k];
    const Ray ray = rays.columns().ray(i);
    const Truth truth = test_everything(scene, ray);
    const auto is_right = [&](const RayResults& traced) {
      return shadow ? truth.confirms_occlusion(traced.occluded[i], ray.t_max)
                    : truth.confirms(traced.hits[i].t, ray.t_max);
    };
    if (!is_right(results)) ++wrong;
    if (!is_right(reference)) ++reference_wrong;
    if (truth.has_edge_before(truth.t)) ++on_edge;
  });
  return {.differ = different.size(),
          .wrong = wrong,
          .reference_wrong = reference_wrong,
          .on_edge = on_edge};
}

}  // namespace winnow
