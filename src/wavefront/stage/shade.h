#pragma once

#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <type_traits>

#include "device_scene/device_scene.h"
#include "device_scene/full_surface.h"
#include "device_scene/surface.h"
#include "device_scene/textured_material.h"
#include "math/frame.h"
#include "math/sampler.h"
#include "math/sampling.h"
#include "shading/bsdf/bsdf.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/meet_light.h"
#include "wavefront/state/aggregated_atomics.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/queue.h"

namespace winnow {

/// Which bounce of its path this is.
struct Bounce {
  uint32_t number;       ///< scattering events so far
  uint32_t max;          ///< no path scatters more often
  bool roulette = true;  ///< whether chance may end the path
};

/// What a render asks of shading.
struct ShadeSettings {
  uint32_t max_bounces;
  bool roulette;
  bool regenerate;
};

/// Roulette starts here: the first bounces carry most of the image.
inline constexpr uint32_t kRouletteStart = 3;
/// A path that loses no energy must still end some day.
inline constexpr float kMaxSurvival = 0.95f;
/// A shadow ray stops short of its light by this share of the way, so as not to be hidden by it.
/// What is nearer to the light than that hides nothing of it: the back of a lamp, for one.
inline constexpr float kShadowGap = 1e-5f;

SIMT_HOST_DEVICE inline bool is_finite(glm::vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// From a surface to a point of a light, or to the sky.
SIMT_HOST_DEVICE inline Ray shadow_ray(const Surface& surface, const LightSample& light) {
  glm::vec3 origin = offset_origin(surface.p, surface.p_error, surface.n, light.wi);
  if (std::isinf(light.distance)) return {.origin = origin, .direction = light.wi};
  glm::vec3 to_light = surface.p + light.distance * light.wi - origin;
  float distance = glm::length(to_light);
  return {
      .origin = origin, .direction = to_light / distance, .t_max = distance * (1.0f - kShadowGap)};
}

/// A shadow ray toward a light chosen at random, with what it would bring; none if that is nothing.
template <class Scene>
SIMT_HOST_DEVICE inline ShadowRay sample_direct_light(const Scene& scene, const Path& path,
                                                      const Surface& surface, const Frame& frame,
                                                      const Material& material, glm::vec4 u) {
  ShadowRay none{.ray = {.t_max = 0.0f}};
  const auto light = sample_light(scene, path, surface, material, u);
  if (light.pdf == 0.0f) return none;
  glm::vec3 wo = frame.to_local(-path.ray.direction), wi = frame.to_local(light.wi);
  if (glm::dot(light.wi, surface.n) * wi.z <= 0.0f) return none;  // the two normals disagree
  const BsdfValue bsdf = scene.lobes.eval(material, wo, wi);
  if (bsdf.f == glm::vec3(0.0f)) return none;

  const float weight = light_weight(light, bsdf.pdf);
  return {.ray = shadow_ray(surface, light),
          .contribution =
              path.throughput * bsdf.f * (std::abs(wi.z) * weight / light.pdf) * light.radiance};
}

/// Turns the path into the direction that the surface's BSDF samples, or ends it.
template <class Lobes>
SIMT_HOST_DEVICE inline Death scatter(const Lobes& lobes, Path& path, const Surface& surface,
                                      const Frame& frame, const Material& material, Bounce bounce,
                                      glm::vec4 u) {
  BsdfSample sample =
      lobes.sample(material, frame.to_local(-path.ray.direction), glm::vec3(u.x, u.y, u.z));
  glm::vec3 wi = frame.to_world(sample.wi);
  bool sides_agree = glm::dot(wi, surface.n) * sample.wi.z > 0.0f;
  if (sample.weight == glm::vec3(0.0f) || !sides_agree) return Death::kZeroThroughput;

  path.throughput *= sample.weight;
  path.eta_scale = round_to_bfloat16(path.eta_scale * sample.eta_scale);
  path.bsdf_pdf = sample.pdf;
  path.ray = {.origin = offset_origin(surface.p, surface.p_error, surface.n, wi),
              .direction = glm::normalize(wi)};
  if (!is_finite(path.throughput) || !is_finite(path.ray.direction)) return Death::kNotFinite;

  if (bounce.roulette && bounce.number >= kRouletteStart) {
    glm::vec3 t = path.throughput * path.eta_scale;
    float survival = std::fmin(std::fmax(t.x, std::fmax(t.y, t.z)), kMaxSurvival);
    if (u.w >= survival) return Death::kRoulette;
    path.throughput /= survival;
  }
  return Death::kAlive;
}

/// Whether shading in such a scene asks how wide a path's cone is.
template <class Scene>
inline constexpr bool kFollowsCones = !std::is_same_v<Scene, DeviceScene>;

/// Lets the path's cone grow as far as the hit. Plain scenes need none.
/// @return  m, its width there
SIMT_HOST_DEVICE inline float follow_cone(const DeviceScene&, const Hit&, Path&) {
  return 0.0f;
}
SIMT_HOST_DEVICE inline float follow_cone(const FullScene& scene, const Hit& hit, Path& path) {
  path.travelled = round_to_bfloat16(path.travelled + hit.t);
  return cone_width(scene.camera, path.travelled);
}

/// One bounce of one path at the surface, or the sky, that its ray met: gathers emission, samples a
/// light and turns the path into its next direction.
///
/// @param shadow  receives the light sample, which waits for its visibility test; t_max 0 without
/// one
/// @return        kAlive, or why the path ends here
/// @tparam Scene  DeviceScene or FullScene
template <class Scene>
SIMT_HOST_DEVICE inline Death shade(const Scene& scene, const Sampler& sampler, Bounce bounce,
                                    const Hit& hit, Path& path, ShadowRay& shadow) {
  shadow.ray.t_max = 0.0f;
  if (hit.primitive == kNoPrimitive) {
    glm::vec3 gathered = gather_sky(scene, path);
    if (!is_finite(gathered)) return Death::kNotFinite;
    path.radiance += gathered;
    return Death::kEscaped;
  }

  const float cone = follow_cone(scene, hit, path);
  const auto surface = surface_at(scene, path.ray, hit);
  const auto& material = material_at(scene, surface, cone, path.ray.direction);
  if (emits(material)) {
    glm::vec3 gathered = gather_emission(scene, path, hit, surface, material.emission);
    if (!is_finite(gathered)) return Death::kNotFinite;
    path.radiance += gathered;
  }
  if (scene.lobes.reflects_nothing(material))
    return emits(material) ? Death::kHitLight : Death::kZeroThroughput;
  if (bounce.number == bounce.max) return Death::kMaxDepth;

  // Where the interpolated normal faces away from the viewer, the flat one must do.
  bool sides_agree =
      glm::dot(surface.n, path.ray.direction) * glm::dot(surface.ns, path.ray.direction) > 0.0f;
  const glm::vec3 ns = sides_agree ? surface.ns : surface.n;
  const Frame frame = frame_at(scene, surface, material, ns, cone, path.ray.direction);
  if (!scene.lobes.is_specular(material)) {
    shadow = sample_direct_light(scene, path, surface, frame, material,
                                 sampler.sample4(light_dimension(bounce.number)));
    if (!is_finite(shadow.contribution)) {
      shadow.ray.t_max = 0.0f;
      return Death::kNotFinite;
    }
  }
  return scatter(scene.lobes, path, surface, frame, material, bounce,
                 sampler.sample4(scatter_dimension(bounce.number)));
}

/// What became of the path in a slot.
struct Shaded {
  bool casts_shadow_ray = false;
  bool active = false;   ///< it, or another one in its place
  ShadowRay shadow_ray;  ///< of the path `shadow_id`
  PathId shadow_id, id;
  uint32_t bounce;  ///< that comes next
  Path path;
};

/// Shades what a path met. A path goes on, or ends; then, if the wave is to stay full, the next one
/// takes its place.
///
/// reads  path state, hit    writes  path state, result, shadow ray
template <class Scene>
struct ShadeSurface {
  static constexpr Stage kStage = Stage::kShade;
  /// That a multiprocessor is to hold. Plain shading gains more from warps that hide latency than
  /// it loses with their registers: on an H200, 4 blocks are 3 to 5 % faster than 3. Where it knows
  /// all materials, a frame with many of them takes 5 % less with 2 than with 3, and one with few
  /// up to 1.5 % more.
  static constexpr unsigned kBlocksPerSm = kFollowsCones<Scene> ? 2 : 4;
  // Of path state: for each path, each that goes on, each that ends, and each that meets light.
  static constexpr size_t kStateBytes = 2 * sizeof(Packed);
  static constexpr size_t kSurvivorBytes = 3 * sizeof(Packed);
  static constexpr size_t kDeathBytes = sizeof(TerminationRecord);
  static constexpr size_t kLitBytes = sizeof(Packed) + 2 * sizeof(PathResult::radiance);

  Scene scene;
  ShadeSettings settings;
  PathStarter starter;
  Span<const Hit> hits;  ///< [slot]
  ShadowRays shadow_rays;

  SIMT_HOST_DEVICE Shaded operator()(uint32_t slot) const {
    const Paths& paths = starter.paths;
    const WaveState& state = *starter.state;
    const PathColumns& columns = paths.columns[state.iteration.ping_pong];
    const Bounce bounce{columns.bounces.data ? columns.bounces[slot] : state.iteration.index,
                        settings.max_bounces, settings.roulette};
    const Hit hit = hits[slot];
    Shaded shaded;
    Path& path = shaded.path;
    const PathId id = load(columns, slot, hit, path);
    Death death = shade(scene, sampler_of(state.wave, starter.sampler, id), bounce, hit, path,
                        shaded.shadow_ray);

    if (path.radiance != glm::vec3(0.0f)) paths.gathered(id, bounce.number) += path.radiance;
    shaded.shadow_ray.scatterings = bounce.number + 1;
    shaded.casts_shadow_ray = shaded.shadow_ray.ray.t_max > 0.0f;
    shaded.active = death == Death::kAlive;
    shaded.shadow_id = shaded.id = id;
    shaded.bounce = bounce.number + 1;
    if (!shaded.active) {
      paths.results[id].termination = TerminationRecord::of(death, bounce.number);
      if (settings.regenerate) start_next(shaded);
    }
    return shaded;
  }

  /// @param i  place among the shadow rays
  SIMT_HOST_DEVICE void store_shadow_ray(uint32_t i, const Shaded& shaded) const {
    shadow_rays.store(i, shaded.shadow_id, shaded.shadow_ray);
  }

  /// @param ping_pong  index of Paths::columns
  SIMT_HOST_DEVICE void store_path(uint32_t ping_pong, uint32_t slot, const Shaded& shaded) const {
    starter.paths.columns[ping_pong].store(slot, shaded.id, shaded.bounce, shaded.path);
  }

 private:
  /// Loads what shading needs: where the ray came from matters only for light and spheres.
  SIMT_HOST_DEVICE PathId load(const PathColumns& columns, uint32_t slot, const Hit& hit,
                               Path& path) const {
    const Packed direction = columns.direction_id[slot], throughput = columns.throughput_eta[slot];
    path.ray.direction = direction.xyz;
    path.throughput = throughput.xyz;
    const auto packed = std::bit_cast<uint32_t>(throughput.w);
    path.eta_scale = first_bfloat16(packed);
    if constexpr (kFollowsCones<Scene>) path.travelled = second_bfloat16(packed);
    if (needs_origin(scene, hit.primitive)) {
      const Packed origin = columns.origin_pdf[slot];
      path.ray.origin = origin.xyz;
      path.bsdf_pdf = origin.w;
    }
    return std::bit_cast<PathId>(direction.w);
  }

  /// Starts another path, if there is one left.
  SIMT_HOST_DEVICE void start_next(Shaded& shaded) const {
    WaveState& state = *starter.state;
    shaded.id = fetch_add_one_aggregated(state.next_path);
    if (shaded.id >= state.wave.path_count()) return;
    shaded.active = true;
    shaded.bounce = 0;
    shaded.path = starter.start(shaded.id);
  }
};

}  // namespace winnow
