// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>

#include "bvh/offset_origin.h"
#include "device_scene/device_scene.h"
#include "device_scene/surface.h"
#include "device_scene/textured_material.h"
#include "math/sampling.h"
#include "wavefront/state/paths.h"

namespace winnow {

// Direct lighting by two strategies, combined by MIS: emission that a path's BSDF-sampled ray hits,
// and next-event estimation.

/// Returns the MIS weight of emission that a path's ray hit. Full weight after a camera ray or
/// specular scattering, which light sampling cannot replace.
///
/// @param light_pdf  sr^-1, density of the ray's direction in light sampling
SIMT_HOST_DEVICE inline float bsdf_weight(const Path& path, float light_pdf) {
  return path.bsdf_pdf == 0.0f ? 1.0f : balance_heuristic(path.bsdf_pdf, light_pdf);
}

/// Returns the weighted radiance of the sky along the path's ray.
SIMT_HOST_DEVICE inline glm::vec3 gather_sky(const Path& path, const EnvironmentLookup& sky) {
  return bsdf_weight(path, sky.pdf) * path.throughput * sky.radiance;
}

/// Returns the weighted radiance of the sky and of distant disks along the path's ray.
template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec3 gather_sky(const DeviceScene<kFeatures>& scene, const Path& path) {
  const glm::vec3 w = path.ray.direction;
  glm::vec3 gathered = gather_sky(path, look_up_sky(scene.lights, path.ray.origin, w));
  if constexpr (kFeatures.extended)
    for (uint32_t i = 0; i < scene.lights.disk_count; ++i) {
      const DistantLight& disk = scene.lights.distant[i];
      if (!is_in_disk(disk, w)) continue;
      gathered += bsdf_weight(path, disk_pdf(scene.lights, disk)) * path.throughput * disk.radiance;
    }
  return gathered;
}

/// Returns whether a surface emits towards the origin of the path's ray.
template <Features kFeatures>
SIMT_HOST_DEVICE bool emits_towards(const Path& path, const Surface<kFeatures>& surface,
                                    const Material& material) {
  return emits(material) &&
         (material.two_sided_emission || glm::dot(surface.n, path.ray.direction) < 0.0f);
}

/// Returns whether a surface scatters no light back to the side from which a ray hits it, so that a
/// path ends there.
///
/// @param material   material_at() the surface
/// @param direction  of the ray
template <Features kFeatures>
SIMT_HOST_DEVICE bool is_black_from(const DeviceScene<kFeatures>& scene,
                                    const Surface<kFeatures>& surface, const Material& material,
                                    [[maybe_unused]] glm::vec3 direction) {
  if constexpr (kFeatures.extended)
    if (material.black_back && glm::dot(surface.n, direction) > 0.0f) return true;
  return scene.bsdfs.is_black(material);
}

/// Returns the weighted emission of the surface along the path's ray.
///
/// @param material  material_at() the surface
template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec3 gather_emission(const DeviceScene<kFeatures>& scene, const Path& path,
                                           const Hit& hit, const Surface<kFeatures>& surface,
                                           const Material& material) {
  const glm::vec3 emission = material.emission;
  float light_pdf = 0.0f;
  const glm::vec3 from = path.ray.origin;
  if constexpr (kFeatures.extended) {
    if (path.bsdf_pdf != 0.0f)
      light_pdf = local_light_pdf(scene.lights, hit.primitive, from, hit.t,
                                  std::abs(glm::dot(surface.n, path.ray.direction)));
  } else if (hit.primitive < scene.mesh.triangles.size) {
    const float cos_at_light = std::abs(glm::dot(surface.n, path.ray.direction));
    light_pdf = triangle_light_pdf(scene.lights, emission, material.two_sided_emission, hit.t,
                                   cos_at_light);
  } else {
    const Sphere sphere = scene.spheres[hit.primitive - scene.mesh.triangles.size];
    light_pdf = sphere_light_pdf(scene.lights, emission, sphere.center, sphere.radius, from);
  }
  return bsdf_weight(path, light_pdf) * path.throughput * emission;
}

/// Returns the emission at a sampled point of a textured light, in W sr^-1 m^-2.
template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec3 emission_at(const DeviceScene<kFeatures>& scene, const LightPoint& point,
                                       const Path& path, glm::vec3 from,
                                       const LightSample& sample) {
  const uint32_t primitive = scene.lights.local[point.light].primitive;
  const Hit hit{.t = sample.distance, .u = point.b.x, .v = point.b.y, .primitive = primitive};
  const auto surface = surface_at(scene, Ray{.origin = from, .direction = sample.wi}, hit);
  // The texture is filtered as for a hit by the path's own ray.
  const float cone = cone_width(scene.camera, path.travelled + sample.distance);
  return alpha_at(scene, surface, cone, sample.wi) *
         material_at(scene, surface, cone, sample.wi).emission;
}

/// Chooses a light for the point `p` (m) in a medium, and samples a direction to it.
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_light_in_medium(const DeviceScene<kFeatures>& scene,
                                                    const Path& path, glm::vec3 p,
                                                    LightUniforms u) {
  LightPoint point;
  LightSample sample = sample_light(scene.lights, p, glm::vec3(0.0f), u, point);
  if (sample.pdf > 0.0f && point.light != kNoLight && scene.lights.local[point.light].textured)
    sample.radiance = emission_at(scene, point, path, p, sample);
  return sample;
}

/// Chooses a light for a surface that a path hit, and samples a direction to it.
template <Features kFeatures>
SIMT_HOST_DEVICE LightSample sample_light(const DeviceScene<kFeatures>& scene, const Path& path,
                                          const Surface<kFeatures>& surface,
                                          const Material& material, LightUniforms u) {
  LightPoint point;
  glm::vec3 n(0.0f);
  if constexpr (kFeatures.extended) {
    const float side = glm::dot(surface.n, path.ray.direction) < 0.0f ? 1.0f : -1.0f;
    if (!is_transmissive(material)) n = side * surface.n;
  }
  LightSample sample = sample_light(scene.lights, surface.p, n, u, point);
  if (point.sky_bin != LightPoint::kNoBin)
    set_mis_origin(scene.lights, surface.p,
                   offset_origin(surface.p, surface.p_error, surface.n, sample.wi), point.sky_bin,
                   sample);
  if constexpr (kFeatures.extended)
    if (sample.pdf > 0.0f && point.light != kNoLight && scene.lights.local[point.light].textured)
      sample.radiance = emission_at(scene, point, path, surface.p, sample);
  return sample;
}

}  // namespace winnow
