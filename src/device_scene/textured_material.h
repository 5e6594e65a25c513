#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "device_scene/full_scene.h"
#include "device_scene/full_surface.h"
#include "math/frame.h"

namespace winnow {

// What the material of a surface is at one point, and how its frame lies there. The material of a
// plain scene is the same everywhere, and its frame any about the normal.

/// A point of a surface as textures see it.
struct TexturePoint {
  glm::vec2 uv{0.0f};
  float uv_size = 0.0f;  ///< how much of uv the eye sees as one point
};

/// @param cone_width  m, of the ray's cone where it meets the surface
/// @param direction   of the ray
SIMT_HOST_DEVICE inline TexturePoint texture_point(const FullSurface& surface, float cone_width,
                                                   glm::vec3 direction) {
  constexpr float kMinCosine = 1e-2f;  // a grazing cone's ellipse has a narrow side, too
  const float cosine = glm::max(std::abs(glm::dot(surface.n, direction)), kMinCosine);
  return {surface.uv, cone_width * surface.uv_per_meter / cosine};
}

SIMT_HOST_DEVICE inline glm::vec4 look_up(const FullScene& scene, uint32_t texture,
                                          const TexturePoint& point) {
  return sample_texture(scene.textures[texture], point.uv, point.uv_size);
}

SIMT_HOST_DEVICE inline glm::vec3 look_up_color(const FullScene& scene, uint32_t texture,
                                                const TexturePoint& point) {
  return glm::vec3(look_up(scene, texture, point));
}

SIMT_HOST_DEVICE inline const Material& material_at(const DeviceScene& scene,
                                                    const Surface& surface, float, glm::vec3) {
  return scene.materials[surface.material];
}

/// The material with its textures, which must not be looked up again.
SIMT_HOST_DEVICE inline Material material_at(const FullScene& scene, const FullSurface& surface,
                                             float cone_width, glm::vec3 direction) {
  Material material = scene.materials[surface.material];
  const MaterialTextures& textures = material.textures;
  const TexturePoint point = texture_point(surface, cone_width, direction);
  if (textures.reflectance != kNoTexture)
    material.reflectance *= look_up_color(scene, textures.reflectance, point);
  if (textures.emission != kNoTexture)
    material.emission *= look_up_color(scene, textures.emission, point);
  if (textures.transmission != kNoTexture)
    material.transmission *= look_up(scene, textures.transmission, point).x;
  if (textures.roughness_metallic != kNoTexture) {
    const glm::vec4 value = look_up(scene, textures.roughness_metallic, point);
    material.roughness *= value.y;
    material.metallic *= value.z;
  }
  return material;
}

SIMT_HOST_DEVICE inline Frame frame_at(const DeviceScene&, const Surface&, const Material&,
                                       glm::vec3 ns, float, glm::vec3) {
  return Frame(ns);
}

/// Turned so far that the mirror image of the viewer is above the surface: else a strong normal map
/// would send light into it, and leave black fringes.
///
/// @param n   geometric normal on the side of the viewer
/// @param wo  to the viewer, unit length
SIMT_HOST_DEVICE inline glm::vec3 bend_normal(glm::vec3 ns, glm::vec3 n, glm::vec3 wo) {
  constexpr float kMinHeight = 0.01f;  // of the mirror image, or as low as the viewer itself
  const glm::vec3 mirrored = 2.0f * glm::dot(ns, wo) * ns - wo;
  const float height = glm::dot(mirrored, n);
  const float least = glm::min(kMinHeight, 0.9f * glm::dot(wo, n));
  if (height >= least) return ns;
  const glm::vec3 lifted = glm::normalize(mirrored + (least - height) * n);
  return glm::normalize(lifted + wo);
}

/// @param ns         shading normal without textures, on the side of the viewer or not
/// @param direction  of the ray that met the surface
SIMT_HOST_DEVICE inline Frame frame_at(const FullScene& scene, const FullSurface& surface,
                                       const Material& material, glm::vec3 ns, float cone_width,
                                       glm::vec3 direction) {
  const bool has_normal_map = material.textures.normal != kNoTexture;
  if (!has_normal_map && material.anisotropy == 0.0f) return Frame(ns);
  const glm::vec3 along = surface.tangent - glm::dot(surface.tangent, ns) * ns;
  if (!(glm::dot(along, along) > 0.0f)) return Frame(ns);
  const Frame frame(ns, glm::normalize(surface.tangent));
  if (!has_normal_map) return frame;

  const glm::vec4 texel =
      look_up(scene, material.textures.normal, texture_point(surface, cone_width, direction));
  // Green grows upwards, and v downwards.
  const float upwards = glm::dot(frame.t, surface.bitangent) > 0.0f ? -1.0f : 1.0f;
  const glm::vec3 local{material.normal_scale * (2.0f * texel.x - 1.0f),
                        material.normal_scale * (2.0f * texel.y - 1.0f) * upwards,
                        2.0f * texel.z - 1.0f};
  const glm::vec3 mapped = frame.to_world(local);
  const float length = glm::length(mapped);
  if (!(length > 0.0f)) return frame;
  const float side = glm::dot(direction, surface.n) < 0.0f ? 1.0f : -1.0f;
  // As the outside sees it, and back.
  glm::vec3 n = mapped / length;
  if (!(glm::dot(n, surface.n) > 0.0f)) return frame;
  n = side * bend_normal(side * n, side * surface.n, -direction);
  const glm::vec3 along_mapped = surface.tangent - glm::dot(surface.tangent, n) * n;
  return glm::dot(along_mapped, along_mapped) > 0.0f ? Frame(n, glm::normalize(surface.tangent))
                                                     : Frame(n);
}

/// The share of the surface that is there at this point, where its alpha leaves holes.
SIMT_HOST_DEVICE inline float coverage(const FullScene& scene, const FullSurface& surface) {
  const Material& material = scene.materials[surface.material];
  float alpha = material.alpha;
  // Sharp: a blurred alpha would let light through at all edges.
  if (material.textures.alpha != kNoTexture)
    alpha *= sample_texture(scene.textures[material.textures.alpha], surface.uv, 0.0f).w;
  if (material.alpha_cutoff > 0.0f) return alpha < material.alpha_cutoff ? 0.0f : 1.0f;
  return glm::min(alpha, 1.0f);
}

/// Whether light goes through the surface at this point.
///
/// @param chance  [0, 1), for alpha in between
SIMT_HOST_DEVICE inline bool is_hole(const FullScene& scene, const FullSurface& surface,
                                     float chance) {
  return chance >= coverage(scene, surface);
}

}  // namespace winnow
