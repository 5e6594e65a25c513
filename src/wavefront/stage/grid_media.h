// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "device_scene/volume_light.h"
#include "math/random_stream.h"
#include "math/sampling.h"
#include "wavefront/stage/media.h"
#include "wavefront/stage/shadow.h"
#include "wavefront/state/path_sampler.h"
#include "wavefront/state/queue.h"

namespace winnow {

// Rays through media whose densities are in grids, without bias: delta tracking of paths (Woodcock
// et al. 1965) and ratio tracking of shadow rays (Novák et al. 2014), with a majorant per brick.

/// The stretch of a ray in one medium.
struct GridStretch {
  const Medium& medium;
  const MediumGrid* grid;                    ///< null: the medium is homogeneous
  float t_first, t_last;                     ///< m
  Span<const PlacedEmission> emission = {};  ///< empty also where it is of no interest
  const VolumeLight* light = nullptr;        ///< samples points of the emission, too; null: none
  uint32_t index = kNoMedium;                ///< index of the medium, if `light` is not null
};

/// Calls collide(t, share) for tentative collisions along a ray in a grid until it returns true, or
/// the ray leaves the stretch: `t` is the distance, `share` the density at the point in relation to
/// its upper bound there. Returns whether it did.
///
/// @param extinction  m^-1, for a density of 1
/// @param left        optical depth, by the bounds, before the first collision
/// @param depth       receives the integral of the bounds along the ray, m
template <class Collide>
SIMT_HOST_DEVICE bool track(const GridStretch& stretch, const Ray& ray, float extinction,
                            RandomStream& random, float& left, float& depth, Collide collide) {
  const MediumGrid& grid = *stretch.grid;
  const float least_bound = stretch.emission.size > 0 ? grid.least_bound : 0.0f;
  const GridRay in_grid(grid, ray);
  return visit_bricks(grid, in_grid, stretch.t_first, stretch.t_last,
                      [&](const GridBrick& brick, glm::ivec3 low, float t, float t_end) {
                        const float bound = glm::max(brick.max_density, least_bound);
                        const float per_meter = extinction * bound;
                        while (true) {
                          const float step =
                              left / per_meter;  // infinite where light passes freely
                          if (!(t + step < t_end)) {
                            left = glm::max(left - per_meter * (t_end - t), 0.0f);
                            depth += bound * (t_end - t);
                            return false;
                          }
                          t += step;
                          depth += bound * step;
                          left = random.exponential();
                          const glm::vec3 p = in_grid.origin + t * in_grid.direction;
                          if (collide(t, density_in_brick(grid, brick, low, p) / bound))
                            return true;
                        }
                      });
}

/// Transmittance of a ray below which Russian roulette may end its estimate.
inline constexpr float kTransmittanceRoulette = 0.1f;

/// Multiplies `transmittance` by an unbiased estimate of that of a stretch, per channel. Each
/// tentative collision passes the share of light that the medium does not take there.
///
/// @param collide  called as collide(t, weight) at each of them, if the medium has a grid, before
///                 the light is taken; `weight` is the density over the rate of collisions, m
/// @return         whether no light is left
template <class Collide>
SIMT_HOST_DEVICE bool estimate_transmittance(const GridStretch& stretch, const Ray& ray,
                                             RandomStream& random, glm::vec3& transmittance,
                                             Collide collide) {
  const glm::vec3 per_meter = extinction(stretch.medium);
  if (!stretch.grid) {
    transmittance *= transmitted(per_meter * (stretch.t_last - stretch.t_first));
    return false;
  }
  const float largest = glm::max(per_meter.x, glm::max(per_meter.y, per_meter.z));
  if (largest == 0.0f) return false;
  const glm::vec3 taken = per_meter / largest;
  float left = random.exponential(), depth = 0.0f;
  return track(stretch, ray, largest, random, left, depth, [&](float t, float share) {
    collide(t, share / largest);
    transmittance *= glm::max(1.0f - share * taken, glm::vec3(0.0f));
    const float most = glm::max(transmittance.x, glm::max(transmittance.y, transmittance.z));
    if (most >= kTransmittanceRoulette) return false;
    const float survival = most / kTransmittanceRoulette;
    if (random.uniform() >= survival) {
      transmittance = glm::vec3(0.0f);
      return true;
    }
    transmittance /= survival;
    return false;
  });
}

SIMT_HOST_DEVICE inline bool estimate_transmittance(const GridStretch& stretch, const Ray& ray,
                                                    RandomStream& random,
                                                    glm::vec3& transmittance) {
  return estimate_transmittance(stretch, ray, random, transmittance, [](float, float) {});
}

/// The free flight of a path, like FreeFlight, also through grids. A grid scales all channels of a
/// medium alike, so a tentative collision of any channel is a real one with the same probability.
/// The density of the flight in a channel is proportional to a product over its collisions and
/// stretches: the balance heuristic over channels needs that product only. Miller, Georgiev &
/// Jarosz, "A Null-scattering Path Integral Formulation of Light Transport", 2019.
///
/// The light that media emit towards the origin of the flight is estimated on the way: each
/// tentative collision, real or not, is a sample of its integral over the ray. MIS combines it with
/// the samples of a VolumeLight.
class GridFlight {
 public:
  /// @param u         two independent uniforms in [0, 1)
  /// @param bsdf_pdf  Path::bsdf_pdf
  SIMT_HOST_DEVICE GridFlight(glm::vec3 throughput, glm::vec2 u, RandomStream random,
                              float bsdf_pdf = 0.0f)
      : channels_(throughput, u.x),
        random_(random),
        left_(-std::log(1.0f - u.y)),
        bsdf_pdf_(bsdf_pdf) {}

  /// Passes a stretch of a medium or ends the flight in it.
  ///
  /// @param t  receives the distance at which the flight ends, m
  /// @return   whether the flight ends
  SIMT_HOST_DEVICE bool ends_in(const GridStretch& stretch, const Ray& ray, float& t) {
    const bool emits = stretch.emission.size > 0;
    if (emits && !stretch.grid) add_emission_of_homogeneous(stretch, ray);
    if (stretch.medium.scattering == glm::vec3(0.0f)) {
      estimate_transmittance(stretch, ray, random_, absorbed_, [&](float at, float weight) {
        if (emits) add_emission(stretch, ray, at, weight * density_, density_);
      });
      return false;
    }
    const glm::vec3 per_meter = extinction(stretch.medium);
    const float chosen = glm::dot(channels_.chosen, per_meter);
    float depth = 0.0f;  // m, integral of the majorant of the density
    bool ends = false;
    if (stretch.grid) {
      ends = track(stretch, ray, chosen, random_, left_, depth, [&](float at, float share) {
        t = at;
        if (emits) {
          const glm::vec3 reached = density_ * transmitted((per_meter - chosen) * depth);
          add_emission(stretch, ray, at, share * reached, reached * per_meter);
        }
        if (random_.uniform() < share) return true;
        density_ *= per_meter / chosen;
        return false;
      });
    } else {
      const float length = stretch.t_last - stretch.t_first, step = left_ / chosen;
      ends = step < length;
      depth = ends ? step : length;
      t = stretch.t_first + depth;
      left_ = glm::max(left_ - chosen * depth, 0.0f);
    }
    density_ *= transmitted((per_meter - chosen) * depth);
    return ends;
  }

  /// Returns the transmittance over the probability of getting this far.
  SIMT_HOST_DEVICE glm::vec3 weight_of_passing() const {
    return absorbed_ * density_ / glm::dot(channels_.pmf, density_);
  }

  /// Returns the transmittance times the scattering coefficient over the density of ending here.
  SIMT_HOST_DEVICE glm::vec3 weight_of_scattering(const Medium& medium) const {
    return absorbed_ * density_ * medium.scattering /
           glm::dot(channels_.pmf, density_ * extinction(medium));
  }

  /// Returns an estimate of the light that media emitted towards the origin of the flight, per
  /// throughput there.
  SIMT_HOST_DEVICE glm::vec3 emitted() const { return emitted_; }

 private:
  /// Adds a sample of the light that a medium emits at the distance t.
  ///
  /// @param passed   transmittance of media that scatter, up to there, times the density of the
  ///                 medium
  /// @param density  m^-1, of the sample in each channel; in the same unit
  SIMT_HOST_DEVICE void add_emission(const GridStretch& stretch, const Ray& ray, float t,
                                     glm::vec3 passed, glm::vec3 density) {
    const glm::vec3 p = ray.origin + t * ray.direction;
    glm::vec3 radiance = emitted_at(stretch.emission, p);
    if (stretch.light && bsdf_pdf_ != 0.0f && radiance != glm::vec3(0.0f))
      radiance *= balance_heuristic(
          bsdf_pdf_,
          direction_pdf(stretch.light->media[stretch.index],
                        volume_point_pdf(*stretch.light, stretch.index, *stretch.grid, p), t));
    emitted_ += absorbed_ * passed * stretch.medium.absorption * radiance /
                glm::dot(channels_.pmf, density);
  }

  /// Samples one point of a homogeneous stretch in proportion to the transmittance in the chosen
  /// channel.
  SIMT_HOST_DEVICE void add_emission_of_homogeneous(const GridStretch& stretch, const Ray& ray) {
    const float length = stretch.t_last - stretch.t_first;
    if (!(length > 0.0f)) return;
    const glm::vec3 per_meter = extinction(stretch.medium);
    const auto ends = [length](float rate) { return -std::expm1(-rate * length); };
    const float chosen = glm::dot(channels_.chosen, per_meter), u = random_.uniform();
    const float t =
        chosen > 0.0f ? glm::min(-std::log1p(-u * ends(chosen)) / chosen, length) : u * length;
    const glm::vec3 passed = transmitted(per_meter * t);
    glm::vec3 density(1.0f / length);
    for (int channel = 0; channel < 3; ++channel)
      if (const float rate = per_meter[channel]; rate > 0.0f)
        density[channel] = rate * passed[channel] / ends(rate);
    add_emission(stretch, ray, stretch.t_first + t, density_ * passed, density_ * density);
  }

  ChannelChoice channels_;
  RandomStream random_;
  float left_;                ///< optical depth in the chosen channel up to the next collision
  float bsdf_pdf_;            ///< sr^-1
  glm::vec3 density_{1.0f};   ///< density in each channel, over that in the chosen one
  glm::vec3 absorbed_{1.0f};  ///< transmittance of the media that only absorb
  glm::vec3 emitted_{0.0f};
};

/// How light passes the media of a scene in which some have grids. See HomogeneousMedia.
///
/// Media do not add up: a path that enters a medium leaves the one that it was in.
///
/// @tparam kEmission  whether media may emit. If true, waves in a cloud that does not emit take
///                    1.03 to 1.04 times as long on an H200, so they have a kernel without it
template <bool kEmission>
struct GridMedia {
  static constexpr bool kEmit = kEmission;

  Span<const MediumGrid> grids;  ///< [medium]
  SamplerSettings sampler;
  const WaveState* state;
  FieldIf<kEmission, VolumeLight> light = {};  ///< empty: only flights find what media emit

  template <Features kFeatures, Accel A>
  SIMT_HOST_DEVICE Hit travel(const DeviceScene<kFeatures>& scene, const A& accel, const Hit& hit,
                              const Sampler& random, uint32_t bounce, PathInMedia& path) const {
    const uint32_t dimension = medium_dimension(bounce);
    GridFlight flight(path.throughput, glm::vec2(random.sample4(dimension)),
                      stream(random, dimension), path.bsdf_pdf);
    Hit end;
    bool has_ended = false;
    glm::vec3 weight;
    auto visit = [&](const Medium& medium, float length, float t_first) {
      GridStretch next = stretch(medium, path.medium, length, t_first);
      if constexpr (kEmission) {
        next.emission = grids[path.medium].emission;
        next.index = path.medium;
        if (next.grid && light.cells.size > 0) next.light = &light;
      }
      has_ended = flight.ends_in(next, path.ray, end.t);
      if (has_ended)
        weight =
            flight.weight_of_scattering(medium) *
            scattering_factors_at(grids[path.medium], path.ray.origin + end.t * path.ray.direction);
      return has_ended;
    };
    const Hit surface = follow_ray(scene, accel, path.ray, path.travelled, hit, path.medium, visit);
    if (!has_ended) weight = flight.weight_of_passing();
    if constexpr (kEmission) path.radiance += path.throughput * flight.emitted();
    path.throughput *= weight;
    return has_ended ? end : surface;
  }

  /// Looks for a surface that occludes a shadow ray. Tracking costs most, so it begins once no
  /// surface was found, except on rays through many stretches of media. A ray that passes one
  /// stretch is shortened to it, for track(). Rays that pass several are tracked here. A ray that
  /// ends outside of the medium which emits its light counts as occluded.
  ///
  /// @param shadow  t_max receives kOccluded if there is a surface
  /// @param medium  medium in which the ray starts; receives that of the stretch for track()
  template <Features kFeatures, Accel A>
  SIMT_HOST_DEVICE void find_occluder(const DeviceScene<kFeatures>& scene, const A& accel,
                                      PathId id, ShadowRay& shadow, uint32_t& medium) const {
    Ray& ray = shadow.ray;
    const uint32_t end = emitting_medium(shadow.scatterings);
    const auto is_missed = [&] { return end != kNoMedium && medium != end; };
    if (!scene.has_alpha_cutouts) {  // there are no null boundaries either
      if (is_missed() || accel.occluded(ray)) ray.t_max = kOccluded;
      return;
    }
    struct Stretch {
      uint32_t medium;
      float length, t_first;
    };
    constexpr uint32_t kMaxWaiting = 4;
    Stretch waiting[kMaxWaiting];
    uint32_t count = 0;
    RandomStream random = shadow_stream(id, shadow);
    glm::vec3 passed(1.0f);
    const auto pass = [&](const Stretch& next) {
      const Medium& in = scene.media[next.medium];
      estimate_transmittance(stretch(in, next.medium, next.length, next.t_first), ray, random,
                             passed);
    };
    const auto visit = [&](const Medium&, float length, float t_first) {
      const Stretch next{medium, length, t_first};
      if (count < kMaxWaiting)
        waiting[count++] = next;
      else
        pass(next);
      return false;
    };
    const Hit hit = follow_ray(scene, accel, ray, kUnfiltered, accel.intersect(ray), medium, visit);
    const bool is_dark = hit.primitive != kNoPrimitive || is_missed();
    medium = kNoMedium;
    if (is_dark) {
      ray.t_max = kOccluded;
    } else if (count == 1) {
      medium = waiting[0].medium;
      ray.origin += waiting[0].t_first * ray.direction;
      ray.t_max = waiting[0].length;
    } else {
      for (uint32_t i = 0; i < count; ++i) pass(waiting[i]);
      shadow.contribution *= passed;
      if (passed == glm::vec3(0.0f)) ray.t_max = kOccluded;
    }
  }

  /// Returns an unbiased estimate of the visible share of the light of a shadow ray.
  ///
  /// @param shadow, medium  as find_occluder() leaves them
  template <Features kFeatures>
  SIMT_HOST_DEVICE glm::vec3 track(const DeviceScene<kFeatures>& scene, PathId id,
                                   const ShadowRay& shadow, uint32_t medium) const {
    if (shadow.ray.t_max == kOccluded) return glm::vec3(0.0f);
    glm::vec3 passed(1.0f);
    if (medium != kNoMedium) {
      RandomStream random = shadow_stream(id, shadow);
      const float length = glm::min(shadow.ray.t_max, kMaxFloat);
      estimate_transmittance(stretch(scene.media[medium], medium, length, 0.0f), shadow.ray, random,
                             passed);
    }
    return passed;
  }

  /// Returns an unbiased estimate.
  /// @param scatterings  ShadowRay::scatterings
  template <Features kFeatures, Accel A>
  SIMT_HOST_DEVICE glm::vec3 transmittance(const DeviceScene<kFeatures>& scene, const A& accel,
                                           const Ray& ray, uint32_t medium, PathId id,
                                           uint32_t scatterings) const {
    ShadowRay shadow{.ray = ray, .contribution = glm::vec3(1.0f), .scatterings = scatterings};
    find_occluder(scene, accel, id, shadow, medium);
    return track(scene, id, shadow, medium) * shadow.contribution;
  }

 private:
  SIMT_HOST_DEVICE GridStretch stretch(const Medium& medium, uint32_t index, float length,
                                       float t_first) const {
    const MediumGrid& grid = grids[index];
    return {medium, grid.bricks.data ? &grid : nullptr, t_first, t_first + length};
  }

  SIMT_HOST_DEVICE static RandomStream stream(const Sampler& numbers, uint32_t dimension) {
    return RandomStream(glm::uvec2(numbers.light3(dimension)));
  }
  SIMT_HOST_DEVICE RandomStream shadow_stream(PathId id, const ShadowRay& shadow) const {
    return stream(sampler_of(state->wave, sampler, id), shadow_dimension(shadow.scatterings));
  }

  /// t_max of a shadow ray that a surface occludes.
  static constexpr float kOccluded = -1.0f;
};

/// How light passes the media of any scene, for a kernel of which one instance is enough.
struct AnyMedia : GridMedia<true> {
  template <Features kFeatures, Accel A>
  SIMT_HOST_DEVICE Hit travel(const DeviceScene<kFeatures>& scene, const A& accel, const Hit& hit,
                              const Sampler& random, uint32_t bounce, PathInMedia& path) const {
    if (grids.size > 0) return GridMedia::travel(scene, accel, hit, random, bounce, path);
    return HomogeneousMedia{}.travel(scene, accel, hit, random, bounce, path);
  }

  template <Features kFeatures, Accel A>
  SIMT_HOST_DEVICE glm::vec3 transmittance(const DeviceScene<kFeatures>& scene, const A& accel,
                                           const Ray& ray, uint32_t medium, PathId id,
                                           uint32_t scatterings) const {
    if (grids.size > 0) return GridMedia::transmittance(scene, accel, ray, medium, id, scatterings);
    return HomogeneousMedia{}.transmittance(scene, accel, ray, medium, id, scatterings);
  }
};

/// Shadow rays in scenes with grids, if there are many. A kernel that traces rays has so many
/// registers that few of its threads are resident, and tracking waits for memory. Many rays are
/// tracked by a kernel of its own: on an H200, shadow rays of a cloud then take 0.64 to 0.7 of the
/// time. A few rays fill neither kernel, and two last longer than one.
struct ManyShadowRays {
  /// On an H200, both ways take equally long at about 150,000 rays.
  static constexpr uint32_t kMany = 1u << 17;

  SIMT_HOST_DEVICE static bool are_in(const WaveState& state) {
    return state.iteration.shadow_rays >= kMany;
  }
  SIMT_HOST_DEVICE Items items(const WaveState& state) const {
    return {.count = are_in(state) ? state.iteration.shadow_rays : 0};
  }
};

/// Tracks the shadow rays that the stage before has not found occluded, and adds their light.
///
/// reads  shadow ray    writes  result
template <class Scene>
struct TrackShadowRays {
  /// Its time counts as that of shadow rays. No other stage of the loop fetches items by the
  /// counter of this one.
  static constexpr Stage kStage = Stage::kFilm;
  static constexpr bool kContinuesStage = true;

  Scene scene;
  ShadowRays shadow_rays;
  Paths paths;
  GridMedia<false> media;

  SIMT_HOST_DEVICE bool operator()(uint32_t i) const {
    return add(i, shadow_rays.load(i), shadow_rays.medium(i));
  }

  /// @return  whether the light is visible
  SIMT_HOST_DEVICE bool add(uint32_t i, const ShadowRay& shadow, uint32_t medium) const {
    const PathId id = shadow_rays.id(i);
    const glm::vec3 visible = media.track(scene, id, shadow, medium);
    if (visible == glm::vec3(0.0f)) return false;
    paths.gathered(id, scatterings_of(shadow.scatterings)) += visible * shadow.contribution;
    return true;
  }

  SIMT_HOST_DEVICE static uint32_t& counter(Iteration& iteration) { return iteration.unoccluded; }
};

/// In scenes with grids: looks for occluders. Also tracks the rays, unless there are many.
template <Accel A, class Scene>
struct TraceShadowRays<A, Scene, GridMedia<false>> {
  static constexpr Stage kStage = Stage::kShadow;

  A accel;
  TrackShadowRays<Scene> tracking;

  SIMT_HOST_DEVICE bool operator()(uint32_t i) const {
    const ShadowRays& rays = tracking.shadow_rays;
    ShadowRay shadow = rays.load(i);
    uint32_t medium = rays.medium(i);
    tracking.media.find_occluder(tracking.scene, accel, rays.id(i), shadow, medium);
    if (!ManyShadowRays::are_in(*tracking.media.state)) return tracking.add(i, shadow, medium);
    rays.store(i, rays.id(i), shadow);
    rays.media[i] = medium;
    return false;  // TrackShadowRays counts it
  }

  SIMT_HOST_DEVICE static uint32_t& counter(Iteration& iteration) { return iteration.unoccluded; }
};

}  // namespace winnow
