// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "device_scene/device_scene.h"
#include "device_scene/surface.h"
#include "math/frame.h"

namespace winnow {

// Material parameters, shading frame and alpha at a point of a surface. In basic scenes parameters
// are constant and the frame is any about the normal.

/// A texture lookup at a point of a surface.
struct TextureLookup {
  glm::vec2 uv{0.0f};
  float uv_size = 0.0f;  ///< width of the ray's cone in uv
};

/// Projects the ray's cone to the surface.
///
/// @param cone_width  m, at the surface
/// @param direction   of the ray
template <Features kFeatures>
SIMT_HOST_DEVICE TextureLookup texture_lookup(const Surface<kFeatures>& surface, float cone_width,
                                              glm::vec3 direction) {
  constexpr float kMinCosine = 1e-2f;  // limits the length of a grazing cone's footprint
  const float cosine = glm::max(std::abs(glm::dot(surface.n, direction)), kMinCosine);
  return {surface.texture.uv, cone_width * surface.texture.uv_per_meter / cosine};
}

template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec4 look_up(const DeviceScene<kFeatures>& scene, uint32_t texture,
                                   const TextureLookup& lookup) {
  return sample_texture(scene.textures[texture], lookup.uv, lookup.uv_size);
}

/// The material at a point. In extended scenes it is a copy multiplied by its textures.
///
/// @param cone_width, direction  see texture_lookup()
template <Features kFeatures>
SIMT_HOST_DEVICE decltype(auto) material_at(const DeviceScene<kFeatures>& scene,
                                            const Surface<kFeatures>& surface,
                                            [[maybe_unused]] float cone_width,
                                            [[maybe_unused]] glm::vec3 direction) {
  if constexpr (!kFeatures.extended) {
    return static_cast<const Material&>(scene.materials[surface.material]);
  } else {
    Material material = scene.materials[surface.material];
    const MaterialTextures& textures = material.textures;
    const TextureLookup lookup = texture_lookup(surface, cone_width, direction);
    if (textures.reflectance != kNoTexture)
      material.reflectance *= glm::vec3(look_up(scene, textures.reflectance, lookup));
    if (textures.emission != kNoTexture)
      material.emission *= glm::vec3(look_up(scene, textures.emission, lookup));
    if (textures.transmission != kNoTexture)
      material.transmission *= look_up(scene, textures.transmission, lookup).x;
    if (textures.roughness_metallic != kNoTexture) {
      const glm::vec4 value = look_up(scene, textures.roughness_metallic, lookup);
      material.roughness *= value.y;
      material.metallic *= value.z;
    }
    return material;
  }
}

/// Bends a mapped normal until the mirror direction of the viewer is above the surface. Otherwise a
/// strong normal map would reflect light into the surface and leave black fringes.
///
/// @param n   geometric normal on the side of the viewer
/// @param wo  towards the viewer, unit length
SIMT_HOST_DEVICE inline glm::vec3 bend_normal(glm::vec3 ns, glm::vec3 n, glm::vec3 wo) {
  constexpr float kMinHeight = 0.01f;  // of the mirror direction, unless the viewer is lower
  const glm::vec3 mirrored = 2.0f * glm::dot(ns, wo) * ns - wo;
  const float height = glm::dot(mirrored, n);
  const float min_height = glm::min(kMinHeight, 0.9f * glm::dot(wo, n));
  if (height >= min_height) return ns;
  const glm::vec3 lifted = glm::normalize(mirrored + (min_height - height) * n);
  return glm::normalize(lifted + wo);
}

/// The shading frame at a point, with the material's normal map and along its anisotropy.
///
/// @param ns         shading normal before normal mapping, on either side
/// @param direction  of the ray that hit the surface
template <Features kFeatures>
SIMT_HOST_DEVICE Frame frame_at(const DeviceScene<kFeatures>& scene,
                                const Surface<kFeatures>& surface, const Material& material,
                                glm::vec3 ns, float cone_width, glm::vec3 direction) {
  if constexpr (!kFeatures.extended) {
    return Frame(ns);
  } else {
    const bool has_normal_map = material.textures.normal != kNoTexture;
    if (!has_normal_map && material.anisotropy == 0.0f) return Frame(ns);
    const glm::vec3 dpdu = surface.texture.dpdu;
    const glm::vec3 along = dpdu - glm::dot(dpdu, ns) * ns;
    if (!(glm::dot(along, along) > 0.0f)) return Frame(ns);
    const Frame frame(ns, glm::normalize(dpdu));
    if (!has_normal_map) return frame;

    const glm::vec4 texel =
        look_up(scene, material.textures.normal, texture_lookup(surface, cone_width, direction));
    // Green increases upwards, v downwards.
    const float upwards = glm::dot(frame.t, surface.texture.dpdv) > 0.0f ? -1.0f : 1.0f;
    const glm::vec3 local{material.normal_scale * (2.0f * texel.x - 1.0f),
                          material.normal_scale * (2.0f * texel.y - 1.0f) * upwards,
                          2.0f * texel.z - 1.0f};
    const glm::vec3 mapped = frame.to_world(local);
    const float length = glm::length(mapped);
    if (!(length > 0.0f)) return frame;
    const float side = glm::dot(direction, surface.n) < 0.0f ? 1.0f : -1.0f;
    glm::vec3 n = mapped / length;
    if (!(glm::dot(n, surface.n) > 0.0f)) return frame;
    // On the side of the viewer, and back.
    n = side * bend_normal(side * n, side * surface.n, -direction);
    const glm::vec3 along_mapped = dpdu - glm::dot(dpdu, n) * n;
    return glm::dot(along_mapped, along_mapped) > 0.0f ? Frame(n, glm::normalize(dpdu)) : Frame(n);
  }
}

/// Alpha at a point of an extended scene's surface: the probability that light is stopped there.
template <Features kFeatures>
SIMT_HOST_DEVICE float alpha_at(const DeviceScene<kFeatures>& scene,
                                const Surface<kFeatures>& surface) {
  const Material& material = scene.materials[surface.material];
  if constexpr (kFeatures.media)
    if (material.type == MaterialType::kNull) return 0.0f;
  float alpha = material.alpha;
  // Unfiltered: with a blurred alpha, light would leak through all edges.
  if (material.textures.alpha != kNoTexture)
    alpha *= sample_texture(scene.textures[material.textures.alpha], surface.texture.uv, 0.0f).w;
  if (material.alpha_cutoff > 0.0f) return alpha < material.alpha_cutoff ? 0.0f : 1.0f;
  return glm::min(alpha, 1.0f);
}

}  // namespace winnow
