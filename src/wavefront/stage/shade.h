// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <glm/geometric.hpp>

#include "device_scene/device_scene.h"
#include "device_scene/surface.h"
#include "device_scene/textured_material.h"
#include "math/frame.h"
#include "math/rounded.h"
#include "math/sampler.h"
#include "math/sampling.h"
#include "shading/bsdf/dispersion.h"
#include "shading/phase_function.h"
#include "wavefront/stage/direct_light.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/media.h"
#include "wavefront/state/aggregated_atomics.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/queue.h"

namespace winnow {

struct Bounce {
  uint32_t index;        ///< scattering events so far
  uint32_t max;          ///< largest number of scattering events
  bool roulette = true;  ///< whether Russian roulette may terminate the path
};

struct ShadeSettings {
  uint32_t max_bounces;
  bool roulette;
  bool regenerate;
};

/// Bounce at which Russian roulette starts: earlier bounces contribute most of the image.
inline constexpr uint32_t kRouletteStart = 2;
/// Throughput below which the survival probability depends on the throughput; above it, only on the
/// upper bounds below. At equal time the best survival probability is proportional to the
/// throughput, and the factor grows with the cost of a new path up to this point (Rath et al.,
/// "EARS: Efficiency-Aware Russian Roulette and Splitting", 2022). In rooms, 1/3 takes 0.8 of the
/// time x error of 1.
inline constexpr float kRouletteThroughput = 1.0f / 3.0f;
/// Upper bound of the survival probability: terminates paths that lose no energy.
inline constexpr float kMaxSurvival = 0.95f;
/// Upper bound of the survival probability in media. Light leaves a cloud or a glass of milk after
/// tens of scatterings. The bound of surfaces would terminate most of these paths and give the
/// others a large weight.
inline constexpr float kMaxSurvivalInMedium = 0.99f;
/// A shadow ray ends before its light by this fraction of its length, so that the light does not
/// occlude itself. Occluders in that gap, such as the back of a lamp, are ignored.
inline constexpr float kShadowGap = 1e-5f;

SIMT_HOST_DEVICE inline bool is_finite(glm::vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Returns the ray from a surface to a point of a light, or to infinity.
SIMT_HOST_DEVICE inline Ray shadow_ray(const SurfacePoint& surface, const LightSample& light) {
  glm::vec3 origin = offset_origin(surface.p, surface.p_error, surface.n, light.wi);
  if (std::isinf(light.distance)) return {.origin = origin, .direction = light.wi};
  glm::vec3 to_light = surface.p + light.distance * light.wi - origin;
  float distance = glm::length(to_light);
  return {
      .origin = origin, .direction = to_light / distance, .t_max = distance * (1.0f - kShadowGap)};
}

// The steps of shading at a surface. shade() executes all of them for one path; on a CPU,
// ShadeBatch executes each of them for all paths of a batch: surface_at(), facing_normal(),
// sample_light(), evaluating and sampling the BSDF, reflect_light(), scatter().

/// Returns whether a ray hits the same side according to both normals.
SIMT_HOST_DEVICE inline bool sides_agree(glm::vec3 n, glm::vec3 ns, glm::vec3 direction) {
  return glm::dot(n, direction) * glm::dot(ns, direction) > 0.0f;
}

/// Returns the shading normal for a ray: the geometric normal if the interpolated one faces away
/// from the viewer.
SIMT_HOST_DEVICE inline glm::vec3 facing_normal(const SurfacePoint& surface, glm::vec3 direction) {
  glm::vec3 seen = surface.ns;
  if (!sides_agree(surface.n, seen, direction)) seen = surface.n;
  return seen;
}

/// Returns the light of a sample that a surface scatters along the path, with the shadow ray that
/// tests whether it is visible. t_max is 0 if there is no shadow ray.
///
/// @param eval  eval(wo, wi) evaluates the BSDF in `frame`
template <class Eval>
SIMT_HOST_DEVICE ShadowRay reflected_light(const Path& path, const SurfacePoint& surface,
                                           const Frame& frame, const LightSample& light,
                                           const Eval& eval) {
  ShadowRay none{.ray = {.t_max = 0.0f}};
  if (light.pdf == 0.0f) return none;
  glm::vec3 wo = frame.to_local(-path.ray.direction), wi = frame.to_local(light.wi);
  if (glm::dot(light.wi, surface.n) * wi.z <= 0.0f)
    return none;  // on different sides of the two normals
  const BsdfValue bsdf = eval(wo, wi);
  if (bsdf.f == glm::vec3(0.0f)) return none;
  const float weight = balance_heuristic(light.mis_pdf, bsdf.pdf);
  return {.ray = shadow_ray(surface, light),
          .contribution =
              path.throughput * bsdf.f * (std::abs(wi.z) * weight / light.pdf) * light.radiance};
}

/// Next-event estimation: like reflected_light(), but drops light that is not finite. Returns
/// whether the light is finite.
template <class Eval>
SIMT_HOST_DEVICE bool reflect_light(const Path& path, const SurfacePoint& surface,
                                    const Frame& frame, const LightSample& light, const Eval& eval,
                                    ShadowRay& shadow) {
  shadow = reflected_light(path, surface, frame, light, eval);
  if (is_finite(shadow.contribution)) return true;
  shadow.ray.t_max = 0.0f;
  return false;
}

/// Terminates a path at random if its throughput is low.
///
/// @param max_survival  upper bound of the survival probability
/// @param u             uniform in [0, 1)
SIMT_HOST_DEVICE inline Termination play_roulette(Path& path, Bounce bounce, float max_survival,
                                                  float u) {
  if (!bounce.roulette || bounce.index < kRouletteStart) return Termination::kAlive;
  const glm::vec3 t = path.throughput * (path.eta_scale / kRouletteThroughput);
  const float survival = smaller(larger(t.x, larger(t.y, t.z)), max_survival);
  if (u >= survival) return Termination::kRoulette;
  path.throughput /= survival;
  return Termination::kAlive;
}

/// Continues the path in a direction sampled from the BSDF, or terminates it.
///
/// @param sample  sample of the BSDF in `frame`
/// @return        kAlive, or why the path ends
SIMT_HOST_DEVICE inline Termination scatter(Path& path, const SurfacePoint& surface,
                                            const Frame& frame, const BsdfSample& sample) {
  glm::vec3 wi = frame.to_world(sample.wi);
  bool sides_agree = glm::dot(wi, surface.n) * sample.wi.z > 0.0f;
  if (sample.weight == glm::vec3(0.0f) || !sides_agree) return Termination::kZeroThroughput;

  path.throughput *= sample.weight;
  path.eta_scale = round_to_bfloat16(path.eta_scale * sample.eta_scale);
  path.bsdf_pdf = sample.pdf;
  path.ray = {.origin = offset_origin(surface.p, surface.p_error, surface.n, wi),
              .direction = glm::normalize(wi)};
  if (!is_finite(path.throughput) || !is_finite(path.ray.direction)) return Termination::kNotFinite;
  return Termination::kAlive;
}

/// Extends the path's ray cone to the hit and returns its width there, m. Basic scenes have no
/// textures and need no cones.
template <Features kFeatures>
SIMT_HOST_DEVICE float extend_cone([[maybe_unused]] const DeviceScene<kFeatures>& scene,
                                   [[maybe_unused]] const Hit& hit, [[maybe_unused]] Path& path) {
  if constexpr (kFeatures.extended) {
    path.travelled = round_to_bfloat16(path.travelled + hit.t);
    return cone_width(scene.camera, path.travelled);
  } else {
    return 0.0f;
  }
}

/// The lights that shade() samples: those of the scene.
struct SceneLights {
  /// Whether shade() only samples a light, and leaves the path as it is.
  static constexpr bool kLightOnly = false;

  template <Features kFeatures, class Numbers>
  SIMT_HOST_DEVICE LightSample sample(const DeviceScene<kFeatures>& scene, const Numbers& sampler,
                                      uint32_t bounce, const Path& path,
                                      const Surface<kFeatures>& surface,
                                      const Material& material) const {
    return sample_light(scene, path, surface, material, sampler.light3(light_dimension(bounce)));
  }

  /// @param p  m, a point in a medium
  template <Features kFeatures, class Numbers>
  SIMT_HOST_DEVICE LightSample sample(const DeviceScene<kFeatures>& scene, const Numbers& sampler,
                                      uint32_t bounce, const Path& path, glm::vec3 p) const {
    return sample_light_in_medium(scene, path, p, sampler.light3(light_dimension(bounce)));
  }
};

/// Scatters a path in a medium, at the end `hit` of its free flight: samples a light, and the next
/// direction from the phase function.
///
/// @param lights  see shade()
template <Features kFeatures, class Numbers, class LightsToSample = SceneLights>
SIMT_HOST_DEVICE Termination scatter_in_medium(const DeviceScene<kFeatures>& scene,
                                               const Numbers& sampler, Bounce bounce,
                                               const Hit& hit, PathInMedia& path,
                                               ShadowRayInMedia& shadow,
                                               const LightsToSample& lights = {}) {
  extend_cone(scene, hit, path);
  if (bounce.index == bounce.max) return Termination::kMaxDepth;
  const float asymmetry = scene.media[path.medium].asymmetry;
  const glm::vec3 p = path.ray.origin + hit.t * path.ray.direction;

  const LightSample light = lights.sample(scene, sampler, bounce.index, path, p);
  if (light.pdf > 0.0f) {
    // The phase function is its own density.
    const float phase = eval_phase(asymmetry, glm::dot(path.ray.direction, light.wi));
    const float weight = balance_heuristic(light.mis_pdf, phase);
    shadow.ray = {
        .origin = p, .direction = light.wi, .t_max = light.distance * (1.0f - kShadowGap)};
    shadow.contribution = path.throughput * (phase * weight / light.pdf) * light.radiance;
    shadow.medium = path.medium;
    if (!is_finite(shadow.contribution)) {
      shadow.ray.t_max = 0.0f;
      return Termination::kNotFinite;
    }
  }
  if constexpr (LightsToSample::kLightOnly) return Termination::kAlive;

  const glm::vec4 u = sampler.direction4(scatter_dimension(bounce.index));
  const PhaseSample sample = sample_phase(asymmetry, path.ray.direction, {u.x, u.y});
  path.bsdf_pdf = sample.pdf;
  path.ray = {.origin = p, .direction = sample.wi};
  if (!is_finite(path.throughput) || !is_finite(path.ray.direction)) return Termination::kNotFinite;
  return play_roulette(path, bounce, kMaxSurvivalInMedium, u.w);
}

/// Ends a path that left the scene; `gathered` is the result of gather_sky().
SIMT_HOST_DEVICE inline Termination end_in_sky(Path& path, glm::vec3 gathered) {
  if (!is_finite(gathered)) return Termination::kNotFinite;
  path.radiance += gathered;
  return Termination::kEscaped;
}

/// Shades one bounce of one path: gathers emission of the sky or surface that its ray hit, then
/// samples a light and the next direction.
///
/// @param hit     hit of the path's ray, or scattering in a medium: see ended_in_medium()
/// @param shadow  receives the shadow ray of the light sample, not yet tested; t_max is 0 if there
///                is none
/// @param lights  the lights of next-event estimation: SceneLights or PointOfVolumes
/// @return        kAlive, or why the path ends
/// @tparam kHits    what is known of `hit`
/// @tparam Numbers  Sampler, or a sampler whose numbers have been drawn
template <ShadedHits kHits = ShadedHits::kAny, Features kFeatures, class Numbers,
          class LightsToSample = SceneLights>
SIMT_HOST_DEVICE Termination shade(const DeviceScene<kFeatures>& scene, const Numbers& sampler,
                                   Bounce bounce, const Hit& hit, PathOf<kFeatures.media>& path,
                                   ShadowRayOf<kFeatures.media>& shadow,
                                   const LightsToSample& lights = {}) {
  shadow.ray.t_max = 0.0f;
  if constexpr (kFeatures.media && class_range_of(kHits).contains(kScatteredInMedium))
    if (ended_in_medium(hit))
      return scatter_in_medium(scene, sampler, bounce, hit, path, shadow, lights);
  if constexpr (class_range_of(kHits).contains(HitClass::kNoSurface))
    if (hit.primitive == kNoPrimitive) return end_in_sky(path, gather_sky(scene, path));

  const float cone = extend_cone(scene, hit, path);
  const auto surface = surface_at(scene, path.ray, hit);
  decltype(auto) material = material_at<kHits>(scene, surface, cone, path.ray.direction);
  if (emits_towards(path, surface, material)) {
    glm::vec3 gathered = gather_emission(scene, path, hit, surface, material);
    if (!is_finite(gathered)) return Termination::kNotFinite;
    path.radiance += gathered;
  }
  if (is_black_from(scene, surface, material, path.ray.direction))
    return emits(material) ? Termination::kHitLight : Termination::kZeroThroughput;
  if (bounce.index == bounce.max) return Termination::kMaxDepth;
  if constexpr (kFeatures.layers)
    if (material.dispersion > 0.0f) disperse(material, path.throughput, channel_of(sampler));

  const glm::vec3 ns = facing_normal(surface, path.ray.direction);
  const ShadingFrame at = frame_at(scene, surface, material, ns, cone, path.ray.direction);
  const Frame& frame = at.frame;
  constexpr bool kHasBumps = kFeatures.extended && kHits != ShadedHits::kSimple;
  const std::conditional_t<kHasBumps, BumpedLambertLobe, LambertLobe> diffuse = at.diffuse;
  if (!scene.bsdfs.is_specular(material)) {
    const LightSample light = lights.sample(scene, sampler, bounce.index, path, surface, material);
    auto eval = [&](glm::vec3 wo, glm::vec3 wi) {
      BsdfValue value = scene.bsdfs.template eval<kHits>(material, wo, wi, diffuse);
      value.f *= at.shadowing(light.wi);
      return value;
    };
    if (!reflect_light(path, surface, frame, light, eval, shadow)) return Termination::kNotFinite;
    if constexpr (kFeatures.media)
      shadow.medium = medium_beyond(material, surface.n, shadow.ray.direction, path.medium);
  }
  if constexpr (LightsToSample::kLightOnly) return Termination::kAlive;

  const glm::vec4 u = sampler.direction4(scatter_dimension(bounce.index));
  BsdfSample sample = scene.bsdfs.template sample<kHits>(
      material, frame.to_local(-path.ray.direction), glm::vec3(u), diffuse);
  sample.weight *= at.shadowing(frame.to_world(sample.wi));
  Termination cause = scatter(path, surface, frame, sample);
  if (cause == Termination::kAlive) cause = play_roulette(path, bounce, kMaxSurvival, u.w);
  if constexpr (kFeatures.media)
    path.medium = medium_beyond(material, surface.n, path.ray.direction, path.medium);
  return cause;
}

struct Shaded {
  bool casts_shadow_ray = false;
  bool active = false;          ///< whether the slot holds an active path, the same one or a new
                                ///< one
  ShadowRayInMedia shadow_ray;  ///< shadow ray of path `shadow_id`
  PathId shadow_id, id;
  uint32_t bounce;  ///< index of the next bounce
  PathInMedia path;
};

/// Shades the hit of a path, or its scattering in a medium. With regeneration, a new path takes the
/// slot of one that terminates.
///
/// reads  path state, hit    writes  path state, result, shadow ray
template <class Scene, ShadedHits kHits = ShadedHits::kAny>
struct ShadeSurface {
  static constexpr Stage kStage = Stage::kShade;
  /// Resident blocks per multiprocessor. Basic shading gains more from latency hiding than it loses
  /// by spilling registers: on an H200, 4 blocks are 3 to 5 % faster than 3. With all materials, a
  /// frame with many of them takes 5 % less time with 2 than with 3, and one with few up to 1.5 %
  /// more.
  static constexpr unsigned kBlocksPerSm = !Scene::kFeatures.extended     ? 4
                                           : kHits == ShadedHits::kSimple ? 3
                                                                          : 2;
  // Traffic of path state: per path, per survivor, per terminated path, and per path that gathers
  // radiance.
  static constexpr size_t kStateBytes = 2 * sizeof(Packed);
  static constexpr size_t kSurvivorBytes = 3 * sizeof(Packed);
  static constexpr size_t kTerminationBytes = sizeof(TerminationRecord);
  static constexpr size_t kLitBytes = sizeof(Packed) + 2 * sizeof(PathResult::radiance);

  Scene scene;
  ShadeSettings settings;
  PathStarter starter;
  Span<const Hit> hits;  ///< [slot]
  ShadowRays shadow_rays;

  SIMT_HOST_DEVICE Shaded operator()(uint32_t slot) const {
    return shade_slot(slot, [this](const WaveState& state, PathId id) {
      return sampler_of(state.wave, starter.sampler, id);
    });
  }

  /// @param sampler_for  returns the sampler of a path, or a sampler whose numbers have been drawn
  template <class SamplerFor>
  SIMT_HOST_DEVICE Shaded shade_slot(uint32_t slot, const SamplerFor& sampler_for) const {
    const Paths& paths = starter.paths;
    const WaveState& state = *starter.state;
    const PathColumns& columns = paths.columns[state.iteration.ping_pong];
    const Bounce bounce = bounce_of(columns, slot);
    const Hit hit = hits[slot];
    Shaded shaded;
    PathInMedia& path = shaded.path;
    const PathId id = load(columns, slot, hit, path);
    Termination cause =
        shade<kHits>(scene, sampler_for(state, id), bounce, hit, path, shaded.shadow_ray);

    if (path.radiance != glm::vec3(0.0f)) paths.gathered(id, bounce.index) += path.radiance;
    shaded.shadow_ray.scatterings = bounce.index + 1;
    shaded.casts_shadow_ray = shaded.shadow_ray.ray.t_max > 0.0f;
    shaded.active = cause == Termination::kAlive;
    shaded.shadow_id = shaded.id = id;
    shaded.bounce = bounce.index + 1;
    if (!shaded.active) {
      paths.results[id].termination = TerminationRecord::of(cause, bounce.index);
      if (settings.regenerate) start_next(shaded);
    }
    return shaded;
  }

  SIMT_HOST_DEVICE Bounce bounce_of(const PathColumns& columns, uint32_t slot) const {
    return {columns.bounce(slot, starter.state->iteration.index), settings.max_bounces,
            settings.roulette};
  }

  SIMT_HOST_DEVICE void store_shadow_ray(uint32_t i, const Shaded& shaded) const {
    shadow_rays.store(i, shaded.shadow_id, shaded.shadow_ray);
    if constexpr (Scene::kFeatures.media)
      if (scene.has_media) shadow_rays.media[i] = shaded.shadow_ray.medium;
  }

  SIMT_HOST_DEVICE void store_path(uint32_t ping_pong, uint32_t slot, const Shaded& shaded) const {
    const PathColumns& columns = starter.paths.columns[ping_pong];
    columns.store(slot, shaded.id, shaded.bounce, shaded.path);
    if constexpr (Scene::kFeatures.media)
      if (scene.has_media) columns.media[slot] = shaded.path.medium;
  }

 private:
  /// Loads the fields that shading needs; the ray's origin only for lights and spheres.
  SIMT_HOST_DEVICE PathId load(const PathColumns& columns, uint32_t slot, const Hit& hit,
                               PathInMedia& path) const {
    const Packed direction = columns.direction_id[slot], throughput = columns.throughput_eta[slot];
    path.ray.direction = direction.xyz;
    path.throughput = throughput.xyz;
    const auto packed = std::bit_cast<uint32_t>(throughput.w);
    path.eta_scale = first_bfloat16(packed);
    if constexpr (Scene::kFeatures.extended) path.travelled = second_bfloat16(packed);
    if constexpr (Scene::kFeatures.media) path.medium = columns.medium(slot);
    if (needs_origin(scene, hit.primitive)) {
      const Packed origin = columns.origin_pdf[slot];
      path.ray.origin = origin.xyz;
      path.bsdf_pdf = origin.w;
    }
    return std::bit_cast<PathId>(direction.w);
  }

  /// Starts the next path of the wave in this slot, if there is one.
  SIMT_HOST_DEVICE void start_next(Shaded& shaded) const {
    WaveState& state = *starter.state;
    shaded.id = fetch_add_one_aggregated(state.next_path);
    if (shaded.id >= state.wave.path_count()) return;
    shaded.active = true;
    shaded.bounce = 0;
    shaded.path = {starter.start(shaded.id)};
  }
};

}  // namespace winnow
