// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/accel.h"
#include "device_scene/textured_material.h"
#include "film/film.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/stage/direct_light.h"
#include "wavefront/stage/generate.h"

namespace winnow {

/// Returns the approximate albedo at normal incidence: 1 for a smooth dielectric, which tints only
/// transmission.
SIMT_HOST_DEVICE inline glm::vec3 albedo(const Material& material) {
  return material.type == MaterialType::kDielectric ? glm::vec3(1.0f) : material.reflectance;
}

/// Returns the shading normal `ns` on the side of the surface from which a ray comes.
///
/// @param n  geometric normal
SIMT_HOST_DEVICE inline glm::vec3 towards_camera(glm::vec3 ns, glm::vec3 n, glm::vec3 direction) {
  return glm::dot(n, direction) > 0.0f ? -ns : ns;
}

/// Adds the first hits of one pixel of the wave to the film. A separate stage, so that renders
/// without first hits do not pay for it.
///
/// reads  ray, hit    writes  film
/// @tparam kTraces  whether it traces the camera rays, beside the paths or without them; else the
///                  paths of the wave have just found their first hits
template <Accel A, class Scene, bool kTraces = true>
struct AddFirstHits {
  static constexpr Stage kStage = Stage::kFirstHits;

  Scene scene;
  A accel;
  SamplerSettings sampler_settings;
  const WaveState* state;
  Film film;
  bool counts_samples = false;  ///< for renders without paths, whose samples nothing else counts
  PathColumns columns = {};     ///< paths of the wave, unless kTraces
  Span<const Hit> hits = {};    ///< [slot], their hits after the alpha test, unless kTraces

  /// Sums over the samples of a pixel.
  struct Sums {
    glm::dvec3 albedo, normal;
    uint32_t misses = 0;  ///< in this wave
  };

  /// @param i  pixel of the wave, [0, wave.pixel_count)
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Wave& wave = state->wave;
    const uint32_t pixel = wave.pixel_of(i);
    Sums sums = sums_of(pixel);
    for (uint32_t sample = 0; sample < wave.sample_count; ++sample) {
      const PathId id = sample * wave.pixel_count + i;
      add(id, id, pixel, sums);
    }
    store(pixel, sums);
  }

  SIMT_HOST_DEVICE Sums sums_of(uint32_t pixel) const {
    return {film.albedo[pixel], film.normal[pixel]};
  }

  /// Adds a sample. If it is the first one of its pixel, also stores its hit.
  ///
  /// @param slot  of its path; not read if it kTraces
  SIMT_HOST_DEVICE void add(PathId id, uint32_t slot, uint32_t pixel, Sums& sums) const {
    const Wave& wave = state->wave;
    const auto [ray, travelled, hit] = find(wave, id, slot);
    FirstHit first;
    if (hit.primitive != kNoPrimitive) {
      const auto surface = surface_at(scene, ray, hit);
      const float cone = cone_width(scene.camera, travelled + hit.t);
      const auto& material = material_at(scene, surface, cone, ray.direction);
      const glm::vec3 ns =
          frame_at(scene, surface, material, surface.ns, cone, ray.direction).frame.n;
      if (!is_black_from(scene, surface, material, ray.direction))
        sums.albedo += glm::dvec3(albedo(material));
      sums.normal += glm::dvec3(towards_camera(ns, surface.n, ray.direction));
      first = {.position = surface.p,
               .depth = glm::dot(surface.p - scene.camera.position, scene.camera.forward),
               .material = surface.material + 1,
               .primitive = hit.primitive + 1,
               .instance = 0};
      if constexpr (Scene::kFeatures.instances)
        if (scene.is_instanced(hit.primitive))
          first.instance = scene.instanced.instance_of(hit.primitive) + 1;
    } else {
      ++sums.misses;
    }
    if (wave.sample_of(id) == 0) film.first_hits[pixel] = first;
  }

  SIMT_HOST_DEVICE void store(uint32_t pixel, const Sums& sums) const {
    film.albedo[pixel] = sums.albedo;
    film.normal[pixel] = sums.normal;
    if (!counts_samples) return;
    film.samples[pixel] += state->wave.sample_count;
    if (film.background.size > 0) film.background[pixel].w += sums.misses;
  }

 private:
  struct CameraHit {
    Ray ray;
    float travelled;  ///< m, up to the origin of `ray`
    Hit hit;
  };

  SIMT_HOST_DEVICE CameraHit find(const Wave& wave, PathId id, uint32_t slot) const {
    if constexpr (!kTraces) {
      return {columns.ray(slot), columns.travelled(slot), hits[slot]};
    } else {
      const Sampler sampler = sampler_of(wave, sampler_settings, id);
      const Path path = start_path(scene.camera, scene.filter, wave.width, sampler);
      const Ray ray = clipped_ray(scene.camera, path.ray, 0);
      return {ray, path.travelled,
              alpha_tested(scene, accel, ray, path.travelled, accel.intersect(ray))};
    }
  }
};

}  // namespace winnow
