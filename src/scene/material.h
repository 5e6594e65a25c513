#pragma once

#include <cstdint>
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
};

/// How the normals of microfacets spread.
enum class MicrofacetDistribution : uint8_t { kGgx, kBeckmann };

/// How microfacets hide one another on the way in and on the way out.
enum class Masking : uint8_t {
  kCorrelated,  ///< what is high is seen from both directions; nearer to what surfaces do
  kSeparable,   ///< each way for itself, as Mitsuba has it
};

/// Below this, floats no longer resolve the lobe; a smoother surface keeps this lobe, 1 mrad wide.
inline constexpr float kMinGgxAlpha = 1e-3f;

inline constexpr uint32_t kNoTexture = ~0u;

/// The textures of a material, which its values are multiplied by. Numbers of HostScene::textures,
/// or kNoTexture.
struct MaterialTextures {
  uint32_t reflectance = kNoTexture;         ///< rgb
  uint32_t emission = kNoTexture;            ///< rgb
  uint32_t roughness_metallic = kNoTexture;  ///< green is roughness, blue metallic
  uint32_t normal = kNoTexture;              ///< rgb from -1 to 1 in the frame of the texture
  uint32_t alpha = kNoTexture;               ///< its alpha is coverage
  uint32_t transmission = kNoTexture;        ///< red
};

/// One surface material. Any of them may emit, equally from both of its sides. All but those that
/// refract look the same from both sides.
struct Material {
  MaterialType type = MaterialType::kDiffuse;
  /// [0, 1] per channel. Of a dielectric it is the share that each crossing lets through, of what
  /// Fresnel does not reflect; its reflection stays white. Of a measured metal, a factor on what it
  /// reflects. Of plastic, the albedo of what lies below the boundary.
  glm::vec3 reflectance{0.5f};
  glm::vec3 emission{0.0f};  ///< W sr^-1 m^-2
  float roughness = 0.3f;    ///< [0, 1]; alpha of microfacets is its square
  float ior = 1.5f;          ///< inside (behind the normal) over outside; > 1

  // Read by kernels with Features::extended only.
  /// [-1, 1]; above 0 the surface is rougher along the tangent, and so highlights are long along
  /// it: alpha there over alpha across is (1 + anisotropy) / (1 - anisotropy), their product
  /// roughness^4
  float anisotropy = 0.0f;
  glm::vec3 specular{1.0f};      ///< [0, 1] per channel, factor on what a dielectric reflects
  float metallic = 0.0f;         ///< [0, 1], of a principled surface
  float transmission = 0.0f;     ///< [0, 1], of what is not metal
  float coat = 0.0f;             ///< [0, 1], share that is lacquered
  float coat_roughness = 0.0f;   ///< [0, 1]
  glm::vec3 sheen{0.0f};         ///< [0, 1] per channel, of fibres on the surface
  float sheen_roughness = 0.3f;  ///< [0, 1]
  glm::vec3 metal_n{0.0f};       ///< index of refraction of a measured metal
  glm::vec3 metal_k{0.0f};       ///< its extinction coefficient; both 0: Schlick's, not measured
  float alpha = 1.0f;            ///< [0, 1], share of the surface that is there
  float alpha_cutoff = 0.0f;     ///< above 0, the surface is there where alpha reaches it
  float normal_scale = 1.0f;     ///< of the x and y of the normal texture
  Masking masking = Masking::kCorrelated;  ///< of a rough conductor or dielectric
  /// Of a rough conductor, dielectric or plastic.
  MicrofacetDistribution distribution = MicrofacetDistribution::kGgx;
  bool nonlinear = false;  ///< plastic: light that is reflected back inside is tinted once more
  MaterialTextures textures = {};
};

/// Whether it gives light of its own.
SIMT_HOST_DEVICE inline bool emits(const Material& material) {
  return material.emission != glm::vec3(0.0f);
}

/// Whether it is a metal by its measured n and k.
SIMT_HOST_DEVICE inline bool is_measured(const Material& material) {
  return material.metal_n != glm::vec3(0.0f) || material.metal_k != glm::vec3(0.0f);
}

/// Whether light that comes from behind may leave in front.
SIMT_HOST_DEVICE inline bool lets_light_through(const Material& material) {
  switch (material.type) {
    case MaterialType::kDielectric:
    case MaterialType::kRoughDielectric:
    case MaterialType::kThinDielectric:
      return true;
    case MaterialType::kPrincipled:
      return material.transmission > 0.0f;
    default:
      return false;
  }
}

/// Whether light may pass through it, where its alpha says that it is not there.
inline bool has_alpha_cutouts(const Material& material) {
  return material.alpha < 1.0f || material.textures.alpha != kNoTexture;
}

}  // namespace winnow
