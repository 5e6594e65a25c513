// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/accel.h"
#include "device_scene/textured_material.h"
#include "math/sampler.h"
#include "wavefront/stage/generate.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

// Alpha cutouts. A ray that passes through a cutout continues as the same ray, with the same
// origin, so that MIS weights its hit as if the surface were absent.

/// Returns a uniform in [0, 1), a function of the ray and the primitive that it hit.
SIMT_HOST_DEVICE inline float alpha_test_uniform(const Ray& ray, uint32_t primitive) {
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  const glm::uvec4 random =
      philox({bits(ray.origin.x), bits(ray.origin.y), bits(ray.origin.z), primitive},
             {bits(ray.direction.x) ^ bits(ray.direction.z), bits(ray.direction.y)});
  return uniform_float(random.x);
}

/// Length of the path before a ray whose alpha test is not filtered, such as a shadow ray.
inline constexpr float kUnfiltered = -kInfinity;

/// Returns whether a ray is stopped by the alpha of a surface that it hits, at random.
///
/// @param travelled  m, length of the path up to the hit, for texture filtering
template <Features kFeatures>
SIMT_HOST_DEVICE bool stops(const DeviceScene<kFeatures>& scene, const Surface<kFeatures>& surface,
                            const Ray& ray, uint32_t primitive, float travelled) {
  const float cone = cone_width(scene.camera, round_to_bfloat16(travelled));
  // A ray hits a sphere twice, where it enters and where it leaves: two independent choices.
  const bool leaves_sphere = primitive - uint32_t(scene.mesh.triangles.size) < scene.spheres.size &&
                             glm::dot(surface.n, ray.direction) > 0.0f;
  const float u = alpha_test_uniform(ray, leaves_sphere ? ~primitive : primitive);
  return !(u >= alpha_at(scene, surface, cone, ray.direction));
}

/// Finds the first hit of a ray that passes the alpha test, beginning with its first hit `hit`.
///
/// @param travelled  m, length of the path before the ray, or kUnfiltered
template <Features kFeatures, Accel A>
SIMT_HOST_DEVICE Hit alpha_tested_hit(const DeviceScene<kFeatures>& scene, const A& accel,
                                      const Ray& ray, float travelled, Hit hit) {
  Ray rest = ray;
  float t_before = 0.0f;  // m, from the ray's origin to that of `rest`
  while (hit.primitive != kNoPrimitive) {
    const auto surface = surface_at(scene, rest, hit);
    if (stops(scene, surface, ray, hit.primitive, travelled + t_before + hit.t)) break;
    rest.origin = offset_origin(surface.p, surface.p_error, surface.n, ray.direction);
    t_before += hit.t;
    rest.t_max = ray.t_max - t_before;
    if (!(rest.t_max > 0.0f)) return {};
    hit = accel.intersect(rest);
  }
  hit.t += t_before;
  return hit;
}

/// Returns alpha_tested_hit() in scenes that need it, else `hit`.
template <Features kFeatures, Accel A>
SIMT_HOST_DEVICE Hit alpha_tested([[maybe_unused]] const DeviceScene<kFeatures>& scene,
                                  [[maybe_unused]] const A& accel, [[maybe_unused]] const Ray& ray,
                                  [[maybe_unused]] float travelled, const Hit& hit) {
  if constexpr (kFeatures.extended)
    if (scene.has_alpha_cutouts) return alpha_tested_hit(scene, accel, ray, travelled, hit);
  return hit;
}

/// Returns whether the ray has any hit after the alpha test.
template <Features kFeatures, Accel A>
SIMT_HOST_DEVICE bool occluded(const DeviceScene<kFeatures>& scene, const A& accel,
                               const Ray& ray) {
  if constexpr (kFeatures.extended)
    if (scene.has_alpha_cutouts)
      return alpha_tested_hit(scene, accel, ray, kUnfiltered, accel.intersect(ray)).primitive !=
             kNoPrimitive;
  return accel.occluded(ray);
}

/// Replaces hits on alpha cutouts by the hits behind them.
///
/// reads  ray, travelled, hit    writes  hit
template <Accel A, class Scene>
struct AlphaTest {
  /// Its time counts as intersection, because the time of intersection ends when the shading stage
  /// begins. This stage records that start, and the shading stage records it again.
  static constexpr Stage kStage = Stage::kShade;
  static constexpr bool kUniformCost = true;

  Scene scene;
  A accel;
  Paths paths;
  Span<Hit> hits;  ///< [slot]
  const WaveState* state;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    const PathColumns& columns = paths.columns[state->iteration.ping_pong];
    const Ray ray = clipped_ray(scene.camera, paths, state->iteration, slot);
    hits[slot] = alpha_tested_hit(scene, accel, ray, columns.travelled(slot), hits[slot]);
  }
};

}  // namespace winnow
