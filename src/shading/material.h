#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

namespace winnow {

/// How a surface scatters. One file in `shading/` for each.
enum class MaterialType : uint32_t {
  kDiffuse,     ///< Lambert
  kMirror,      ///< smooth metal; `reflectance` at normal incidence, Schlick
  kConductor,   ///< GGX microfacets of metal; `reflectance` at normal incidence, Schlick
  kDielectric,  ///< smooth boundary of index `ior` that reflects and refracts
};

/// One surface material. Any of them may emit, equally from both of its sides. All but the
/// dielectric look the same from both sides.
struct Material {
  MaterialType type = MaterialType::kDiffuse;
  /// [0, 1] per channel. Of a dielectric it is the share that each crossing lets through, of what
  /// Fresnel does not reflect; its reflection stays white.
  glm::vec3 reflectance{0.5f};
  glm::vec3 emission{0.0f};  ///< W sr^-1 m^-2
  float roughness = 0.3f;    ///< [0, 1]; GGX alpha is its square
  float ior = 1.5f;          ///< inside (behind the normal) over outside; > 1
};

}  // namespace winnow
