// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "scene/material.h"

namespace winnow {

/// Hits that run the same code when they are shaded.
enum class HitClass : uint8_t {
  kNoSurface,        ///< the ray left the scene
  kPlainDiffuse,     ///< diffuse, with constant reflectance, not black; does not emit
  kTexturedDiffuse,  ///< diffuse, with a reflectance texture or vertex colours; does not emit
  kOther,            ///< first of the classes for one MaterialType each
};
inline constexpr unsigned kHitClassCount = unsigned(HitClass::kOther) + kMaterialTypeCount;

/// Returns the class of the surfaces of a type that are not simply diffuse.
SIMT_HOST_DEVICE constexpr HitClass other_class(MaterialType type) {
  return HitClass(uint32_t(HitClass::kOther) + uint32_t(type));
}

/// Class of scattering in a medium. It takes the place of kNull, which is no surface to be shaded.
inline constexpr HitClass kScatteredInMedium = other_class(MaterialType::kNull);

/// Returns the class of a hit on a material. A surface is not simply diffuse if it emits, is black
/// on any side (a path ends there) or has mapped normals.
inline HitClass hit_class_of(const Material& material) {
  const bool is_diffuse = material.type == MaterialType::kDiffuse && !emits(material) &&
                          !material.black_back && material.anisotropy == 0.0f &&
                          material.dispersion == 0.0f && material.textures.normal == kNoTexture &&
                          material.textures.anisotropy == kNoTexture;
  if (!is_diffuse || material.reflectance == glm::vec3(0.0f)) return other_class(material.type);
  MaterialTextures none;
  none.alpha = material.textures.alpha;  // read by the alpha test only
  const bool is_plain = material.textures == none && !material.vertex_colors;
  return is_plain ? HitClass::kPlainDiffuse : HitClass::kTexturedDiffuse;
}

inline std::vector<HitClass> hit_classes_of(const std::vector<Material>& materials) {
  std::vector<HitClass> classes;
  for (const Material& material : materials) classes.push_back(hit_class_of(material));
  return classes;
}

/// Hits for which a shading kernel is compiled; its code contains nothing for others.
enum class ShadedHits {
  kAny,
  kSimple,         ///< no surface, and the diffuse classes
  kNotPrincipled,  ///< all other surfaces that are not principled
  kPrincipled,     ///< principled surfaces, and scattering in media
};

/// Classes [first, end).
struct HitClassRange {
  unsigned first, end;

  constexpr bool contains(HitClass hit) const {
    return unsigned(hit) >= first && unsigned(hit) < end;
  }
  /// Returns a bit mask; bit i is set if class i is in the range.
  constexpr uint32_t mask() const { return (1u << end) - (1u << first); }
};

constexpr HitClassRange class_range_of(ShadedHits hits) {
  const auto others = unsigned(HitClass::kOther);
  const auto principled = unsigned(other_class(MaterialType::kPrincipled));
  switch (hits) {
    case ShadedHits::kSimple:
      return {0, others};
    case ShadedHits::kNotPrincipled:
      return {others, principled};
    case ShadedHits::kPrincipled:
      return {principled, kHitClassCount};
    case ShadedHits::kAny:
      break;
  }
  return {0, kHitClassCount};
}

/// Returns the type of a material of these hits. It is a constant where all hits have one, so that
/// code for others is not compiled, whether or not the compiler inlines what calls it.
template <ShadedHits kHits>
SIMT_HOST_DEVICE MaterialType type_of([[maybe_unused]] const Material& material) {
  if constexpr (kHits == ShadedHits::kSimple) {
    return MaterialType::kDiffuse;
  } else if constexpr (kHits == ShadedHits::kPrincipled) {
    return MaterialType::kPrincipled;
  } else {
    if constexpr (kHits == ShadedHits::kNotPrincipled)
      if (material.type == MaterialType::kPrincipled) __builtin_unreachable();
    return material.type;
  }
}

/// States what holds for the materials of these hits, so that the compiler removes code.
template <ShadedHits kHits>
SIMT_HOST_DEVICE void assume_hit(Material& material) {
  material.type = type_of<kHits>(material);
  if constexpr (kHits == ShadedHits::kSimple) {
    material.emission = glm::vec3(0.0f);
    material.anisotropy = material.dispersion = 0.0f;
    material.black_back = false;
    MaterialTextures& textures = material.textures;
    textures.emission = textures.roughness_metallic = textures.normal = textures.transmission =
        textures.specular = textures.coat = textures.sheen = textures.anisotropy =
            textures.iridescence = textures.specular_tint = textures.diffuse_transmission =
                kNoTexture;
  }
}

}  // namespace winnow
