// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "device_scene/volume_light.h"
#include "wavefront/stage/grid_media.h"
#include "wavefront/stage/shade.h"

namespace winnow {

// Next-event estimation of media with grids that emit. It is a stage of its own, so that shading
// kernels do not contain it. Each scattering casts one ray to a point of the VolumeLight, in
// addition to the ray to another light.

/// Points of a VolumeLight, as lights for shade().
struct PointsOfVolumes {
  static constexpr bool kLightOnly = true;

  const VolumeLight& light;
  VolumePoint& point;  ///< receives the point

  template <Features kFeatures>
  SIMT_HOST_DEVICE LightSample sample(const DeviceScene<kFeatures>&, const Sampler& sampler,
                                      uint32_t bounce, const Path&,
                                      const Surface<kFeatures>& surface, const Material&) const {
    return sample(sampler, bounce, surface.p);
  }
  template <Features kFeatures>
  SIMT_HOST_DEVICE LightSample sample(const DeviceScene<kFeatures>&, const Sampler& sampler,
                                      uint32_t bounce, const Path&, glm::vec3 p) const {
    return sample(sampler, bounce, p);
  }

 private:
  /// Samples a point, with a radiance of 1 per metre in place of its emission, which is looked up
  /// later: many points are behind the surface. `pdf` has the unit m^-1 sr^-1.
  SIMT_HOST_DEVICE LightSample sample(const Sampler& sampler, uint32_t bounce,
                                      glm::vec3 from) const {
    const LightUniforms u = sampler.light3(shadow_dimension(kToVolumeLight + bounce + 1));
    RandomStream random({u.y, u.z});
    const float x = random.uniform(), y = random.uniform(), z = random.uniform();
    point = sample_volume_light(light, u.x, {x, y, z});
    const glm::vec3 to_point = point.p - from;
    const float distance2 = glm::dot(to_point, to_point), distance = std::sqrt(distance2);
    const float pdf = usable_pdf(point.pdf * distance2);
    if (pdf == 0.0f) return {};
    return {to_point / distance, distance, glm::vec3(1.0f), pdf,
            direction_pdf(light.media[point.medium], point.pdf, distance)};
  }
};

/// Returns the light of a VolumeLight that a path scatters at the end of its ray.
///
/// @param path  as for shade()
template <Features kFeatures, Accel A>
SIMT_HOST_DEVICE glm::vec3 scattered_volume_light(const GridMedia<true>& media,
                                                  const DeviceScene<kFeatures>& scene,
                                                  const A& accel, const Sampler& sampler, PathId id,
                                                  Bounce bounce, const Hit& hit, PathInMedia path) {
  const glm::vec3 none(0.0f);
  if (bounce.index == bounce.max) return none;
  if (hit.primitive == kNoPrimitive && !ended_in_medium(hit)) return none;
  VolumePoint point;
  ShadowRayInMedia shadow;
  shade(scene, sampler, bounce, hit, path, shadow, PointsOfVolumes{media.light, point});
  if (!(shadow.ray.t_max > 0.0f)) return none;
  // A point in a medium does not occlude its own ray. A ray that ended before it could miss the
  // boundary in front of the point.
  shadow.ray.t_max /= 1.0f - kShadowGap;
  const MediumGrid& grid = media.grids[point.medium];
  const glm::vec3 emission = value_at(grid, point.p) * scene.media[point.medium].absorption *
                             emitted_at(grid.emission, point.p);  // W sr^-1 m^-3
  if (emission == none) return none;
  const glm::vec3 visible = media.transmittance(scene, accel, shadow.ray, shadow.medium, id,
                                                kToVolumeLight + bounce.index + 1, point.medium);
  const glm::vec3 light = shadow.contribution * emission * visible;
  // Kernels of different loops may round numbers that are not normal differently.
  const float largest = glm::max(light.x, glm::max(light.y, light.z));
  return largest >= kMinNormalFloat && largest <= kMaxFloat ? light : none;
}

/// Adds the light of a VolumeLight that paths scatter at the ends of their rays. Runs before they
/// are shaded.
///
/// reads  path state, hit    writes  result
template <Accel A, class Scene>
struct ScatterVolumeLight {
  /// Its time counts as that of the stage before. No other stage of the loop fetches items by the
  /// counter of this one.
  static constexpr Stage kStage = Stage::kPath;
  static constexpr bool kContinuesStage = true;

  Scene scene;
  A accel;
  ShadeSettings settings;
  Paths paths;
  Span<const Hit> hits;  ///< [slot]
  GridMedia<true> media;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    const Iteration& iteration = media.state->iteration;
    const PathColumns& columns = paths.columns[iteration.ping_pong];
    const uint32_t bounce = columns.bounces.data ? columns.bounces[slot] : iteration.index;
    const Packed origin = columns.origin_pdf[slot], direction = columns.direction_id[slot],
                 throughput = columns.throughput_eta[slot];
    const PathInMedia path{{.ray = {.origin = origin.xyz, .direction = direction.xyz},
                            .bsdf_pdf = origin.w,
                            .throughput = throughput.xyz,
                            .travelled = columns.travelled(slot)},
                           columns.media[slot]};
    const auto id = std::bit_cast<PathId>(direction.w);
    const glm::vec3 light = scattered_volume_light(
        media, scene, accel, sampler_of(media.state->wave, media.sampler, id), id,
        {bounce, settings.max_bounces, settings.roulette}, hits[slot], path);
    if (light != glm::vec3(0.0f)) paths.gathered(id, bounce + 1) += light;
  }
};

}  // namespace winnow
