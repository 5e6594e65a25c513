#pragma once

#include "bvh/accel.h"
#include "device_scene/textured_material.h"
#include "film/film.h"
#include "shading/bsdf/albedo.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/see_through.h"

namespace winnow {

/// The number of the instance that a primitive belongs to, from 1; 0 if to none.
SIMT_HOST_DEVICE inline uint32_t instance_number(const DeviceScene&, uint32_t) {
  return 0;
}
SIMT_HOST_DEVICE inline uint32_t instance_number(const FullScene& scene, uint32_t primitive) {
  return scene.is_instanced(primitive) ? scene.instance_of(primitive) + 1 : 0;
}

/// Follows the camera rays of one pixel of the wave once more, to their first hits, and adds what
/// is there to the film. A stage of its own, so that the others know nothing of it.
///
/// writes  film
template <Accel A, class Scene>
struct AddFirstHits {
  static constexpr Stage kStage = Stage::kFirstHits;

  Scene scene;
  A accel;
  SamplerSettings sampler_settings;
  const WaveState* state;
  Film film;

  /// @param i  pixel of the wave, [0, wave.pixel_count)
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Wave& wave = state->wave;
    const uint32_t pixel = wave.pixel_of(i);
    glm::dvec3 albedo_sum = film.albedo[pixel], normal_sum = film.normal[pixel];
    for (uint32_t sample = 0; sample < wave.sample_count; ++sample) {
      const Sampler sampler = sampler_of(wave, sampler_settings, sample * wave.pixel_count + i);
      const Ray ray = start_path(scene.camera, scene.filter, wave.width, sampler).ray;
      const Hit hit = intersect(scene, accel, ray);
      FirstHit first;
      if (hit.primitive != kNoPrimitive) {
        const auto surface = surface_at(scene, ray, hit);
        const float cone = cone_width(scene.camera, hit.t);
        const auto& material = material_at(scene, surface, cone, ray.direction);
        const glm::vec3 ns = frame_at(scene, surface, material, surface.ns, cone, ray.direction).n;
        const bool from_inside = glm::dot(surface.n, ray.direction) > 0.0f;
        albedo_sum += glm::dvec3(albedo(material));
        normal_sum += glm::dvec3(from_inside ? -ns : ns);
        first = {.position = surface.p,
                 .depth = glm::dot(surface.p - scene.camera.position, scene.camera.forward),
                 .material = surface.material + 1,
                 .primitive = hit.primitive + 1,
                 .instance = instance_number(scene, hit.primitive)};
      }
      if (sampler.sample == 0) film.first_hits[pixel] = first;
    }
    film.albedo[pixel] = albedo_sum;
    film.normal[pixel] = normal_sum;
  }
};

}  // namespace winnow
