#pragma once

#include <cmath>
#include <glm/geometric.hpp>

#include "device_scene/device_scene.h"
#include "device_scene/full_scene.h"
#include "device_scene/full_surface.h"
#include "device_scene/surface.h"
#include "device_scene/textured_material.h"
#include "math/sampling.h"
#include "wavefront/state/paths.h"

namespace winnow {

// How a path meets light: by its own ray, and by a sample of the lights. In a plain scene as
// shading/light.h says, in a FullScene as shading/full_lights.h does.

/// MIS weight of a path's own ray that reached a light, beside light sampling's density for it.
SIMT_HOST_DEVICE inline float bsdf_weight(const Path& path, float light_pdf) {
  return path.bsdf_pdf == 0.0f ? 1.0f : power_heuristic(path.bsdf_pdf, light_pdf);
}

/// What the sky sends along the path's ray.
SIMT_HOST_DEVICE inline glm::vec3 gather_sky(const DeviceScene& scene, const Path& path) {
  glm::vec3 w = path.ray.direction;
  float weight = bsdf_weight(path, sky_light_pdf(scene.lights, w));
  return weight * path.throughput * eval_sky(scene.lights.sky, w);
}

/// What the sky and the disks of distant lights send along the path's ray.
SIMT_HOST_DEVICE inline glm::vec3 gather_sky(const FullScene& scene, const Path& path) {
  const glm::vec3 w = path.ray.direction;
  const EnvironmentLookup sky = look_up_sky(scene.full_lights, scene.lights.sky, w);
  glm::vec3 gathered = bsdf_weight(path, sky.pdf) * path.throughput * sky.radiance;
  for (uint32_t i = 0; i < scene.full_lights.disk_count; ++i) {
    const DistantLight& disk = scene.full_lights.distant[i];
    if (!is_in_disk(disk, w)) continue;
    gathered +=
        bsdf_weight(path, disk_pdf(scene.full_lights, disk)) * path.throughput * disk.radiance;
  }
  return gathered;
}

/// What the surface emits along the path's ray.
SIMT_HOST_DEVICE inline glm::vec3 gather_emission(const DeviceScene& scene, const Path& path,
                                                  const Hit& hit, const Surface& surface,
                                                  glm::vec3 emission) {
  float light_pdf;
  if (hit.primitive < scene.triangles.size) {
    float cos_at_light = std::abs(glm::dot(surface.n, path.ray.direction));
    light_pdf = triangle_light_pdf(scene.lights, emission, hit.t, cos_at_light);
  } else {
    Sphere sphere = scene.spheres[hit.primitive - scene.triangles.size];
    light_pdf =
        sphere_light_pdf(scene.lights, emission, sphere.center, sphere.radius, path.ray.origin);
  }
  return bsdf_weight(path, light_pdf) * path.throughput * emission;
}

/// @param emission  as its texture says
SIMT_HOST_DEVICE inline glm::vec3 gather_emission(const FullScene& scene, const Path& path,
                                                  const Hit& hit, const FullSurface& surface,
                                                  glm::vec3 emission) {
  const float light_pdf =
      path.bsdf_pdf == 0.0f  // a density that nobody asks for
          ? 0.0f
          : local_light_pdf(scene.full_lights, hit.primitive, path.ray.origin, hit.t,
                            std::abs(glm::dot(surface.n, path.ray.direction)));
  return bsdf_weight(path, light_pdf) * path.throughput * emission;
}

/// A light chosen at random, and a direction to it.
///
/// @param u  four independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline LightSample sample_light(const DeviceScene& scene, const Path&,
                                                 const Surface& surface, const Material&,
                                                 glm::vec4 u) {
  return sample_light(scene.lights, surface.p, u);
}

/// What an uneven light emits at the point that a sample found, of what it emits at most.
SIMT_HOST_DEVICE inline glm::vec3 emission_there(const FullScene& scene, const LocalLight& light,
                                                 const Path& path, glm::vec3 from,
                                                 const LightSample& sample, glm::vec2 b) {
  const Hit hit{.t = sample.distance, .u = b.x, .v = b.y, .primitive = light.primitive};
  const FullSurface surface = surface_at(scene, Ray{.origin = from, .direction = sample.wi}, hit);
  // As a ray to there would see it.
  const float cone = cone_width(scene.camera, path.travelled + sample.distance);
  return coverage(scene, surface) * material_at(scene, surface, cone, sample.wi).emission;
}

/// A light of those that have a place.
SIMT_HOST_DEVICE inline FullLightSample sample_local_light(const FullScene& scene, const Path& path,
                                                           const Surface& surface,
                                                           const Material& material,
                                                           glm::vec2 u_choice, glm::vec2 u_point) {
  const float side = glm::dot(surface.n, path.ray.direction) < 0.0f ? 1.0f : -1.0f;
  const glm::vec3 n = lets_light_through(material) ? glm::vec3(0.0f) : side * surface.n;
  uint32_t number = FullLights::kNoLight;
  glm::vec2 b(0.0f);
  FullLightSample sample =
      sample_local_lights(scene.full_lights, surface.p, n, u_choice, u_point, number, b);
  if (sample.pdf == 0.0f) return sample;
  const LocalLight& light = scene.full_lights.local[number];
  if (light.textured) sample.radiance = emission_there(scene, light, path, surface.p, sample, b);
  return sample;
}

SIMT_HOST_DEVICE inline FullLightSample sample_light(const FullScene& scene, const Path& path,
                                                     const Surface& surface,
                                                     const Material& material, glm::vec4 u) {
  const FullLights& lights = scene.full_lights;
  const glm::vec2 u_choice{u.x, u.y};
  // What is left of u.z is uniform again.
  auto rest = [&](float first, float chance) {
    return glm::vec2{glm::min((u.z - first) / chance, kOneMinusEpsilon), u.w};
  };
  if (u.z < lights.local_chance)
    return sample_local_light(scene, path, surface, material, u_choice,
                              rest(0.0f, lights.local_chance));
  const float sky_end = lights.local_chance + lights.sky_chance;
  if (u.z < sky_end || lights.distant.size == 0) {
    if (lights.sky_chance == 0.0f) return {};
    return sample_full_sky(lights, scene.lights.sky, u_choice,
                           rest(lights.local_chance, lights.sky_chance));
  }
  return sample_distant_lights(lights, u_choice, rest(sky_end, lights.distant_chance));
}

/// MIS weight of a light sample, beside the BSDF's density of its direction.
SIMT_HOST_DEVICE inline float light_weight(const LightSample& light, float bsdf_pdf) {
  return power_heuristic(light.pdf, bsdf_pdf);
}
SIMT_HOST_DEVICE inline float light_weight(const FullLightSample& light, float bsdf_pdf) {
  return power_heuristic(light.mis_pdf, bsdf_pdf);
}

}  // namespace winnow
