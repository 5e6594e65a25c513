// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "bvh/accel.h"
#include "device_scene/textured_material.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/state/path_sampler.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

// Rays through participating media. A ray passes null boundaries and alpha cutouts and continues as
// the same ray. Its origin remains the point of the last scattering, as MIS requires.

/// Returns whether a path's ray ended in a medium, at the distance hit.t.
SIMT_HOST_DEVICE inline bool ended_in_medium(const Hit& hit) {
  return hit.primitive == kNoPrimitive && hit.t < kInfinity;
}

/// Returns the extinction coefficient per channel, m^-1.
SIMT_HOST_DEVICE inline glm::vec3 extinction(const Medium& medium) {
  return medium.absorption + medium.scattering;
}

SIMT_HOST_DEVICE inline glm::vec3 transmitted(glm::vec3 depth) {
  return {std::exp(-depth.x), std::exp(-depth.y), std::exp(-depth.z)};
}

/// Returns the medium on the side of a surface to which `w` points.
///
/// @param n       geometric normal
/// @param medium  result if the surface does not bound a medium
SIMT_HOST_DEVICE inline uint32_t medium_beyond(const Material& material, glm::vec3 n, glm::vec3 w,
                                               uint32_t medium) {
  if (!material.bounds_media) return medium;
  return glm::dot(n, w) > 0.0f ? material.exterior : material.interior;
}

/// Follows a ray to the first surface that it does not pass.
///
/// @param travelled  m, length of the path before the ray, or kUnfiltered
/// @param hit     the first surface on the ray, if any
/// @param medium  medium in which the ray starts; receives the medium in which it ends
/// @param visit   called as visit(medium, length, t) for each stretch in one medium that starts at
///                the distance `t`; if it returns true, the ray ends there
/// @return        the surface, at its distance from the ray's origin; none if `visit` ended the ray
template <Features kFeatures, Accel A, class Visit>
SIMT_HOST_DEVICE Hit follow_ray(const DeviceScene<kFeatures>& scene, const A& accel, const Ray& ray,
                                float travelled, Hit hit, uint32_t& medium, Visit visit) {
  Ray rest = ray;
  float t_before = 0.0f;  // m, from the ray's origin to that of `rest`
  float t_start = 0.0f;   // m, start of the current stretch
  while (true) {
    const float t = t_before + hit.t;  // infinite without a surface
    if (medium != kNoMedium) {
      const float length = glm::clamp(glm::min(t, ray.t_max) - t_start, 0.0f, kMaxFloat);
      if (visit(scene.media[medium], length, t_start)) return {};
    }
    if (hit.primitive == kNoPrimitive) return {};
    const auto surface = surface_at(scene, rest, hit);
    // Without media, distances are rounded as in alpha_tested_hit(), so that films are the same.
    if (stops(scene, surface, ray, hit.primitive,
              scene.has_media ? travelled + t : travelled + t_before + hit.t)) {
      hit.t = t;
      return hit;
    }
    medium = medium_beyond(scene.materials[surface.material], surface.n, ray.direction, medium);
    rest.origin = offset_origin(surface.p, surface.p_error, surface.n, ray.direction);
    t_start = t;
    t_before = scene.has_media ? glm::dot(rest.origin - ray.origin, ray.direction) : t;
    rest.t_max = ray.t_max - t_before;
    if (!(rest.t_max > 0.0f)) return {};
    hit = accel.intersect(rest);
  }
}

/// Returns the transmittance along an unoccluded shadow ray that passes no boundary, per channel.
template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec3 transmittance_within(const DeviceScene<kFeatures>& scene, const Ray& ray,
                                                uint32_t medium) {
  if (medium == kNoMedium) return glm::vec3(1.0f);
  return transmitted(extinction(scene.media[medium]) * glm::min(ray.t_max, kMaxFloat));
}

/// Returns the transmittance along a shadow ray that starts in `medium`, per channel: 0 if a
/// surface occludes it.
template <Features kFeatures, Accel A>
SIMT_HOST_DEVICE glm::vec3 transmittance(const DeviceScene<kFeatures>& scene, const A& accel,
                                         const Ray& ray, uint32_t medium) {
  if (!scene.has_alpha_cutouts)  // there are no null boundaries either
    return accel.occluded(ray) ? glm::vec3(0.0f) : transmittance_within(scene, ray, medium);
  glm::vec3 depth(0.0f);
  auto visit = [&](const Medium& in, float length, float) {
    depth += extinction(in) * length;
    return false;
  };
  const Hit hit = follow_ray(scene, accel, ray, kUnfiltered, accel.intersect(ray), medium, visit);
  return hit.primitive == kNoPrimitive ? transmitted(depth) : glm::vec3(0.0f);
}

/// One channel, chosen in proportion to the throughput of a path.
struct ChannelChoice {
  glm::vec3 pmf;     ///< [channel]
  glm::vec3 chosen;  ///< 1 for the chosen channel, 0 for the others

  /// @param u  uniform in [0, 1)
  SIMT_HOST_DEVICE ChannelChoice(glm::vec3 throughput, float u) {
    const float sum = throughput.x + throughput.y + throughput.z;
    const bool is_usable = sum > 0.0f && sum <= kMaxFloat;
    pmf = is_usable ? throughput / sum : glm::vec3(1.0f / 3.0f);
    const bool is_first = u < pmf.x, is_second = u < pmf.x + pmf.y || pmf.z == 0.0f;
    chosen = is_first ? glm::vec3(1, 0, 0) : is_second ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
  }
};

/// The free flight of a path along a ray, which may lead through several media.
///
/// One random number chooses a channel in proportion to throughput; another one chooses the optical
/// depth in that channel at which the flight ends, through all media on the way. Samples are
/// weighted by the mean density over all channels, so that the estimate is unbiased where
/// extinction is coloured, and no channel has a large weight. Media that do not scatter attenuate
/// without any choice. Wilkie et al., "Hero Wavelength Spectral Sampling", 2014.
class FreeFlight {
 public:
  /// @param u  two independent uniforms in [0, 1)
  SIMT_HOST_DEVICE FreeFlight(glm::vec3 throughput, glm::vec2 u)
      : channels_(throughput, u.x), left_(-std::log(1.0f - u.y)) {}

  /// Passes a stretch of a medium or ends the flight in it.
  ///
  /// @param length  m
  /// @param t       receives the distance at which the flight ends, m
  /// @return        whether the flight ends
  SIMT_HOST_DEVICE bool ends_in(const Medium& medium, float length, float& t) {
    const glm::vec3 per_meter = extinction(medium);
    if (medium.scattering == glm::vec3(0.0f)) {
      absorbing_depth_ += per_meter * length;
      return false;
    }
    const float chosen = glm::dot(channels_.chosen, per_meter);
    t = left_ / chosen;
    const bool ends = t < length;
    if (!ends) left_ = glm::max(left_ - chosen * length, 0.0f);
    scattering_depth_ += per_meter * (ends ? t : length);
    return ends;
  }

  /// Returns the transmittance over the probability of getting this far.
  SIMT_HOST_DEVICE glm::vec3 weight_of_passing() const {
    const glm::vec3 absorbed = transmitted(absorbing_depth_);
    if (scattering_depth_ == glm::vec3(0.0f)) return absorbed;
    const glm::vec3 passed = transmitted(scattering_depth_);
    return absorbed * passed / glm::dot(channels_.pmf, passed);
  }

  /// Returns the transmittance times the scattering coefficient over the density, m^-1, of ending
  /// here.
  SIMT_HOST_DEVICE glm::vec3 weight_of_scattering(const Medium& medium) const {
    const glm::vec3 passed = transmitted(scattering_depth_);
    return transmitted(absorbing_depth_) * passed * medium.scattering /
           glm::dot(channels_.pmf, passed * extinction(medium));
  }

 private:
  ChannelChoice channels_;
  float left_;                        ///< optical depth in the chosen channel up to the end
  glm::vec3 scattering_depth_{0.0f};  ///< optical depth so far, in media that scatter
  glm::vec3 absorbing_depth_{0.0f};   ///< and in others
};

/// Moves a path along its ray to where it scatters next, in a medium or on a surface, and updates
/// its throughput and medium.
///
/// @param hit  the first surface on the ray, if any
/// @param u    independent uniforms in [0, 1); two are used
/// @return     the next surface, none, or the end in a medium: see ended_in_medium()
template <Features kFeatures, Accel A>
SIMT_HOST_DEVICE Hit travel(const DeviceScene<kFeatures>& scene, const A& accel, const Hit& hit,
                            glm::vec4 u, PathInMedia& path) {
  FreeFlight flight(path.throughput, {u.x, u.y});
  Hit end;
  bool has_ended = false;
  auto visit = [&](const Medium& medium, float length, float t_before) {
    float t = 0.0f;
    has_ended = flight.ends_in(medium, length, t);
    if (!has_ended) return false;
    end.t = t_before + t;
    path.throughput *= flight.weight_of_scattering(medium);
    return true;
  };
  const Hit surface = follow_ray(scene, accel, path.ray, path.travelled, hit, path.medium, visit);
  if (has_ended) return end;
  path.throughput *= flight.weight_of_passing();
  return surface;
}

/// How light passes the media of a scene in which all of them are homogeneous. Stages take this or
/// GridMedia.
struct HomogeneousMedia {
  static constexpr bool kEmit = false;

  /// @param random  numbers of the path; its free flight comes after `bounce` scatterings
  template <Features kFeatures, Accel A>
  SIMT_HOST_DEVICE Hit travel(const DeviceScene<kFeatures>& scene, const A& accel, const Hit& hit,
                              const Sampler& random, uint32_t bounce, PathInMedia& path) const {
    return winnow::travel(scene, accel, hit, random.sample4(medium_dimension(bounce)), path);
  }

  /// @param id, scatterings  path and scatterings of the light
  template <Features kFeatures, Accel A>
  SIMT_HOST_DEVICE glm::vec3 transmittance(const DeviceScene<kFeatures>& scene, const A& accel,
                                           const Ray& ray, uint32_t medium, PathId /* id */,
                                           uint32_t /* scatterings */) const {
    return winnow::transmittance(scene, accel, ray, medium);
  }
};

/// Replaces the first hit of a path by its next scattering: in a medium, or on a surface that is
/// neither a null boundary nor removed by its alpha.
///
/// reads  ray, throughput, medium, hit    writes  throughput, medium, hit, result
/// @tparam Media  HomogeneousMedia or GridMedia
template <Accel A, class Scene, class Media = HomogeneousMedia>
struct SampleMedium {
  /// Its time counts as intersection, see AlphaTest.
  static constexpr Stage kStage = Stage::kShade;

  Scene scene;
  A accel;
  SamplerSettings sampler;
  Paths paths;
  Span<Hit> hits;  ///< [slot]
  const WaveState* state;
  Media media = {};

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    const PathColumns& columns = paths.columns[state->iteration.ping_pong];
    const uint32_t bounce = columns.bounce(slot, state->iteration.index);
    const PathId id = columns.id(slot);
    PathInMedia path = columns.load(slot);
    path.ray = clipped_ray(scene.camera, path.ray, bounce);
    if (bounce == 0) path.medium = scene.camera_medium;

    const Sampler random = sampler_of(state->wave, sampler, id);
    hits[slot] = media.travel(scene, accel, hits[slot], random, bounce, path);
    columns.throughput_eta[slot] = {path.throughput, columns.throughput_eta[slot].w};
    columns.media[slot] = path.medium;
    if constexpr (Media::kEmit)
      if (path.radiance != glm::vec3(0.0f)) paths.gathered(id, bounce) += path.radiance;
  }
};

}  // namespace winnow
