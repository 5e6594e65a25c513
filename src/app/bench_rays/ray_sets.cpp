// SPDX-License-Identifier: MIT
#include "app/bench_rays/ray_sets.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "device_scene/surface.h"
#include "math/frame.h"
#include "math/sampler.h"
#include "math/sampling.h"
#include "scene/scene_bounds.h"
#include "wavefront/stage/shade.h"
#include "wavefront/state/wave.h"

namespace winnow {

namespace {

using RaySets = std::array<RaySet, kRayKindCount>;

/// Returns the parallelogram whose diagonal is the longest side of the triangle; a rectangle if the
/// opposite angle is a right angle.
LightRectangle around_triangle(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
  auto longest_is = [](glm::vec3 side, glm::vec3 other, glm::vec3 third) {
    return glm::length(side) >= std::max(glm::length(other), glm::length(third));
  };
  glm::vec3 corner = c, first = a, second = b;
  if (longest_is(b - c, a - b, a - c))
    corner = a, first = b, second = c;
  else if (longest_is(a - c, a - b, b - c))
    corner = b, first = a, second = c;
  return {.center = 0.5f * (first + second),
          .u = 0.5f * (first - corner),
          .v = 0.5f * (second - corner),
          .origin = "the first emitting triangle"};
}

class RayGenerator {
 public:
  RayGenerator(const HostScene& scene, const EmbreeAccel& accel, const RaySetSettings& settings)
      : accel_(accel),
        settings_(settings),
        light_normal_(glm::normalize(glm::cross(settings.light.u, settings.light.v))),
        camera_(make_camera(pinhole(settings.camera), settings.width, settings.height)),
        wave_{.width = settings.width,
              .height = settings.height,
              .pixel_count = settings.width * settings.height,
              .sample_count = settings.spp},
        scene_(
            make_device_scene<kBasic>(scene, {{}, {}, {}, {}}, settings.width, settings.height)) {}

  /// Adds the rays of one path, at most one to each set.
  void add_path(uint32_t path, RaySets& sets) const {
    const Sampler sampler{settings_.seed, wave_.pixel_of(path), wave_.sample_of(path)};
    const glm::vec4 u = sampler.sample4(0);
    const glm::vec2 film(float(sampler.pixel % settings_.width) + u.x,
                         float(sampler.pixel / settings_.width) + u.y);
    const CameraRay camera_ray = generate_camera_ray(camera_, film, glm::vec2(0.0f));
    Ray ray{.origin = camera_ray.origin, .direction = camera_ray.direction};
    set(sets, RayKind::kPrimary).add(ray);
    if (!scatter(sampler.sample4(1), ray, set(sets, RayKind::kShadow1))) return;
    set(sets, RayKind::kDiffuse1).add(ray);
    if (!scatter(sampler.sample4(2), ray, set(sets, RayKind::kShadow2))) return;
    set(sets, RayKind::kDiffuse2).add(ray);
  }

 private:
  static CameraDescription pinhole(CameraDescription camera) {
    camera.lens_radius = 0.0f;
    return camera;
  }

  static RaySet& set(RaySets& sets, RayKind kind) { return sets[size_t(kind)]; }

  /// Replaces the ray by one scattered at its hit, and adds the shadow ray from there. Returns
  /// false without a hit, or for a triangle without area.
  bool scatter(glm::vec4 u, Ray& ray, RaySet& shadows) const {
    const Hit hit = accel_.intersect(ray);
    if (hit.primitive == kNoPrimitive) return false;
    const auto surface = surface_at(scene_, ray, hit);
    const glm::vec3 n = glm::dot(surface.n, ray.direction) > 0.0f ? -surface.n : surface.n;
    const glm::vec3 origin = offset_origin(surface.p, surface.p_error, n, n);
    if (!is_finite(origin)) return false;

    const LightRectangle& light = settings_.light;
    const glm::vec3 to_light =
        light.center + (2.0f * u.z - 1.0f) * light.u + (2.0f * u.w - 1.0f) * light.v - origin;
    const float distance = glm::length(to_light);
    // No shadow ray starts near the plane of the light: such rays carry hardly any light, and
    // rounding decides whether they hit the light itself.
    constexpr float kLeastCosine = 1e-2f;
    if (!(std::abs(glm::dot(light_normal_, to_light)) <= kLeastCosine * distance))
      shadows.add({.origin = origin,
                   .direction = distance > 0.0f ? to_light / distance : n,
                   .t_max = distance * (1.0f - kShadowGap)});

    const glm::vec3 wi = sample_cosine_hemisphere(glm::vec2(u.x, u.y));
    ray = {.origin = origin, .direction = glm::normalize(Frame(n).to_world(wi))};
    return true;
  }

  const EmbreeAccel& accel_;
  const RaySetSettings& settings_;
  glm::vec3 light_normal_;  ///< NaN if the light has no area
  Camera camera_;
  Wave wave_;
  DeviceScene<kBasic> scene_;
};

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

/// Returns the distance to a sphere, m; infinite without a hit. Digits cancel only if the origin is
/// at the sphere.
double sphere_distance(const Sphere& sphere, glm::dvec3 origin, glm::dvec3 direction) {
  const glm::dvec3 from_center = origin - glm::dvec3(sphere.center);
  const glm::dvec3 moment = glm::cross(from_center, direction);
  const double a = glm::dot(direction, direction), b = glm::dot(from_center, direction);
  const double squared_radius = double(sphere.radius) * double(sphere.radius);
  const double discriminant = squared_radius * a - glm::dot(moment, moment);
  if (discriminant < 0.0) return INFINITY;
  const double furthest = -(b + std::copysign(std::sqrt(discriminant), b));
  const double t = furthest / a;
  const double other = (glm::dot(from_center, from_center) - squared_radius) / furthest;
  const double near = std::min(t, other), far = std::max(t, other);
  return near > 0.0 ? near : far > 0.0 ? far : INFINITY;
}

/// Returns whether a hit is on a sphere, but not at the distance to it.
bool misplaces_sphere(const HostScene& scene, const Ray& ray, const Hit& hit) {
  const size_t sphere = size_t(hit.primitive) - scene.triangles.size();
  return hit.primitive != kNoPrimitive && sphere < scene.spheres.size() &&
         !agree(hit.t, float(sphere_distance(scene.spheres[sphere], glm::dvec3(ray.origin),
                                             glm::dvec3(ray.direction))));
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

LightRectangle default_light(const HostScene& scene) {
  for (size_t triangle = 0; triangle < scene.triangles.size(); ++triangle)
    if (emits(scene.materials[scene.triangle_materials[triangle]])) {
      const glm::uvec3 v = scene.triangles[triangle];
      return around_triangle(scene.positions[v.x], scene.positions[v.y], scene.positions[v.z]);
    }
  for (const Sphere& sphere : scene.spheres)
    if (emits(scene.materials[sphere.material])) {
      const float half = sphere.radius * std::sqrt(0.5f);
      return {.center = sphere.center,
              .u = {half, 0.0f, 0.0f},
              .v = {0.0f, 0.0f, half},
              .origin = "the first emitting sphere"};
    }
  constexpr float kHeight = 0.9f, kHalfSide = 0.25f;  // relative to the bounds
  const Bounds bounds = scene_bounds(scene);
  glm::vec3 center = bounds.center();
  center.y = bounds.min.y + kHeight * bounds.size().y;
  return {.center = center,
          .u = {kHalfSide * bounds.size().x, 0.0f, 0.0f},
          .v = {0.0f, 0.0f, kHalfSide * bounds.size().z},
          .origin = "the scene's bounds"};
}

RaySet sorted_rays(const RaySet& rays, const RayOrder& order) {
  std::vector<std::pair<uint32_t, uint32_t>> keys(rays.size());  // with ray indices
  for (size_t i = 0; i < keys.size(); ++i)
    keys[i] = {order.key(rays.columns().ray(i)), uint32_t(i)};
  std::sort(keys.begin(), keys.end());
  RaySet sorted{.kind = rays.kind, .sorted = true, .origins = {}, .directions = {}};
  for (const auto& [key, ray] : keys) sorted.add(rays.columns().ray(ray));
  return sorted;
}

RaySets make_ray_sets(const HostScene& scene, const EmbreeAccel& accel,
                      const RaySetSettings& settings) {
  constexpr uint32_t kPathsPerPiece = 1u << 12;
  const RayGenerator generator(scene, accel, settings);
  const uint32_t paths = settings.width * settings.height * settings.spp;
  std::vector<RaySets> pieces(simt::ceil_div(paths, kPathsPerPiece));
  oneapi::tbb::parallel_for(size_t(0), pieces.size(), [&](size_t piece) {
    const auto first = uint32_t(piece) * kPathsPerPiece;
    for (uint32_t path = first; path < std::min(paths, first + kPathsPerPiece); ++path)
      generator.add_path(path, pieces[piece]);
  });
  RaySets sets;
  oneapi::tbb::parallel_for(size_t(0), kRayKindCount, [&](size_t kind) {
    RaySet& all = sets[kind];
    all.kind = RayKind(kind);
    for (RaySets& piece : pieces) {
      const RaySet rays = std::exchange(piece[kind], {});
      all.origins.insert(all.origins.end(), rays.origins.begin(), rays.origins.end());
      all.directions.insert(all.directions.end(), rays.directions.begin(), rays.directions.end());
    }
  });
  return sets;
}

RayCheck check_rays(const HostScene& scene, const RaySet& rays, const RayResults& results,
                    const RayResults& reference) {
  const bool shadow = is_shadow(rays.kind);
  std::vector<size_t> doubtful;
  uint64_t differ = 0;
  for (size_t i = 0; i < rays.size(); ++i) {
    const bool same = shadow ? bool(results.occluded[i]) == bool(reference.occluded[i])
                             : agree(results.hits[i].t, reference.hits[i].t);
    differ += !same;
    // The reference tests spheres by the same function, so both can be wrong in the same way.
    if (!same || (!shadow && misplaces_sphere(scene, rays.columns().ray(i), results.hits[i])))
      doubtful.push_back(i);
  }

  const size_t tested = std::min(doubtful.size(), kMaxTested);
  std::atomic<uint64_t> wrong{doubtful.size() - tested}, reference_wrong{0}, on_edge{0};
  oneapi::tbb::parallel_for(size_t(0), tested, [&](size_t k) {
    const size_t i = doubtful[k];
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
  return {.differ = differ, .wrong = wrong, .reference_wrong = reference_wrong, .on_edge = on_edge};
}

}  // namespace winnow
