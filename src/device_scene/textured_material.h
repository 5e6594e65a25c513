// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "device_scene/device_scene.h"
#include "device_scene/surface.h"
#include "math/frame.h"
#include "shading/bsdf/lambert_lobe.h"
#include "shading/bsdf/microfacets.h"

namespace winnow {

// Material parameters, shading frame and alpha at a point of a surface. In basic scenes the
// parameters are constant and the frame is an arbitrary one about the normal.

struct TextureLookup {
  glm::vec2 uv{0.0f};
  float uv_size = 0.0f;  ///< width of the ray's cone in uv
  // Values of the second UV set.
  glm::vec2 second_uv{0.0f};
  float second_uv_size = 0.0f;
};

/// Projects the ray's cone to the surface.
///
/// @param cone_width  m, at the surface
template <Features kFeatures>
SIMT_HOST_DEVICE TextureLookup texture_lookup(const Surface<kFeatures>& surface, float cone_width,
                                              glm::vec3 direction) {
  constexpr float kMinCosine = 1e-2f;  // limits the length of a grazing cone's footprint
  const float cosine = glm::max(std::abs(glm::dot(surface.n, direction)), kMinCosine);
  const TextureFrame& frame = surface.texture;
  return {frame.uv, cone_width * frame.uv_per_meter / cosine, frame.second_uv,
          cone_width * frame.second_uv_per_meter / cosine};
}

/// Returns whether a texture uses the second UV set, which only scenes with Features::layers have.
template <Features kFeatures>
SIMT_HOST_DEVICE bool uses_second_uvs([[maybe_unused]] const MaterialTextures& textures,
                                      [[maybe_unused]] TextureUse use) {
  if constexpr (kFeatures.layers)
    return is_on_second_uvs(textures, use);
  else
    return false;
}

template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec4 look_up(const DeviceScene<kFeatures>& scene,
                                   const MaterialTextures& textures, TextureUse use,
                                   uint32_t texture, const TextureLookup& lookup) {
  const bool is_second = uses_second_uvs<kFeatures>(textures, use);
  return sample_texture(scene.textures[texture], is_second ? lookup.second_uv : lookup.uv,
                        is_second ? lookup.second_uv_size : lookup.uv_size);
}

/// Sets the anisotropy from a texture; Material::anisotropy scales its strength. Along the
/// texture's direction the surface is rougher; across it, the roughness is Material::roughness.
///
/// @param texel  texel of MaterialTextures::anisotropy
/// As in KHR_materials_anisotropy of glTF, alpha along the direction is mix(alpha, 1, strength^2).
SIMT_HOST_DEVICE inline void set_anisotropy(glm::vec4 texel, Material& material) {
  const float strength = material.anisotropy * texel.z;
  const float alpha = ggx_alpha(material.roughness);
  const float along = glm::mix(alpha, 1.0f, strength * strength);
  const glm::vec2 direction{2.0f * texel.x - 1.0f, 2.0f * texel.y - 1.0f};
  material.anisotropy = (along - alpha) / (along + alpha);
  material.roughness = std::sqrt(std::sqrt(along * alpha));
  material.anisotropy_rotation += std::atan2(direction.y, direction.x);
}

template <Features kFeatures>
SIMT_HOST_DEVICE void multiply_layers(const DeviceScene<kFeatures>& scene,
                                      const TextureLookup& lookup, Material& material) {
  const MaterialTextures& textures = material.textures;
  auto texel = [&](TextureUse use, uint32_t texture) {
    return look_up(scene, textures, use, texture, lookup);
  };
  if (textures.specular != kNoTexture)
    material.specular *= glm::vec3(texel(TextureUse::kSpecular, textures.specular));
  if (textures.specular_tint != kNoTexture) {
    const glm::vec4 value = texel(TextureUse::kSpecularTint, textures.specular_tint);
    material.specular_tint *= glm::vec3(value);
    material.specular *= value.w;
  }
  if (textures.diffuse_transmission != kNoTexture) {
    const glm::vec4 value = texel(TextureUse::kDiffuseTransmission, textures.diffuse_transmission);
    material.diffuse_transmission_color *= glm::vec3(value);
    material.diffuse_transmission *= value.w;
  }
  if (textures.coat != kNoTexture) {
    const glm::vec4 value = texel(TextureUse::kCoat, textures.coat);
    material.coat *= value.x;
    material.coat_roughness *= value.y;
  }
  if (textures.sheen != kNoTexture) {
    const glm::vec4 value = texel(TextureUse::kSheen, textures.sheen);
    material.sheen *= glm::vec3(value);
    material.sheen_roughness *= value.w;
  }
  if (textures.iridescence != kNoTexture) {
    const glm::vec4 value = texel(TextureUse::kIridescence, textures.iridescence);
    material.iridescence *= value.x;
    material.film_thickness.y =
        glm::mix(material.film_thickness.x, material.film_thickness.y, value.y);
  }
  if (textures.anisotropy != kNoTexture)
    set_anisotropy(texel(TextureUse::kAnisotropy, textures.anisotropy), material);
}

/// Returns the material at a point. In extended scenes it is a copy, multiplied by its textures and
/// by vertex colours.
///
/// @param cone_width, direction  see texture_lookup()
/// @tparam kHits                 what is known about the hit; unused in basic scenes
template <ShadedHits kHits = ShadedHits::kAny, Features kFeatures>
SIMT_HOST_DEVICE decltype(auto) material_at(const DeviceScene<kFeatures>& scene,
                                            const Surface<kFeatures>& surface,
                                            [[maybe_unused]] float cone_width,
                                            [[maybe_unused]] glm::vec3 direction) {
  if constexpr (!kFeatures.extended) {
    return static_cast<const Material&>(scene.materials[surface.material]);
  } else {
    Material material = scene.materials[surface.material];
    assume_hit<kHits>(material);
    const MaterialTextures& textures = material.textures;
    const TextureLookup lookup = texture_lookup(surface, cone_width, direction);
    auto texel = [&](TextureUse use, uint32_t texture) {
      return look_up(scene, textures, use, texture, lookup);
    };
    if constexpr (kFeatures.layers) {
      if (has_colored_emission(material))
        material.emission *= glm::vec3(surface.color);
      else if (material.vertex_colors)
        material.reflectance *= glm::vec3(surface.color);
    }
    if (textures.reflectance != kNoTexture)
      material.reflectance *= glm::vec3(texel(TextureUse::kReflectance, textures.reflectance));
    if (textures.emission != kNoTexture)
      material.emission *= glm::vec3(texel(TextureUse::kEmission, textures.emission));
    if (textures.transmission != kNoTexture)
      material.transmission *= texel(TextureUse::kTransmission, textures.transmission).x;
    if (textures.roughness_metallic != kNoTexture) {
      const glm::vec4 value = texel(TextureUse::kRoughnessMetallic, textures.roughness_metallic);
      material.roughness *= value.y;
      material.metallic *= value.z;
    }
    if constexpr (kFeatures.layers)
      if (has_layer_textures(textures)) multiply_layers(scene, lookup, material);
    return material;
  }
}

/// Leans a mapped normal towards the surface's normal until the mirror direction of the viewer is
/// above the surface, as Cycles does. Otherwise a strong normal map would reflect light into the
/// surface and leave black fringes.
///
/// @param n   geometric normal on the side of the viewer
/// @param wo  towards the viewer, unit length
SIMT_HOST_DEVICE inline glm::vec3 bend_normal(glm::vec3 ns, glm::vec3 n, glm::vec3 wo) {
  constexpr float kMinHeight = 0.01f;  // height of the mirror direction, unless the viewer is lower
  const float up = glm::dot(wo, n), cosine = glm::dot(ns, n);
  const float min_height = glm::min(kMinHeight, 0.9f * up);
  if (2.0f * glm::dot(ns, wo) * cosine - up >= min_height) return ns;
  // A normal that leans by t mirrors the viewer to the height up cos 2t + along sin 2t.
  const glm::vec3 lean = ns - cosine * n;
  const float sine = glm::length(lean);
  const float along = glm::dot(wo, lean) / sine, squared = up * up + along * along;
  if (!(sine > 0.0f && squared > 0.0f)) return ns;
  const float root = std::sqrt(glm::max(squared - min_height * min_height, 0.0f));
  const float cos_2t = glm::clamp((min_height * up - along * root) / squared, -1.0f, 1.0f);
  return std::sqrt(0.5f + 0.5f * cos_2t) * n + std::sqrt(0.5f - 0.5f * cos_2t) / sine * lean;
}

/// Turns a mapped normal that faces away from the viewer, in the frame of the shading normal, half
/// around that. From behind, an opaque surface has the same bumps as from the front.
///
/// @param wo  towards the viewer, in the same frame
/// As Mitsuba 3.9, where `twosided` mirrors directions before `normalmap` sees them.
SIMT_HOST_DEVICE inline glm::vec3 flip_normal(glm::vec3 n, glm::vec3 wo, bool is_opaque) {
  const bool is_mirrored = is_opaque && wo.z < 0.0f;
  if (is_mirrored) wo.z = -wo.z;
  const bool is_flipped = wo.z * glm::dot(wo, n) <= 0.0f;
  return is_flipped != is_mirrored ? glm::vec3(-n.x, -n.y, n.z) : n;
}

/// Returns the direction along which anisotropy is measured: dpdu, rotated in the plane of `frame`.
///
/// @param upwards  1 where the frame's t points against v, else -1
template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec3 anisotropic_tangent([[maybe_unused]] const Material& material,
                                               [[maybe_unused]] const Frame& frame,
                                               [[maybe_unused]] float upwards, glm::vec3 dpdu) {
  if constexpr (kFeatures.layers) {
    const float angle = material.anisotropy_rotation;
    if (angle != 0.0f && material.anisotropy != 0.0f)
      return std::cos(angle) * frame.s + upwards * std::sin(angle) * frame.t;
  }
  return glm::normalize(dpdu);
}

/// The shading frame at a point, and what a normal map adds.
struct ShadingFrame {
  Frame frame;
  BumpedLambertLobe diffuse = {};  ///< in the frame
  /// roughness_of_bumps() if these shadow all lobes. diffuse.ns is in the world's frame then, so
  /// that kernels keep one normal of the two.
  float bumps = 0.0f;

  /// Returns the share of light from `wi`, in the world's frame, that reaches the lobes through
  /// bumps.
  SIMT_HOST_DEVICE float shadowing(glm::vec3 wi) const {
    return shadowing_of_bumps(bumps, diffuse.ns, wi);
  }
};

/// Returns the shading frame at a point, from the material's normal map and aligned with its
/// anisotropy.
///
/// @param ns         shading normal before normal mapping, on either side
/// @param direction  direction of the ray that hit the surface
template <Features kFeatures>
SIMT_HOST_DEVICE ShadingFrame frame_at(const DeviceScene<kFeatures>& scene,
                                       const Surface<kFeatures>& surface, const Material& material,
                                       glm::vec3 ns, float cone_width, glm::vec3 direction) {
  if constexpr (!kFeatures.extended) {
    return {Frame(ns)};
  } else {
    const bool has_normal_map = material.textures.normal != kNoTexture;
    if (!has_normal_map && material.anisotropy == 0.0f) return {Frame(ns)};
    const glm::vec3 dpdu = surface.texture.dpdu;
    const glm::vec3 along = dpdu - glm::dot(dpdu, ns) * ns;
    if (!(glm::dot(along, along) > 0.0f)) return {Frame(ns)};
    const Frame frame(ns, glm::normalize(dpdu));
    // Green increases upwards, v downwards.
    const float upwards = glm::dot(frame.t, surface.texture.dpdv) > 0.0f ? -1.0f : 1.0f;
    const glm::vec3 tangent = anisotropic_tangent<kFeatures>(material, frame, upwards, dpdu);
    if (!has_normal_map) return {Frame(ns, tangent)};

    const glm::vec4 texel =
        look_up(scene, material.textures, TextureUse::kNormal, material.textures.normal,
                texture_lookup(surface, cone_width, direction));
    glm::vec3 local{material.normal_scale * (2.0f * texel.x - 1.0f),
                    material.normal_scale * (2.0f * texel.y - 1.0f) * upwards,
                    2.0f * texel.z - 1.0f};
    const bool is_bent = material.normal_mapping == NormalMapping::kBent;
    if (!is_bent)
      local = flip_normal(local, frame.to_local(-direction), !is_transmissive(material));
    glm::vec3 mapped = frame.to_world(local);
    const float length = glm::length(mapped);
    if (!(length > 0.0f)) return {Frame(ns, tangent)};
    mapped /= length;
    if (!(glm::dot(mapped, surface.n) > 0.0f)) return {Frame(ns, tangent)};
    const float side = glm::dot(direction, surface.n) < 0.0f ? 1.0f : -1.0f;
    const glm::vec3 n =
        is_bent ? side * bend_normal(side * mapped, side * surface.n, -direction) : mapped;
    const glm::vec3 along_mapped = tangent - glm::dot(tangent, n) * n;
    ShadingFrame at{glm::dot(along_mapped, along_mapped) > 0.0f ? Frame(n, tangent) : Frame(n)};
    const float bumps = roughness_of_bumps(glm::max(glm::dot(mapped, ns), 0.0f));
    if (!is_bent) {
      if (material.normal_mapping == NormalMapping::kShadowed) at.bumps = bumps;
      at.diffuse.ns = ns;
      return at;
    }
    const glm::vec3 turned(side, side, 1.0f);  // to the side of the viewer
    at.diffuse.n = turned * at.frame.to_local(mapped);
    at.diffuse.ns = turned * at.frame.to_local(ns);
    at.diffuse.roughness = bumps;
    return at;
  }
}

/// Returns alpha at a point of a surface of an extended scene: the probability that it stops light.
/// It is filtered as colours are. A cutoff applies to the image itself, so that the covered share
/// of a surface is the same from near and far.
///
/// @param cone_width, direction  see texture_lookup(); a width of 0 or less for no filter
template <Features kFeatures>
SIMT_HOST_DEVICE float alpha_at(const DeviceScene<kFeatures>& scene,
                                const Surface<kFeatures>& surface, float cone_width,
                                glm::vec3 direction) {
  const Material& material = scene.materials[surface.material];
  if constexpr (kFeatures.media)
    if (material.type == MaterialType::kNull) return 0.0f;
  float alpha = material.alpha;
  if (material.textures.alpha != kNoTexture) {
    const float width = material.alpha_cutoff > 0.0f ? 0.0f : cone_width;
    alpha *= look_up(scene, material.textures, TextureUse::kAlpha, material.textures.alpha,
                     texture_lookup(surface, width, direction))
                 .w;
  }
  if constexpr (kFeatures.layers)
    if (material.vertex_alpha) alpha *= surface.color.w;
  if (material.alpha_cutoff > 0.0f) return alpha < material.alpha_cutoff ? 0.0f : 1.0f;
  return glm::min(alpha, 1.0f);
}

}  // namespace winnow
