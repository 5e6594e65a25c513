// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <utility>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// How a surface scatters. Each type has a row in kMaterialTraits.
enum class MaterialType : uint32_t {
  kDiffuse,          ///< Lambert
  kMirror,           ///< smooth metal; `reflectance` at normal incidence, Schlick
  kConductor,        ///< microfacets of metal; `reflectance` at normal incidence, Schlick
  kDielectric,       ///< smooth boundary of index `ior` that reflects and refracts
  kRoughDielectric,  ///< rough boundary of index `ior`: dielectric microfacets
  kThinDielectric,   ///< thin pane of index `ior`: two smooth boundaries at no distance
  kPlastic,          ///< diffuse below a smooth or rough boundary of index `ior`
  kPrincipled,       ///< blend of metal, diffuse and glass below a coat and sheen
  kNull,             ///< no surface, only the boundary of a medium; light passes it straight
};

/// Properties of a MaterialType for code that does not evaluate BSDFs.
struct MaterialTraits {
  const char* name;          ///< in scene files
  const char* keys = "";     ///< keys of its own in scene files, separated by spaces
  bool extended = true;      ///< whether only kernels with Features::extended shade it
  bool specular = false;     ///< scatters only into single directions, which light sampling misses
  bool glossy = true;        ///< whether it visibly reflects or refracts its surroundings
  float reflectance = 1.0f;  ///< default in scene files
  float roughness = 0.3f;    ///< default in scene files
};

/// The traits of each type, [MaterialType].
inline constexpr std::array<MaterialTraits, 9> kMaterialTraits = {{
    {.name = "diffuse",
     .keys = "reflectance emission",
     .extended = false,
     .glossy = false,
     .reflectance = 0.5f},
    {.name = "mirror",
     .keys = "reflectance emission metal n k",
     .extended = false,
     .specular = true},
    {.name = "conductor",
     .keys = "reflectance emission metal n k roughness anisotropy anisotropy_rotation masking "
             "distribution",
     .extended = false},
    {.name = "dielectric",
     .keys = "reflectance specular emission ior dispersion",
     .extended = false,
     .specular = true},
    {.name = "rough-dielectric",
     .keys = "reflectance specular emission ior dispersion roughness anisotropy "
             "anisotropy_rotation masking distribution"},
    {.name = "thin-dielectric", .keys = "reflectance specular emission ior", .specular = true},
    {.name = "plastic",
     .keys = "reflectance specular emission ior roughness nonlinear distribution",
     .glossy = false,
     .reflectance = 0.5f,
     .roughness = 0.0f},
    {.name = "principled",
     .keys = "reflectance specular specular_tint emission ior dispersion roughness anisotropy "
             "anisotropy_rotation masking metallic transmission thin diffuse_transmission "
             "diffuse_transmission_color coat coat_roughness sheen sheen_roughness iridescence "
             "iridescence_ior film_thickness",
     .reflectance = 0.5f},
    {.name = "null", .glossy = false, .reflectance = 0.5f},
}};
inline constexpr unsigned kMaterialTypeCount = kMaterialTraits.size();

constexpr const MaterialTraits& traits_of(MaterialType type) {
  return kMaterialTraits[size_t(type)];
}

/// Returns the set of the types with a trait; bit i stands for type i.
consteval uint32_t types_with(bool MaterialTraits::*trait) {
  uint32_t types = 0;
  for (unsigned type = 0; type < kMaterialTypeCount; ++type)
    types |= uint32_t(kMaterialTraits[type].*trait) << type;
  return types;
}

/// Returns whether a type is in a set, by comparing with each type of the set.
template <uint32_t kTypes>
SIMT_HOST_DEVICE constexpr bool is_one_of(MaterialType type) {
  return [type]<unsigned... kIndices>(std::integer_sequence<unsigned, kIndices...>) {
    return (((kTypes >> kIndices & 1) != 0 && type == MaterialType(kIndices)) || ...);
  }
  (std::make_integer_sequence<unsigned, kMaterialTypeCount>());
}

enum class MicrofacetDistribution : uint8_t { kGgx, kBeckmann };

/// Joint masking-shadowing of microfacets.
enum class Masking : uint8_t {
  kCorrelated,  ///< height-correlated G2, closer to real surfaces
  /// G1(wi) G1(wo), as in Mitsuba. Principled surfaces are those of Burley, see principled.h.
  kSeparable,
};

/// Which normals the lobes of a surface with a normal map have.
enum class NormalMapping : uint8_t {
  /// As Cycles: specular lobes have those of bend_normal(), diffuse lobes the mapped normals as
  /// they are, with the shadows of bumps.
  kBent,
  /// As Mitsuba without shadows: those that face away from the viewer are turned half around the
  /// surface's normal.
  kFlipped,
  kShadowed,  ///< as Mitsuba: kFlipped, and bumps shadow all lobes: shadowing_of_bumps()
};

/// Smallest alpha of microfacets, also for smoother surfaces: floats do not resolve narrower lobes.
inline constexpr float kMinGgxAlpha = 1e-3f;

/// Largest index of refraction, which stands for infinity: a boundary of this index reflects all
/// light.
inline constexpr float kInfiniteIor = 1e4f;

inline constexpr uint32_t kNoTexture = ~0u;
inline constexpr uint32_t kNoMedium = ~0u;

/// Textures of a material, which multiply its values: indices in HostScene::textures or kNoTexture.
struct MaterialTextures {
  uint32_t reflectance = kNoTexture;         ///< rgb
  uint32_t emission = kNoTexture;            ///< rgb
  uint32_t roughness_metallic = kNoTexture;  ///< green is roughness, blue is metallic
  uint32_t normal = kNoTexture;              ///< rgb as a vector from -1 to 1 in the texture frame
  uint32_t alpha = kNoTexture;               ///< alpha is coverage
  uint32_t transmission = kNoTexture;        ///< red
  uint32_t specular = kNoTexture;            ///< rgb
  uint32_t coat = kNoTexture;                ///< red is the weight of the coat, green its roughness
  uint32_t sheen = kNoTexture;        ///< rgb is the colour, alpha the roughness of the sheen
  uint32_t anisotropy = kNoTexture;   ///< red, green: direction from -1 to 1; blue: strength
  uint32_t iridescence = kNoTexture;  ///< red is the weight of the film, green its thickness
  /// rgb; alpha is a factor of `specular`
  uint32_t specular_tint = kNoTexture;
  /// rgb is the colour, alpha the weight of the diffuse transmission
  uint32_t diffuse_transmission = kNoTexture;
  /// Bit i is set if the i-th texture above is looked up at Mesh::second_uvs.
  uint32_t on_second_uvs = 0;
  bool operator==(const MaterialTextures&) const = default;
};

/// A surface material of any type. All types may emit, and both sides of a surface scatter alike,
/// except where it refracts or has a black back.
///
/// A member applies to all types, or to those that its comment names; others ignore it. "Glass"
/// stands for kDielectric, kRoughDielectric and kThinDielectric.
struct Material {
  MaterialType type = MaterialType::kDiffuse;
  /// [0, 1] per channel:
  ///   kDiffuse                        albedo
  ///   kMirror, kConductor             reflectance at normal incidence; a factor of the reflection
  ///                                   if is_measured()
  ///   glass                           factor of the transmission at each crossing
  ///   kPlastic                        albedo below the boundary
  ///   kPrincipled                     albedo of the diffuse part, reflectance of the metallic part
  ///                                   at normal incidence, factor of the transmission
  ///   kNull                           ignored
  glm::vec3 reflectance{0.5f};
  glm::vec3 emission{0.0f};  ///< W sr^-1 m^-2
  /// kConductor, kRoughDielectric, kPlastic, kPrincipled: [0, 1]; alpha of the microfacets is its
  /// square. Plastic of roughness 0 is smooth.
  float roughness = 0.3f;
  /// Glass, kPlastic: index of refraction inside (behind the normal) over outside, from kMinIor to
  /// kMaxIor (scene/boundary.h). kPrincipled: > 1
  float ior = 1.5f;

  // Read by kernels with Features::extended only.
  /// kConductor, kRoughDielectric, kPrincipled: [-1, 1]. Alpha along the tangent over alpha across
  /// it is (1 + anisotropy) / (1 - anisotropy), and their product is roughness^4. Above 0 the
  /// surface is rougher along the tangent, and highlights are longer there.
  float anisotropy = 0.0f;
  /// Glass, kPlastic, kPrincipled: [0, 1] per channel, factor of the reflection at the boundary
  glm::vec3 specular{1.0f};
  // kPrincipled.
  float metallic = 0.0f;      ///< [0, 1], weight of the metallic part
  float transmission = 0.0f;  ///< [0, 1], weight of glass within the other part
  /// >= 0 per channel, factor of the reflectance of base and glass at normal incidence; the product
  /// is limited to 1. At grazing incidence they reflect `specular`, whatever the tint.
  glm::vec3 specular_tint{1.0f};
  float diffuse_transmission = 0.0f;  ///< [0, 1], share of the diffuse part that leaves behind
  glm::vec3 diffuse_transmission_color{1.0f};  ///< [0, 1] per channel, its albedo
  float coat = 0.0f;                           ///< [0, 1], weight of the clear coat
  float coat_roughness = 0.0f;                 ///< [0, 1]
  glm::vec3 sheen{0.0f};         ///< [0, 1] per channel, colour of fibres on the surface
  float sheen_roughness = 0.3f;  ///< [0, 1]
  // kMirror, kConductor: measured index of refraction n + i k; if both are 0, Fresnel is Schlick's.
  glm::vec3 metal_n{0.0f};
  glm::vec3 metal_k{0.0f};
  // All types.
  float alpha = 1.0f;         ///< [0, 1], coverage
  float alpha_cutoff = 0.0f;  ///< above 0: opaque where alpha is at least this, else transparent
  float normal_scale = 1.0f;  ///< factor of x and y of the normal texture
  /// kConductor, kRoughDielectric, kPrincipled: rad, counter-clockwise from the tangent to the
  /// direction along which anisotropy is measured
  float anisotropy_rotation = 0.0f;
  // kPrincipled: a thin film on the surface.
  float iridescence = 0.0f;      ///< [0, 1], weight of the film
  float iridescence_ior = 1.3f;  ///< index of refraction of the film; >= 1
  /// nm; thickness where the green of the texture is 0 (x) and 1 (y); without a texture, y
  glm::vec2 film_thickness{100.0f, 400.0f};
  /// kDielectric, kRoughDielectric, kPrincipled: 20 / Abbe number of the higher index over the
  /// lower; 0 for no dispersion
  float dispersion = 0.0f;
  Masking masking = Masking::kCorrelated;  ///< kConductor, kRoughDielectric, kPrincipled
  /// kConductor, kRoughDielectric, kPlastic
  MicrofacetDistribution distribution = MicrofacetDistribution::kGgx;
  NormalMapping normal_mapping = NormalMapping::kBent;
  /// kPrincipled: the surface is a sheet of no thickness, both sides of which are outside: the
  /// glass transmits without refraction, and `reflectance` tints it once.
  bool thin = false;
  bool nonlinear = false;          ///< kPlastic: internal reflection multiplies the albedo again
  bool two_sided_emission = true;  ///< false: only the side of the normal emits
  bool vertex_colors = false;      ///< Mesh::colors multiply `reflectance`
  bool vertex_alpha = false;       ///< the w of Mesh::colors multiplies `alpha`
  bool black_back = false;         ///< paths end at the side behind the normal
  // Media that a path enters as it crosses the surface. Read by kernels with Features::media, and
  // only if `bounds_media`.
  bool bounds_media = false;
  uint32_t interior = kNoMedium;  ///< behind the normal, index in HostScene::media
  uint32_t exterior = kNoMedium;  ///< in front of the normal, index in HostScene::media
  MaterialTextures textures = {};
};

SIMT_HOST_DEVICE inline bool emits(const Material& material) {
  return material.emission != glm::vec3(0.0f);
}

/// True for a metal with measured n and k.
SIMT_HOST_DEVICE inline bool is_measured(const Material& material) {
  return material.metal_n != glm::vec3(0.0f) || material.metal_k != glm::vec3(0.0f);
}

SIMT_HOST_DEVICE inline bool is_transmissive(const Material& material) {
  switch (material.type) {
    case MaterialType::kDielectric:
    case MaterialType::kRoughDielectric:
    case MaterialType::kThinDielectric:
    case MaterialType::kNull:
      return true;
    case MaterialType::kPrincipled:
      return material.transmission > 0.0f || material.diffuse_transmission > 0.0f;
    default:
      return false;
  }
}

/// True if alpha may make parts of the surface transparent.
inline bool has_alpha_cutouts(const Material& material) {
  return material.alpha < 1.0f || material.textures.alpha != kNoTexture || material.vertex_alpha;
}

/// A homogeneous participating medium. Light that travels through it is absorbed and scattered,
/// with Henyey & Greenstein's phase function (1941).
struct Medium {
  glm::vec3 absorption{0.0f};  ///< m^-1, coefficient per channel
  glm::vec3 scattering{0.0f};  ///< m^-1, coefficient per channel
  float asymmetry = 0.0f;      ///< (-1, 1), mean cosine of the scattering angle; above 0 is forward
  bool operator==(const Medium&) const = default;
};

}  // namespace winnow
