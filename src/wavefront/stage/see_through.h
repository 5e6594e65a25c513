#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/accel.h"
#include "device_scene/textured_material.h"
#include "math/sampler.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

// Surfaces whose alpha leaves holes. A ray that meets a hole goes on behind it, as the same ray:
// its origin stays, so that light sampling weighs it as it would without the surface.

/// A number in [0, 1) that depends on nothing but the ray and what it met.
SIMT_HOST_DEVICE inline float hole_chance(const Ray& ray, uint32_t primitive) {
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  const glm::uvec4 random =
      philox({bits(ray.origin.x), bits(ray.origin.y), bits(ray.origin.z), primitive},
             {bits(ray.direction.x) ^ bits(ray.direction.z), bits(ray.direction.y)});
  return uniform_float(random.x);
}

/// The first of a ray's hits, from `hit` on, that is no hole.
///
/// @param hit  the ray's first
template <Accel A>
SIMT_HOST_DEVICE Hit pass_holes(const FullScene& scene, const A& accel, const Ray& ray, Hit hit) {
  Ray rest = ray;
  float t_before = 0.0f;  // m, from the ray's origin to that of `rest`
  while (hit.primitive != kNoPrimitive) {
    const FullSurface surface = surface_at(scene, rest, hit);
    if (!is_hole(scene, surface, hole_chance(ray, hit.primitive))) break;
    rest.origin = offset_origin(surface.p, surface.p_error, surface.n, ray.direction);
    t_before += hit.t;
    rest.t_max = ray.t_max - t_before;
    if (!(rest.t_max > 0.0f)) return {};
    hit = accel.intersect(rest);
  }
  hit.t += t_before;
  return hit;
}

/// What a ray meets, and whether it meets anything. In a plain scene there are no holes.
template <Accel A>
SIMT_HOST_DEVICE Hit intersect(const DeviceScene&, const A& accel, const Ray& ray) {
  return accel.intersect(ray);
}
template <Accel A>
SIMT_HOST_DEVICE Hit intersect(const FullScene& scene, const A& accel, const Ray& ray) {
  const Hit hit = accel.intersect(ray);
  return scene.has_alpha_cutouts ? pass_holes(scene, accel, ray, hit) : hit;
}

template <Accel A>
SIMT_HOST_DEVICE bool occluded(const DeviceScene&, const A& accel, const Ray& ray) {
  return accel.occluded(ray);
}
template <Accel A>
SIMT_HOST_DEVICE bool occluded(const FullScene& scene, const A& accel, const Ray& ray) {
  if (!scene.has_alpha_cutouts) return accel.occluded(ray);
  return intersect(scene, accel, ray).primitive != kNoPrimitive;
}

/// Takes the holes out of what rays met.
///
/// reads  ray, hit    writes  hit
template <Accel A>
struct AlphaTest {
  /// Its time is the intersection's, which ends where shading starts: that is noted here, and again
  /// by shading itself.
  static constexpr Stage kStage = Stage::kShade;
  static constexpr bool kUniformCost = true;

  FullScene scene;
  A accel;
  Paths paths;
  Span<Hit> hits;  ///< [slot]
  const WaveState* state;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    const Ray ray = paths.columns[state->iteration.ping_pong].ray(slot);
    hits[slot] = pass_holes(scene, accel, ray, hits[slot]);
  }
};

}  // namespace winnow
