// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "image/image.h"
#include "tests/support/estimate.h"
#include "tests/wavefront/support/test_scenes.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

// Scenes with media, and what tests of their pictures share.

inline const Medium kChromaticFog{
    .absorption = {0.1f, 0.3f, 0.0f}, .scattering = {0.4f, 0.5f, 2.0f}, .asymmetry = 0.5f};
inline constexpr float kSlabThickness = 0.8f;  // m, of a slab

inline const Sky kWhiteSky{
    .zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};

inline uint32_t add_medium(HostScene& scene, const Medium& medium) {
  scene.media.push_back(medium);
  return uint32_t(scene.media.size() - 1);
}

/// A material that bounds a medium, and is no surface unless it has another type.
inline uint32_t add_media_boundary(HostScene& scene, uint32_t interior,
                                   Material material = {.type = MaterialType::kNull}) {
  material.bounds_media = true;
  material.interior = interior;
  return add_material(scene, material);
}

/// A closed box.
inline void add_box(HostScene& scene, glm::vec3 low, glm::vec3 high, uint32_t material) {
  const glm::vec3 size = high - low, x{size.x, 0, 0}, y{0, size.y, 0}, z{0, 0, size.z};
  add_rectangle(scene, low, y, x, material);
  add_rectangle(scene, low, x, z, material);
  add_rectangle(scene, low, z, y, material);
  add_rectangle(scene, high, -x, -y, material);
  add_rectangle(scene, high, -z, -x, material);
  add_rectangle(scene, high, -y, -z, material);
}

/// A wide slab from y = 0 to kSlabThickness, seen straight from above.
inline HostScene slab_scene(const Medium& medium) {
  HostScene scene;
  const uint32_t boundary = add_media_boundary(scene, add_medium(scene, medium));
  add_box(scene, {-50, 0, -50}, {50, kSlabThickness, 50}, boundary);
  scene.camera = {.position = {0.1f, 3, 0.2f},
                  .look_at = {0.1f, 0, 0.2f},
                  .up = {0, 0, 1},
                  .projection = Projection::kOrthographic,
                  .view_height = 1.0f};
  return scene;
}

inline glm::dvec3 transmittance_of(const Medium& medium, double length) {
  const glm::dvec3 extinction = glm::dvec3(medium.absorption) + glm::dvec3(medium.scattering);
  return {std::exp(-extinction.x * length), std::exp(-extinction.y * length),
          std::exp(-extinction.z * length)};
}

/// Returns the radiance that the slab scatters once straight back, under light from above that
/// falls straight down: s phase E (1 - exp(-2 d)) / (2 e), of the mean extinction e and its depth
/// d. The optical depth is the variable of the integral, so that a density that varies changes
/// nothing.
///
/// @param phase       sr^-1, phase function of the medium for light that turns back
/// @param irradiance  W m^-2
inline glm::dvec3 light_scattered_back_by_slab(const Medium& medium, double phase,
                                               double irradiance) {
  const glm::dvec3 extinction = glm::dvec3(medium.absorption) + glm::dvec3(medium.scattering);
  return glm::dvec3(medium.scattering) * phase * irradiance *
         (1.0 - transmittance_of(medium, 2.0 * kSlabThickness)) / (2.0 * extinction);
}

inline RenderSettings media_settings(uint32_t bounces) {
  return {.width = 32, .height = 32, .max_bounces = bounces, .sampler = SamplerType::kHash};
}

/// Expects the mean of each channel over all pixels, up to noise.
inline void expect_mean_color(const Image& image, glm::dvec3 expected) {
  constexpr double kSigmas = 5.3;
  for (int channel = 0; channel < 3; ++channel) {
    const Estimate mean = estimate(uint32_t(image.pixels.size()),
                                   [&](uint32_t i) { return image.pixels[i][channel]; });
    EXPECT_NEAR(mean.mean, expected[channel], kSigmas * mean.error + 1e-5) << "channel " << channel;
    EXPECT_LT(mean.error, 0.03 * expected[channel]);  // otherwise the line above proves nothing
  }
}

/// Every kind of boundary, light and surface.
inline HostScene foggy_scene() {
  HostScene scene = mixed_scene_with_instances();
  const uint32_t fog = add_medium(scene, kChromaticFog);
  const uint32_t milk = add_medium(
      scene, {.absorption = glm::vec3(0.1f), .scattering = {6, 5, 4}, .asymmetry = -0.2f});
  const uint32_t ink = add_medium(scene, {.absorption = {0.5f, 0.1f, 2.0f}});
  const uint32_t null = add_media_boundary(scene, milk);
  const uint32_t glass = add_media_boundary(
      scene, ink, {.type = MaterialType::kDielectric, .reflectance = glm::vec3(1.0f), .ior = 1.4f});
  scene.materials[null].exterior = scene.materials[glass].exterior = fog;
  add_box(scene, {-0.6f, 0.8f, 0.1f}, {0.3f, 1.9f, 1.0f}, null);
  scene.spheres.push_back({{0.6f, 1.5f, 0.2f}, 0.35f, glass});
  const uint32_t veil = add_material(scene, {.reflectance = glm::vec3(0.6f), .alpha = 0.4f});
  add_rectangle(scene, {-1.5f, 0.5f, 1.4f}, {1, 0, 0}, {0, 1, 0}, veil);
  scene.delta_lights = {{.position = {1, 2.5f, 1}, .intensity = glm::vec3(2.0f)}};
  scene.camera_medium = fog;
  return scene;
}

}  // namespace winnow
