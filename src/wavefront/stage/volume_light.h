// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "device_scene/volume_light.h"
#include "wavefront/stage/grid_media.h"
#include "wavefront/stage/shade.h"
#include "wavefront/state/aggregated_atomics.h"

namespace winnow {

// Next-event estimation of media with grids that emit. It is a stage of its own, so that shading
// kernels do not contain it. Each scattering casts one ray to a point of the VolumeLight, in
// addition to the ray to another light. The stages of other shadow rays trace it.

/// One point of a VolumeLight, as the lights of shade().
struct PointOfVolumes {
  static constexpr bool kLightOnly = true;

  const VolumeLight& light;
  const VolumePoint& point;

  template <Features kFeatures>
  SIMT_HOST_DEVICE LightSample sample(const DeviceScene<kFeatures>&, const Sampler&, uint32_t,
                                      const Path&, const Surface<kFeatures>& surface,
                                      const Material&) const {
    return seen_from(surface.p);
  }
  template <Features kFeatures>
  SIMT_HOST_DEVICE LightSample sample(const DeviceScene<kFeatures>&, const Sampler&, uint32_t,
                                      const Path&, glm::vec3 p) const {
    return seen_from(p);
  }

 private:
  /// Returns a sample with a radiance of 1 per metre in place of the emission, which is looked up
  /// later: many points are behind the surface. `pdf` has the unit m^-1 sr^-1.
  SIMT_HOST_DEVICE LightSample seen_from(glm::vec3 p) const {
    const glm::vec3 to_point = point.p - p;
    const float distance2 = glm::dot(to_point, to_point), distance = std::sqrt(distance2);
    const float pdf = usable_pdf(point.pdf * distance2);
    if (pdf == 0.0f) return {};
    return {to_point / distance, distance, glm::vec3(1.0f), pdf,
            direction_pdf(light.media[point.medium], point.pdf, distance)};
  }
};

/// Returns the shadow ray of a VolumeLight at the end of a path's ray; t_max is 0 if there is none.
/// Russian roulette leaves out rays of paths with little throughput: they take as long as others.
///
/// @param path  as for shade()
template <Features kFeatures>
SIMT_HOST_DEVICE ShadowRayInMedia ray_to_volume_light(const GridMedia<true>& media,
                                                      const DeviceScene<kFeatures>& scene,
                                                      const Sampler& sampler, Bounce bounce,
                                                      const Hit& hit, PathInMedia path) {
  ShadowRayInMedia shadow, none;
  none.ray.t_max = 0.0f;
  if (bounce.index == bounce.max) return none;
  if (hit.primitive == kNoPrimitive && !ended_in_medium(hit)) return none;
  // Rays to points have a dimension for each medium; the choice of a point has the last one.
  const LightUniforms u =
      sampler.light3(shadow_dimension(from_medium(bounce.index + 1, VolumeLight::kMaxMedia)));
  RandomStream random({u.y, u.z});
  const glm::vec3 t = path.throughput;
  const float survival = glm::min(glm::max(t.x, glm::max(t.y, t.z)), 1.0f);
  if (bounce.roulette) {
    if (!(random.uniform() < survival)) return none;
    path.throughput /= survival;
  }
  const float x = random.uniform(), y = random.uniform(), z = random.uniform();
  const VolumePoint point = sample_volume_light(media.light, u.x, {x, y, z});
  shade(scene, sampler, bounce, hit, path, shadow, PointOfVolumes{media.light, point});
  if (!(shadow.ray.t_max > 0.0f)) return none;
  // A point in a medium does not occlude its own ray. A ray that ended before it could miss the
  // boundary in front of the point.
  shadow.ray.t_max /= 1.0f - kShadowGap;
  const MediumGrid& grid = media.grids[point.medium];
  shadow.contribution *= value_at(grid, point.p) * scene.media[point.medium].absorption *
                         emitted_at(grid.emission, point.p);  // emission in W sr^-1 m^-3
  shadow.scatterings = from_medium(bounce.index + 1, point.medium);
  // Kernels of different loops may round numbers that are not normal differently.
  const glm::vec3 light = shadow.contribution;
  const float largest = glm::max(light.x, glm::max(light.y, light.z));
  return largest >= kMinNormalFloat && largest <= kMaxFloat ? shadow : none;
}

/// Casts shadow rays to points of a VolumeLight from the ends of the rays of paths. Runs before
/// these are shaded, whose own shadow rays take the place of those.
///
/// reads  path state, hit    writes  shadow ray
template <class Scene>
struct CastRaysToVolumeLight {
  /// Its time counts as that of the stage before. No other stage of the loop fetches items by the
  /// counter of this one.
  static constexpr Stage kStage = Stage::kPath;
  static constexpr bool kContinuesStage = true;

  Scene scene;
  ShadeSettings settings;
  Paths paths;
  Span<const Hit> hits;  ///< [slot]
  ShadowRays shadow_rays;
  WaveState* state;
  GridMedia<true> media;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    const PathColumns& columns = paths.columns[state->iteration.ping_pong];
    const PathId id = columns.id(slot);
    const uint32_t bounce = columns.bounce(slot, state->iteration.index);
    const ShadowRayInMedia shadow = ray_to_volume_light(
        media, scene, sampler_of(state->wave, media.sampler, id),
        {bounce, settings.max_bounces, settings.roulette}, hits[slot], columns.load(slot));
    if (!(shadow.ray.t_max > 0.0f)) return;
    const uint32_t i = fetch_add_one_aggregated(state->iteration.shadow_rays);
    shadow_rays.store(i, id, shadow);
    shadow_rays.media[i] = shadow.medium;
  }
};

/// Prepares the stages of shadow rays for those of shading, which are the ones that are counted.
struct EndRaysToVolumeLight {
  WaveState* state;

  SIMT_HOST_DEVICE void operator()() const {
    Iteration& iteration = state->iteration;
    iteration.shadow_rays = iteration.unoccluded = 0;
    iteration.next_item[uint32_t(Stage::kShadow)] = iteration.next_item[uint32_t(Stage::kFilm)] = 0;
  }
};

}  // namespace winnow
