// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// How a surface scatters. One file in `shading/` for each.
enum class MaterialType : uint32_t {
  // Shaded by all kernels.
  kDiffuse,     ///< Lambert
  kMirror,      ///< smooth metal; `reflectance` at normal incidence, Schlick
  kConductor,   ///< microfacets of metal; `reflectance` at normal incidence, Schlick
  kDielectric,  ///< smooth boundary of index `ior` that reflects and refracts
  // Shaded by kernels with Features::extended.
  kRoughDielectric,  ///< microfacets of the same boundary
  kThinDielectric,   ///< a pane of it: two boundaries at no distance
  kPlastic,          ///< diffuse below a smooth or rough boundary of index `ior`
  kPrincipled,       ///< metal, diffuse or glass below a coat and sheen, or in between
  // Shaded by kernels with Features::media.
  kNull,  ///< no surface at all: only the boundary of a medium, which light passes straight
};

/// Distribution of the normals of microfacets.
enum class MicrofacetDistribution : uint8_t { kGgx, kBeckmann };

/// Joint masking-shadowing of microfacets.
enum class Masking : uint8_t {
  kCorrelated,  ///< height-correlated G2, closer to real surfaces
  kSeparable,   ///< G1(wi) G1(wo), as in Mitsuba
};

/// Floats do not resolve a narrower lobe than this one of 1 mrad; a smoother surface has it as
/// well.
inline constexpr float kMinGgxAlpha = 1e-3f;

inline constexpr uint32_t kNoTexture = ~0u;
inline constexpr uint32_t kNoMedium = ~0u;

/// The textures of a material, which multiply its values. Indices in HostScene::textures, or
/// kNoTexture.
struct MaterialTextures {
  uint32_t reflectance = kNoTexture;         ///< rgb
  uint32_t emission = kNoTexture;            ///< rgb
  uint32_t roughness_metallic = kNoTexture;  ///< green is roughness, blue metallic
  uint32_t normal = kNoTexture;              ///< rgb from -1 to 1 in the frame of the texture
  uint32_t alpha = kNoTexture;               ///< its alpha is coverage
  uint32_t transmission = kNoTexture;        ///< red
  uint32_t specular = kNoTexture;            ///< rgb
  uint32_t coat = kNoTexture;                ///< red is the weight, green the roughness of the coat
  uint32_t sheen = kNoTexture;               ///< rgb, and the roughness of the sheen in alpha
  uint32_t anisotropy = kNoTexture;          ///< red, green: direction as -1 to 1; blue: strength
  uint32_t iridescence = kNoTexture;         ///< red is the weight, green the thickness
  /// Bit i is set if the i-th texture above is looked up at Mesh::second_uvs.
  uint32_t on_second_uvs = 0;

  bool operator==(const MaterialTextures&) const = default;
};

/// A surface material. All types may emit. Both sides of a surface scatter alike, except where it
/// refracts.
struct Material {
  MaterialType type = MaterialType::kDiffuse;
  /// [0, 1] per channel. Of a dielectric, a factor of the transmission at each crossing; its
  /// reflection is white. Of a measured metal, a factor of its reflection. Of plastic, the albedo
  /// below the boundary.
  glm::vec3 reflectance{0.5f};
  glm::vec3 emission{0.0f};  ///< W sr^-1 m^-2
  float roughness = 0.3f;    ///< [0, 1]; alpha of microfacets is its square
  float ior = 1.5f;          ///< inside (behind the normal) over outside; > 1

  // Read by kernels with Features::extended only.
  /// [-1, 1]; above 0 the surface is rougher along the tangent, so that highlights are longer
  /// there: alpha along it over alpha across is (1 + anisotropy) / (1 - anisotropy), their product
  /// is roughness^4
  float anisotropy = 0.0f;
  glm::vec3 specular{1.0f};      ///< [0, 1] per channel, factor of the reflection of a dielectric
  float metallic = 0.0f;         ///< [0, 1], of a principled surface
  float transmission = 0.0f;     ///< [0, 1], of the nonmetallic part
  float coat = 0.0f;             ///< [0, 1], weight of the clear coat
  float coat_roughness = 0.0f;   ///< [0, 1]
  glm::vec3 sheen{0.0f};         ///< [0, 1] per channel, of fibres on the surface
  float sheen_roughness = 0.3f;  ///< [0, 1]
  glm::vec3 metal_n{0.0f};       ///< index of refraction of a measured metal
  glm::vec3 metal_k{0.0f};    ///< its extinction coefficient; if both are 0, Fresnel is Schlick's
  float alpha = 1.0f;         ///< [0, 1], coverage
  float alpha_cutoff = 0.0f;  ///< above 0: opaque where alpha is at least this, else transparent
  float normal_scale = 1.0f;  ///< of the x and y of the normal texture
  /// rad, counter-clockwise from the tangent: the direction in which anisotropy is measured
  float anisotropy_rotation = 0.0f;
  float iridescence = 0.0f;      ///< [0, 1], weight of a thin film on a principled surface
  float iridescence_ior = 1.3f;  ///< of the film; >= 1
  glm::vec2 film_thickness{100.0f, 400.0f};  ///< nm, where the texture's green is 0 and 1; without
                                             ///< a texture the second
  float dispersion = 0.0f;  ///< 20 / Abbe number of `ior`; 0: the same for all wavelengths
  Masking masking = Masking::kCorrelated;  ///< of a rough conductor or dielectric
  /// Of a rough conductor, dielectric or plastic.
  MicrofacetDistribution distribution = MicrofacetDistribution::kGgx;
  bool nonlinear = false;          ///< plastic: internal reflection multiplies the albedo again
  bool two_sided_emission = true;  ///< else only the side of the normal emits
  bool vertex_colors = false;      ///< Mesh::colors multiply `reflectance`
  bool vertex_alpha = false;       ///< their w multiplies `alpha`
  // Media behind and in front of the normal: what a path is in after it crossed the surface. Read
  // by kernels with Features::media, if `bounds_media`.
  bool bounds_media = false;
  uint32_t interior = kNoMedium;  ///< index in HostScene::media
  uint32_t exterior = kNoMedium;  ///< index in HostScene::media
  MaterialTextures textures = {};
};

/// True if the material emits light.
SIMT_HOST_DEVICE inline bool emits(const Material& material) {
  return material.emission != glm::vec3(0.0f);
}

/// True for a metal with measured n and k.
SIMT_HOST_DEVICE inline bool is_measured(const Material& material) {
  return material.metal_n != glm::vec3(0.0f) || material.metal_k != glm::vec3(0.0f);
}

/// Whether light that comes from behind may leave in front.
SIMT_HOST_DEVICE inline bool lets_light_through(const Material& material) {
  switch (material.type) {
    case MaterialType::kDielectric:
    case MaterialType::kRoughDielectric:
    case MaterialType::kThinDielectric:
    case MaterialType::kNull:
      return true;
    case MaterialType::kPrincipled:
      return material.transmission > 0.0f;
    default:
      return false;
  }
}

/// True if parts of the surface are transparent by their alpha.
inline bool has_alpha_cutouts(const Material& material) {
  return material.alpha < 1.0f || material.textures.alpha != kNoTexture || material.vertex_alpha;
}

}  // namespace winnow
